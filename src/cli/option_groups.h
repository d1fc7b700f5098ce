// SPDX-License-Identifier: MIT
// Options that several commands share: their values as plain data, and functions that add them to a
// command.
//
// The functions store references to the variables that they set. These variables must outlive
// OptionTree::parse(). A flag sets its variable to true. Without its option a variable is
// unchanged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/choices.h"
#include "cli/formats.h"
#include "cli/option_tree.h"
#include "os/child/supervise.h"
#include "print/style.h"
#include "profile/request.h"

namespace rocenv {

// The machine to read, and the time limits.
struct MachineOptions {
    std::optional<std::string> sysroot;  // std::nullopt: the real machine
    Patience patience;
};
// Adds --sysroot, --timeout and --deadline.
void add_machine(CommandOptions& command, MachineOptions& into);
// Adds the same options. --sysroot also sets `root`, which is unchanged without the option.
void add_machine(CommandOptions& command, MachineOptions& into, std::string& root);

// Options for all output.
struct PrintOptions {
    UseColour colour = UseColour::on_terminal;
    bool quiet = false;
    bool verbose = false;

    // Returns the level of detail. --quiet has precedence over --verbose.
    Detail detail() const {
        return quiet ? Detail::quiet : verbose ? Detail::everything : Detail::normal;
    }
};
// Adds --color, --quiet and --verbose.
void add_print(CommandOptions& command, PrintOptions& into);
// Adds the same three options for a command whose stdout belongs to another program. The command's
// own messages go to stderr, and --quiet suppresses them except errors. `verbose_summary` is the
// help of --verbose.
void add_remarks(CommandOptions& command, PrintOptions& into, const char* verbose_summary);

// The same options with a format, which is a row of the command's table.
template <typename Format>
struct PrintOptionsIn : PrintOptions {
    const Format* format = &formats<Format>().front();
};

// Adds --format, and --json if the command has that format. The two options exclude each other.
template <typename Row>
void add_format(CommandOptions& command, const Row*& into, const char* summary) {
    command.choice("--format", into, summary);
    if (const Row* json = format_named<Row>("json")) {
        command.flag(
            "--json", [&into, json] { into = json; }, "--format", "Same as --format json");
    }
}

// Adds --only and --skip, which select settings by ids or globs.
void add_filter(CommandOptions& command, std::vector<std::string>& only,
                std::vector<std::string>& skip);

// Adds --want, for single expected values.
void add_overrides(CommandOptions& command, std::vector<std::string>& into);

// Meaning of a command line without a profile, for the help of --profile.
enum class WithoutProfile { is_auto, is_nothing };
// Adds --profile, --want, --only, --skip, --ignore-match and --no-site.
void add_profile(CommandOptions& command, CheckRequest& into, WithoutProfile without);

// Adds --waivers and --no-waivers.
void add_waivers(CommandOptions& command, CheckRequest& into);

// Options for the writes of set and reset.
struct WriteOptions {
    std::optional<std::string> state;  // folder of the journal; std::nullopt: that of the node
    GpuBackend gpu_backend = GpuBackend::sysfs;
};
// Adds --dry-run, --hold and --state, without the backend. The name of a hold must have 1 to 64 of
// the characters A-Z a-z 0-9 . _ : @ -.
void add_write(CommandOptions& command, bool& dry_run, std::string& hold, WriteOptions& into,
               const char* hold_summary);
// Adds the same for a SetRequest or a ResetRequest.
template <typename Request>
void add_write(CommandOptions& command, Request& request, WriteOptions& into,
               const char* hold_summary) {
    add_write(command, request.dry_run, request.hold, into, hold_summary);
}

// Adds --no-site, which ignores /etc/rocenv/site.toml.
void add_no_site(CommandOptions& command, bool& into);
// Adds --state, the folder of the journal.
void add_state(CommandOptions& command, std::optional<std::string>& into);
// Adds --gpu-backend.
void add_backend(CommandOptions& command, GpuBackend& into);
// Adds --scope, which selects settings of the node, of the process, or all.
void add_scope(CommandOptions& command, CheckRequest& into);
// Adds --node, which replaces the node's name in the report.
void add_node_name(CommandOptions& command, std::string& into);
// Adds --assume NAME=VERSION, which replaces detected versions.
void add_assume(CommandOptions& command, std::vector<std::string>& into);
// Adds --pid and --env-file, for the environment of a process or of files. Each file may begin with
// "docker:", "systemd:" or "sh:".
void add_environment(CommandOptions& command, std::string& pid, std::vector<std::string>& files);
// Adds --output, the file to write; `type` is its placeholder in the help.
void add_output(CommandOptions& command, std::string& into, const char* type);

}  // namespace rocenv
