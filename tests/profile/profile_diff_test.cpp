// SPDX-License-Identifier: MIT
#include "profile/profile_diff.h"

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"

namespace rocenv::profile_diff_test {

namespace {

Resolved profile(const std::string& name, const std::string& body) {
    const MemoryFs nothing;
    ProfileStore store(nothing, Process{});
    store.hold({name, name, "[profile]\nname = \"" + name + "\"\n" + body});
    Resolved out = resolve(store, {name}, {});
    CHECK(out.diagnostics.empty());
    return out;
}

std::string shown(const ProfileDiff& diff) {
    return render_profile_diff_human(diff, Detail::normal, Colour::no);
}

}  // namespace

TEST_CASE("profiles side by side, in the order of the registry") {
    const auto a =
        profile("a",
                "[settings]\n\"cpu.governor\" = \"performance\"\n"
                "\"kernel.numa_balancing\" = 0\n\"cpu.boost\" = true\n"
                "\"gpu.users\" = { value = 0, level = \"info\" }\n"
                "[env]\nNCCL_DEBUG = \"INFO\"\nHSA_NO_SCRATCH_RECLAIM = { unset = true }");
    const auto b = profile("b",
                           "[settings]\n\"cpu.governor\" = \"powersave\"\n"
                           "\"kernel.numa_balancing\" = { value = 0, why = \"so\" }\n"
                           "\"cpu.smt\" = \"off\"\n\"gpu.count\" = 8\n"
                           "\"gpu.users\" = { value = 0, level = \"recommended\" }\n"
                           "[env]\nNCCL_DEBUG = \"WARN\"\nHSA_NO_SCRATCH_RECLAIM = \"1\"");
    const auto diff = diff_profiles(a, b);
    CHECK(!diff.equal());
    CHECK(diff.alike == 1);
    CHECK(shown(diff) ==
          "a -> b: 4 differ, 1 only in the first, 2 only in the second, 1 equal\n"
          "\n"
          "Different\n"
          "  gpu.users                   level info     -> level recommended\n"
          "  cpu.governor                \"performance\"  -> \"powersave\"\n"
          "  env.HSA_NO_SCRATCH_RECLAIM  unset          -> \"1\"\n"
          "  env.NCCL_DEBUG              \"INFO\"         -> \"WARN\"\n"
          "\n"
          "Only in a\n"
          "  cpu.boost  required  true\n"
          "\n"
          "Only in b\n"
          "  gpu.count  required  8\n"
          "  cpu.smt    required  \"off\"\n");
}

TEST_CASE("a profile does not differ from itself") {
    const auto a = profile("a", "[settings]\n\"gpu.count\" = 8\n");
    const auto diff = diff_profiles(a, a);
    CHECK(diff.equal());
    CHECK(shown(diff) == "a -> a: no difference, 1 equal\n");
    CHECK(render_profile_diff_json(diff).find("\"equal\": true") != std::string::npos);
}

TEST_CASE("a value whose file must exist in one profile only is a row of the differences") {
    const auto a = profile("a", "[env]\nNCCL_TUNER_PLUGIN = \"/opt/x.so\"\n");
    const auto b =
        profile("b", "[env]\nNCCL_TUNER_PLUGIN = { value = \"/opt/x.so\", must_exist = true }\n");
    CHECK(shown(diff_profiles(a, b)) ==
          "a -> b: 1 differ, 0 only in the first, 0 only in the second, 0 equal\n"
          "\n"
          "Different\n"
          "  env.NCCL_TUNER_PLUGIN  file may be missing  -> file must exist\n");
}

TEST_CASE("long values stand below each other within 80 columns") {
    const std::string start = "[settings]\n\"kernel.cmdline\" = { wanted = [";
    const auto a = profile("a", start + "\"iommu=pt\", \"pci=realloc=off\", \"pci=bfsort\"] }\n");
    const auto b =
        profile("b", start + "\"iommu=pt\", \"amd_iommu=on\", \"numa_balancing=disable\"] }\n");
    const auto text = shown(diff_profiles(a, b));
    for (const auto line : split(text, '\n')) {
        CHECK(line.size() <= 80);
    }
    const auto after = text.find("-> { wanted = [");
    CHECK(text.rfind('\n', after) > text.find("{ wanted = ["));
}

}  // namespace rocenv::profile_diff_test
