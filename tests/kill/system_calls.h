// SPDX-License-Identifier: MIT
// Names of the system calls that matter to tests/kill; the others go by their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

std::string call_name(std::uint64_t number);

// Returns the number of a call by its name, or by a number in digits.
std::optional<std::uint64_t> call_number(std::string_view name);
