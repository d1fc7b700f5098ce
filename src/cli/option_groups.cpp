// SPDX-License-Identifier: MIT
#include "cli/option_groups.h"

#include "cli/option_tree.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* sysroot_type = "DIR|FILE.tree";
constexpr const char* sysroot_summary = "Read /sys and /proc of another machine";

// Returns an error message if the name of a hold is invalid, else an empty text.
std::string hold_name_error(const std::string& name) {
    constexpr std::size_t longest = 64;
    constexpr std::string_view good =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@-";
    return name.empty() || name.size() > longest ||
                   name.find_first_not_of(good) != std::string::npos
               ? "expected 1 to 64 of A-Z a-z 0-9 . _ : @ -"
               : std::string();
}

// Returns an error message if the text is not a process id, else an empty text.
std::string pid_error(const std::string& text) {
    return parse_number(text).value_or(0) > 0 ? "" : "expected a process id";
}

void add_patience(CommandOptions& node, Patience& into) {
    node.seconds("--timeout", into.probe_seconds, "Timeout for each file read");
    node.seconds("--deadline", into.deadline_seconds, "Time limit for the whole command");
}

}  // namespace

void add_machine(CommandOptions& command, MachineOptions& into) {
    auto node = command.in(OptionGroup::node);
    node.text("--sysroot", into.sysroot, sysroot_type, sysroot_summary);
    add_patience(node, into.patience);
}

void add_machine(CommandOptions& command, MachineOptions& into, std::string& root) {
    const auto store = [&into, &root](const std::string& given) {
        into.sysroot = given;
        root = given;
    };
    auto node = command.in(OptionGroup::node);
    node.text("--sysroot", store, sysroot_type, sysroot_summary);
    add_patience(node, into.patience);
}

void add_print(CommandOptions& command, PrintOptions& into) {
    auto output = command.in(OptionGroup::output);
    output.choice("--color", into.colour, "Use colour");
    output.flag("-q,--quiet", into.quiet, "Print errors only");
    output.flag("-v,--verbose", into.verbose, "Print everything, with sources");
}

void add_remarks(CommandOptions& command, PrintOptions& into, const char* verbose_summary) {
    auto output = command.in(OptionGroup::output);
    output.choice("--color", into.colour, "Use colour");
    output.flag("-q,--quiet", into.quiet, "Print no remarks on stderr");
    output.flag("-v,--verbose", into.verbose, verbose_summary);
}

void add_filter(CommandOptions& command, std::vector<std::string>& only,
                std::vector<std::string>& skip) {
    auto profile = command.in(OptionGroup::profile);
    profile.list("--only", only, "ID[,ID]", "Select only these settings (globs: gpu.*)");
    profile.list("--skip", skip, "ID[,ID]", "Leave out these settings");
}

void add_overrides(CommandOptions& command, std::vector<std::string>& into) {
    command.in(OptionGroup::profile)
        .list("--want", into, "ID=VALUE", "Expect VALUE of a setting, over the profile");
}

void add_profile(CommandOptions& command, CheckRequest& into, WithoutProfile without) {
    auto profile = command.in(OptionGroup::profile);
    profile.list("-p,--profile", into.profiles, "PROFILE",
                 without == WithoutProfile::is_auto
                     ? "Use a profile or file; repeat to merge [default: auto]"
                     : "Use a profile or file; repeat to merge");
    add_overrides(command, into.overrides);
    add_filter(command, into.only, into.skip);
    profile.flag("--ignore-match", into.ignore_match, "Accept a profile for another kind of GPU");
    add_no_site(command, into.no_site);
}

void add_no_site(CommandOptions& command, bool& into) {
    command.in(OptionGroup::profile).flag("--no-site", into, "Ignore /etc/rocenv/site.toml");
}

void add_waivers(CommandOptions& command, CheckRequest& into) {
    auto profile = command.in(OptionGroup::profile);
    profile.text("--waivers", into.waivers, "FILE",
                 "Use the waivers of FILE, besides /etc/rocenv/waivers.toml", empty_text_error);
    profile.flag("--no-waivers", into.no_waivers, "Ignore all waivers");
}

void add_write(CommandOptions& command, bool& dry_run, std::string& hold, WriteOptions& into,
               const char* hold_summary) {
    command.flag("-n,--dry-run", dry_run, "Print every write, and make none");
    command.text("--hold", hold, "NAME", hold_summary, hold_name_error);
    add_state(command, into.state);
}

void add_state(CommandOptions& command, std::optional<std::string>& into) {
    command.text("--state", into, "DIR", "Keep the journal in DIR [default: /run/rocenv]");
}

void add_backend(CommandOptions& command, GpuBackend& into) {
    command.in(OptionGroup::node).choice("--gpu-backend", into, "Write to GPUs through this");
}

void add_scope(CommandOptions& command, CheckRequest& into) {
    const auto store = [&into](ScopeChoice scope) {
        into.all_scopes = scope == ScopeChoice::all;
        into.scope = scope == ScopeChoice::node      ? std::optional(Scope::node)
                     : scope == ScopeChoice::process ? std::optional(Scope::process)
                                                     : std::nullopt;
    };
    command.in(OptionGroup::profile)
        .choice<ScopeChoice>(
            "--scope", store,
            "Select settings of the node, of the process, or all [default: all, and "
            "node under sudo]");
}

void add_node_name(CommandOptions& command, std::string& into) {
    command.in(OptionGroup::output)
        .text("--node", into, "NAME", "Use NAME as the name of the node in the report");
}

void add_assume(CommandOptions& command, std::vector<std::string>& into) {
    command.in(OptionGroup::environment)
        .list("--assume", into, "NAME=VERSION[,...]",
              "Assume these versions (torch=2.8,rocm=7.0); others are detected");
}

void add_environment(CommandOptions& command, std::string& pid, std::vector<std::string>& files) {
    auto environment = command.in(OptionGroup::environment);
    environment.text("--pid", pid, "PID", "Judge the environment of this process", pid_error);
    environment.list("--env-file", files, "[docker:|systemd:|sh:]FILE",
                     "Judge the environment in this file");
}

void add_output(CommandOptions& command, std::string& into, const char* type) {
    command.in(OptionGroup::output)
        .text("-o,--output", into, type, "Write to this file [default: stdout]", empty_text_error);
}

}  // namespace rocenv
