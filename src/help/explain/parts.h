// SPDX-License-Identifier: MIT
// The text for people: labelled blocks of lines, and each kind of explanation in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/explain/explanation.h"
#include "help/explain/meanings.h"
#include "print/layout.h"

namespace rocenv {

// Blocks of lines, each with a label in a column of its own.

class Labelled {
   public:
    explicit Labelled(Colour colour) : colour_(colour) {}

    // "NAME, a variable of RCCL", with an empty line before all but the first.
    void head(const std::string& name, const std::string& kind);
    void sentence(std::string_view text);
    // Nothing where the text is empty.
    void line(std::string_view label, std::string_view text);
    // Each with the label of the first alone.
    void lines(std::string_view label, const std::vector<std::string>& texts);
    // A line that begins with a word in a style.
    void line(std::string_view label, std::string_view word, Style style, std::string_view text);
    // One line, however long, so that it can be copied.
    void command(std::string_view label, const std::string& text);
    void text(const std::string& whole_lines) { out_ += whole_lines; }

    Colour colour() const { return colour_; }
    std::string take() { return std::move(out_); }

   private:
    const Colour colour_;
    std::string out_;
};

// "1, yes, (empty)".
std::string texts_told(const std::vector<std::string>& texts);

// The parts of the text for people: each kind of explanation in full.

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
