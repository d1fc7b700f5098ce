// SPDX-License-Identifier: MIT
#include "cli/help_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/command_texts.h"
#include "help/explain/vocabulary.h"
#include "print/wrap.h"

namespace rocenv {

namespace {

constexpr std::size_t help_width = Screen::usual_width;
constexpr std::size_t option_column = 26;   // of the summaries of options and arguments
constexpr std::size_t example_column = 50;  // at most, of what an example does

struct HelpRow {
    std::string term;
    std::string text;
};

// Returns the width of the first column: that of the longest term which leaves room for a second.
std::size_t column_of(const std::vector<HelpRow>& rows, std::size_t most) {
    constexpr std::size_t blanks = 4;  // two before and two behind the term
    std::size_t column = 0;
    for (const auto& row : rows) {
        const std::size_t width = row.term.size() + blanks;
        column = width > most ? column : std::max(column, width);
    }
    return column;
}

// Two columns below a heading. A term that is too long for the first one has a line to itself.
std::string rows_text(std::string_view heading, const std::vector<HelpRow>& rows,
                      std::size_t column) {
    std::string out = rows.empty() ? "" : "\n" + std::string(heading) + ":\n";
    for (const auto& row : rows) {
        std::string first = "  " + row.term;
        if (row.text.empty() || first.size() + 2 > column) {
            out += first + "\n";
            first.clear();
        }
        first.resize(column, ' ');
        out += row.text.empty() ? "" : wrapped_to(help_width, first, column, row.text);
    }
    return out;
}

// Aligns long names: "    --want ID=VALUE" below "-p, --profile PROFILE".
std::string aligned_term(const OptionText& option) {
    const bool has_letter = option.by_place || option.names.front().size() == 2;
    return (has_letter ? "" : "    ") + term_of(option);
}

std::string argument_lines(const CommandText& command) {
    std::vector<HelpRow> rows;
    for (const auto& option : command.options) {
        if (option.by_place) {
            const bool choice = !option.value.empty();
            rows.push_back({choice ? option.value : option.names.front(), option.summary});
        }
    }
    return rows_text("Arguments", rows, option_column);
}

std::string option_lines(const CommandText& command) {
    std::string out;
    std::vector<HelpRow> rows;
    std::string heading;
    const auto end_group = [&] {
        out += rows_text(heading, rows, option_column);
        rows.clear();
    };
    for (const auto& option : command.options) {
        if (option.by_place) {
            continue;
        }
        if (option.group != heading) {
            end_group();
            heading = option.group;
        }
        rows.push_back({aligned_term(option), option.summary});
    }
    end_group();
    return out;
}

std::string example_lines(const CommandText& command) {
    std::vector<HelpRow> rows;
    for (const auto& example : command.examples) {
        rows.push_back({example.line, example.does});
    }
    return rows_text("Examples", rows, column_of(rows, example_column));
}

// The commands whose names begin with `start`, without it.
std::vector<HelpRow> commands_below(std::string_view start) {
    std::vector<HelpRow> rows;
    for (const auto& row : command_rows()) {
        if (row.name.starts_with(start)) {
            rows.push_back({std::string(row.name.substr(start.size())), std::string(row.summary)});
        }
    }
    return rows;
}

}  // namespace

std::string program_help() {
    constexpr std::size_t group_column = 8;
    constexpr std::size_t name_column = 12;
    std::string out =
        "rocenv: check, tune and restore AMD GPU nodes\n"
        "\n"
        "Usage: rocenv COMMAND [OPTIONS]\n"
        "\n";
    std::string_view told;
    for (const auto& row : command_rows()) {
        if (row.group.empty()) {
            continue;
        }
        std::string first(row.group == told ? "" : row.group);
        told = row.group;
        first.resize(group_column, ' ');
        first += row.name;
        first.resize(group_column + name_column, ' ');
        out += wrapped_to(help_width, first, group_column + name_column, row.summary);
    }
    const std::vector<HelpRow> examples{
        {"rocenv check", "what is wrong with this node?"},
        {"sudo rocenv set -p benchmark", "tune it (undo: sudo rocenv reset)"},
        {"rocenv run -p vllm -- vllm serve ...", "start a program with its environment"}};
    out += rows_text("Examples", examples, column_of(examples, help_width));
    return out +
           "\nThese options may also stand before the command: --format, --json, --color,\n"
           "--sysroot, --timeout, --deadline, -q, -v. The version: rocenv -V.\n"
           "The options of a command: rocenv COMMAND --help. The manual: rocenv help.\n";
}

std::string command_help(const CommandText& command) {
    std::string out = command.summary + ".\n";
    out += command.footer.empty() ? "" : wrapped_to(help_width, "", 0, command.footer);
    out += "\nUsage: " + usage_of(command) + "\n";
    if (command.is_group) {
        const auto rows = commands_below(command.name + " ");
        out += rows_text("Commands", rows, column_of(rows, option_column));
    }
    out += argument_lines(command) + option_lines(command) + example_lines(command);
    const std::string statuses = status_lines(command.name);
    return out + (statuses.empty() ? "" : "\n" + statuses);
}

}  // namespace rocenv
