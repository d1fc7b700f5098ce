// SPDX-License-Identifier: MIT
#include "print/text_table.h"

#include <algorithm>

#include "print/wrap.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t table_gap = 2;
constexpr std::size_t least_last = 20;  // columns for a last cell that is broken
constexpr std::size_t next_line_indent = 4;

struct ShownCell {
    std::string text;  // printable, with its style
    std::size_t columns;
};
using ShownRow = std::vector<ShownCell>;

std::vector<ShownRow> shown_rows(const std::vector<TextRow>& rows, Colour colour) {
    std::vector<ShownRow> out;
    out.reserve(rows.size());
    for (const auto& row : rows) {
        auto& cells = out.emplace_back();
        for (const auto& cell : row) {
            std::string text = toned(cell.text, cell.tone, colour);
            const std::size_t columns = columns_of(text);
            cells.push_back({std::move(text), columns});
        }
    }
    return out;
}

// Returns the widest cell of each column. The last cell of a row needs no column, and a cell of
// more than `most` columns does not count unless all are as wide.
std::vector<std::size_t> widths_of(const std::vector<ShownRow>& rows, std::size_t most) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t at = 0; at < row.size(); ++at) {
            const bool counts = row[at].columns <= most;
            widths[at] = counts ? std::max(widths[at], row[at].columns) : widths[at];
        }
    }
    return widths;
}

// Returns how many bytes of `text` fit on a line of `room` columns: up to a blank, or after a
// comma. Returns all bytes if there is neither.
std::size_t part_that_fits(std::string_view text, std::size_t room) {
    if (columns_of(text) <= room) {
        return text.size();
    }
    std::size_t best = std::string_view::npos;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t end = text[at] == ',' ? at + 1 : at;
        if (text[at] != ',' && text[at] != ' ') {
            continue;
        }
        if (best != std::string_view::npos && columns_of(text.substr(0, end)) > room) {
            break;
        }
        best = end == 0 ? best : end;
    }
    return best == std::string_view::npos ? text.size() : best;
}

// Returns the last cell after `line`, in lines of the screen's width. If too little of a line is
// left, the cell begins on the next one.
std::string broken(std::string line, const ShownCell& cell, std::size_t margin, std::size_t width) {
    std::size_t indent = columns_of(line);
    const bool fits = indent + cell.columns <= width;
    const bool is_styled = cell.text.find('\x1b') != std::string::npos;
    if (fits || is_styled) {
        return without_blanks_at_end(line + cell.text);
    }
    std::string out;
    if (indent + least_last > width) {
        out = without_blanks_at_end(line);
        indent = margin + next_line_indent;
        line = std::string(indent, ' ');
    }
    std::string_view text = cell.text;
    while (!text.empty()) {
        const std::size_t part = part_that_fits(text, width - indent);
        out += without_blanks_at_end(line + std::string(text.substr(0, part)));
        text.remove_prefix(part);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        line = std::string(indent, ' ');
    }
    return out;
}

// The position of a column. Columns that do not fit go to the next line of every row.
struct TableColumn {
    std::size_t begin;
    std::size_t width;
    bool on_next_line = false;
};

std::vector<TableColumn> columns_for(const std::vector<std::size_t>& widths, bool can_break_last,
                                     std::size_t margin, std::size_t width) {
    std::vector<TableColumn> out;
    std::size_t begin = margin;
    for (std::size_t at = 0; at < widths.size(); ++at) {
        const bool breaks = can_break_last && at + 1 == widths.size();
        const std::size_t least = breaks ? std::min(widths[at], least_last) : widths[at];
        const bool on_next_line = at > 0 && begin + least > width;
        begin = on_next_line ? margin + next_line_indent : begin;
        out.push_back({begin, widths[at], on_next_line});
        begin += widths[at] + table_gap;
    }
    return out;
}

class TableText {
   public:
    TableText(std::vector<TableColumn> columns, Numbers numbers, std::size_t margin,
              std::size_t width)
        : columns_(std::move(columns)), numbers_(numbers), margin_(margin), width_(width) {}

    void add(const ShownRow& row) {
        std::string line(margin_, ' ');
        std::size_t wide_begin = 0;  // start of the previous cell, if wider than its column
        for (std::size_t at = 0; at < row.size(); ++at) {
            const TableColumn& column = columns_[at];
            const bool is_last = at + 1 == row.size();
            if (column.on_next_line && !line.empty()) {
                out_ += without_blanks_at_end(line);
                line.clear();
            }
            if (is_last && line.empty() && row[at].columns == 0) {
                return;  // no text for the next line
            }
            const bool fits = column.begin + row[at].columns <= width_;
            line +=
                blanks_after(columns_of(line), wide_begin > 0 && !fits ? wide_begin : column.begin);
            const bool is_wide = row[at].columns > column.width;
            wide_begin = is_wide ? column.begin : 0;
            const bool right = numbers_ == Numbers::right && at > 0;
            if (is_wide || (is_last && !right)) {
                out_ += broken(std::move(line), row[at], margin_, width_);
                line.clear();
            } else {
                line += (right ? blanks_after(row[at].columns, column.width) : "") + row[at].text;
            }
        }
        out_ += line.empty() ? "" : without_blanks_at_end(line);
    }

    std::string take() { return std::move(out_); }

   private:
    const std::vector<TableColumn> columns_;
    const Numbers numbers_;
    const std::size_t margin_;
    const std::size_t width_;
    std::string out_;
};

}  // namespace

std::string text_table(const std::vector<TextRow>& cells, Numbers numbers, std::size_t margin,
                       Screen screen) {
    const auto rows = shown_rows(cells, screen.colour);
    const auto widths = widths_of(rows, std::max<std::size_t>(screen.width / 2, least_last));
    TableText out(columns_for(widths, numbers == Numbers::left, margin, screen.width), numbers,
                  margin, screen.width);
    for (const auto& row : rows) {
        out.add(row);
    }
    return out.take();
}

std::string text_matrix(const std::vector<TextRow>& cells, std::size_t margin, Screen screen) {
    const auto rows = shown_rows(cells, screen.colour);
    const auto widths = widths_of(rows, uncut);
    if (widths.size() < 2) {
        return {};
    }
    const std::size_t widest = *std::max_element(widths.begin() + 1, widths.end());
    const std::size_t room = screen.width - std::min(screen.width, margin + widths[0] + table_gap);
    const std::size_t fitting = std::max<std::size_t>((room + table_gap) / (widest + table_gap), 1);
    std::string out;
    for (std::size_t first = 1; first < widths.size(); first += fitting) {
        out += first == 1 ? "" : "\n";
        for (const auto& row : rows) {
            std::string line = std::string(margin, ' ') + row[0].text +
                               blanks_after(row[0].columns, widths[0] + table_gap);
            for (std::size_t at = first; at < std::min(first + fitting, row.size()); ++at) {
                line += row[at].text + blanks_after(row[at].columns, widest + table_gap);
            }
            out += without_blanks_at_end(line);
        }
    }
    return out;
}

}  // namespace rocenv
