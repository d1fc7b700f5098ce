// SPDX-License-Identifier: MIT
// Sources of the inventory: each state is recognised, and what follows from it with and without
// evidence is the table below.
#include "machine/sources.h"

#include <cerrno>
#include <map>

#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace rocenv::sources_test {

namespace {

const std::map<Source, std::string> folders{
    {Source::pci, "/sys/bus/pci/devices"},
    {Source::kfd, "/sys/class/kfd/kfd/topology/nodes"},
    {Source::drm, "/sys/class/drm"},
    {Source::modules, "/sys/module"},
    {Source::cpufreq, "/sys/devices/system/cpu/cpufreq"},
    {Source::infiniband, "/sys/class/infiniband"},
    {Source::net, "/sys/class/net"},
};

constexpr SourceState states[] = {SourceState::read, SourceState::empty, SourceState::missing,
                                  SourceState::unreadable};

void put(MemoryFs& fs, Source source, SourceState state) {
    const std::string& folder = folders.at(source);
    switch (state) {
        case SourceState::read:
            if (source == Source::pci) {
                fs.add_file(folder + "/0000:00:00.0/modalias",
                            "pci:v00008086d00001237sv00000000sd00000000bc06sc00i00\n");
            } else if (source == Source::kfd) {
                fs.add_file(folder + "/0/properties", "cpu_cores_count 4\nsimd_count 0\n");
            } else {
                fs.add_folder(folder + "/any");
            }
            break;
        case SourceState::empty:
            fs.add_folder(folder);
            break;
        case SourceState::missing:
            break;
        case SourceState::unreadable:
            fs.add_error(folder, EIO);
            break;
    }
}

// Something beside the source that shows that it should have entries.
void put_evidence(MemoryFs& fs, Source source) {
    switch (source) {
        case Source::pci:
        case Source::modules:
            fs.add_file("/sys/class/kfd/kfd/topology/nodes/1/properties", "simd_count 304\n");
            break;
        case Source::kfd:
        case Source::drm:
            fs.add_folder("/sys/bus/pci/drivers/amdgpu/0000:05:00.0");
            break;
        case Source::cpufreq:
            fs.add_folder("/sys/devices/system/cpu/cpu0/cpufreq");
            break;
        case Source::infiniband:
            fs.add_folder("/sys/module/ib_core");
            break;
        case Source::net:
            fs.add_link("/sys/class/infiniband/mlx5_0/device", "../../../0000:06:00.0");
            fs.add_link("/sys/bus/pci/devices/0000:06:00.0/net/eth0/master", "../../bond0");
            break;
    }
}

// The states of each source when read, empty, missing, unreadable: "-" trusts the list, "?" is
// unknown, "e" is unknown with evidence only.
const std::map<Source, std::string> expected{
    {Source::pci, "--??"},     {Source::kfd, "--e?"},     {Source::drm, "--e?"},
    {Source::modules, "--e?"}, {Source::cpufreq, "-ee?"}, {Source::infiniband, "--e?"},
    {Source::net, "--e?"},
};

}  // namespace

TEST_CASE("sources: each state of each source, with and without evidence") {
    for (const auto source : all_sources) {
        for (std::size_t at = 0; at < std::size(states); ++at) {
            for (const bool evidence : {false, true}) {
                INFO(folders.at(source) << " state " << at << " evidence " << evidence);
                MemoryFs fs;
                put(fs, source, states[at]);
                if (evidence) {
                    put_evidence(fs, source);
                }
                const Machine machine(fs);
                const char rule = expected.at(source)[at];
                const bool unknown = rule == '?' || (rule == 'e' && evidence);
                CHECK(read_source(machine, source).state == states[at]);
                CHECK(evidence_for(machine, source).has_value() == evidence);
                CHECK((trust_in(source, states[at], evidence) == Trust::unknown) == unknown);
                const auto error = lost(machine, source);
                REQUIRE(error.has_value() == unknown);
                if (unknown) {
                    CHECK(error->text.find(folders.at(source)) != std::string::npos);
                    CHECK(error->kind != ErrorKind::not_here);
                }
            }
        }
    }
}

TEST_CASE("sources: evidence of a GPU") {
    MemoryFs fs;
    fs.add_folder("/sys/bus/pci/devices");
    fs.add_folder("/sys/module/amdgpu/parameters");
    fs.add_folder("/sys/bus/pci/drivers/amdgpu");
    fs.add_file("/sys/bus/pci/drivers/amdgpu/new_id", "");
    fs.add_file("/sys/class/kfd/kfd/topology/nodes/0/properties", "simd_count 0\n");
    fs.add_link("/sys/class/drm/card0/device/driver", "../../bus/pci/drivers/ast");
    CHECK_FALSE(gpu_evidence(Machine(fs)));

    SECTION("a DRM card of the driver") {
        fs.add_link("/sys/class/drm/card1/device/driver", "../../bus/pci/drivers/amdgpu");
        CHECK(gpu_evidence(Machine(fs)) == "the driver amdgpu has the graphics device card1");
    }
    SECTION("a connector is no card") {
        fs.add_link("/sys/class/drm/card1-DP-1/device/driver", "../../bus/pci/drivers/amdgpu");
        CHECK_FALSE(gpu_evidence(Machine(fs)));
    }
    SECTION("a device of the driver") {
        fs.add_folder("/sys/bus/pci/drivers/amdgpu/0000:05:00.0");
        CHECK(gpu_evidence(Machine(fs)) == "the driver amdgpu has 0000:05:00.0");
    }
    SECTION("a KFD node with SIMDs") {
        fs.add_file("/sys/class/kfd/kfd/topology/nodes/1/properties", "simd_count 304\n");
        CHECK(gpu_evidence(Machine(fs)) == "KFD node 1 is a GPU");
    }
    SECTION("an accelerator without a driver") {
        fs.add_file("/sys/bus/pci/devices/0000:05:00.0/modalias",
                    "pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00\n");
        CHECK(gpu_evidence(Machine(fs)) == "there is an accelerator at 0000:05:00.0");
    }
}

}  // namespace rocenv::sources_test
