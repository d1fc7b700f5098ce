// SPDX-License-Identifier: MIT
// Every command and its options.
#include "cli/options.h"

#include <algorithm>
#include <memory>

#include "cli/option_tree.h"
#include "util/exit_status.h"
#include "util/quoting.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The last lines of commands' help, before those on exit statuses.
constexpr const char* main_footer =
    "rocenv help lists the pages of the manual; rocenv help exit-status tells what\n"
    "each command ends with.\n";

constexpr const char* run_footer =
    "rocenv run [OPTIONS] -- PROGRAM [ARGUMENT...]\n"
    "--tune needs -p. What cannot be put back is named on stderr, and the status is\n"
    "still the program's: rocenv status shows what is left. Under sudo it starts the\n"
    "program as who called sudo, unless --user says otherwise.\n";

constexpr const char* occupancy_footer = "What an option says wins over what a file says.\n";

constexpr const char* fleet_footer =
    "Reads check's JSON reports (json, jsonl; several a file), folders of them\n"
    "(.json, .jsonl, .tree) and recordings, which it judges. Of each node the newest\n"
    "report counts. Without a file it reads standard input. -p, --want and waivers are\n"
    "for recordings alone: a report was judged where it was made.\n";

constexpr const char* explain_footer =
    "A word is a setting, a variable, a profile, an outcome or another word of\n"
    "reports, an exit status, or a glob of names. Many are listed; -v tells all of\n"
    "each. Values of secrets, and of variables that neither the catalogue nor a\n"
    "profile knows, are never printed.\n";

constexpr const char* help_footer =
    "A topic is a page (profile is the command's, profile.5 that of the files), or a\n"
    "setting, a variable or a profile. rocenv explain tells what it is on this node.\n";

constexpr const char* completion_footer =
    "bash: eval \"$(rocenv completion bash)\" in ~/.bashrc; zsh: to a file _rocenv in a\n"
    "folder of $fpath; fish: to ~/.config/fish/completions/rocenv.fish. Packages\n"
    "install them. The scripts ask the program what may follow: it reads the names of\n"
    "profiles and nothing else, and never the machine.\n";

const std::string version_text = std::string("rocenv ") + ROCENV_VERSION;
class Commands {
   public:
    // With the options of one command, or of all when the first word names none: making them takes
    // longer than starting a program.
    explicit Commands(const std::string& first_word);
    Parsed parse(std::vector<std::string> words);
    std::vector<CommandText> texts() const;

   private:
    void add_check();
    void add_set();
    void add_reset();
    void add_status();
    void add_env();
    void add_run();
    void add_topo();
    void add_occupancy();
    void add_fleet();
    void add_explain();
    void add_record();
    void add_profiles();
    void add_tunableop();
    void add_help();
    void add_completion();

    // A command that is offered, and where its options go.
    template <typename Each>
    struct Offered {
        CommandOptions command;
        Each& into;
    };
    template <typename Each>
    Offered<Each> add(const char* name, const char* summary);
    template <typename Each>
    Offered<Each> add_printing(const char* name, const char* summary);

    OptionTree tree_{"Checks, sets and restores the state of an AMD GPU node.", version_text};
    std::optional<Options> chosen_;
};

template <typename Each>
Commands::Offered<Each> Commands::add(const char* name, const char* summary) {
    const auto options = std::make_shared<Each>();
    const auto command =
        tree_.add(name, summary, [this, options] { chosen_ = std::move(*options); });
    return {command, *options};
}

template <typename Each>
Commands::Offered<Each> Commands::add_printing(const char* name, const char* summary) {
    auto offered = add<Each>(name, summary);
    offered.command.choice("--format", offered.into.print.format, "How to print it");
    add_print(offered.command, offered.into.print);
    return offered;
}

void Commands::add_check() {
    auto [check, into] =
        add_printing<CheckOptions>("check", "Compare the node and the environment with a profile");
    CheckRequest& request = into.request;
    add_machine(check, into.machine, request.root);
    add_profile(check, request, WithoutProfile::is_auto);
    add_waivers(check, request);
    add_scope(check, request);
    add_environment(check, request.pid, request.env_files);
    add_assume(check, request.assume);
    check.flag("--strict", request.strict, "Take recommended as required");
    check.text("--since", request.since, "REPORT.json",
               "Judge counters by what they grew, list changed facts", not_empty);
    check.seconds("--wait", into.wait_seconds,
                  "Repeat the check while what failed may heal");
    check.flag("--facts", request.facts, "Add what nodes of a cluster should agree on");
    check.flag("--with-ids", request.with_ids, "Add serial numbers, GUIDs and MACs");
    add_output(check, into.output, "FILE");
    add_node_name(check, request.node_name);
    check.choice("--gpu-backend", into.gpu_backend, "What AMD's library says of GPUs, too");
}

