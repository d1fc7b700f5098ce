// SPDX-License-Identifier: MIT
// The GPUs of the table with the limits that a node's driver states, and the reductions that give
// one more wave.
#include "commands/occupancy/occupancy.h"

#include <algorithm>
#include <array>

#include "machine/gpu/gpu_models.h"
#include "rocenv/machine.h"
#include "util/decimal.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t vgpr_multiple = 4;         // AGPRs begin at one (.amdhsa_accum_offset)
constexpr std::uint64_t most_of_all_sgprs = 112;   // 102 to address, VCC and the like, trap handler
constexpr std::uint64_t most_waves_of_group = 16;  // 1024 work-items
constexpr std::uint64_t barriers_per_cu = 16;      // a work-group of one wave needs none

struct SgprStep {
    std::uint64_t waves;
    std::uint64_t sgprs;
};
// LLVM getOccupancyWithNumSGPRs, Volcanic Islands to gfx9.
constexpr std::array sgpr_steps = {SgprStep{10, 80}, SgprStep{9, 88}, SgprStep{8, 100},
                                   SgprStep{7, most_of_all_sgprs}};

std::uint64_t sgpr_waves(std::uint64_t sgprs) {
    const auto step = std::find_if(sgpr_steps.begin(), sgpr_steps.end(),
                                   [&](const SgprStep& entry) { return sgprs <= entry.sgprs; });
    return step == sgpr_steps.end() ? sgpr_steps.back().waves : step->waves;
}

std::uint64_t register_waves(const GpuLimits& gpu, std::uint64_t registers) {
    return registers == 0 ? gpu.waves : gpu.registers / round_up(registers, gpu.granule);
}

// Returns std::nullopt if the resource allows the largest possible number of waves.
std::optional<std::uint64_t> groups_of_waves(const GpuLimits& gpu, std::uint64_t waves,
                                             std::uint64_t group) {
    return waves >= gpu.waves ? std::nullopt : std::optional(waves * gpu.simds.value / group);
}

Limit limit_of(const WorkgroupBounds& bounds) {
    const auto least = workgroups(bounds);
    return least == bounds.max    ? Limit::max
           : bounds.vgpr == least ? Limit::vgpr
           : bounds.lds == least  ? Limit::lds
           : bounds.sgpr == least ? Limit::sgpr
                                  : Limit::barrier;
}

// Returns the demand in which unknown resources are not used.
KnownDemand at_best(const Demand& demand) {
    return {demand.vgprs.value_or(0), demand.agprs.value_or(0), demand.sgprs.value_or(0),
            demand.lds_bytes.value_or(0), demand.waves.value_or(1)};
}

// Returns the demand in which unknown resources have the highest value that a kernel may have.
KnownDemand at_worst(const GpuLimits& gpu, const Demand& demand) {
    KnownDemand worst = at_best(demand);
    worst.vgprs = demand.vgprs.value_or(
        gpu.registers - std::min<std::uint64_t>(gpu.unified ? worst.agprs : 0, gpu.registers));
    worst.sgprs = demand.sgprs.value_or(most_of_all_sgprs);
    worst.lds_bytes = demand.lds_bytes.value_or(gpu.lds_bytes.value);
    return worst;
}

std::string too_many(std::uint64_t asked, const char* what, std::uint64_t most,
                     const GpuLimits& gpu) {
    return number(asked) + " " + what + ", " + gpu.gfx + " has at most " + number(most);
}

std::optional<std::string> impossible_registers(const GpuLimits& gpu, const Demand& demand) {
    const auto vgprs = demand.vgprs.value_or(0);
    const auto agprs = demand.agprs.value_or(0);
    if (vgprs > gpu.registers) {
        return too_many(vgprs, "VGPRs", gpu.registers, gpu);
    }
    constexpr std::uint64_t most_agprs = 256;
    if (agprs > most_agprs) {
        return too_many(agprs, "AGPRs", most_agprs, gpu);
    }
    const auto both = registers_asked(gpu, vgprs, agprs);
    return both > gpu.registers
               ? std::optional(too_many(both, "VGPRs and AGPRs", gpu.registers, gpu))
               : std::nullopt;
}

}  // namespace

std::uint64_t most_sgprs(std::uint64_t waves) {
    std::uint64_t most = 0;
    for (const auto& step : sgpr_steps) {
        most = step.waves >= waves ? step.sgprs : most;
    }
    return most;
}

