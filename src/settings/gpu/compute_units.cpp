// SPDX-License-Identifier: MIT
// gpu.compute_units: how many compute units each GPU has, as KFD counts them over its partitions
// (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c simd_count, simd_per_cu).
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> count_units(const Context& context, const Gpu& gpu) {
    if (auto none = no_agents(context.machine, gpu)) {
        return *std::move(none);
    }
    const auto& kfd = context.machine.kfd();
    std::uint64_t units = 0;
    for (const auto agent : gpu.agents) {
        const auto& node = kfd.nodes[agent];
        const auto per_unit = node.get("simd_per_cu");
        if (per_unit == 0 || node.get("simd_count") % per_unit != 0) {
            return garbled(
                "/sys/class/kfd/kfd/topology/nodes/" + number(node.index) + "/properties",
                "counts no whole compute units");
        }
        units += node.get("simd_count") / per_unit;
    }
    return number(units);
}

std::optional<std::string> units_of(const GpuModel& model) {
    return model.compute_units == 0 ? std::nullopt : std::optional(number(model.compute_units));
}

}  // namespace

const Setting& gpu_compute_units() {
    static const GpuValue value{.read = count_units,
                                .of_model = units_of,
                                .rules = {.absent = "KFD has no node of it"},
                                .untouched = true};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.compute_units",
            .summary = "How many compute units each GPU has",
            .why = "A GPU with dies that are lost, fused off or masked slows all that wait for it",
            .source = "ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03; linux "
                      "drivers/gpu/drm/amd/amdkfd/kfd_topology.c, 6.12",
            .target = "physical GPU",
            .read_from = "/sys/class/kfd/kfd/topology/nodes/*/properties",
            .set_by = "",
            .next_step = "cat /sys/module/amdgpu/parameters/disable_cu; sudo dmesg | grep amdgpu; "
                         "then ask for a new GPU",
            .persist = "is persistent: it is the hardware, or the module parameter disable_cu",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"model", "equal"}},
                      {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
        },
        value);
    return setting;
}

}  // namespace rocenv
