// SPDX-License-Identifier: MIT
// gpu.compute_units: how many compute units each GPU has, as KFD counts them over its partitions
// (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c simd_count, simd_per_cu).
#include <algorithm>
#include <map>

#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Units of each KFD node of a GPU, by the node's index.
Result<std::map<std::uint32_t, std::uint64_t>> units_by_node(const Machine& machine,
                                                             const Gpu& gpu) {
    std::map<std::uint32_t, std::uint64_t> out;
    for (const auto agent : gpu.agents) {
        const auto& node = machine.kfd().nodes[agent];
        const auto per_unit = node.get("simd_per_cu");
        if (per_unit == 0 || node.get("simd_count") % per_unit != 0) {
            return garbled(
                "/sys/class/kfd/kfd/topology/nodes/" + number(node.index) + "/properties",
                "the number of compute units is not a whole number");
        }
        out[node.index] = node.get("simd_count") / per_unit;
    }
    return out;
}

Result<std::string> count_units(const Context& context, const Gpu& gpu) {
    if (auto none = no_agents(context.machine, gpu)) {
        return *std::move(none);
    }
    const auto nodes = units_by_node(context.machine, gpu);
    if (!nodes) {
        return nodes.error();
    }
    std::uint64_t units = 0;
    for (const auto& [node, count] : *nodes) {
        units += count;
    }
    return number(units);
}

std::optional<std::string> units_of(const GpuModel& model) {
    return model.compute_units == 0 ? std::nullopt : std::optional(number(model.compute_units));
}

// Returns the partitions that have fewer units than the largest one of their GPU: "partition at KFD
// node 5 has 19 units, the largest one 38". Empty if all are equal.
std::string smaller_partitions(const std::map<std::uint32_t, std::uint64_t>& nodes) {
    std::uint64_t most = 0;
    for (const auto& [node, count] : nodes) {
        most = std::max(most, count);
    }
    std::vector<std::string> out;
    for (const auto& [node, count] : nodes) {
        if (count < most) {
            out.push_back("the partition at KFD node " + number(node) + " has " + number(count) +
                          " compute units, but the largest partition has " + number(most));
        }
    }
    return join(out, ", ");
}

// The sum of a GPU's partitions is judged, and that its partitions are equal.
std::vector<Assessment> assess_units(const Setting& setting, const Context& context,
                                     const Want& want) {
    auto rows = assess_gpu_value(setting, context, want);
    offer_reset(rows, "sudo dmesg | grep amdgpu");
    for (auto& row : rows) {
        const auto& gpus = context.machine.gpus();
        const auto gpu = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& one) {
            return one.bdf == row.target.base && one.agents.size() > 1;
        });
        const auto nodes = gpu == gpus.end() || !row.have
                               ? Result(std::map<std::uint32_t, std::uint64_t>())
                               : units_by_node(context.machine, *gpu);
        const std::string smaller = nodes ? smaller_partitions(*nodes) : "";
        if (!smaller.empty()) {
            row.outcome = Outcome::differs;
            row.detail = smaller;
        } else if (row.outcome == Outcome::differs && gpu != gpus.end()) {
            row.detail += (row.detail.empty() ? "" : "; ") +
                          ("KFD has " + counted(gpu->agents.size(), "node") + " of the GPU");
            row.next_step = "sudo dmesg | grep -i -e kfd -e xcp";
        }
    }
    return rows;
}

}  // namespace

const Setting& gpu_compute_units() {
    static const GpuValue value{.read = count_units,
                                .of_model = units_of,
                                .field = "compute_units",
                                .rules = {.absent = "KFD has no node of this GPU"},
                                .untouched = true};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.compute_units",
                .summary = "Number of compute units of each GPU",
                .why = "A GPU with lost, fused-off or masked compute units slows every GPU that "
                       "waits for it",
                .source = "ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03; linux "
                          "drivers/gpu/drm/amd/amdkfd/kfd_topology.c, 6.12",
                .target = "physical GPU",
                .read_from = "/sys/class/kfd/kfd/topology/nodes/*/properties",
                .set_by = "",
                .next_step = "cat /sys/module/amdgpu/parameters/disable_cu",
                .persist = "persistent (hardware, or the module parameter disable_cu)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"model", "equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
            },
            value);
        out.assess = assess_units;
        return out;
    }();
    return setting;
}

}  // namespace rocenv
