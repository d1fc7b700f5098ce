// SPDX-License-Identifier: MIT
// What a kernel would have to do without to have one wave more.
#include <algorithm>

#include "commands/occupancy/arithmetic.h"

namespace rocenv {

namespace {

constexpr std::uint64_t less(std::uint64_t from, std::uint64_t to) {
    return from > to ? from - to : 0;
}

// What must go so that `groups` work-groups fit; nothing when that cannot be.
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