void Commands::add_set() {
    auto [set, into] =
        add_printing<SetOptions>("set", "Bring the node to a profile, as one transaction");
    SetRequest& request = into.request;
    add_machine(set, into.machine, request.check.root);
    add_profile(set, request.check, WithoutProfile::is_nothing);
    add_waivers(set, request.check);
    add_scope(set, request.check);
    set.list("--allow", request.allow, "ID[,ID]", "Set these though it is unsafe");
    set.text("--gpu", request.gpus, "visible|LIST", "Set only these GPUs and their PCI path",
             not_empty);
    add_write(set, request, into.write, "A job's name that keeps it until it leaves");
    set.flag("--persist-hints", into.persist_hints, "Print what outlives a reboot, set nothing");
    add_node_name(set, request.check.node_name);
    add_backend(set, into.write.gpu_backend);
}

void Commands::add_reset() {
    auto [reset, into] =
        add_printing<ResetOptions>("reset", "Put back what was there before the first set");
    ResetRequest& request = into.request;
    add_machine(reset, into.machine, request.root);
    add_filter(reset, request.only, request.skip);
    reset.list("--keep", request.keep, "ID[,ID]", "Leave these as they are now");
    reset.flag("--force", request.force, "Though held, or changed by someone else");
    reset.flag("--forget", request.forget, "Give up what is recorded, and print it");
    reset.flag("--to-defaults", request.to_defaults, "For a node that nobody recorded");
    add_write(reset, request, into.write, "Only this name leaves");
    add_backend(reset, into.write.gpu_backend);
}

void Commands::add_status() {
    auto [status, into] =
        add_printing<StatusOptions>("status", "What rocenv has set on this node, and who holds it");
    add_machine(status, into.machine);
    add_filter(status, into.only, into.skip);
    add_state(status, into.state);
}

void Commands::add_env() {
    auto [env, into] = add<EnvOptions>("env", "Print a profile's environment, to be taken over");
    env.choice("--format", into.print.format, "Who will read it (sh)");
    add_remarks(env, into.print, "Say on stderr where each value comes from");
    add_machine(env, into.machine, into.request.root);
    add_profile(env, into.request, WithoutProfile::is_auto);
    add_assume(env, into.request.assume);
    env.footer("Use: eval \"$(rocenv env -p PROFILE)\"\n");
}

void Commands::add_run() {
    auto [run, into] = add<RunOptions>("run", "Start a program with a profile's environment");
    run.flag_or_choice("--check", into.check_first, "Check first; warn: start all the same");
    run.flag("--override", into.override_env, "The profile's values win over the caller's");
    run.flag("--init", into.as_init, "Stay: pass signals on, reap (for PID 1)");
    run.flag("--tune", into.tune, "Set the node first, put it back after (root)");
    run.list("--allow", into.request.allow, "ID[,ID]", "With --tune, set these though unsafe");
    run.text("--gpu", into.request.gpus, "visible|LIST", "With --tune, set only these GPUs",
             not_empty);
    add_state(run, into.state);
    run.text("--user", into.user, "USER[:GROUP]", "Start the program as this user", not_empty);
    run.choice("--format", into.format, "With --check, how to print its report");
    add_remarks(run, into.print, "With --check, the whole report");
    CheckRequest& request = into.request.check;
    add_machine(run, into.machine, request.root);
    add_profile(run, request, WithoutProfile::is_auto);
    add_waivers(run, request);
    add_assume(run, request.assume);
    run.footer(run_footer);
}

void Commands::add_topo() {
    auto [topo, into] =
        add_printing<TopoOptions>("topo", "GPUs, NICs, CPUs and links of this node");
    add_machine(topo, into.machine);
    topo.list("--get", into.get, "KEY", "Values for a script, gpu.0.numa_node (globs)");
    topo.whole_number("--bind", into.bind, "LOCAL_RANK",
                      "Where this process of a node's job belongs");
    topo.whole_number("--bind-visible", into.bind_visible, "LOCAL_RANK",
                      "The same, of the GPUs that this process sees");
    topo.choice("--bind-format", into.bind_format, "How to print that (text)");
    topo.choice("--bind-scope", into.bind_scope, "CPUs of one rank: its L3 caches, or all (l3)");
    topo.choice("--reserve", into.reserve, "Leave out the first core of each L3 (none)");
    topo.text("--hwloc-xml", into.hwloc_xml, "FILE", "CPUs and NUMA nodes from what lstopo wrote");
}

