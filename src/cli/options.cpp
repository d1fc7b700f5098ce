// SPDX-License-Identifier: MIT
// The option tree. The only user of CLI11.
#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int exit_usage = 2;
constexpr double shortest_wait_seconds = 0.01;
constexpr double longest_wait_seconds = 86400;

// One of a few words, without CLI11's habit of listing them twice in the help.
CLI::Validator one_of(std::vector<std::string> words) {
    return {[words = std::move(words)](std::string& word) {
                return std::find(words.begin(), words.end(), word) != words.end()
                           ? std::string()
                           : word + " is not one of " + CLI::detail::join(words, ", ");
            },
            ""};
}

CLI::Validator seconds() {
    return {[](std::string& text) {
                double value = 0;
                const bool good = CLI::detail::lexical_cast(text, value) &&
                                  value >= shortest_wait_seconds && value <= longest_wait_seconds;
                return good ? std::string() : text + " is no number of seconds (0.01 to 86400)";
            },
            ""};
}

CLI::Validator hold_name() {
    return {[](std::string& name) {
                constexpr std::size_t longest = 64;
                constexpr std::string_view good =
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@-";
                return name.empty() || name.size() > longest ||
                               name.find_first_not_of(good) != std::string::npos
                           ? printable(name, 80) + " is no name of 1 to 64 of A-Z a-z 0-9 . _ : @ -"
                           : std::string();
            },
            ""};
}

struct Tree {
    CLI::App app{"Checks, sets and restores the state of an AMD GPU node.", "rocenv"};
    Options options;
    std::string scope;
    std::optional<Command> command;

    Tree();

   private:
    void add_check();
    void add_set();
    void add_reset();
    void add_status();
    void add_record();
    void add_profile();
    CLI::App* add(CLI::App& parent, const char* name, const char* summary, Command value,
                  const std::vector<std::string>& formats);
    void add_machine(CLI::App& command);
    void add_judging(CLI::App& command);
    void add_report(CLI::App& command);
    void add_backend(CLI::App& command);
    void add_writing(CLI::App& command);
    void add_state(CLI::App& command);
    static void add_list(CLI::App& command, const char* name, std::vector<std::string>& list,
                         const char* type, const char* summary);
};

const std::string version_text = std::string("rocenv ") + ROCENV_VERSION;
const char* const footer =
    "Exit: 0 as wanted, 1 something required differs, 2 bad usage, profile or input\n"
    "file, 3 something required could not be read.\n";
const char* const set_footer =
    "Exit: 0 as wanted, 1 something required differs, 2 bad usage, profile or input\n"
    "file, 3 something required could not be read, 4 set failed and was rolled back,\n"
    "5 something could not be put back.\n";
const char* const status_footer =
    "Exit: 0 nothing is set, 1 something is, 2 bad usage, 3 the journal could not be\n"
    "read, 5 something was changed since.\n";

CLI::App* Tree::add(CLI::App& parent, const char* name, const char* summary, Command value,
                    const std::vector<std::string>& formats) {
    CLI::App* sub = parent.add_subcommand(name, summary);
    sub->set_version_flag("--version", version_text);
    sub->add_option("--format", options.format, "How to print it")
        ->check(one_of(formats))
        ->type_name(CLI::detail::join(formats, "|"));
    sub->add_option("--color", options.color, "Colour")
        ->check(one_of({"auto", "always", "never"}))
        ->type_name("auto|always|never");
    sub->add_flag("-q,--quiet", options.quiet, "Print errors only: the exit status tells");
    sub->add_flag("-v,--verbose", options.verbose, "List everything, with sources");
    sub->callback([this, value] { command = value; });
    return sub;
}

void Tree::add_machine(CLI::App& sub) {
    sub.add_option("--sysroot", options.sysroot, "Another machine's /sys and /proc")
        ->type_name("DIR|FILE.tree");
    sub.add_option("--timeout", options.patience.probe_seconds, "For one file (5)")
        ->check(seconds())
        ->type_name("SECONDS");
    sub.add_option("--deadline", options.patience.deadline_seconds, "For all of it (20)")
        ->check(seconds())
        ->type_name("SECONDS");
}

// Lists are separated by commas, and the option may be given again.
void Tree::add_list(CLI::App& sub, const char* name, std::vector<std::string>& list,
                    const char* type, const char* summary) {
    auto* option = sub.add_option(name, list, summary)->type_name(type)->allow_extra_args(false);
    if (std::string_view(type).ends_with("[,ID]")) {
        option->delimiter(',');
    }
}

void Tree::add_judging(CLI::App& sub) {
    CheckRequest& request = options.request;
    const bool sets = sub.get_name() == "set";
    add_list(sub, "-p,--profile", request.profiles, "PROFILE",
             sets ? "Name or file; several merge" : "Name or file (auto); several merge");
    add_list(sub, "--want", request.wants, "ID=VALUE", "One setting over the profile");
    add_list(sub, "--only", request.only, "ID[,ID]", "Only these (globs: gpu.*)");
    add_list(sub, "--skip", request.skip, "ID[,ID]", "All but these");
    sub.add_option("--scope", scope, "Whose settings (all; under sudo node)")
        ->check(one_of({"node", "process", "all"}))
        ->type_name("node|process|all");
    sub.add_flag("--ignore-match", request.ignore_match, "Take a profile for another kind of GPU");
}

void Tree::add_report(CLI::App& sub) {
    sub.add_option("--node", options.request.node_name, "The node's name in the report")
        ->type_name("NAME");
    add_backend(sub);
}

void Tree::add_backend(CLI::App& sub) {
    sub.add_option("--gpu-backend", options.gpu_backend, "How to reach GPUs (sysfs)")
        ->check(one_of({"sysfs", "rsmi"}))
        ->type_name("sysfs|rsmi");
}

