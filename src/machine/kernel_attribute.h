// SPDX-License-Identifier: MIT
// Contents of kernel files that list what there is and mark what is in force, and of clock tables:
// one parser for what judges a file and for what proves a write. Errors are garbled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/change.h"
#include "rocenv/fs.h"

namespace rocenv {

struct Choices {
    std::string value;                 // in force
    std::vector<std::string> offered;  // that and the others, as listed
    bool offers(std::string_view word) const;
};

// "always [madvise] never".
Result<Choices> parse_choice(const std::string& path, std::string_view text);

// "INDEX : NAME" a line, with a '*' behind the one in force
// (linux drivers/gpu/drm/amd/pm/swsmu/amdgpu_smu.c smu_print_dpm_policy).
Result<Choices> parse_starred(const std::string& path, std::string_view text);

// MHz.
struct Clocks {
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;
    std::string text() const;
};

// First and last numbered entry below the title OD_SCLK: or GFXCLK:, up to the next title
// (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_get_pp_od_clk_voltage).
Result<Clocks> parse_clocks(const std::string& path, std::string_view text);

// The same below OD_MCLK: or MCLK:.
Result<Clocks> parse_memory_clocks(const std::string& path, std::string_view text);

// Files that hold a number, or a list of numbers, and nothing else. garbled: one holds another
// thing.

// Returns the number that is all of a file.
Result<std::uint64_t> count_of_file(const Fs& fs, const std::string& path);

// The same as text, without blanks and leading zeros.
Result<std::string> read_number(const Fs& fs, const std::string& path);

// Returns the list of numbers that is all of a file ("0-3,8"); an empty line is an empty list.
Result<std::vector<std::uint32_t>> numbers_of_file(const Fs& fs, const std::string& path);

}  // namespace rocenv