void Commands::add_occupancy() {
    auto [occupancy, into] = add_printing<OccupancyOptions>(
        "occupancy", "Waves per SIMD of a kernel, and what limits them");
    add_machine(occupancy, into.machine);
    occupancy.text("--arch", into.arch, "GFX", "For this GPU (the file's, else this node's)");
    occupancy.list("--asm", into.assembly, "FILE",
                   "Every kernel of AMDGCN assembly or its metadata");
    occupancy.list("--triton", into.triton, "DIR", "Every kernel of a Triton cache or dump");
    occupancy.whole_number("--vgprs", into.vgprs, "N", "Vector registers (0)");
    occupancy.whole_number("--agprs", into.agprs, "N", "Accumulation registers (0)");
    occupancy.whole_number("--sgprs", into.sgprs, "N", "Scalar registers (0)");
    occupancy.whole_number("--lds", into.lds, "BYTES", "LDS of a work-group, at launch (0)");
    occupancy.whole_number("--waves", into.waves, "N", "Waves of a work-group (1)");
    occupancy.whole_number("--grid", into.grid, "N", "Work-groups of the launch");
    occupancy.footer(occupancy_footer);
}

void Commands::add_fleet() {
    auto [fleet, into] =
        add_printing<FleetOptions>("fleet", "Many nodes' reports as one: who stands out");
    fleet.list("--group-by", into.group_by, "FACT[,FACT]", "Nodes with other values are no peers");
    fleet.list("--expect", into.expect, "HOSTLIST", "Name those missing: gpu[001-412,414]");
    fleet.text("--max-age", into.max_age, "AGE", "Older reports do not count: 90s, 15m, 24h, 7d",
               not_empty);
    fleet.text("--reference", into.reference, "FILE",
               "Compare with this report, recording or profile", not_empty);
    fleet.text("--since", into.since, "FOLDER", "What changed since an earlier sweep", not_empty);
    fleet.flag("--strict", into.strict, "What stands out, ties or is not compared counts, too");
    add_output(fleet, into.output, "FILE");
    add_profile(fleet, into.request, WithoutProfile::is_auto);
    add_waivers(fleet, into.request);
    fleet.arguments("input", into.inputs, "Files, folders; - is standard input", false);
    fleet.footer(fleet_footer);
}

void Commands::add_explain() {
    auto [explain, into] = add_printing<ExplainOptions>(
        "explain", "What a setting, variable, profile or outcome is, and is here");
    ExplainRequest& request = into.request;
    add_machine(explain, into.machine, request.check.root);
    add_profile(explain, request.check, WithoutProfile::is_auto);
    add_waivers(explain, request.check);
    explain.flag("--set", request.only_set, "Only variables that are set");
    explain.text("--search", request.search, "TEXT", "Only what tells of it", not_empty);
    add_environment(explain, request.check.pid, request.check.env_files);
    add_assume(explain, request.check.assume);
    explain.arguments("word", request.words, "Names, ids, globs: NCCL_DEBUG pci.acs 'TORCH_*'",
                      false);
    explain.footer(explain_footer);
}

void Commands::add_record() {
    auto [record, into] =
        add_printing<RecordOptions>("record", "This machine as one file that --sysroot replays");
    add_machine(record, into.machine);
    add_output(record, into.output, "FILE.tree");
    record.flag("--with-env", into.with_env,
                "Add the variables that rocenv or a profile knows, as comments");
}

void Commands::add_profiles() {
    tree_.group("profile", "List, show, check, compare and learn profiles");
    add_printing<ProfileListOptions>("profile list", "All there are");
    auto [show, shown] =
        add_printing<ProfileShowOptions>("profile show", "What profiles come to when merged");
    add_machine(show, shown.machine);
    add_wants(show, shown.request.wants);
    add_filter(show, shown.request.only, shown.request.skip);
    add_no_site(show, shown.request.no_site);
    show.arguments("profile", shown.request.profiles, "Names or files (auto)", false);
    auto [lint, linted] =
        add_printing<ProfileLintOptions>("profile lint", "What is wrong with a profile");
    lint.flag("--strict", linted.strict, "Warnings are errors");
    lint.arguments("profile", linted.profiles, "Names or files; - is standard input", true);
    auto [diff, compared] = add_printing<ProfileDiffOptions>(
        "profile diff", "Two profiles side by side, as they resolve here");
    add_machine(diff, compared.machine);
    diff.arguments("profile", compared.profiles, "Two names or files", 2, 2);
    auto [learn, learnt] = add_printing<ProfileLearnOptions>(
        "profile learn", "A profile of this node's present state");
    add_machine(learn, learnt.machine, learnt.request.root);
    add_filter(learn, learnt.request.only, learnt.request.skip);
    learn.choice_among("--level", learnt.request.level,
                       {Level::required, Level::recommended, Level::info},
                       "Of all (recommended; GPUs and links required)");
    add_output(learn, learnt.output, "FILE.toml");
    learn.arguments("name", learnt.name, "Its name (learned)", 0, 1);
}

