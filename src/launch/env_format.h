// SPDX-License-Identifier: MIT
// An environment as text for the program that will read it. No value can break out of its quotes.
// If a format cannot represent a value or name, the result is an error that names the variable, and
// nothing is printed. tests/launch/test_formats verifies each format with its consumer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/env_plan.h"

namespace rocenv {

// The text of an environment.
struct EnvText {
    std::string out;
    std::vector<std::string> not_unset;  // names to unset, if the format cannot express this
};

// The form of an environment: each variable alone, or all of them as one text. A row of a table,
// whose constructors require a function that writes it.
class EnvFormat {
   public:
    using Line = std::string (*)(const std::string& name, const std::string& value);
    using Unset = std::string (*)(const std::string& name);
    using Whole = std::string (*)(std::span<const EnvLine> lines);
    // Returns the reason why the format cannot represent a line, as the end of "NAME: ...". Empty
    // if it can.
    using Obstacle = std::string (*)(const EnvLine& line);

    // `unset` is nullptr if the format cannot unset a variable.
    constexpr EnvFormat(std::string_view word_given, Obstacle obstacle, Line line, Unset unset)
        : word(word_given), obstacle_(obstacle), line_(line), unset_(unset) {}
    constexpr EnvFormat(std::string_view word_given, Obstacle obstacle, Whole whole)
        : word(word_given), obstacle_(obstacle), whole_(whole) {}

    std::string_view word;  // word on the command line

   private:
    friend Result<EnvText> render_environment(const EnvFormat& format,
                                              std::span<const EnvLine> lines);
    Obstacle obstacle_;
    Line line_ = nullptr;
    Unset unset_ = nullptr;
    Whole whole_ = nullptr;
};

// Returns all formats. The first is the default.
std::span<const EnvFormat> env_formats();

// Returns the text of an environment, in the order of the lines. Fails with bad_input at the first
// line that cannot be represented. The format json has null for a variable to unset.
Result<EnvText> render_environment(const EnvFormat& format, std::span<const EnvLine> lines);

}  // namespace rocenv
