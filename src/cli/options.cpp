// SPDX-License-Identifier: MIT
// Every command and its options.
#include "cli/options.h"

#include <algorithm>
#include <memory>

#include "cli/option_tree.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string version_text = std::string("rocenv ") + ROCENV_VERSION;

class Commands {
   public:
    // Makes the options of one command, or of all if the first word names none. Making all is
    // slower than starting a program.
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

    // A command with the target of its options.
    template <typename Each>
    struct Offered {
        CommandOptions command;
        Each& into;
    };
    template <typename Each>
    Offered<Each> add(const char* name);
    // With --format, --json, --color, -q and -v.
    template <typename Each>
    Offered<Each> add_printing(const char* name, const char* format_summary = report_format);

    static constexpr const char* report_format = "Print the report in this format";

    OptionTree tree_{version_text};
    std::optional<Options> chosen_;
};

template <typename Each>
Commands::Offered<Each> Commands::add(const char* name) {
    const auto options = std::make_shared<Each>();
    const auto command = tree_.add(name, [this, options] { chosen_ = std::move(*options); });
    return {command, *options};
}

template <typename Each>
Commands::Offered<Each> Commands::add_printing(const char* name, const char* format_summary) {
    auto offered = add<Each>(name);
    auto output = offered.command.in(OptionGroup::output);
    add_format(output, offered.into.print.format, format_summary);
    add_print(offered.command, offered.into.print);
    return offered;
}

void Commands::add_check() {
    auto [check, into] = add_printing<CheckOptions>("check");
    CheckRequest& request = into.request;
    add_machine(check, into.machine, request.root);
    add_profile(check, request, WithoutProfile::is_auto);
    add_waivers(check, request);
    add_scope(check, request);
    add_environment(check, request.pid, request.env_files);
    add_assume(check, request.assume);
    check.flag("--strict", request.strict, "Treat recommended as required");
    check.text("--since", request.since, "REPORT.json",
               "Judge counters by their growth since this report, and list changed facts",
               empty_text_error);
    check.seconds("--wait", into.wait_seconds,
                  "Repeat the check while a finding that failed can still pass");
    check.flag("--facts", request.facts, "Add the facts that nodes of a cluster should agree on");
    check.flag("--with-ids", request.with_ids, "Add serial numbers, GUIDs and MAC addresses");
    add_output(check, into.output, "FILE");
    add_node_name(check, request.node_name);
    check.choice("--gpu-backend", into.gpu_backend,
                 "Print also what this library of AMD reports of the GPUs");
}

void Commands::add_set() {
    auto [set, into] = add_printing<SetOptions>("set");
    SetRequest& request = into.request;
    add_machine(set, into.machine, request.check.root);
    add_profile(set, request.check, WithoutProfile::is_nothing);
    add_waivers(set, request.check);
    add_scope(set, request.check);
    add_write(set, request, into.write, "Keep the settings until NAME is released");
    set.list("--allow", request.allow, "ID[,ID]", "Set these even if that is unsafe");
    set.text("--gpu", request.gpus, "visible|LIST", "Set only these GPUs and their PCI path",
             empty_text_error);
    set.flag("--persist-hints", into.persist_hints,
             "Print what makes the settings survive a reboot, and set nothing");
    add_node_name(set, request.check.node_name);
    add_backend(set, into.write.gpu_backend);
}

void Commands::add_reset() {
    auto [reset, into] = add_printing<ResetOptions>("reset");
    ResetRequest& request = into.request;
    add_machine(reset, into.machine, request.root);
    add_filter(reset, request.only, request.skip);
    add_write(reset, request, into.write, "Release the hold of NAME only");
    reset.list("--keep", request.keep, "ID[,ID]", "Leave these settings as they are");
    reset.flag("--force", request.force,
               "Restore also what is held, or was modified outside rocenv");
    reset.flag("--forget", request.forget, "Print what is recorded, and delete the record");
    reset.flag("--to-defaults", request.to_defaults,
               "Set the defaults of kernel and driver, on a node without a record");
    add_backend(reset, into.write.gpu_backend);
}

void Commands::add_status() {
    auto [status, into] = add_printing<StatusOptions>("status");
    add_machine(status, into.machine);
    add_filter(status, into.only, into.skip);
    add_state(status, into.state);
}

void Commands::add_env() {
    auto [env, into] = add<EnvOptions>("env");
    auto output = env.in(OptionGroup::output);
    add_format(output, into.print.format, "Print the variables for this reader");
    add_remarks(env, into.print, "Print on stderr where each value comes from");
    add_machine(env, into.machine, into.request.root);
    add_profile(env, into.request, WithoutProfile::is_auto);
    add_assume(env, into.request.assume);
}

