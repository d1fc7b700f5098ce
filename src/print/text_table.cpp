// SPDX-License-Identifier: MIT
#include "print/text_table.h"

#include <algorithm>

#include "print/layout.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t gap = 2;

std::vector<TextRow> shown(std::vector<TextRow> rows) {
    for (auto& row : rows) {
        for (auto& cell : row) {
            cell = printable(cell, uncut);
        }
    }
    return rows;
}

std::vector<std::size_t> widths_of(const std::vector<TextRow>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t at = 0; at < row.size(); ++at) {
            widths[at] = std::max(widths[at], row[at].size());
        }
    }
    return widths;
}

std::string without_blanks_at_end(const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// `text` behind `line`, in lines of 80 columns broken behind commas.
std::string broken(std::string line, std::string_view text) {
    const std::size_t indent = line.size();
    std::string out;
    while (!text.empty()) {
        const std::size_t room = terminal_width - std::min(terminal_width, indent);
        std::size_t part = text.size();
        if (part > room) {
            const auto comma = text.substr(0, room).rfind(',');
            part = comma == std::string_view::npos ? text.find(',') : comma;
            part = part == std::string_view::npos ? text.size() : part + 1;
        }
        out += without_blanks_at_end(line + std::string(text.substr(0, part)));
        text.remove_prefix(part);
        line = std::string(indent, ' ');
    }
    return out.empty() ? without_blanks_at_end(line) : out;
}

}  // namespace

std::string text_table(const std::vector<TextRow>& cells) {
    const auto rows = shown(cells);
    const auto widths = widths_of(rows);
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t at = 0; at + 1 < row.size(); ++at) {
            line += row[at] + std::string(widths[at] + gap - row[at].size(), ' ');
        }
        out += broken(std::move(line), row.empty() ? std::string() : row.back());
    }
    return out;
}

std::string text_matrix(const std::vector<TextRow>& cells) {
    const auto rows = shown(cells);
    const auto widths = widths_of(rows);
    if (widths.empty()) {
        return {};
    }
    const std::size_t widest = *std::max_element(widths.begin(), widths.end());
    const std::size_t room = terminal_width - std::min(terminal_width, widths[0] + gap);
    const std::size_t fitting = std::max<std::size_t>((room + gap) / (widest + gap), 1);
    std::string out;
    for (std::size_t first = 1; first < widths.size(); first += fitting) {
        out += first == 1 ? "" : "\n";
        for (const auto& row : rows) {
            std::string line = row[0] + std::string(widths[0] + gap - row[0].size(), ' ');
            for (std::size_t at = first; at < std::min(first + fitting, row.size()); ++at) {
                line += row[at] + std::string(widest + gap - row[at].size(), ' ');
            }
            out += without_blanks_at_end(line);
        }
    }
    return out;
}

}  // namespace rocenv
