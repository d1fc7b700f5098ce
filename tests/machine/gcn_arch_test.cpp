// SPDX-License-Identifier: MIT
#include "machine/gpu/gpu_models.h"

#include <optional>
#include <string>

#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace gcn_arch_test {

namespace {

using namespace rocenv;

constexpr std::uint64_t ecc = 0x04000000;  // SRAM ECC among KFD's capabilities

struct ArchCase {
    std::uint64_t version;
    std::uint64_t capability;
    std::optional<int> noretry;
    std::optional<std::string> requested;  // HSA_XNACK
    std::optional<std::string> name;
};

TEST_CASE("An architecture's name tells the features it has", "[gcn]") {
    const ArchCase cases[] = {
        {90402, ecc, -1, {}, "gfx942:sramecc+:xnack-"},
        {90402, ecc, 1, {}, "gfx942:sramecc+:xnack-"},
        {90402, ecc, 0, {}, "gfx942:sramecc+:xnack+"},
        {90402, ecc, 0, "0", "gfx942:sramecc+:xnack-"},
        {90402, ecc, -1, "1", "gfx942:sramecc+:xnack+"},
        {90402, ecc, -1, "yes", "gfx942:sramecc+:xnack-"},
        {90402, ecc, {}, {}, {}},
        {90402, 0, -1, {}, "gfx942:sramecc-:xnack-"},
        {90010, ecc, -1, {}, "gfx90a:sramecc+:xnack-"},
        {90008, ecc, -1, "1", {}},  // not in each process on its own
        {90000, 0, -1, {}, "gfx900:xnack-"},
        {90012, 0, -1, {}, {}},  // differs between kernels
        {100100, 0, {}, {}, "gfx1010:xnack-"},
        {110000, 0, {}, {}, "gfx1100"},
        {110501, 0, {}, "1", "gfx1151"},
    };
    for (const auto& each : cases) {
        const auto arch = gcn_arch(each.version, each.capability, each.noretry, each.requested);
        INFO(arch.gfx << " " << each.requested.value_or("-"));
        CHECK(arch.name() == each.name);
    }
}

MemoryFs with_gpus(std::initializer_list<const char*> versions) {
    MemoryFs fs;
    const std::string topology = "/sys/class/kfd/kfd/topology";
    fs.add_file(topology + "/generation_id", "2\n");
    fs.add_file("/sys/module/amdgpu/parameters/noretry", "-1\n");
    fs.add_file(topology + "/nodes/0/properties", "cpu_cores_count 96\nsimd_count 0\n");
    int index = 0;
    for (const char* version : versions) {
        fs.add_file(topology + "/nodes/" + std::to_string(++index) + "/properties",
                    "simd_count 1216\ncapability 67108864\ngfx_target_version " +
                        std::string(version) + "\n");
    }
    return fs;
}

TEST_CASE("The different architectures of a node", "[gcn]") {
    const MemoryFs fs = with_gpus({"90402", "90402", "90010"});
    const Machine machine(fs);
    const auto arches = gcn_arches(machine, Process());
    REQUIRE(arches.ok());
    REQUIRE(arches->size() == 2);
    CHECK(arches->front().name() == "gfx90a:sramecc+:xnack-");
    CHECK(arches->back().name() == "gfx942:sramecc+:xnack-");
}

TEST_CASE("No GPU, and one that is to be taken for another", "[gcn]") {
    const MemoryFs none = with_gpus({});
    CHECK(gcn_arches(Machine(none), Process()).is(ErrorKind::not_here));
    const MemoryFs fs = with_gpus({"90402"});
    Process process;
    process.environment["HSA_OVERRIDE_GFX_VERSION"] = "9.0.6";
    CHECK(gcn_arches(Machine(fs), process).is(ErrorKind::garbled));
}

}  // namespace

}  // namespace gcn_arch_test
