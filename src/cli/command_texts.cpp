// SPDX-License-Identifier: MIT
#include "cli/command_texts.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "help/explain/vocabulary.h"
#include "print/wrap.h"

namespace rocenv {

namespace {

using Example = CommandExample;

constexpr Example of_check[] = {
    {"rocenv check", "what is wrong with this node?"},
    {"rocenv check -p benchmark -v", "stricter, with all findings"},
    {"rocenv check --only 'gpu.*,pci.*' --json", "some settings, for a program"},
    {"rocenv check --sysroot node.tree", "a recorded node"},
};
constexpr Example of_explain[] = {
    {"rocenv explain pci.acs", "a setting, and its value here"},
    {"rocenv explain NCCL_DEBUG 'TORCH_*'", "variables"},
    {"rocenv explain --search latency", "all that mention a word"},
};
constexpr Example of_topo[] = {
    {"rocenv topo", "GPUs, NICs, CPUs and links"},
    {"rocenv topo --get gpu.0.numa_node", "one value for a script"},
    {"rocenv topo --bind 0 --bind-format numactl", "the CPUs of rank 0"},
    {"rocenv topo --format svg > node.svg", "a picture"},
};
constexpr Example of_fleet[] = {
    {"rocenv fleet reports/", "a folder of reports"},
    {"clush -aN rocenv check --format jsonl | rocenv fleet", "all nodes"},
    {"rocenv fleet reports/ --expect 'gpu[001-412]'", "name the missing nodes"},
    {"rocenv fleet reports/ --format html -o fleet.html", "a page"},
};
constexpr Example of_set[] = {
    {"rocenv set -p benchmark --dry-run", "print what would be written"},
    {"sudo rocenv set -p benchmark", "write it (undo: sudo rocenv reset)"},
    {"sudo rocenv set -p benchmark --only cpu.governor", "one setting"},
    {"sudo rocenv set -p host --hold job42", "until reset --hold job42"},
};
constexpr Example of_status[] = {
    {"rocenv status", "what is set, and by whom?"},
    {"rocenv status --json", "for a program"},
};
constexpr Example of_reset[] = {
    {"rocenv reset --dry-run", "print what would be restored"},
    {"sudo rocenv reset", "restore all settings"},
    {"sudo rocenv reset --keep cpu.governor", "all but one"},
    {"sudo rocenv reset --hold job42", "release one hold"},
};
constexpr Example of_env[] = {
    {"eval \"$(rocenv env -p vllm)\"", "set the variables in this shell"},
    {"rocenv env -p vllm --format docker > vllm.env", "for docker run --env-file"},
    {"rocenv env -p rccl -v", "with the source of each value"},
};
constexpr Example of_run[] = {
    {"rocenv run -p vllm -- vllm serve MODEL", "with the variables of vllm"},
    {"rocenv run --check -p vllm -- python train.py", "only if the check passes"},
    {"sudo rocenv run --tune -p benchmark -- ./bench", "set before, restore after"},
};
constexpr Example of_profile_list[] = {
    {"rocenv profile list", "all profiles, each with a summary"},
    {"rocenv profile list --json", "for a program"},
};
constexpr Example of_profile_show[] = {
    {"rocenv profile show", "the profile of this node"},
    {"rocenv profile show mi300x vllm", "two profiles, merged"},
    {"rocenv profile show mi300x --format toml", "as a profile file"},
};
constexpr Example of_profile_lint[] = {
    {"rocenv profile lint ./node.toml", "one file"},
    {"rocenv profile lint --strict ./*.toml", "warnings count as errors"},
};
constexpr Example of_profile_diff[] = {
    {"rocenv profile diff mi300x mi300x-benchmark", "two shipped profiles"},
    {"rocenv profile diff mi300x ./node.toml", "one of them a file"},
};
constexpr Example of_profile_learn[] = {
    {"rocenv profile learn -o node.toml", "this node's present state"},
    {"rocenv profile learn --only 'gpu.*' gpus", "the GPUs, as profile gpus"},
};
constexpr Example of_tunable_check[] = {
    {"rocenv tunableop check tunableop_results0.csv", "on this node"},
    {"rocenv tunableop check *.csv --assume torch=2.8", "for another PyTorch"},
};
constexpr Example of_tunable_show[] = {
    {"rocenv tunableop show tunableop_results0.csv", "as a table"},
    {"rocenv tunableop show *.csv --json", "for a program"},
};
constexpr Example of_tunable_merge[] = {
    {"rocenv tunableop merge *.csv -o merged.csv", "the results of all ranks"},
};
constexpr Example of_occupancy[] = {
    {"rocenv occupancy --arch gfx942 --vgprs 128", "a kernel by its registers"},
    {"rocenv occupancy --asm kernel.s", "all kernels of a file"},
    {"rocenv occupancy --triton ~/.triton/cache", "all kernels of a Triton cache"},
};
constexpr Example of_record[] = {
    {"rocenv record -o node.tree", "this node, identities redacted"},
    {"rocenv check --sysroot node.tree", "check it elsewhere"},
};
constexpr Example of_help[] = {
    {"rocenv help", "all pages"},
    {"rocenv help set", "one page"},
    {"rocenv help pci.acs", "one setting"},
};
constexpr Example of_completion[] = {
    {"eval \"$(rocenv completion bash)\"", "in ~/.bashrc"},
    {"rocenv completion fish", "print the script for fish"},
};

constexpr CommandRow command_table[] = {
    {"check", "Check", "Compare this node and its environment with a profile", of_check,
     "Writes nothing on the node."},
    {"explain", "Check", "Explain a setting, variable, profile or word of a report", of_explain,
     "Prints also the value on this node. Several matches are listed; -v explains each of them. "
     "Secrets, and values of variables that are in no catalogue or profile, are never printed."},
    {"topo", "Check", "Show GPUs, NICs, CPUs and their links", of_topo},
    {"fleet", "Check", "Compare the reports of many nodes", of_fleet,
     "Reads JSON reports of check (json or jsonl, several in a file), folders of them (.json, "
     ".jsonl, .tree) and recordings. Without an INPUT it reads standard input. The newest report "
     "of a node counts. -p, --want and waivers apply to recordings only."},
    {"set", "Tune", "Bring this node to a profile, as one transaction", of_set,
     "Needs -p. If a write of something required fails, everything is restored. What cannot be set "
     "here is skipped and listed."},
    {"status", "Tune", "Show what rocenv has set on this node, and who holds it", of_status},
    {"reset", "Tune", "Restore the state before the first set", of_reset},
    {"env", "Launch", "Print the environment variables of a profile", of_env},
    {"run", "Launch", "Start a program with the environment of a profile", of_run,
     "With --tune, settings that cannot be restored are named on stderr, and the status is that of "
     "the program. Under sudo, --tune starts the program as the user who called sudo."},
    {"profile", "More", "List, show, check, compare and learn profiles", {}},
    {"profile list", "", "List all profiles", of_profile_list},
    {"profile show", "", "Show what profiles expect on this node, merged", of_profile_show},
    {"profile lint", "", "Check profile files for errors", of_profile_lint},
    {"profile diff", "", "Compare two profiles, as they apply to this node", of_profile_diff},
    {"profile learn", "", "Write a profile of the present state of this node", of_profile_learn},
    {"tunableop", "More", "Check, show and merge result files of PyTorch TunableOp", {}},
    {"tunableop check", "", "Check whether PyTorch accepts result files on this node",
     of_tunable_check},
    {"tunableop show", "", "Show the content of result files", of_tunable_show},
    {"tunableop merge", "", "Merge result files, with the fastest solution of each problem",
     of_tunable_merge},
    {"occupancy", "More", "Compute the waves per SIMD of a kernel, and their limit", of_occupancy,
     "A value given by an option replaces the value in the file."},
    {"record", "More", "Record this machine in a file for --sysroot", of_record},
    {"help", "More", "Print the manual", of_help,
     "A topic is a page (profile is the command, profile.5 the file format), a setting, a variable "
     "or a profile. rocenv explain adds its value on this node."},
    {"completion", "More", "Print a script that completes command lines in a shell", of_completion,
     "bash: evaluate it in ~/.bashrc. zsh: write it to a file _rocenv in a folder of $fpath. fish: "
     "write it to ~/.config/fish/completions/rocenv.fish. The packages install all three. The "
     "scripts call rocenv, which reads the names of profiles only."},
};

}  // namespace

std::span<const CommandRow> command_rows() {
    return command_table;
}

const CommandRow& command_row(std::string_view name) {
    return *std::find_if(std::begin(command_table), std::end(command_table),
                         [&](const CommandRow& row) { return row.name == name; });
}

bool is_command_group(std::string_view word) {
    const std::string start = std::string(word) + " ";
    return std::any_of(std::begin(command_table), std::end(command_table),
                       [&](const CommandRow& row) { return row.name.starts_with(start); });
}

namespace {

constexpr std::size_t help_width = Screen::usual_width;
constexpr std::size_t option_column = 26;   // start of the summaries of options and arguments
constexpr std::size_t example_column = 50;  // highest start of the purposes of examples

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

// Returns two columns below a heading. A term that is too long for the first one has a line to
// itself.
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

// Returns the term, with long names aligned: "    --want ID=VALUE" below "-p, --profile PROFILE".
std::string aligned_term(const OptionText& option) {
    const bool has_letter = option.is_positional || option.names.front().size() == 2;
    return (has_letter ? "" : "    ") + term_of(option);
}

std::string argument_lines(const CommandText& command) {
    std::vector<HelpRow> rows;
    for (const auto& option : command.options) {
        if (option.is_positional) {
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
        if (option.is_positional) {
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

// Returns the commands whose names begin with `start`, without that start.
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
    std::string_view group;
    for (const auto& row : command_rows()) {
        if (row.group.empty()) {
            continue;
        }
        std::string first(row.group == group ? "" : row.group);
        group = row.group;
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
