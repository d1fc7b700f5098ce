// SPDX-License-Identifier: MIT
// The text for people: each kind of explanation in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/explain/explanation.h"
#include "help/explain/meanings.h"
#include "print/document.h"

namespace rocenv {

// Returns the texts, separated by ", "; the empty one is "(empty)".
std::string joined_texts(const std::vector<std::string>& texts);

// Adds the explanation of a variable.
void add_variable(const VariableExplanation& about, Detail detail, Document& out);
// Adds the explanation of a setting.
void add_setting(const SettingExplanation& about, Detail detail, Document& out);
// Adds the explanation of a profile.
void add_profile(const ProfileExplanation& about, Detail detail, Document& out);
// Adds the explanation of a word.
void add_word(const WordExplanation& about, Document& out);

// A line about a setting that does not depend on a machine. A line without text is not printed.
struct LabelledText {
    std::string_view label;
    std::string text;
};
// Returns the lines of a setting in the order of the explanation.
std::vector<LabelledText> setting_lines(const Info& info);

// Returns the type of a variable, its range and its words: "a whole number, -2 or more", "one word:
// INFO, WARN".
std::string variable_accepts(const Variable& variable);
// Returns one text for each program with a known default; all but the first name their package.
// Empty if none is known.
std::vector<std::string> variable_defaults(const Variable& variable);

// Adds "1 (recommended): mi300x, mi325x", a line for each expectation.
void add_uses(const std::vector<ProfileUse>& uses, Detail detail, Document& out);

// Returns the value, its effect if that differs, and the faults: "1 (true)". A secret or an unknown
// value is replaced by its remark. Empty if the variable is not set.
std::string set_text(const VariableHere& here);

}  // namespace rocenv
