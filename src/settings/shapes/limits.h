// SPDX-License-Identifier: MIT
// A setting that is a limit of the asking process: a minimum in bytes, files or processes, or
// "unlimited". On another machine than this there is nothing to judge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// std::nullopt: could not be read, without a reason; or does not exist (LimitFacts::none).
using Limit = Result<std::optional<std::uint64_t>>;

struct LimitFacts {
    std::string_view id;
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::string_view read_from;
    std::string_view next_step;
    std::string_view persist;
    Limit (*read)(const Context& context);
    std::string_view what;          // as sentences call it: "RLIMIT_STACK"
    std::string_view without = {};  // says that what is not here is a limit of 0; empty: it is not
    std::string_view none = {};     // why std::nullopt is not applicable; empty: it is unknown
};

// Returns the settings of a table, in its order. The table must outlive them.
std::vector<Setting> limit_settings(std::span<const LimitFacts> table);

// Judges a limit of the asking process. Nullopt: could not be read.
Assessment assess_limit(std::optional<std::uint64_t> have, const Value& wanted,
                        const std::string& what);

// The one assessment every limit has on a machine that is not this one.
std::optional<Assessment> not_this_process(const Context& context);

}  // namespace rocenv
