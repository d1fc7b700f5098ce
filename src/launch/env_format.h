// SPDX-License-Identifier: MIT
// An environment as text for the program that will read it. No value can break out of its quotes; a
// value or name that a format cannot carry is an error that names the variable, and nothing is
// printed. How each consumer reads is proved with the consumer itself in
// tests/launch/test_formats.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/env_plan.h"

namespace rocenv {

struct EnvText {
    std::string out;
    std::vector<std::string> not_unset;  // names to be unset, where the format has no way to say so
};

// How an environment is written: each variable by itself, or all of them as one text. A row of a
// table, whose constructors need a way to write it.
class EnvFormat {
   public:
    using Line = std::string (*)(const std::string& name, const std::string& value);
    using Unset = std::string (*)(const std::string& name);
    using Whole = std::string (*)(std::span<const EnvLine> lines);
    // What keeps the format from carrying a line, as the end of "NAME: ..."; empty: nothing.
    using Obstacle = std::string (*)(const EnvLine& line);

    // `unset` is nullptr if the format has no way to say so.
    constexpr EnvFormat(std::string_view word_given, Obstacle obstacle, Line line, Unset unset)
        : word(word_given), obstacle_(obstacle), line_(line), unset_(unset) {}
    constexpr EnvFormat(std::string_view word_given, Obstacle obstacle, Whole whole)
        : word(word_given), obstacle_(obstacle), whole_(whole) {}

    std::string_view word;  // on the command line

   private:
    friend Result<EnvText> render_environment(const EnvFormat& format,
                                              std::span<const EnvLine> lines);
    Obstacle obstacle_;
    Line line_ = nullptr;
    Unset unset_ = nullptr;
    Whole whole_ = nullptr;
};

// Returns all formats; the first is that of a command line that names none.
std::span<const EnvFormat> env_formats();

Result<EnvText> render_environment(const EnvFormat& format, std::span<const EnvLine> lines);

}  // namespace rocenv
