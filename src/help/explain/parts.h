// SPDX-License-Identifier: MIT
// The parts of the text for people: each kind of explanation in full.
#pragma once

#include "help/explain/explanation.h"
#include "help/explain/labelled.h"

namespace rocenv {

void tell_variable(const VariableExplanation& about, Detail detail, Labelled& out);
void tell_setting(const SettingExplanation& about, Detail detail, Labelled& out);
void tell_profile(const ProfileExplanation& about, Detail detail, Labelled& out);
void tell_word(const WordExplanation& about, Labelled& out);

// What is known of a setting before looking, line by line; empty texts are not told.
struct LabelledText {
    std::string_view label;
    std::string text;
};
std::vector<LabelledText> setting_lines(const Info& info);

// What a variable takes: "a whole number, -2 or more"; and what leaving it unset equals, a text for
// each program that reads it.
std::string variable_takes(const Variable& variable);
std::vector<std::string> variable_defaults(const Variable& variable);

// "1 (recommended): mi300x, mi325x", a line for each of what is wanted.
void tell_uses(const std::vector<ProfileUse>& uses, Detail detail, Labelled& out);

// "1 (true)", empty where it is not set.
std::string set_told(const VariableHere& here);

}  // namespace rocenv
