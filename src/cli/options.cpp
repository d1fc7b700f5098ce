// SPDX-License-Identifier: MIT
// Every command and its options.
#include "cli/options.h"

#include <algorithm>

#include "cli/option_tree.h"
#include "launch/env_format.h"
#include "util/exit_status.h"
#include "util/quoting.h"
#include "util/text.h"

namespace rocenv {

namespace {

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

const char* const run_footer =
    "rocenv run [OPTIONS] -- PROGRAM [ARGUMENT...]\n"
    "--tune needs -p. What cannot be put back is named on stderr, and the status is\n"
    "still the program's: rocenv status shows what is left. Under sudo it starts the\n"
    "program as who called sudo, unless --user says otherwise.\n"
    "Exit: the program's own, 128 and the signal that ended it, 126 and 127 when it\n"
    "cannot be started or found, 125 when rocenv refuses or fails before it starts.\n";

class Commands {
   public:
    // With the options of one command, or of all when the first word names none: making them takes
    // longer than starting a program.
    explicit Commands(const std::string& first_word);
    Parsed parse(std::vector<std::string> words);

   private:
    void add_check();
    void add_set();
    void add_reset();
    void add_status();
    void add_env();
    void add_run();
    void add_occupancy();
    void add_topo();
    void add_record();
    void add_profile();
    void add_tunableop();
    CommandOptions add(const char* name, const char* summary, Command value,
                       const std::vector<std::string>& formats);
    void add_machine(CommandOptions& command);
    void add_profiles(CommandOptions& command, bool sets);
    void add_filters(CommandOptions& command);
    void add_judging(CommandOptions& command, bool sets);
    void add_report(CommandOptions& command);
    void add_assume(CommandOptions& command);
    void add_backend(CommandOptions& command);
    void add_writing(CommandOptions& command, const char* hold_summary);
    void add_state(CommandOptions& command);
    void finish();

