// SPDX-License-Identifier: MIT
// Which texts of a variable mean what to its reader: found by letting the variable's own parser
// read a fixed list of telling texts and the variable's own words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/words.h"
#include "variables/catalogue.h"

namespace rocenv {

enum class Makes {
    value,       // `value`
    as_written,  // each text stands for itself
    ignored,     // the reader goes on as if the variable were not set
    failure,     // the reader fails
    depends,     // on the version of its package, which is not known; `note` says how
};
template <>
struct EnumWords<Makes> {
    static constexpr EnumWord<Makes> all[] = {
        {Makes::value, "value"},     {Makes::as_written, "as_written"}, {Makes::ignored, "ignored"},
        {Makes::failure, "failure"}, {Makes::depends, "depends"},
    };
};

// Texts that come to the same.
struct TextMeaning {
    Makes makes = Makes::value;
    std::string value;  // "true", "false", a number, a text
    std::string note;
    std::vector<std::string> texts;  // "" is the empty one
};

// Returns the meanings of texts, in the order of the first text of each; none for a secret. `used`
// are texts that profiles use.
std::vector<TextMeaning> meanings_of(const Variable& variable,
                                     const std::optional<std::string>& version,
                                     const std::vector<std::string>& used = {});

// A text that a person would write for on or off and that is taken for something else, in a
// sentence; empty: there is none.
std::string misread_text_of(const Variable& variable, const std::optional<std::string>& version);

}  // namespace rocenv
