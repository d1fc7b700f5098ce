// SPDX-License-Identifier: MIT
// What occupancy() and the search for the next step share. Numbers are those of possible demands.
#pragma once

#include "commands/occupancy/occupancy.h"

namespace rocenv {

// A demand of which all is known.
struct KnownDemand {
    std::uint64_t vgprs = 0;
    std::uint64_t agprs = 0;
    std::uint64_t sgprs = 0;
    std::uint64_t lds_bytes = 0;
    std::uint64_t waves = 1;
};

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
    return (value + granule - 1) / granule * granule;
}

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t granule) {
    return value / granule * granule;
}

// Most SGPRs with which `waves` waves fit on a SIMD of gfx9.
std::uint64_t most_sgprs(std::uint64_t waves);

WorkgroupBounds workgroup_bounds(const GpuLimits& gpu, const KnownDemand& demand);

std::uint64_t workgroups(const WorkgroupBounds& bounds);

std::uint64_t waves_per_simd(const GpuLimits& gpu, const KnownDemand& demand);

// The least reduction that gives another wave; nothing when none of the demand's resources can.
std::optional<NextStep> next_step(const GpuLimits& gpu, const KnownDemand& demand);

}  // namespace rocenv