void Tree::add_state(CLI::App& sub) {
    sub.add_option("--state", options.state, "The journal's folder (/run/rocenv)")
        ->type_name("DIR");
}

void Tree::add_writing(CLI::App& sub) {
    sub.add_flag("--dry-run", options.dry_run, "Print every write, make none");
    sub.add_option("--hold", options.hold,
                   sub.get_name() == "set" ? "A job's name that keeps it until it leaves"
                                           : "Only this name leaves")
        ->check(hold_name())
        ->take_last()
        ->type_name("NAME");
    add_state(sub);
    sub.footer(set_footer);
}

void Tree::add_check() {
    CLI::App* check = add(app, "check", "Compare the node and the environment with a profile",
                          Command::check, {"human", "json", "jsonl"});
    add_machine(*check);
    add_judging(*check);
    check->add_flag("--strict", options.request.strict, "Take recommended as required");
    add_report(*check);
    check->footer(footer);
}

void Tree::add_set() {
    CLI::App* set = add(app, "set", "Bring the node to a profile, as one transaction", Command::set,
                        {"human", "json"});
    add_machine(*set);
    add_judging(*set);
    add_list(*set, "--allow", options.allow, "ID[,ID]", "Set these though it is unsafe");
    add_writing(*set);
    set->add_flag("--persist-hints", options.persist_hints,
                  "Print what outlives a reboot, set nothing");
    add_report(*set);
}

void Tree::add_reset() {
    CLI::App* reset = add(app, "reset", "Put back what was there before the first set",
                          Command::reset, {"human", "json"});
    add_machine(*reset);
    add_list(*reset, "--keep", options.keep, "ID[,ID]", "Leave these as they are now");
    reset->add_flag("--force", options.force, "Though held, or changed by someone else");
    reset->add_flag("--to-defaults", options.to_defaults, "For a node that nobody recorded");
    add_writing(*reset);
    add_backend(*reset);
}

void Tree::add_status() {
    CLI::App* status = add(app, "status", "What rocenv has set on this node, and who holds it",
                           Command::status, {"human", "json"});
    add_machine(*status);
    add_state(*status);
    status->footer(status_footer);
}

void Tree::add_record() {
    CLI::App* record = add(app, "record", "This machine as one file that --sysroot replays",
                           Command::record, {"tree"});
    add_machine(*record);
    record->add_option("--output", options.output, "Where to write it (stdout)")
        ->type_name("FILE.tree");
    record->add_flag("--with-env", options.with_env,
                     "Add the variables that rocenv or a profile knows, as comments");
}

void Tree::add_profile() {
    CLI::App* profile = app.add_subcommand("profile", "List, show and check profiles");
    profile->require_subcommand(1);
    add(*profile, "list", "All there are", Command::profile_list, {"human", "json"});
    CLI::App* show = add(*profile, "show", "What profiles come to when merged",
                         Command::profile_show, {"human", "json"});
    add_machine(*show);
    show->add_option("profile", options.names, "Names or files (auto)");
    CLI::App* lint =
        add(*profile, "lint", "What is wrong with a profile", Command::profile_lint, {"human"});
    lint->add_option("profile", options.names, "Names or files")->required();
}

Tree::Tree() {
    app.set_version_flag("--version", version_text);
    app.set_help_flag("-h,--help", "Print this and end");
    app.require_subcommand(1);
    app.footer(set_footer);
    add_check();
    add_set();
    add_reset();
    add_status();
    add_machine(*add(app, "topo", "The GPUs of this node, from the driver's files", Command::topo,
                     {"human", "json"}));
    add_record();
    add_profile();
}

// CLI11 says "a subcommand is required" for a misspelt one.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2 || argv[1][0] == '-') {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands(nullptr)) {
        names.push_back(sub->get_name());
        if (names.back() == argv[1]) {
            return std::nullopt;
        }
    }
    const auto near = nearest(argv[1], names);
    return "no command is named " + printable(argv[1], 40) +
           (near ? ", did you mean " + *near + "?" : "; there are " + join(names, ", "));
}

Parsed bad_usage(const std::string& text) {
    return {std::nullopt,
            {exit_usage, "", "rocenv: " + text + "\nrocenv: --help says what there is\n"}};
}

std::string typed(int argc, const char* const* argv) {
    std::string out = "rocenv";
    for (int at = 1; at < argc; ++at) {
        out += " " + shell_word(argv[at]);
    }
    return out;
}

void finish(Tree& tree) {
    Options& options = tree.options;
    options.command = *tree.command;
    if (tree.scope == "all") {
        options.request.all_scopes = true;
    } else if (!tree.scope.empty()) {
        options.request.scope = tree.scope == "node" ? Scope::node : Scope::process;
    }
    options.request.root = options.sysroot.value_or("/");
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
    Tree tree;
    if (argc < 2) {
        return {std::nullopt, {exit_usage, "", tree.app.help()}};
    }
    if (const auto wrong = unknown_command(tree.app, argc, argv)) {
        return bad_usage(*wrong);
    }
    try {
        tree.app.parse(argc, argv);
    } catch (const CLI::CallForVersion& version) {
        return {std::nullopt, {0, std::string(version.what()) + "\n", ""}};
    } catch (const CLI::Success&) {  // --help
        return {std::nullopt, {0, tree.app.help(), ""}};
    } catch (const CLI::ParseError& error) {
        return bad_usage(error.what());
    }
    finish(tree);
    tree.options.command_line = typed(argc, argv);
    return {std::move(tree.options), {}};
}

}  // namespace rocenv