WorkgroupBounds workgroup_bounds(const GpuLimits& gpu, const KnownDemand& demand) {
    WorkgroupBounds bounds;
    bounds.max = gpu.waves * gpu.simds.value / demand.waves;
    const auto registers = registers_asked(gpu, demand.vgprs, demand.agprs);
    bounds.vgpr = groups_of_waves(gpu, register_waves(gpu, registers), demand.waves);
    bounds.sgpr = groups_of_waves(gpu, sgpr_waves(demand.sgprs), demand.waves);
    if (demand.lds_bytes > 0) {
        // A CU's LDS need be no multiple of the granule: what fits whole is given whole.
        bounds.lds = std::max<std::uint64_t>(
            gpu.lds_bytes.value / round_up(demand.lds_bytes, gpu.lds_granule), 1);
    }
    if (demand.waves > 1) {
        bounds.barrier = barriers_per_cu;
    }
    return bounds;
}

std::uint64_t workgroups(const WorkgroupBounds& bounds) {
    const auto most = bounds.max;
    return std::min({most, bounds.vgpr.value_or(most), bounds.sgpr.value_or(most),
                     bounds.lds.value_or(most), bounds.barrier.value_or(most)});
}

std::uint64_t waves_per_simd(const GpuLimits& gpu, const KnownDemand& demand) {
    return workgroups(workgroup_bounds(gpu, demand)) * demand.waves / gpu.simds.value;
}

std::uint64_t registers_asked(const GpuLimits& gpu, std::uint64_t vgprs, std::uint64_t agprs) {
    if (!gpu.unified) {
        return std::max(vgprs, agprs);
    }
    return agprs == 0 ? vgprs : round_up(vgprs, vgpr_multiple) + agprs;
}

Demand apart(const GpuLimits& gpu, const Demand& demand) {
    Demand out = demand;
    out.counts_both = false;
    const auto agprs = demand.agprs.value_or(0);
    if (demand.counts_both && gpu.unified && demand.vgprs.value_or(0) > agprs) {
        out.vgprs = *demand.vgprs - agprs;
    }
    return out;
}

std::optional<std::string> impossible(const GpuLimits& gpu, const Demand& demand) {
    if (auto wrong = impossible_registers(gpu, demand)) {
        return wrong;
    }
    if (demand.sgprs.value_or(0) > most_of_all_sgprs) {
        return too_many(*demand.sgprs, "SGPRs", most_of_all_sgprs, gpu);
    }
    if (demand.lds_bytes.value_or(0) > gpu.lds_bytes.value) {
        return too_many(*demand.lds_bytes, "bytes of LDS", gpu.lds_bytes.value, gpu);
    }
    if (demand.waves == 0) {
        return "a work-group of no waves";
    }
    if (demand.waves.value_or(1) > most_waves_of_group) {
        return too_many(*demand.waves, "waves of a work-group", most_waves_of_group, gpu);
    }
    return std::nullopt;
}

Occupancy occupancy(const GpuLimits& gpu, const Demand& demand) {
    const KnownDemand best = at_best(demand);
    Occupancy out;
    out.bounds = workgroup_bounds(gpu, best);
    out.at_most = waves_per_simd(gpu, best);
    const auto groups = workgroups(out.bounds);
    const auto worst = workgroup_bounds(gpu, at_worst(gpu, demand));
    if (!demand.waves || workgroups(worst) != groups) {
        return out;
    }
    out.waves_per_simd = out.at_most;
    out.workgroups_per_cu = groups;
    out.limited_by = limit_of(out.bounds);
    if (demand.vgprs && demand.sgprs && demand.lds_bytes) {
        out.next = next_step(gpu, best);
    }
    return out;
}

std::uint64_t advised_grid(std::uint64_t compute_units) {
    constexpr std::uint64_t units_of_mi300x = 304;
    return (advised_of_mi300x * compute_units + units_of_mi300x - 1) / units_of_mi300x;
}

std::uint64_t registers_possible(const GpuLimits& gpu, std::uint64_t waves) {
    const auto of_simd = (waves + gpu.simds.value - 1) / gpu.simds.value;
    return round_down(gpu.registers / std::max<std::uint64_t>(of_simd, 1), gpu.granule);
}

