// SPDX-License-Identifier: MIT
#include "print/document.h"

#include <algorithm>

#include "print/layout.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t least_indent = 6;  // "FAIL" and two blanks
constexpr std::size_t label_width = 9;   // "follows" and two blanks
constexpr std::size_t least_width = 40;  // a narrower terminal breaks the lines itself

std::string_view code_of(Tone tone) {
    switch (tone) {
        case Tone::none:
        case Tone::info:
            return "";
        case Tone::heading:
            return style_code::heading;
        case Tone::pass:
            return style_code::pass;
        case Tone::warn:
            return style_code::warn;
        case Tone::fail:
            return style_code::fail;
        case Tone::unknown:
            return style_code::unknown;
    }
    return "";
}

std::string toned(const std::string& word, Tone tone, Colour colour) {
    const auto code = code_of(tone);
    const std::string shown = printable(word, uncut);
    return colour == Colour::no || code.empty() || word.empty()
               ? shown
               : std::string(code) + shown + std::string(style_code::end);
}

std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ');
}

}  // namespace

void Document::entry(Tone tone, std::string word, std::string name, std::string text) {
    blocks_.push_back({Kind::entry, tone, std::move(word), std::move(name), std::move(text)});
}

void Document::under(std::string text) {
    blocks_.push_back({Kind::under, Tone::none, "", "", std::move(text)});
}

void Document::field(std::string label, std::string text) {
    blocks_.push_back({Kind::field, Tone::none, std::move(label), "", std::move(text)});
}

void Document::command(std::string label, std::string text) {
    blocks_.push_back({Kind::command, Tone::none, std::move(label), "", std::move(text)});
}

void Document::paragraph(std::string text) {
    blocks_.push_back({Kind::paragraph, Tone::none, "", "", std::move(text)});
}

void Document::line(std::string text) {
    blocks_.push_back({Kind::line, Tone::none, "", "", std::move(text)});
}

void Document::heading(std::string text) {
    blocks_.push_back({Kind::heading, Tone::heading, "", "", std::move(text)});
}

void Document::blank() {
    if (!blocks_.empty() && blocks_.back().kind != Kind::blank) {
        blocks_.push_back({Kind::blank, Tone::none, "", "", ""});
    }
}

void Document::table(std::vector<TextRow> rows) {
    blocks_.push_back({Kind::table, Tone::none, "", "", "", std::move(rows)});
}

std::string Document::text(std::size_t width, Colour colour) const {
    Layout layout{std::max(width, least_width), least_indent, colour};
    for (const auto& block : blocks_) {
        if (block.kind == Kind::entry) {
            layout.indent = std::max(layout.indent, block.label.size() + 2);
        }
    }
    std::string out;
    for (const auto& block : blocks_) {
        out += shown(block, layout);
    }
    return out;
}

std::string Document::shown(const Block& block, const Layout& layout) {
    const std::string margin(layout.indent, ' ');
    switch (block.kind) {
        case Kind::entry: {
            const std::string start =
                toned(block.label, block.tone, layout.colour) + padded(block.label, layout.indent) +
                toned(block.name, Tone::heading, layout.colour) + (block.name.empty() ? "" : "  ");
            return wrapped_to(layout.width, start, layout.indent, block.text);
        }
        case Kind::under:
            return wrapped_to(layout.width, margin, layout.indent, block.text);
        case Kind::field:
            return wrapped_to(layout.width, margin + block.label + padded(block.label, label_width),
                              layout.indent + label_width, block.text);
        case Kind::command:
            return margin + printable(block.label, uncut) + padded(block.label, label_width) +
                   printable(block.text, uncut) + "\n";
        case Kind::paragraph:
            return wrapped_to(layout.width, "", 0, block.text);
        case Kind::line:
            return printable(block.text, uncut) + "\n";
        case Kind::heading:
            return toned(block.text, Tone::heading, layout.colour) + "\n";
        case Kind::blank:
            return "\n";
        case Kind::table:
            return text_table(block.rows);
    }
    return "";
}

}  // namespace rocenv