void Commands::add_tunableop() {
    tree_.group("tunableop", "PyTorch TunableOp's result files");
    auto [check, checked] = add_printing<TunableCheckOptions>(
        "tunableop check", "Would PyTorch take them on this node");
    add_machine(check, checked.machine);
    check.list("--assume", checked.assume, "NAME=VERSION[,...]", "Versions over what is installed");
    check.arguments("file", checked.files, "Result files", true);
    auto [show, shown] = add_printing<TunableShowOptions>("tunableop show", "What they hold");
    show.arguments("file", shown.files, "Result files, or untuned ones", true);
    auto [merge, merged] =
        add_printing<TunableMergeOptions>("tunableop merge", "One from many, the fastest of each");
    add_output(merge, merged.output, "FILE");
    merge.arguments("file", merged.files, "Result files of one stack", true);
}

void Commands::add_help() {
    auto [help, into] = add_printing<HelpOptions>("help", "The manual");
    help.flag("--list", into.list, "Names of all pages, one a line");
    help.arguments("topic", into.topics, "Pages, settings, variables, profiles (all pages)", false);
    help.footer(help_footer);
}

void Commands::add_completion() {
    auto [completion, into] =
        add<CompletionOptions>("completion", "Make a shell complete rocenv's command lines");
    completion.text("--parted-at", into.parted_at, "SIGNS", "Where bash parts words, too");
    completion.choice("shell", into.shell, "Whose script to print");
    completion.footer(completion_footer);
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
        {"fleet", &Commands::add_fleet},
        {"explain", &Commands::add_explain},
        {"record", &Commands::add_record},
        {"profile", &Commands::add_profiles},
        {"tunableop", &Commands::add_tunableop},
        {"help", &Commands::add_help},
        {"completion", &Commands::add_completion},
    };
    const auto named = std::find_if(std::begin(all), std::end(all),
                                    [&](const Entry& entry) { return entry.name == first_word; });
    for (const auto& entry : all) {
        if (named == std::end(all) || named->name == entry.name) {
            (this->*entry.add)();
        }
    }
    tree_.footer(main_footer);  // commands that are added later would take it over
}

std::vector<CommandText> Commands::texts() const {
    auto out = tree_.texts();
    for (auto& command : out) {
        command.programs = command.name == "run";
    }
    return out;
}

std::vector<CommandText> all_texts() {
    return Commands("").texts();
}

// What follows "--" is the program of `run` or the line to complete, and none of our options.
Parsed Commands::parse(std::vector<std::string> words) {
    const std::string first = words.empty() ? "" : words.front();
    const bool runs = first == "run";
    const auto dashes =
        runs || first == "completion" ? std::find(words.begin(), words.end(), "--") : words.end();
    std::vector<std::string> rest;
    if (dashes != words.end()) {
        rest.assign(dashes + 1, words.end());
        words.erase(dashes, words.end());
    }
    if (auto output = tree_.parse(words)) {
        output->exit_code = runs && output->exit_code != 0 ? exit_refused : output->exit_code;
        return {std::nullopt, "", *std::move(output)};
    }
    if (auto* run = std::get_if<RunOptions>(&*chosen_)) {
        run->program = std::move(rest);
        run->request.check.untrusted = run->tune ? Untrusted::refused : Untrusted::ignored;
    } else if (auto* completion = std::get_if<CompletionOptions>(&*chosen_)) {
        completion->words = std::move(rest);
        completion->commands = all_texts();
    } else if (auto* help = std::get_if<HelpOptions>(&*chosen_)) {
        help->commands = all_texts();
    }
    return {std::move(chosen_), "", {}};
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.size() == 1 && words.front() == "--version") {
        return {std::nullopt, "", {0, version_text + "\n", ""}};
    }
    Parsed parsed = Commands(words.empty() ? "" : words.front()).parse(words);
    parsed.command_line = "rocenv";
    for (const auto& word : words) {
        parsed.command_line += " " + shell_word(word);
    }
    return parsed;
}

}  // namespace rocenv
