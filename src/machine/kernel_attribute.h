// SPDX-License-Identifier: MIT
// Parsers of kernel files that list choices and mark the active one, and of clock tables, for
// checks and for the proof of writes. Errors of parsers are `garbled`; `path` is only the name in
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/change.h"
#include "rocenv/fs.h"

namespace rocenv {

// The choices of a file.
struct Choices {
    std::string value;                 // active choice
    std::vector<std::string> offered;  // all choices, as listed
    // Returns whether the word is a choice.
    bool offers(std::string_view word) const;
};

// Parses "always [madvise] never": words of printable ASCII, of which exactly one is in brackets.
Result<Choices> parse_choice(const std::string& path, std::string_view text);

// Parses lines "INDEX : NAME" with a '*' after the active one (linux
// drivers/gpu/drm/amd/pm/swsmu/amdgpu_smu.c smu_print_dpm_policy). The choices are the indices as
// text. Exactly one line must be active.
Result<Choices> parse_starred(const std::string& path, std::string_view text);

// A clock range in MHz.
struct Clocks {
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;
    // Returns "500-2100".
    std::string text() const;
};

// Parses the first and last numbered entry below the title OD_SCLK: or GFXCLK:, up to the next
// title (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_get_pp_od_clk_voltage). Fails if there are
// less than two, or if a line of the section is invalid.
Result<Clocks> parse_clocks(const std::string& path, std::string_view text);

// Parses the same below OD_MCLK: or MCLK:.
Result<Clocks> parse_memory_clocks(const std::string& path, std::string_view text);

// Files that hold only a number, or only a list of numbers. Other content is `garbled`, also an
// empty file; other errors are those of Fs::read().

// Returns the number in a file, in decimal without a sign.
Result<std::uint64_t> count_of_file(const Fs& fs, const std::string& path);

// Returns the number as text, without blanks and leading zeros.
Result<std::string> read_number(const Fs& fs, const std::string& path);

// Returns the list of numbers in a file ("0-3,8"), in its order; an empty line is an empty list.
Result<std::vector<std::uint32_t>> numbers_of_file(const Fs& fs, const std::string& path);

}  // namespace rocenv
