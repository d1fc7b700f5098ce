// SPDX-License-Identifier: MIT
#include "print/wrap.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "util/text.h"

namespace rocenv {

namespace {

struct CodeRange {
    std::uint32_t first;
    std::uint32_t last;
};

// Unicode 15, EastAsianWidth.txt: W and F, with the unassigned gaps inside a block.
constexpr CodeRange wide_ranges[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97c},
    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6b},
    {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

// General categories Mn and Me of the scripts that combine most, and variation selectors.
constexpr CodeRange combining_ranges[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},   {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xe0100, 0xe01ef},
};

bool is_in(std::span<const CodeRange> ranges, std::uint32_t code) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const CodeRange& each) {
        return code >= each.first && code <= each.last;
    });
}

std::size_t columns_of_sequence(std::string_view sequence) {
    if (sequence.size() < 2) {
        return 1;
    }
    const std::uint32_t code = utf8_code_point(sequence);
    return is_in(combining_ranges, code) ? 0 : is_in(wide_ranges, code) ? 2 : 1;
}

// Returns the first host or host range of a list, with its comma; only a part of a range that is
// wider than `most` columns.
std::string_view first_of_list(std::string_view list, std::size_t most) {
    std::size_t end = list.size();
    bool in_range = false;
    for (std::size_t at = 0; at < list.size(); ++at) {
        in_range = list[at] == '[' || (in_range && list[at] != ']');
        if (list[at] == ',' && !in_range) {
            end = at + 1;
            break;
        }
    }
    const auto first = list.substr(0, end);
    return columns_of(first) <= most ? first
                                     : list.substr(0, std::min(list.find(','), end - 1) + 1);
}

std::string_view style_of(Tone tone) {
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

}  // namespace

std::size_t columns_of(std::string_view text) {
    std::size_t count = 0;
    while (!text.empty()) {
        std::size_t size = std::max<std::size_t>(utf8_length(text), 1);
        if (text.front() == '\x1b') {  // a style: ESC [ ... m
            size = std::min(text.find('m'), text.size() - 1) + 1;
        } else {
            count += columns_of_sequence(text.substr(0, size));
        }
        text.remove_prefix(size);
    }
    return count;
}

std::string blanks_after(std::size_t columns, std::size_t width) {
    return std::string(width - std::min(width, columns), ' ');
}

std::string without_blanks_at_end(const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string toned(std::string_view text, Tone tone, Colour colour) {
    const auto code = style_of(tone);
    std::string shown = printable(text, uncut);
    return colour == Colour::no || code.empty() || shown.empty()
               ? shown
               : concat({code, shown, style_code::end});
}

std::string wrapped_to(std::size_t width, std::string_view first, std::size_t indent,
                       std::string_view text) {
    std::string out;
    std::string line = printable_but(Kept::styles, first);
    std::size_t used = columns_of(line);
    bool empty = true;
    for (const auto raw : words(text)) {
        const std::string word = printable(raw, uncut);
        const std::size_t size = columns_of(word);
        if (used > indent && used + (empty ? 0 : 1) + size > width) {
            out += without_blanks_at_end(line);
            line = std::string(indent, ' ');
            used = indent;
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        used += (empty ? 0 : 1) + size;
        empty = false;
    }
    return out + without_blanks_at_end(line);
}

std::string listed_to(std::size_t width, const std::string& start, std::size_t indent,
                      std::string_view list, std::size_t most_lines) {
    const auto last = start.rfind('\n', start.size() - 2) + 1;  // npos + 1 is 0
    std::string out = start.substr(0, last);
    std::string line = start.substr(last, start.size() - last - 1);
    line += line.find_first_not_of(' ') == line.npos ? "" : " ";
    std::size_t used = columns_of(line);
    std::size_t lines = 1;
    const std::string shown = printable(list, uncut);
    for (std::string_view rest = shown; !rest.empty();) {
        const auto part = first_of_list(rest, width - indent);
        if (used > indent && used + columns_of(part) > width) {
            out += without_blanks_at_end(line);
            line = std::string(indent, ' ');
            if (lines++ == most_lines) {
                line +=
                    "and " + number(std::count(rest.begin(), rest.end(), ',') + 1) + " more (-v)";
                break;
            }
            used = indent;
        }
        line += part;
        used += columns_of(part);
        rest.remove_prefix(part.size());
    }
    return out + without_blanks_at_end(line);
}

}  // namespace rocenv
