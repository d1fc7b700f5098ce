// SPDX-License-Identifier: MIT
#include "cli/option_groups.h"

#include "cli/option_tree.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* sysroot_summary = "Another machine's /sys and /proc";

std::string hold_name(const std::string& name) {
    constexpr std::size_t longest = 64;
    constexpr std::string_view good =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@-";
    return name.empty() || name.size() > longest ||
                   name.find_first_not_of(good) != std::string::npos
               ? printable(name, 80) + " is no name of 1 to 64 of A-Z a-z 0-9 . _ : @ -"
               : std::string();
}

std::string is_pid(const std::string& text) {
    return parse_number(text).value_or(0) > 0 ? "" : printable(text, 40) + " is no process id";
}

}  // namespace

static void add_patience(CommandOptions& command, Patience& into) {
    command.seconds("--timeout", into.probe_seconds, "For one file (5)");
    command.seconds("--deadline", into.deadline_seconds, "For all of it (20)");
}

void add_machine(CommandOptions& command, MachineOptions& into) {
    command.text("--sysroot", into.sysroot, "DIR|FILE.tree", sysroot_summary);
    add_patience(command, into.patience);
}

void add_machine(CommandOptions& command, MachineOptions& into, std::string& root) {
    const auto store = [&into, &root](const std::string& given) {
        into.sysroot = given;
        root = given;
    };
    command.text("--sysroot", store, "DIR|FILE.tree", sysroot_summary);
    add_patience(command, into.patience);
}

void add_print(CommandOptions& command, PrintOptions& into) {
    command.choice("--color", into.colour, "Colour");
    command.flag("-q,--quiet", into.quiet, "Print errors only: the exit status tells");
    command.flag("-v,--verbose", into.verbose, "List everything, with sources");
}

void add_remarks(CommandOptions& command, PrintOptions& into, const char* verbose_summary) {
    command.choice("--color", into.colour, "Colour");
    command.flag("-q,--quiet", into.quiet, "No remarks on stderr");
    command.flag("-v,--verbose", into.verbose, verbose_summary);
}

void add_filter(CommandOptions& command, std::vector<std::string>& only,
                std::vector<std::string>& skip) {
    command.list("--only", only, "ID[,ID]", "Only these (globs: gpu.*)");
    command.list("--skip", skip, "ID[,ID]", "All but these");
}

void add_wants(CommandOptions& command, std::vector<std::string>& into) {
    command.list("--want", into, "ID=VALUE", "One setting over the profile");
}

void add_profile(CommandOptions& command, CheckRequest& into, WithoutProfile without) {
    command.list("-p,--profile", into.profiles, "PROFILE",
                 without == WithoutProfile::is_auto ? "Name or file (auto); several merge"
                                                    : "Name or file; several merge");
    add_wants(command, into.wants);
    add_filter(command, into.only, into.skip);
    command.flag("--ignore-match", into.ignore_match, "Take a profile for another kind of GPU");
    add_no_site(command, into.no_site);
}

void add_no_site(CommandOptions& command, bool& into) {
    command.flag("--no-site", into, "Leave /etc/rocenv/site.toml out");
}

void add_waivers(CommandOptions& command, CheckRequest& into) {
    command.text("--waivers", into.waivers, "FILE", "Beside /etc/rocenv/waivers.toml", not_empty);
    command.flag("--no-waivers", into.no_waivers, "Take no waivers");
}

void add_write(CommandOptions& command, bool& dry_run, std::string& hold, WriteOptions& into,
               const char* hold_summary) {
    command.flag("--dry-run", dry_run, "Print every write, make none");
    command.text("--hold", hold, "NAME", hold_summary, hold_name);
    add_state(command, into.state);
}

void add_state(CommandOptions& command, std::optional<std::string>& into) {
    command.text("--state", into, "DIR", "The journal's folder (/run/rocenv)");
}

void add_backend(CommandOptions& command, GpuBackend& into) {
    command.choice("--gpu-backend", into, "How to reach GPUs (sysfs)");
}

void add_scope(CommandOptions& command, CheckRequest& into) {
    const auto store = [&into](ScopeChoice scope) {
        into.all_scopes = scope == ScopeChoice::all;
        into.scope = scope == ScopeChoice::node      ? std::optional(Scope::node)
                     : scope == ScopeChoice::process ? std::optional(Scope::process)
                                                     : std::nullopt;
    };
    command.choice<ScopeChoice>("--scope", store, "Whose settings (all; under sudo node)");
}

void add_node_name(CommandOptions& command, std::string& into) {
    command.text("--node", into, "NAME", "The node's name in the report");
}

void add_assume(CommandOptions& command, std::vector<std::string>& into) {
    command.list("--assume", into, "NAME=VERSION[,...]",
                 "Take these for installed (torch=2.8,rocm=7.0); the rest is found");
}

void add_environment(CommandOptions& command, std::string& pid, std::vector<std::string>& files) {
    command.text("--pid", pid, "PID", "Judge that process' environment", is_pid);
    command.list("--env-file", files, "[docker:|systemd:|sh:]FILE",
                 "Judge the environment in a file");
}

void add_output(CommandOptions& command, std::string& into, const char* type) {
    command.text("--output", into, type, "Where to write it (stdout)", not_empty);
}

}  // namespace rocenv
