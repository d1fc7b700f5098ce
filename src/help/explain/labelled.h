// SPDX-License-Identifier: MIT
// Blocks of lines, each with a label in a column of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/explain/meanings.h"
#include "print/layout.h"

namespace rocenv {

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

}  // namespace rocenv
