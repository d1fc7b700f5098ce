// SPDX-License-Identifier: MIT
// The option tree. The only user of CLI11.
#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <sstream>

namespace rocenv {

namespace {

constexpr int exit_usage = 2;
constexpr double longest_wait_seconds = 86400;

struct Tree {
    CLI::App app{"Checks, sets and restores the state of an AMD GPU node.", "rocenv"};
    Options options;
    std::string scope;
    std::optional<Command> command;

    Tree();

   private:
    CLI::App* add(CLI::App& parent, const char* name, const char* summary, Command value,
                  const std::vector<std::string>& formats);
    void add_machine(CLI::App& command);
    void add_judging(CLI::App& command);
};

const char* const footer =
    "Exit: 0 as wanted, 1 something required differs, 2 bad usage, profile or input\n"
    "file, 3 something required could not be read.\n";

CLI::App* Tree::add(CLI::App& parent, const char* name, const char* summary, Command value,
                    const std::vector<std::string>& formats) {
    CLI::App* sub = parent.add_subcommand(name, summary);
    sub->add_option("--format", options.format, "How to print it")
        ->check(CLI::IsMember(formats))
        ->type_name(CLI::detail::join(formats, "|"));
    sub->add_option("--color", options.color, "Colour: auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN");
    sub->add_flag("-q,--quiet", options.quiet, "Print errors only; the exit status tells");
    sub->add_flag("-v,--verbose", options.verbose, "List everything, with sources");
    sub->callback([this, value] { command = value; });
    return sub;
}

void Tree::add_machine(CLI::App& sub) {
    sub.add_option("--sysroot", options.sysroot, "Another machine: a folder with its /sys and /proc, or a .tree file")
        ->type_name("DIR|FILE.tree");
    sub.add_option("--timeout", options.patience.probe_seconds, "Seconds one file may take")
        ->check(CLI::Range(0.01, longest_wait_seconds))
        ->capture_default_str();
    sub.add_option("--deadline", options.patience.deadline_seconds, "Seconds all may take; what is not answered by then is unknown")
        ->check(CLI::Range(0.01, longest_wait_seconds))
        ->capture_default_str();
}

void Tree::add_judging(CLI::App& sub) {
    CheckRequest& request = options.request;
    sub.add_option("-p,--profile", request.profiles, "A profile's name or file; auto by default; several merge left to right")
        ->type_name("PROFILE")
        ->take_all();
    sub.add_option("--want", request.wants, "One setting over the profile; VALUE is TOML or a bare word")
        ->type_name("ID=VALUE")
        ->take_all();
    sub.add_option("--only", request.only, "Only these settings (globs such as gpu.*)")
        ->type_name("ID[,ID]")
        ->delimiter(',')
        ->take_all();
    sub.add_option("--skip", request.skip, "All but these settings")
        ->type_name("ID[,ID]")
        ->delimiter(',')
        ->take_all();
}

Tree::Tree() {
    app.set_version_flag("--version", std::string("rocenv ") + ROCENV_VERSION);
    app.require_subcommand(1);
    app.footer(footer);
    app.set_help_flag("-h,--help", "Print this and end");

    CLI::App* check = add(app, "check", "Compare the node and the environment with a profile",
                          Command::check, {"human", "json", "jsonl"});
    add_machine(*check);
    add_judging(*check);
    check->add_option("--scope", scope, "Whose settings: the node's, this process's, or all")
        ->check(CLI::IsMember({"node", "process", "all"}))
        ->type_name("node|process|all");
    check->add_flag("--strict", options.request.strict, "Take recommended as required");
    check->add_flag("--ignore-match", options.request.ignore_match,
                    "Take a profile that is for another kind of GPU");
    check->add_option("--node", options.request.node_name, "The node's name in the report")
        ->type_name("NAME");
    check->footer(footer);

    add_machine(*add(app, "topo", "The GPUs of this node, from the driver's files",
                     Command::topo, {"human", "json"}));

    CLI::App* profile = app.add_subcommand("profile", "Profiles: what there is, what one means, what is wrong with it");
    profile->require_subcommand(1);
    add(*profile, "list", "Names of all profiles", Command::profile_list, {"human", "json"});
    CLI::App* show = add(*profile, "show", "What profiles come to when merged",
                         Command::profile_show, {"human", "json"});
    add_machine(*show);
    show->add_option("profile", options.names, "Names or files; auto by default");
    CLI::App* lint = add(*profile, "lint", "Check profile files", Command::profile_lint, {"human"});
    lint->add_option("profile", options.names, "Names or files")->required();
}

void finish(Tree& tree) {
    Options& options = tree.options;
    options.command = *tree.command;
    if (tree.scope == "all") {
        options.request.all_scopes = true;
    } else if (!tree.scope.empty()) {
        options.request.scope = tree.scope == "node" ? Scope::node : Scope::process;
    }
    if (!options.sysroot.empty()) {
        options.request.root = options.sysroot;
    }
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
    Tree tree;
    try {
        tree.app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        std::ostringstream err;
        const int code = tree.app.exit(error, out, err);
        return {std::nullopt, {code == 0 ? 0 : exit_usage, out.str(), err.str()}};
    }
    finish(tree);
    return {std::move(tree.options), {}};
}

}  // namespace rocenv
