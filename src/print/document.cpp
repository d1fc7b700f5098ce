// SPDX-License-Identifier: MIT
#include "print/document.h"

#include <algorithm>

#include "print/wrap.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t least_indent = 6;   // "FAIL" and two blanks
constexpr std::size_t title_indent = 2;   // below titles
constexpr std::size_t least_labels = 9;   // "follows" and two blanks
constexpr std::size_t widest_text = 120;  // longer lines are hard to read
constexpr std::size_t widest_term = 28;   // a longer one has a line to itself
constexpr std::size_t term_indent = 4;    // indent of meanings if all terms are too long

// Returns the blank between a name and a text; none if the text is empty or begins with a comma or
// a colon.
std::string_view gap_before(const std::string& text) {
    return text.empty() || text.front() == ',' || text.front() == ':' ? "" : " ";
}

// Returns lines in their tone, which begins behind the blanks of each.
std::string toned_lines(const std::string& lines, Tone tone, Colour colour) {
    std::string out;
    for (const auto line : split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
        const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
        out += concat({line.substr(0, blanks), toned(line.substr(blanks), tone, colour), "\n"});
    }
    return out;
}

}  // namespace

Document::Block& Document::add(Kind kind, std::string text) {
    Block block{kind, margin_, hang_};
    block.text = std::move(text);
    return blocks_.emplace_back(std::move(block));
}

void Document::entry(Tone tone, std::string word, std::string name, std::string text) {
    auto& block = add(Kind::entry, std::move(text));
    block.tone = tone;
    block.label = std::move(word);
    block.name = std::move(name);
}

void Document::title(std::string name, std::string text) {
    add(Kind::title, std::move(text)).name = std::move(name);
}

void Document::under(std::string text) {
    add(Kind::under, std::move(text));
}

void Document::field(std::string label, std::string text) {
    add(Kind::field, std::move(text)).label = std::move(label);
}

void Document::field(std::string label, Tone tone, std::string word, std::string text) {
    auto& block = add(Kind::field, std::move(text));
    block.label = std::move(label);
    block.tone = tone;
    block.name = std::move(word);
}

void Document::command(std::string label, std::string text) {
    add(Kind::command, std::move(text)).label = std::move(label);
}

void Document::margin(std::size_t columns, std::size_t hang) {
    margin_ = columns;
    hang_ = hang;
}

void Document::paragraph(std::string text) {
    add(Kind::paragraph, std::move(text));
}

void Document::paragraph(Tone tone, std::string word, std::string text) {
    auto& block = add(Kind::paragraph, std::move(text));
    block.tone = tone;
    block.name = std::move(word);
}

void Document::line(std::string text) {
    add(Kind::line, std::move(text));
}

void Document::heading(std::string text, Tone tone) {
    add(Kind::heading, std::move(text)).tone = tone;
}

void Document::names(std::string text, std::string list, std::size_t most_lines, Tone tone) {
    auto& block = add(Kind::names, std::move(text));
    block.name = std::move(list);
    block.most_lines = most_lines;
    block.tone = tone;
}

void Document::names_under(std::string list, std::size_t most_lines) {
    auto& block = add(Kind::names_under, "");
    block.name = std::move(list);
    block.most_lines = most_lines;
}

void Document::blank() {
    if (!blocks_.empty() && blocks_.back().kind != Kind::blank) {
        add(Kind::blank, "");
    }
}

void Document::item(std::string term, std::string text) {
    add(Kind::item, std::move(text)).label = std::move(term);
}

void Document::bullet(std::string mark, std::string text) {
    add(Kind::bullet, std::move(text)).label = std::move(mark);
}

void Document::table(std::vector<TextRow> rows, Numbers numbers) {
    auto& block = add(Kind::table, "");
    block.rows = std::move(rows);
    block.numbers = numbers;
}

void Document::matrix(std::vector<TextRow> rows) {
    add(Kind::matrix, "").rows = std::move(rows);
}

Document::Layout Document::layout_for(Screen screen) const {
    screen.width = std::max(screen.width, Screen::least_width);
    Layout layout{screen, std::min(screen.width, widest_text), title_indent, least_labels, 0};
    for (const auto& block : blocks_) {
        if (block.kind == Kind::entry) {
            layout.indent = std::max({layout.indent, least_indent, columns_of(block.label) + 2});
        } else if (block.kind == Kind::field || block.kind == Kind::command) {
            const std::size_t columns = columns_of(block.label) + 2;
            layout.labels =
                columns > layout.width / 3 ? layout.labels : std::max(layout.labels, columns);
        }
    }
    return layout;
}

// Returns the column for the list that begins with block `at`.
std::size_t Document::column_of_terms(std::size_t at, const Layout& layout) const {
    const std::size_t most = std::min(widest_term, layout.width / 3);
    std::size_t widest = 0;
    for (; at < blocks_.size() && blocks_[at].kind == Kind::item; ++at) {
        const std::size_t size = columns_of(printable(blocks_[at].label, uncut));
        widest = size > most ? widest : std::max(widest, size);
    }
    return widest == 0 ? term_indent : widest + 2;
}

