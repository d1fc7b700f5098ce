// SPDX-License-Identifier: MIT
// A recording keeps all that findings and facts depend on, of each file that check reads.
#include "check/check.h"
#include "check/record.h"
#include "os/fs/tree_file.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace rocenv::recording_test {

namespace {

CheckResult checked(const Fs& machine) {
    const MemoryFs host;
    Process process;
    process.environment["SOURCE_DATE_EPOCH"] = "1796000000";
    CheckRequest request;
    request.profiles = {"acceptance"};
    request.facts = true;
    auto result = check(request, machine, host, process);
    REQUIRE(result.errors.empty());
    return result;
}

std::vector<std::string> printed(const Report& report) {
    std::vector<std::string> out;
    for (const auto& each : report.findings) {
        out.push_back(
            concat({each.id, " ", each.target, " ", word_of(each.outcome), " ",
                    each.expected.value_or("-"), " ", each.have.value_or("-"), " ", each.detail}));
    }
    for (const auto& each : report.facts->facts) {
        out.push_back(concat({each.id, " ", each.target, " = ", each.value.value_or("-")}));
    }
    return out;
}

std::string recorded(const Fs& machine) {
    const MemoryFs host;
    const Process no_process;
    const auto recording = record(machine, host, no_process, WithEnv::no);
    REQUIRE(recording);
    return recording->text;
}

}  // namespace

TEST_CASE("recordings: findings and facts are those of the machine") {
    for (const char* name : {"guest", "mi210", "mi300x-fallen", "mi350x", "no-gpu"}) {
        CAPTURE(name);
        const auto& machine = machine_fs(name);
        const auto again = parse_tree(name, recorded(machine));
        REQUIRE(again);
        const auto live = printed(checked(machine).report);
        const auto replayed = printed(checked(**again).report);
        REQUIRE(live.size() == replayed.size());
        for (std::size_t at = 0; at < live.size(); ++at) {
            CHECK(replayed[at] == live[at]);
        }
    }
}

TEST_CASE("recordings: a rule names each file of the fixture machines") {
    for (const char* name : {"guest", "mi250x", "mi300a", "old-kfd", "rocm-distribution"}) {
        CAPTURE(name);
        const std::string text = recorded(machine_fs(name));
        for (const auto line : split(text, '\n')) {
            const bool names = line.starts_with("f /proc/sys/kernel/hostname ") ||
                               line.starts_with("f /proc/cmdline ") || line.starts_with("# ") ||
                               line.starts_with("| model name");
            CAPTURE(line);
            CHECK((names || line.find("redacted") == std::string_view::npos));
        }
    }
}

TEST_CASE("recordings: quoted parameters are one word, live and recorded") {
    const auto machine = renamed_machine("no-gpu", {});
    machine->add_file("/proc/cmdline", "quiet pci=\"realloc=off\" foo=\"iommu=pt x\" ro\n");
    const auto again = parse_tree("recording", recorded(*machine));
    REQUIRE(again);
    const Machine live(*machine);
    const Machine replayed(**again);
    const auto line = [](const Machine& each) {
        std::string out;
        const auto words = each.kernel_arguments();
        for (const auto& word : *words) {
            out += "[" + word.name + (word.has_value ? "=" + word.value : "") + "]";
        }
        return out;
    };
    CHECK(line(live) == "[quiet][pci=realloc=off][foo=iommu=pt x][ro]");
    CHECK(line(replayed) == "[quiet][pci=realloc=off][redacted][ro]");
}

TEST_CASE("recordings: one of the first version is read") {
    // As version 0.1.0 wrote it, but for what a machine has more.
    const auto old = parse_tree("old",
                                "rocenv tree 1\n# rocenv 0.1.0 record; identities are redacted\n"
                                "f /etc/os-release\n| PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\n"
                                "| VERSION_ID=\"24.04\"\n| ID=ubuntu\n"
                                "f /proc/cmdline = BOOT_IMAGE=redacted root=redacted ro x --\n"
                                "f /proc/sys/kernel/hostname = redacted\n"
                                "f /proc/sys/kernel/numa_balancing = 1\n"
                                "# end of the recording: 4 entries\n");
    REQUIRE(old);
    const auto report = checked(**old).report;
    const auto facts = printed(report);
    const auto has = [&](const char* fact) {
        return std::find(facts.begin(), facts.end(), fact) != facts.end();
    };
    CHECK(has("kernel.numa_balancing system = 1"));
    CHECK(has("os.release system = ubuntu 24.04"));
    CHECK(has("kernel.cmdline system = ro redacted"));
}

}  // namespace rocenv::recording_test
