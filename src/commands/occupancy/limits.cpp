// SPDX-License-Identifier: MIT
// The GPUs of the table, and what a node's driver says over it.
#include <algorithm>

#include "commands/occupancy/occupancy.h"
#include "machine/gpu/gpu_models.h"
#include "rocenv/machine.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t simds_per_cu = 4;

// Larger values of a driver are a fault of the driver, and would make the arithmetic overflow.
constexpr std::uint64_t most_simds = 64;
constexpr std::uint64_t most_lds_kib = std::uint64_t{1} << 20;
constexpr std::uint64_t most_compute_units = 1000000;

Error unknown_gpu(std::string_view gfx) {
    std::vector<std::string> names;
    for (const auto& row : gpu_architectures()) {
        names.emplace_back(row.gfx);
    }
    return {ErrorKind::bad_input, 0, "",
            "unknown GPU " + in_quotes(gfx, 40) + ": expected " + alternatives(names) +
                did_you_mean(near_names(gfx, names))};
}

void take(std::uint64_t value, std::uint64_t most, std::uint64_t unit, Fact& into) {
    if (value != 0 && value <= most) {
        into = {value * unit, true};
    }
}

std::vector<const KfdNode*> gpu_nodes(const Machine& machine) {
    std::vector<const KfdNode*> found;
    for (const auto& node : machine.kfd().nodes) {
        if (!node.hidden && !node.error && node.is_gpu()) {
            found.push_back(&node);
        }
    }
    return found;
}

}  // namespace

Result<GpuLimits> gpu_limits(std::string_view gfx) {
    const auto name = gfx.substr(0, gfx.find(':'));
    const auto rows = gpu_architectures();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const GpuArchitecture& each) { return name == each.gfx; });
    if (row == rows.end()) {
        return unknown_gpu(name);
    }
    const auto models = gpu_models();
    const auto model = std::find_if(models.begin(), models.end(),
                                    [&](const GpuModel& each) { return each.name == row->part; });
    const std::string one_die = model->mesh == Mesh::hops ? ", one die" : "";  // KFD shows two
    return GpuLimits{std::string(row->gfx), std::string(row->part) + one_die,
                     row->registers,        row->unified,
                     row->granule,          row->waves,
                     row->lds_granule,      {row->lds_bytes, false},
                     {simds_per_cu, false}, {model->compute_units, false}};
}

// lds_size_in_kb is of a CU; compute units are active SIMDs by SIMDs per CU.
Result<GpuLimits> gpu_limits_here(std::string_view gfx, const Machine& machine) {
    auto limits = gpu_limits(gfx);
    if (!limits) {
        return limits;
    }
    for (const auto* node : gpu_nodes(machine)) {
        if (gfx_name(node->get("gfx_target_version")) != limits->gfx) {
            continue;
        }
        take(node->get("simd_per_cu"), most_simds, 1, limits.value().simds);
        take(node->get("lds_size_in_kb"), most_lds_kib, 1024, limits.value().lds_bytes);
        if (limits->simds.from_node) {
            take(node->get("simd_count") / limits->simds.value, most_compute_units, 1,
                 limits.value().compute_units);
        }
        break;
    }
    return limits;
}

Result<std::string> gfx_here(const Machine& machine) {
    std::vector<std::string> names;
    for (const auto* node : gpu_nodes(machine)) {
        auto name = gfx_name(node->get("gfx_target_version"));
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(std::move(name));
        }
    }
    if (names.size() == 1) {
        return names.front();
    }
    return Error{ErrorKind::bad_input, 0, "",
                 names.empty() ? "this node has no GPU. Name one with --arch"
                               : "this node has several kinds of GPU: " + join(names, ", ") +
                                     ". Name one with --arch"};
}

}  // namespace rocenv