std::string Document::text(Screen screen) const {
    Layout layout = layout_for(screen);
    std::string out;
    for (std::size_t at = 0; at < blocks_.size(); ++at) {
        const bool begins_list =
            blocks_[at].kind == Kind::item && (at == 0 || blocks_[at - 1].kind != Kind::item);
        layout.terms = begins_list ? column_of_terms(at, layout) : layout.terms;
        out += shown(blocks_[at], layout);
    }
    return out;
}

// Returns the line of a label that is too long for its column, else an empty text.
std::string Document::label_of(const Block& block, const Layout& layout) {
    return columns_of(block.label) + 2 <= layout.labels
               ? std::string()
               : std::string(layout.indent, ' ') + printable(block.label, uncut) + "\n";
}

// Returns the label up to the text of the field; only blanks if the label has its own line.
std::string Document::start_of_field(const Block& block, const Layout& layout) {
    const std::size_t columns = columns_of(block.label);
    return columns + 2 <= layout.labels
               ? std::string(layout.indent, ' ') + printable(block.label, uncut) +
                     blanks_after(columns, layout.labels)
               : std::string(layout.indent + layout.labels, ' ');
}

std::string Document::shown_item(const Block& block, const Layout& layout) {
    const std::string margin(block.margin, ' ');
    const std::size_t column = block.margin + layout.terms;
    const std::size_t size = columns_of(printable(block.label, uncut));
    const Colour colour = layout.screen.colour;
    if (block.text.empty() || size + 2 > layout.terms) {
        return toned_lines(wrapped_to(layout.width, margin, block.margin, block.label),
                           Tone::heading, colour) +
               (block.text.empty()
                    ? std::string()
                    : wrapped_to(layout.width, std::string(column, ' '), column, block.text));
    }
    return wrapped_to(
        layout.width,
        margin + toned(block.label, Tone::heading, colour) + blanks_after(size, layout.terms),
        column, block.text);
}

std::string Document::shown_names(const Block& block, const Layout& layout) {
    const std::size_t first = block.kind == Kind::names ? block.margin : layout.indent;
    const std::size_t indent = block.kind == Kind::names ? first + block.hang : first;
    const std::string start =
        block.text.empty() ? std::string(first, ' ') + "\n"
                           : wrapped_to(layout.width, std::string(first, ' '), indent, block.text);
    const std::string lines = listed_to(layout.width, start, indent, block.name, block.most_lines);
    return toned_lines(lines, block.tone, layout.screen.colour);
}

std::string Document::shown(const Block& block, const Layout& layout) {
    const Colour colour = layout.screen.colour;
    const std::string margin(block.margin, ' ');
    const std::string below(layout.indent, ' ');
    switch (block.kind) {
        case Kind::entry:
            return wrapped_to(layout.width,
                              toned(block.label, block.tone, colour) +
                                  blanks_after(columns_of(block.label), layout.indent) +
                                  toned(block.name, Tone::heading, colour) +
                                  (block.name.empty() ? "" : "  "),
                              layout.indent, block.text);
        case Kind::title:
            return wrapped_to(
                layout.width,
                toned(block.name, Tone::heading, colour) + std::string(gap_before(block.text)),
                title_indent, block.text);
        case Kind::under:
            return wrapped_to(layout.width, below, layout.indent, block.text);
        case Kind::field:
            return label_of(block, layout) +
                   wrapped_to(layout.width,
                              start_of_field(block, layout) + toned(block.name, block.tone, colour),
                              layout.indent + layout.labels, block.text);
        case Kind::command:
            return label_of(block, layout) + start_of_field(block, layout) +
                   printable(block.text, uncut) + "\n";
        case Kind::paragraph:
            return wrapped_to(
                layout.width,
                margin + toned(block.name, block.tone, colour) +
                    (block.name.empty() ? std::string() : std::string(gap_before(block.text))),
                block.margin + block.hang, block.text);
        case Kind::line:
            return (block.text.empty() ? "" : margin) + printable(block.text, uncut) + "\n";
        case Kind::heading:
            return toned_lines(
                wrapped_to(layout.width, margin, block.margin + block.hang, block.text), block.tone,
                colour);
        case Kind::names:
        case Kind::names_under:
            return shown_names(block, layout);
        case Kind::blank:
            return "\n";
        case Kind::item:
            return shown_item(block, layout);
        case Kind::bullet: {
            const std::string mark = block.label.empty() ? "-" : block.label;
            return wrapped_to(layout.width, margin + mark + " ",
                              block.margin + columns_of(mark) + 1, block.text);
        }
        case Kind::table:
            return text_table(block.rows, block.numbers, block.margin, layout.screen);
        case Kind::matrix:
            return text_matrix(block.rows, block.margin, layout.screen);
    }
    return "";
}

}  // namespace rocenv