void Commands::add_run() {
    auto [run, into] = add<RunOptions>("run");
    run.flag_or_choice("--check", into.check_first,
                       "Check first, and start the program only if the check passes; warn: start "
                       "it in any case");
    run.flag("--override", into.override_env, "Replace variables that the caller has set");
    run.flag("--init", into.as_init, "Forward signals and reap children, as process 1");
    run.flag("--tune", into.tune, "Set the node before, and restore it after (root)");
    run.list("--allow", into.request.allow, "ID[,ID]",
             "With --tune, set these even if that is unsafe");
    run.text("--gpu", into.request.gpus, "visible|LIST", "With --tune, set only these GPUs",
             empty_text_error);
    add_state(run, into.state);
    run.text("--user", into.user, "USER[:GROUP]", "Start the program as this user",
             empty_text_error);
    auto output = run.in(OptionGroup::output);
    add_format(output, into.format, "With --check, print the report in this format");
    add_remarks(run, into.print, "With --check, print the whole report");
    CheckRequest& request = into.request.check;
    add_machine(run, into.machine, request.root);
    add_profile(run, request, WithoutProfile::is_auto);
    add_waivers(run, request);
    add_assume(run, request.assume);
}

void Commands::add_topo() {
    auto [topo, into] = add_printing<TopoOptions>("topo", "Print the topology in this format");
    add_machine(topo, into.machine);
    topo.list("--get", into.get, "KEY", "Print these values only (gpu.0.numa_node, globs)");
    topo.whole_number("--bind", into.bind, "LOCAL_RANK",
                      "Print the GPU and the CPUs for this rank of a job on the node");
    topo.whole_number("--bind-visible", into.bind_visible, "LOCAL_RANK",
                      "The same, counting the GPUs that this process sees");
    topo.choice("--bind-format", into.bind_format,
                "Print the binding in this format "
                "[default: text]");
    topo.choice("--bind-scope", into.bind_scope,
                "Bind to the L3 caches of the rank, or to its whole NUMA node [default: l3]");
    topo.choice("--reserve", into.reserve,
                "Leave out the first core of each L3 cache [default: none]");
    topo.text("--hwloc-xml", into.hwloc_xml, "FILE",
              "Read CPUs and NUMA nodes from a file of lstopo");
}

void Commands::add_occupancy() {
    auto [occupancy, into] = add_printing<OccupancyOptions>("occupancy");
    add_machine(occupancy, into.machine);
    occupancy.text("--arch", into.arch, "GFX",
                   "Compute for this GPU [default: that of the file, else of this node]");
    occupancy.list("--asm", into.assembly, "FILE",
                   "Read all kernels of AMDGCN assembly or its metadata");
    occupancy.list("--triton", into.triton, "DIR", "Read all kernels of a Triton cache or dump");
    occupancy.whole_number("--vgprs", into.vgprs, "N", "Vector registers [default: 0]");
    occupancy.whole_number("--agprs", into.agprs, "N", "Accumulation registers [default: 0]");
    occupancy.whole_number("--sgprs", into.sgprs, "N", "Scalar registers [default: 0]");
    occupancy.whole_number("--lds", into.lds, "BYTES",
                           "LDS of a work-group at launch [default: 0]");
    occupancy.whole_number("--waves", into.waves, "N", "Waves of a work-group [default: 1]");
    occupancy.whole_number("--grid", into.grid, "N", "Work-groups of the launch");
}

void Commands::add_fleet() {
    auto [fleet, into] = add_printing<FleetOptions>("fleet");
    fleet.list("--group-by", into.group_by, "FACT[,FACT]",
               "Compare only nodes with equal values of these facts");
    fleet.list("--expect", into.expect, "HOSTLIST",
               "List the nodes of HOSTLIST that are missing: gpu[001-412,414]");
    fleet.text("--max-age", into.max_age, "AGE",
               "Ignore reports that are older than AGE: 90s, 15m, 24h, 7d", empty_text_error);
    fleet.text("--reference", into.reference, "FILE",
               "Compare with this report, recording or profile [default: the majority]",
               empty_text_error);
    fleet.text("--since", into.since, "FOLDER", "List the changes since an earlier sweep",
               empty_text_error);
    fleet.flag("--strict", into.strict,
               "Fail also for outliers, ties and nodes that are not compared");
    add_output(fleet, into.output, "FILE");
    add_profile(fleet, into.request, WithoutProfile::is_auto);
    add_waivers(fleet, into.request);
    fleet.arguments("INPUT", into.inputs, "Files or folders; - is standard input [default: -]",
                    false);
}

void Commands::add_explain() {
    auto [explain, into] =
        add_printing<ExplainOptions>("explain", "Print the explanations in this format");
    ExplainRequest& request = into.request;
    add_machine(explain, into.machine, request.check.root);
    add_profile(explain, request.check, WithoutProfile::is_auto);
    add_waivers(explain, request.check);
    explain.flag("--set", request.only_set, "Explain only variables that are set");
    explain.text("--search", request.search, "TEXT", "Explain only what mentions TEXT",
                 empty_text_error);
    add_environment(explain, request.check.pid, request.check.env_files);
    add_assume(explain, request.check.assume);
    explain.arguments("WORD", request.words, "Names, ids or globs: NCCL_DEBUG pci.acs 'TORCH_*'",
                      false);
}

