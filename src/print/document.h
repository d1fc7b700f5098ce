// SPDX-License-Identifier: MIT
// A text for people, as plain data: entries with fields, paragraphs, commands and tables. One
// renderer lays it out for a terminal. All texts are made printable there.
#pragma once

#include <string>
#include <vector>

#include "print/style.h"
#include "print/text_table.h"

namespace rocenv {

// The severity of an entry's word; each has one colour.
enum class Tone { none, heading, pass, info, warn, fail, unknown };

class Document {
   public:
    // Starts an entry: a word such as "FAIL", and a text behind it, whose first part is not broken.
    void entry(Tone tone, std::string word, std::string name, std::string text);
    // Adds a paragraph below the entry's text.
    void under(std::string text);
    // Adds a field to the entry; an empty label continues the field before it.
    void field(std::string label, std::string text);
    // The same for a command, which stays on one line so that it can be pasted.
    void command(std::string label, std::string text);
    void paragraph(std::string text);
    // A paragraph that is one line however long, for a command in it.
    void line(std::string text);
    void heading(std::string text);
    void blank();
    // Columns side by side, two blanks between them, below the text of entries.
    void table(std::vector<TextRow> rows);

    // Returns the text in lines of at most `width` columns. Entries are indented by their longest
    // word.
    std::string text(std::size_t width, Colour colour) const;

   private:
    enum class Kind { entry, under, field, command, paragraph, line, heading, blank, table };
    struct Block {
        Kind kind;
        Tone tone = Tone::none;
        std::string label;
        std::string name;
        std::string text;
        std::vector<TextRow> rows{};
    };
    struct Layout {
        std::size_t width;
        std::size_t indent;  // of what belongs to an entry
        Colour colour;
    };
    static std::string shown(const Block& block, const Layout& layout);

    std::vector<Block> blocks_;
};

}  // namespace rocenv