    OptionTree tree_{"Checks, sets and restores the state of an AMD GPU node.", version_text};
    Options options_;
    std::string scope_;
};

CommandOptions Commands::add(const char* name, const char* summary, Command value,
                             const std::vector<std::string>& formats) {
    auto sub = tree_.add(name, summary, [this, value] { options_.command = value; });
    sub.choice("--format", options_.format, formats, "How to print it");
    sub.choice("--color", options_.color, {"auto", "always", "never"}, "Colour");
    sub.flag("-q,--quiet", options_.quiet, "Print errors only: the exit status tells");
    sub.flag("-v,--verbose", options_.verbose, "List everything, with sources");
    return sub;
}

void Commands::add_machine(CommandOptions& sub) {
    sub.text("--sysroot", options_.sysroot, "DIR|FILE.tree", "Another machine's /sys and /proc");
    sub.seconds("--timeout", options_.patience.probe_seconds, "For one file (5)");
    sub.seconds("--deadline", options_.patience.deadline_seconds, "For all of it (20)");
}

void Commands::add_profiles(CommandOptions& sub, bool sets) {
    CheckRequest& request = options_.request;
    sub.list("-p,--profile", request.profiles, "PROFILE",
             sets ? "Name or file; several merge" : "Name or file (auto); several merge");
    sub.list("--want", request.wants, "ID=VALUE", "One setting over the profile");
    add_filters(sub);
    sub.flag("--ignore-match", request.ignore_match, "Take a profile for another kind of GPU");
}

void Commands::add_filters(CommandOptions& sub) {
    sub.list("--only", options_.request.only, "ID[,ID]", "Only these (globs: gpu.*)");
    sub.list("--skip", options_.request.skip, "ID[,ID]", "All but these");
}

void Commands::add_judging(CommandOptions& sub, bool sets) {
    add_profiles(sub, sets);
    sub.choice("--scope", scope_, {"node", "process", "all"},
               "Whose settings (all; under sudo node)");
}

void Commands::add_report(CommandOptions& sub) {
    sub.text("--node", options_.request.node_name, "NAME", "The node's name in the report");
    add_backend(sub);
}

void Commands::add_assume(CommandOptions& sub) {
    sub.list("--assume", options_.request.assume, "NAME=VERSION",
             "Take this for installed (torch=2.8); the rest is found");
}

void Commands::add_backend(CommandOptions& sub) {
    sub.choice("--gpu-backend", options_.gpu_backend, {"sysfs", "rsmi"},
               "How to reach GPUs (sysfs)");
}

void Commands::add_state(CommandOptions& sub) {
    sub.text("--state", options_.state, "DIR", "The journal's folder (/run/rocenv)");
}

void Commands::add_writing(CommandOptions& sub, const char* hold_summary) {
    sub.flag("--dry-run", options_.dry_run, "Print every write, make none");
    sub.text("--hold", options_.hold, "NAME", hold_summary, hold_name);
    add_state(sub);
    sub.footer(set_footer);
}

void Commands::add_check() {
    auto check = add("check", "Compare the node and the environment with a profile", Command::check,
                     {"human", "json", "jsonl"});
    add_machine(check);
    add_judging(check, false);
    check.text("--pid", options_.request.pid, "PID", "Judge that process' environment", is_pid);
    check.list("--env-file", options_.request.env_files, "[docker:|systemd:]FILE",
               "Judge the environment in a file");
    add_assume(check);
    check.flag("--strict", options_.request.strict, "Take recommended as required");
    add_report(check);
    check.footer(footer);
}

void Commands::add_set() {
    auto set = add("set", "Bring the node to a profile, as one transaction", Command::set,
                   {"human", "json"});
    add_machine(set);
    add_judging(set, true);
    set.list("--allow", options_.allow, "ID[,ID]", "Set these though it is unsafe");
    add_writing(set, "A job's name that keeps it until it leaves");
    set.flag("--persist-hints", options_.persist_hints,
             "Print what outlives a reboot, set nothing");
    add_report(set);
}

void Commands::add_reset() {
    auto reset = add("reset", "Put back what was there before the first set", Command::reset,
                     {"human", "json"});
    add_machine(reset);
    reset.list("--keep", options_.keep, "ID[,ID]", "Leave these as they are now");
    reset.flag("--force", options_.force, "Though held, or changed by someone else");
    reset.flag("--forget", options_.forget, "Give up what is recorded, and print it");
    reset.flag("--to-defaults", options_.to_defaults, "For a node that nobody recorded");
    add_writing(reset, "Only this name leaves");
    add_backend(reset);
}

void Commands::add_status() {
    auto status = add("status", "What rocenv has set on this node, and who holds it",
                      Command::status, {"human", "json"});
    add_machine(status);
    add_state(status);
    status.footer(status_footer);
}

void Commands::add_env() {
    auto env = tree_.add("env", "Print a profile's environment, to be taken over",
                         [this] { options_.command = Command::env; });
    env.choice("--format", options_.env_format, env_formats(), "Who will read it (sh)");
    env.flag("-q,--quiet", options_.quiet, "No remarks on stderr");
    add_machine(env);
    add_profiles(env, false);
    add_assume(env);
    env.footer("Use: eval \"$(rocenv env -p PROFILE)\"\n");
}

void Commands::add_run() {
    auto run = tree_.add("run", "Start a program with a profile's environment",
                         [this] { options_.command = Command::run; });
    run.flag_or_choice("--check", options_.check_first, {"check", "warn"},
                       "Check first; warn: start all the same");
    run.flag("--override", options_.override_env, "The profile's values win over the caller's");
    run.flag("--init", options_.as_init, "Stay: pass signals on, reap (for PID 1)");
    run.flag("--tune", options_.tune, "Set the node first, put it back after (root)");
    run.list("--allow", options_.allow, "ID[,ID]", "With --tune, set these though unsafe");
    add_state(run);
    run.text("--user", options_.user, "USER[:GROUP]", "Start the program as this user", not_empty);
    run.flag("-q,--quiet", options_.quiet, "No remarks on stderr");
    run.flag("-v,--verbose", options_.verbose, "With --check, the whole report");
    add_machine(run);
    add_profiles(run, false);
    add_assume(run);
    run.footer(run_footer);
}

void Commands::add_occupancy() {
    auto occupancy = add("occupancy", "Waves per SIMD of a kernel, and what limits them",
                         Command::occupancy, {"human", "json"});
    add_machine(occupancy);
    add_occupancy_options(occupancy, options_.occupancy);
}

void Commands::add_record() {
    auto record =
        add("record", "This machine as one file that --sysroot replays", Command::record, {"tree"});
    add_machine(record);
    record.text("--output", options_.output, "FILE.tree", "Where to write it (stdout)", not_empty);
    record.flag("--with-env", options_.with_env,
                "Add the variables that rocenv or a profile knows, as comments");
}

void Commands::add_profile() {
    tree_.group("profile", "List, show, check, compare and learn profiles");
    add("profile list", "All there are", Command::profile_list, {"human", "json"});
    auto show = add("profile show", "What profiles come to when merged", Command::profile_show,
                    {"human", "json"});
    add_machine(show);
    show.arguments("profile", options_.names, "Names or files (auto)", false);
    auto lint =
        add("profile lint", "What is wrong with a profile", Command::profile_lint, {"human"});
    lint.flag("--strict", options_.request.strict, "Warnings are errors");
    lint.arguments("profile", options_.names, "Names or files; - is standard input", true);
    lint.footer("Exit: 0 nothing is wrong, or warnings only; 2 errors.\n");
    auto diff = add("profile diff", "Two profiles side by side, as they resolve here",
                    Command::profile_diff, {"human", "json"});
    add_machine(diff);
    diff.arguments("profile", options_.names, "Two names or files", 2, 2);
    diff.footer("Exit: 0 they want the same, 1 they differ, 2 one of them is bad.\n");
    auto learn = add("profile learn", "A profile of this node's present state",
                     Command::profile_learn, {"toml"});
    add_machine(learn);
    add_filters(learn);
    learn.text("--output", options_.output, "FILE.toml", "Where to write it (stdout)", not_empty);
    learn.arguments("name", options_.names, "Its name (learned)", 0, 1);
}

void Commands::add_tunableop() {
    tree_.group("tunableop", "PyTorch TunableOp's result files");
    auto check = add("tunableop check", "Would PyTorch take them on this node",
                     Command::tunable_check, {"human", "json"});
    add_machine(check);
    check.list("--assume", options_.tunable.assume, "NAME=VERSION[,...]",
               "Versions over what is installed");
    check.arguments("file", options_.tunable.files, "Result files", true);
    check.footer(footer);
    auto show = add("tunableop show", "What they hold", Command::tunable_show, {"human", "json"});
    show.arguments("file", options_.tunable.files, "Result files, or untuned ones", true);
    auto merge = add("tunableop merge", "One from many, the fastest of each",
                     Command::tunable_merge, {"human"});
    merge.text("--output", options_.output, "FILE", "Where to write it (stdout)", not_empty);
    merge.arguments("file", options_.tunable.files, "Result files of one stack", true);
}

void Commands::add_topo() {
    auto topo = add("topo", "GPUs, NICs, CPUs and links of this node", Command::topo,
                    {"human", "json", "rocminfo", "svg"});
    add_machine(topo);
    add_topo_options(topo, options_.topo);
}

Commands::Commands(const std::string& first_word) {
    struct Entry {
        std::string_view name;
        void (Commands::*add)();
    };
    constexpr Entry all[] = {
        {"check", &Commands::add_check},
        {"set", &Commands::add_set},
        {"reset", &Commands::add_reset},
        {"status", &Commands::add_status},
        {"env", &Commands::add_env},
        {"run", &Commands::add_run},
        {"topo", &Commands::add_topo},
        {"occupancy", &Commands::add_occupancy},
        {"record", &Commands::add_record},
        {"profile", &Commands::add_profile},
        {"tunableop", &Commands::add_tunableop},
    };
    tree_.footer(set_footer);
    const auto named = std::find_if(std::begin(all), std::end(all),
                                    [&](const Entry& entry) { return entry.name == first_word; });
    for (const auto& entry : all) {
        if (named == std::end(all) || named->name == entry.name) {
            (this->*entry.add)();
        }
    }
}

void Commands::finish() {
    if (scope_ == "all") {
        options_.request.all_scopes = true;
    } else if (!scope_.empty()) {
        options_.request.scope = scope_ == "node" ? Scope::node : Scope::process;
    }
    options_.request.root = options_.sysroot.value_or("/");
    // Of another environment nothing but the environment can be judged.
    if ((!options_.request.pid.empty() || !options_.request.env_files.empty())) {
        options_.request.scope = Scope::process;
        if (options_.request.only.empty()) {
            options_.request.only = {"env.*"};
        }
    }
}

// What follows "--" is the program of `run`, and none of our options.
Parsed Commands::parse(std::vector<std::string> words) {
    const bool runs = !words.empty() && words.front() == "run";
    const auto dashes = runs ? std::find(words.begin(), words.end(), "--") : words.end();
    if (dashes != words.end()) {
        options_.program.assign(dashes + 1, words.end());
        words.erase(dashes, words.end());
    }
    if (auto output = tree_.parse(words)) {
        output->exit_code = runs && output->exit_code != 0 ? exit_refused : output->exit_code;
        return {std::nullopt, *std::move(output)};
    }
    finish();
    return {std::move(options_), {}};
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.size() == 1 && words.front() == "--version") {
        return {std::nullopt, {0, version_text + "\n", ""}};
    }
    Parsed parsed = Commands(words.empty() ? "" : words.front()).parse(words);
    if (parsed.options) {
        parsed.options->command_line = "rocenv";
        for (const auto& word : words) {
            parsed.options->command_line += " " + shell_word(word);
        }
    }
    return parsed;
}

}  // namespace rocenv
