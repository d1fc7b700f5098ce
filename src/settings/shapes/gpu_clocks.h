// SPDX-License-Identifier: MIT
// The clock limits of a GPU, in two files of its primary function (linux
// drivers/gpu/drm/amd/pm/amdgpu_pm.c): what they hold, and the writes that bring another state
// about or put the present one back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine/kernel_attribute.h"
#include "rocenv/change.h"
#include "rocenv/machine.h"

namespace rocenv {

inline const std::string clock_level_file = "/power_dpm_force_performance_level";
inline const std::string clock_table_file = "/pp_od_clk_voltage";

struct GpuClocks {
    std::string folder;
    std::string level;
    Result<Clocks> clocks;
    std::uint64_t maximum = 0;  // of the clock table; 0: unknown
    // In level manual: the upper memory clock where it is below its table's; leaving manual lifts
    // it.
    std::optional<std::uint64_t> memory;

    bool is_on() const { return level == "perf_determinism"; }
    // The word says so, and there is no limit: after a GPU reset or resume.
    bool is_lost() const { return is_on() && clocks && clocks->upper == maximum; }
    // Neither "unknown" nor "profile_exit" can be written so that it reads back.
    bool can_be_put_back() const { return clocks && level != "unknown" && level != "profile_exit"; }
};

// Returns the word in power_dpm_force_performance_level.
Result<std::string> read_clock_level(const Machine& machine, const Gpu& gpu);
Result<GpuClocks> read_gpu_clocks(const Machine& machine, const Gpu& gpu);

// "off", "lost", or the limit in force in MHz. A limit at the table's maximum is as good as lost,
// unless that is what was wanted.
Result<std::string> limit_text(const GpuClocks& present, const std::string& wanted = "");

// Brings the limit about, in MHz.
Change to_clock_limit(const GpuClocks& present, std::uint64_t mhz);
// Gives the clocks back to the driver.
Change to_auto_clocks(const GpuClocks& present);
// Puts back what is there now. Only if it can_be_put_back().
Change back_to_clocks(const GpuClocks& present);

}  // namespace rocenv
