// SPDX-License-Identifier: MIT
// The meanings of texts of a variable. The variable's own parser reads a fixed list of sample texts
// and the variable's own words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/words.h"
#include "variables/catalogue.h"

namespace rocenv {

// The result of reading a text.
enum class Makes {
    value,       // `value`
    as_written,  // each text has its own meaning
    ignored,     // the reader continues as if the variable were not set
    failure,     // the reader fails
    depends,     // depends on the unknown version of its package, see `note`
};
template <>
struct EnumWords<Makes> {
    static constexpr EnumWord<Makes> all[] = {
        {Makes::value, "value"},     {Makes::as_written, "as_written"}, {Makes::ignored, "ignored"},
        {Makes::failure, "failure"}, {Makes::depends, "depends"},
    };
};

// Texts with the same result.
struct TextMeaning {
    Makes makes = Makes::value;
    std::string value;  // "true", "false", a number, a text
    std::string note;
    std::vector<std::string> texts;  // "" is the empty text
};

// Returns the meanings of texts, in the order of the first text of each. Empty for a secret. `used`
// are texts in profiles.
std::vector<TextMeaning> meanings_of(const Variable& variable,
                                     const std::optional<std::string>& version,
                                     const std::vector<std::string>& used = {});

// Returns a sentence about the first text that people write for on or off, but that the reader
// interprets as something else. Empty if there is none, or if the variable is not a switch.
std::string misread_text_of(const Variable& variable, const std::optional<std::string>& version);

}  // namespace rocenv
