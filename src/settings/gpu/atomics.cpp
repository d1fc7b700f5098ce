// SPDX-License-Identifier: MIT
// gpu.atomics: atomic operations from each GPU to host memory. KFD checks the PCIe path once and
// stores the result in the link to the CPU (linux drivers/gpu/drm/amd/amdkfd/kfd_crat.h
// CRAT_IOLINK_FLAGS_NO_ATOMICS_32_BIT, _64_BIT: bits 2 and 3). Every user can read it; the blocking
// port can be read only by root.
#include <algorithm>

#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t no_32_bit = 1U << 2;
constexpr std::uint32_t no_64_bit = 1U << 3;

bool is_cpu(const Machine& machine, std::uint32_t index) {
    const auto& nodes = machine.kfd().nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const KfdNode& node) {
        return node.index == index && !node.error && !node.hidden && !node.is_gpu();
    });
}

// Reads the result of KFD; for a GPU without a KFD node, the abilities of the ports above it.
Result<std::string> read_atomics(const Context& context, const Gpu& gpu) {
    const Machine& machine = context.machine;
    if (auto none = no_agents(machine, gpu)) {
        const bool refused =
            none->kind == ErrorKind::not_here && port_without_atomics(machine, gpu.bdf);
        return refused ? Result(std::string("off")) : *std::move(none);
    }
    std::uint32_t flags = 0;
    bool linked = false;
    for (const auto agent : gpu.agents) {
        const auto links = machine.links_of(machine.kfd().nodes[agent]);
        if (!links) {
            return links.error();
        }
        for (const auto& link : *links) {
            if (is_cpu(machine, link.to)) {
                linked = true;
                flags |= link.flags;
            }
        }
    }
    if (!linked) {
        return Error{ErrorKind::not_here, 0, "", "KFD has no link from this GPU to a CPU"};
    }
    const bool small = (flags & no_32_bit) != 0;
    const bool large = (flags & no_64_bit) != 0;
    return std::string(small && large ? "off" : small ? "no 32-bit" : large ? "no 64-bit" : "on");
}

std::vector<Assessment> assess_atomics(const Setting& setting, const Context& context,
                                       const Expectation& expectation) {
    auto rows = assess_gpu_value(setting, context, expectation);
    for (auto& row : rows) {
        const auto obstacle = row.outcome == Outcome::differs
                                  ? port_without_atomics(context.machine, row.target.base)
                                  : std::nullopt;
        if (obstacle) {
            row.detail = "port " + obstacle->port + " above the GPU " + obstacle->what;
            row.next_step = atomics_step(obstacle->port);
        }
    }
    return rows;
}

}  // namespace

const Setting& gpu_atomics() {
    static const GpuValue value{.read = read_atomics,
                                .rules = {.absent = "KFD has no link from this GPU to a CPU"},
                                .untouched = true};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.atomics",
                .summary = "Whether the atomic operations of each GPU reach host memory",
                .why = "Without PCIe atomic operations, programs that share memory with the CPU "
                       "fail or hang",
                .source = "ROCm/amdgpu-docs docs/conceptual/pcie-atomics, 2025-09; linux "
                          "drivers/gpu/drm/amd/amdkfd/kfd_crat.h, 6.12",
                .target = "physical GPU",
                .read_from = "/sys/class/kfd/kfd/topology/nodes/*/io_links/*/properties; where one "
                             "differs /sys/bus/pci/devices/*/config of the ports above",
                .set_by = "",
                .next_step = "sudo lspci -vvv | grep -i atomic; enable AtomicOp routing in the "
                             "BIOS for each bridge above the GPU; if the BIOS has no such option, "
                             "move the GPU to another slot",
                .persist = "persistent (hardware and BIOS)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"on"}}},
            },
            value);
        out.assess = assess_atomics;
        return out;
    }();
    return setting;
}

}  // namespace rocenv