void heed_spills(const Scratch& scratch, Occupancy& answer) {
    const auto& next = answer.next;
    if (scratch.may_spill() && next && next->vgprs + next->agprs + next->either + next->sgprs > 0) {
        answer.next.reset();
    }
}

double grid_fill(std::uint64_t grid, std::uint64_t compute_units) {
    if (grid == 0 || compute_units == 0) {
        return 0;
    }
    const auto rounds = (grid - 1) / compute_units + 1;
    constexpr double thousandths = 1000;
    const double of_all = static_cast<double>(compute_units) * static_cast<double>(rounds);
    return static_cast<double>(nearest_integer(static_cast<double>(grid) * thousandths / of_all)) /
           thousandths;
}

namespace {

constexpr std::uint64_t simds_per_cu = 4;

// Larger values of a driver are a fault of the driver, and would make the arithmetic overflow.
constexpr std::uint64_t most_simds = 64;
constexpr std::uint64_t most_lds_kib = std::uint64_t{1} << 20;
constexpr std::uint64_t most_compute_units = 1000000;

// A family of architectures that the table leaves out, by the start of their names.
struct UnsupportedFamily {
    std::string_view prefix;
    std::string_view name;
    std::string_view why;
};
constexpr UnsupportedFamily unsupported_families[] = {
#include "facts/unsupported_families.inc"
};

// Returns the error for an architecture that is not in the table: why, if its family is known.
Error unknown_gpu(std::string_view gfx) {
    std::vector<std::string> names;
    for (const auto& row : gpu_architectures()) {
        names.emplace_back(row.gfx);
    }
    for (const auto& family : unsupported_families) {
        if (gfx.starts_with(family.prefix)) {
            return {ErrorKind::bad_input, 0, "",
                    "GPU " + in_quotes(gfx, 40) + " (" + std::string(family.name) +
                        ") is not supported by occupancy: " + std::string(family.why) +
                        ". Supported: " + join(names, ", ")};
        }
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

namespace {

constexpr std::uint64_t less(std::uint64_t from, std::uint64_t to) {
    return from > to ? from - to : 0;
}

// Returns the reduction with which `groups` work-groups fit, or std::nullopt if none suffices.
std::optional<NextStep> reduction(const GpuLimits& gpu, const KnownDemand& demand,
                                  std::uint64_t groups) {
    const auto waves = (groups * demand.waves + gpu.simds.value - 1) / gpu.simds.value;
    const auto registers = round_down(gpu.registers / waves, gpu.granule);
    const auto lds = round_down(gpu.lds_bytes.value / groups, gpu.lds_granule);
    if (registers == 0 || (demand.lds_bytes > 0 && lds == 0)) {
        return std::nullopt;
    }
    NextStep step;
    if (gpu.unified && demand.agprs > 0) {
        const auto over = less(registers_asked(gpu, demand.vgprs, demand.agprs), registers);
        step.either = over <= demand.agprs ? over : demand.agprs + less(demand.vgprs, registers);
    } else {
        step.vgprs = less(demand.vgprs, registers);
        step.agprs = less(demand.agprs, registers);
    }
    step.sgprs = less(demand.sgprs, most_sgprs(waves));
    step.lds_bytes = less(demand.lds_bytes, lds);
    return step;
}

// `either` from the AGPRs first: those need no rounding.
KnownDemand reduced(const KnownDemand& demand, const NextStep& step) {
    KnownDemand out = demand;
    const auto from_agprs = std::min(step.either, demand.agprs);
    out.agprs -= from_agprs + step.agprs;
    out.vgprs -= step.vgprs + (step.either - from_agprs);
    out.sgprs -= step.sgprs;
    out.lds_bytes -= step.lds_bytes;
    return out;
}

}  // namespace

std::optional<NextStep> next_step(const GpuLimits& gpu, const KnownDemand& demand) {
    const auto bounds = workgroup_bounds(gpu, demand);
    const auto now = waves_per_simd(gpu, demand);
    const auto most = std::min(bounds.max, bounds.barrier.value_or(bounds.max));
    for (auto groups = workgroups(bounds) + 1; groups <= most; ++groups) {
        if (groups * demand.waves / gpu.simds.value == now) {
            continue;
        }
        auto step = reduction(gpu, demand, groups);
        if (step) {
            step->waves_per_simd = waves_per_simd(gpu, reduced(demand, *step));
        }
        return step;
    }
    return std::nullopt;
}

}  // namespace rocenv