void Commands::add_record() {
    auto [record, into] = add_printing<RecordOptions>("record", "Write this format");
    add_machine(record, into.machine);
    add_output(record, into.output, "FILE.tree");
    record.flag("--with-env", into.with_env,
                "Add the variables that rocenv or a profile knows, as comments");
}

void Commands::add_profiles() {
    tree_.group("profile");
    add_printing<ProfileListOptions>("profile list", "Print the list in this format");
    auto [show, shown] =
        add_printing<ProfileShowOptions>("profile show", "Print the profile in this format");
    add_machine(show, shown.machine);
    add_overrides(show, shown.request.overrides);
    add_filter(show, shown.request.only, shown.request.skip);
    add_no_site(show, shown.request.no_site);
    show.arguments("PROFILE", shown.request.profiles, "Names or files [default: auto]", false);
    auto [lint, linted] = add_printing<ProfileLintOptions>("profile lint");
    lint.flag("--strict", linted.strict, "Treat warnings as errors");
    lint.arguments("PROFILE", linted.profiles, "Names or files; - is standard input", true);
    auto [diff, compared] =
        add_printing<ProfileDiffOptions>("profile diff", "Print the comparison in this format");
    add_machine(diff, compared.machine);
    diff.arguments("PROFILE", compared.profiles, "Two names or files", 2, 2);
    auto [learn, learnt] = add_printing<ProfileLearnOptions>("profile learn", "Write this format");
    add_machine(learn, learnt.machine, learnt.request.root);
    add_filter(learn, learnt.request.only, learnt.request.skip);
    learn.choice_among("--level", learnt.request.level,
                       {Level::required, Level::recommended, Level::info},
                       "Give all entries this level [default: required for GPUs and links, "
                       "recommended for the others]");
    add_output(learn, learnt.output, "FILE.toml");
    learn.arguments("NAME", learnt.name, "Name of the profile [default: learned]", 0, 1);
}

void Commands::add_tunableop() {
    tree_.group("tunableop");
    auto [check, checked] = add_printing<TunableCheckOptions>("tunableop check");
    add_machine(check, checked.machine);
    add_assume(check, checked.assume);
    check.arguments("FILE", checked.files, "Result files", true);
    auto [show, shown] =
        add_printing<TunableShowOptions>("tunableop show", "Print the results in this format");
    show.arguments("FILE", shown.files, "Result files, or files of untuned problems", true);
    auto [merge, merged] =
        add_printing<TunableMergeOptions>("tunableop merge", "Write this format");
    add_output(merge, merged.output, "FILE");
    merge.arguments("FILE", merged.files, "Result files of one software stack", true);
}

void Commands::add_help() {
    auto [help, into] = add_printing<HelpOptions>("help", "Print the page in this format");
    help.flag("--list", into.list, "Print the names of all pages, one on a line");
    help.arguments("TOPIC", into.topics, "Pages, settings, variables or profiles", false);
}

void Commands::add_completion() {
    auto [completion, into] = add<CompletionOptions>("completion");
    completion.text("--parted-at", into.parted_at, "SIGNS",
                    "Split words at these characters, as bash does");
    completion.choice("SHELL", into.shell, "Shell whose script is printed");
}

Commands::Commands(const std::string& first_word) {
    struct Entry {
        std::string_view name;
        void (Commands::*add)();
    };
    constexpr Entry all[] = {
        {"check", &Commands::add_check},
        {"explain", &Commands::add_explain},
        {"topo", &Commands::add_topo},
        {"fleet", &Commands::add_fleet},
        {"set", &Commands::add_set},
        {"status", &Commands::add_status},
        {"reset", &Commands::add_reset},
        {"env", &Commands::add_env},
        {"run", &Commands::add_run},
        {"profile", &Commands::add_profiles},
        {"tunableop", &Commands::add_tunableop},
        {"occupancy", &Commands::add_occupancy},
        {"record", &Commands::add_record},
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
}

std::vector<CommandText> Commands::texts() const {
    return tree_.texts();
}

// Parses the command line. Words after "--" are the program of `run` or the line to complete, not
// options of rocenv.
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
        return {std::nullopt, "", *std::move(output), {}};
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
    return {std::move(chosen_), "", {}, {}};
}

}  // namespace

std::vector<CommandText> all_texts() {
    return Commands("").texts();
}

Parsed parse_options(int argc, const char* const* argv) {
    const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
    if (given.size() == 1 && (given.front() == "--version" || given.front() == "-V")) {
        return {std::nullopt, "", {0, version_text + "\n", ""}, {}};
    }
    auto words = command_first(given);
    Parsed parsed = Commands(words.empty() ? "" : words.front()).parse(words);
    parsed.words = std::move(words);
    parsed.command_line = "rocenv";
    for (const auto& word : given) {
        parsed.command_line += " " + shell_word(word);
    }
    return parsed;
}

}  // namespace rocenv
