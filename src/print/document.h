// SPDX-License-Identifier: MIT
// A text for people as plain data: entries with fields, titles, paragraphs, lists, commands and
// tables. One renderer lays it out for a terminal. The renderer makes all texts printable.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "print/style.h"
#include "print/text_table.h"

namespace rocenv {

// A sequence of blocks.
class Document {
   public:
    // Starts an entry: a word such as "FAIL", and a text after it, whose first part is not broken.
    void entry(Tone tone, std::string word, std::string name, std::string text);
    // Starts an entry without a word: a name, and a text after it that may begin with a comma or a
    // colon.
    void title(std::string name, std::string text);
    // Adds a paragraph below the text of the entry or title.
    void under(std::string text);
    // Adds a field to the entry. An empty label continues the field before it.
    void field(std::string label, std::string text);
    // Adds a field with a word of some severity in front, such as "WARN".
    void field(std::string label, Tone tone, std::string word, std::string text);
    // Adds a command as a field, on one line so that it can be pasted.
    void command(std::string label, std::string text);

    // Sets the margin of the following blocks (0 columns by default). Entries, titles and their
    // parts have no margin. In paragraphs, headings and lists of names, all lines but the first are
    // indented by `hang` more columns.
    void margin(std::size_t columns, std::size_t hang = 0);
    // Adds a paragraph of plain text.
    void paragraph(std::string text);
    // Adds a paragraph that begins with a word of some severity.
    void paragraph(Tone tone, std::string word, std::string text);
    // Adds a paragraph of one line of any length, for a command in it. Its blanks are kept.
    void line(std::string text);
    // Adds a heading.
    void heading(std::string text, Tone tone = Tone::heading);
    // Adds a list of hosts such as "gpu[001-312],login1" after a text, broken after commas. The
    // lines after the first `most_lines` are replaced by the number of elements in them.
    void names(std::string text, std::string list, std::size_t most_lines, Tone tone = Tone::none);
    // Adds a list of hosts without a text, below the text of the entry.
    void names_under(std::string list, std::size_t most_lines);
    // Adds an empty line, except at the start or after another one.
    void blank();
    // Adds a term and its meaning. Consecutive terms share a column. A term that is too long for
    // the column gets its own line. An empty term continues the meaning before it.
    void item(std::string term, std::string text);
    // Adds a text after a mark, such as "2."; an empty mark is a dash.
    void bullet(std::string mark, std::string text);
    // Adds columns side by side, with two blanks between them.
    void table(std::vector<TextRow> rows, Numbers numbers = Numbers::left);
    // Adds a table of equal columns. Columns that do not fit go into further blocks below. Prints
    // nothing for fewer than two columns.
    void matrix(std::vector<TextRow> rows);

    // Returns the text in lines of at most the screen's width, and at least 40 columns. Only words,
    // commands and cells that cannot be broken are wider. Paragraphs are at most 120 columns wide.
    // Entries are indented by their longest word, fields by their longest label.
    std::string text(Screen screen) const;

   private:
    enum class Kind {
        entry,
        title,
        under,
        field,
        command,
        paragraph,
        line,
        heading,
        names,
        names_under,
        blank,
        item,
        bullet,
        table,
        matrix
    };
    struct Block {
        Kind kind;
        std::size_t margin = 0;
        std::size_t hang = 0;
        Tone tone = Tone::none;
        std::string label{};  // label, word, term or mark
        std::string name{};
        std::string text{};
        std::vector<TextRow> rows{};
        Numbers numbers = Numbers::left;
        std::size_t most_lines = 0;
    };
    struct Layout {
        Screen screen;
        std::size_t width;   // width of paragraphs
        std::size_t indent;  // indent of the parts of an entry
        std::size_t labels;  // width of the column of labels
        std::size_t terms;   // column of the meanings of a list, from the margin
    };
    Block& add(Kind kind, std::string text);
    Layout layout_for(Screen screen) const;
    std::size_t column_of_terms(std::size_t at, const Layout& layout) const;
    static std::string shown(const Block& block, const Layout& layout);
    static std::string label_of(const Block& block, const Layout& layout);
    static std::string start_of_field(const Block& block, const Layout& layout);
    static std::string shown_item(const Block& block, const Layout& layout);
    static std::string shown_names(const Block& block, const Layout& layout);

    std::deque<Block> blocks_;  // a vector of thousands would be copied as it grows
    std::size_t margin_ = 0;
    std::size_t hang_ = 0;
};

}  // namespace rocenv
