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

// Returns "1, yes, (empty)".
std::string joined_texts(const std::vector<std::string>& texts);

// Each adds the text of one explanation.
void add_variable(const VariableExplanation& about, Detail detail, Document& out);
void add_setting(const SettingExplanation& about, Detail detail, Document& out);
void add_profile(const ProfileExplanation& about, Detail detail, Document& out);
void add_word(const WordExplanation& about, Document& out);

// A line about a setting that does not depend on a machine. Empty texts are left out.
struct LabelledText {
    std::string_view label;
    std::string text;
};
std::vector<LabelledText> setting_lines(const Info& info);

// Returns the accepted values of a variable: "a whole number, -2 or more"; and its default, one
// text for each program that reads it.
std::string variable_accepts(const Variable& variable);
std::vector<std::string> variable_defaults(const Variable& variable);

// Adds "1 (recommended): mi300x, mi325x", a line for each expectation.
void add_uses(const std::vector<ProfileUse>& uses, Detail detail, Document& out);

// Returns "1 (true)", or an empty text if the variable is not set.
std::string set_text(const VariableHere& here);

}  // namespace rocenv
