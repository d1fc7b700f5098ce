// SPDX-License-Identifier: MIT
// One GPU's power management in the amdgpu driver and its firmware, written from linux
// drivers/gpu/drm/amd/pm/amdgpu_pm.c, amdgpu_dpm.c and swsmu/smu13/smu_v13_0_6_ppt.c (MI300, 6.12;
// MI200 is equal) and without rocenv's code. A write returns 0 or an errno.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

// MHz; 0: not named.
struct Range {
    long min = 0;
    long max = 0;
};

class GpuModel {
   public:
    // `level` and `table` as the two files read now; `maximum`: top of the clock table, 0: what the
    // table shows.
    GpuModel(std::string_view level, std::string_view table, long maximum);

    int write_level(std::string_view text);
    int write_table(std::string_view text);
    std::string level() const { return level_ + "\n"; }
    std::string table() const;
    // The graphics clock's upper end in force.
    long upper() const { return now_.max; }

    // Resets the GPU: the firmware forgets its values, the driver's level and stored values stay.
    void reset();

    // Returns "level L range MIN-MAX memory MAX firmware LIMIT wanted MIN-MAX,MEMORY". The value
    // after firmware is the limit of determinism; the last ones are those that `s` and `m` stored.
    std::string state() const;

   private:
    bool accepts_clocks() const { return level_ == "manual" || is_determinism(); }
    bool is_determinism() const { return level_ == "perf_determinism"; }
    int edit(char command, const std::vector<long>& numbers);
    int commit();
    int put_back();
    int apply_graphics(Range requested);
    int apply_memory(long maximum);
    int arm(long limit);

    std::string level_;
    Range graphics_;  // the clock table
    Range memory_;
    Range now_;  // in force
    long memory_now_;
    Range requested_;  // stored, not yet committed
    long memory_requested_ = 0;
    long armed_ = 0;
};

// A list of choices, one marked with a star (pm_policy): marks that of this index.
int choose_starred(std::string& text, std::string_view index);

}  // namespace lab
