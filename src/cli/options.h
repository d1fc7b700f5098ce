// SPDX-License-Identifier: MIT
// The command line as plain data. Each struct holds the options of the command of its name: its
// request to a folder below, and options that the request does not contain. CLI11 is used in
// option_tree.cpp only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/option_groups.h"
#include "help/explain/explain.h"
#include "help/manual/commands.h"
#include "os/child/supervise.h"
#include "profile/learn.h"
#include "transaction/set.h"

namespace rocenv {

struct CheckOptions {
    PrintOptionsIn<CheckFormat> print;
    MachineOptions machine;
    CheckRequest request{.untrusted = Untrusted::ignored};
    std::string output;  // empty: stdout
    GpuOpinion gpu_backend = GpuOpinion::sysfs;
    std::optional<double> wait_seconds;  // std::nullopt: one read
};

struct SetOptions {
    PrintOptionsIn<SetFormat> print;
    MachineOptions machine;
    SetRequest request;
    WriteOptions write;
    bool persist_hints = false;  // print them, set nothing
};

struct ResetOptions {
    PrintOptionsIn<SetFormat> print;
    MachineOptions machine;
    ResetRequest request;
    WriteOptions write;
};

struct StatusOptions {
    PrintOptionsIn<StatusFormat> print;
    MachineOptions machine;
    std::vector<std::string> only;  // ids or globs to print
    std::vector<std::string> skip;
    std::optional<std::string> state;
};

struct EnvOptions {
    PrintOptionsIn<EnvFormat> print;
    MachineOptions machine;
    CheckRequest request{.untrusted = Untrusted::ignored};
};

struct RunOptions {
    std::vector<std::string> program;  // words after --
    std::optional<CheckFirst> check_first;
    bool override_env = false;  // the profile's value wins over the caller's
    bool as_init = false;
    bool tune = false;  // set before, restore after
    // The request of --tune; its `check` also applies to the environment and to --check.
    SetRequest request;
    std::optional<std::string> state;
    std::string user;  // USER[:GROUP], empty: the caller
    PrintOptions print;
    const CheckFormat* format = nullptr;  // for --check; nullptr: human, failures only
    MachineOptions machine;
};

struct TopoOptions {
    PrintOptionsIn<TopoFormat> print;
    MachineOptions machine;
    std::vector<std::string> get;               // keys or globs
    std::optional<std::uint64_t> bind;          // LOCAL_RANK of a job, counted over all agents
    std::optional<std::uint64_t> bind_visible;  // LOCAL_RANK, counted over visible agents
    const BindFormat* bind_format = nullptr;    // nullptr: text
    std::optional<BindScope> bind_scope;        // std::nullopt: l3
    std::optional<ReservedCores> reserve;       // std::nullopt: none
    std::optional<std::string> hwloc_xml;       // file of lstopo with CPUs and NUMA nodes
};

struct OccupancyOptions {
    PrintOptionsIn<OccupancyFormat> print;
    MachineOptions machine;
    std::optional<std::string> arch;    // std::nullopt: from the file, else this node's GPU
    std::vector<std::string> assembly;  // files
    std::vector<std::string> triton;    // folders
    std::optional<std::uint64_t> vgprs;
    std::optional<std::uint64_t> agprs;
    std::optional<std::uint64_t> sgprs;
    std::optional<std::uint64_t> lds;    // bytes of one work-group
    std::optional<std::uint64_t> waves;  // waves of one work-group
    std::optional<std::uint64_t> grid;   // work-groups
};

struct FleetOptions {
    PrintOptionsIn<FleetFormat> print;
    // The request for judging recordings; its `only` and `skip` apply to all reports.
    CheckRequest request{.untrusted = Untrusted::ignored};
    std::vector<std::string> group_by;  // ids of facts
    std::vector<std::string> expect;    // lists of nodes
    std::string max_age;                // empty: no limit
    std::string reference;              // a file; empty: the majority
    std::string since;                  // folder of an earlier sweep; empty: none
    bool strict = false;
    std::string output;               // empty: stdout
    std::vector<std::string> inputs;  // "-" or empty: standard input
};

struct ExplainOptions {
    PrintOptionsIn<ExplainFormat> print;
    MachineOptions machine;
    ExplainRequest request{.check = {.untrusted = Untrusted::ignored}};
};

struct RecordOptions {
    PrintOptionsIn<RecordFormat> print;
    MachineOptions machine;
    std::string output;  // empty: stdout
    bool with_env = false;
};

struct ProfileListOptions {
    PrintOptionsIn<ProfileListFormat> print;
};

struct ProfileShowOptions {
    PrintOptionsIn<ProfileShowFormat> print;
    MachineOptions machine;
    // Profiles, expected values, no_site, and the `only` and `skip` of printed items.
    CheckRequest request;
};

struct ProfileLintOptions {
    PrintOptionsIn<LintFormat> print;
    bool strict = false;
    std::vector<std::string> profiles;  // "-" is standard input
};

struct ProfileDiffOptions {
    PrintOptionsIn<ProfileDiffFormat> print;
    MachineOptions machine;
    std::vector<std::string> profiles;  // two
};

struct ProfileLearnOptions {
    PrintOptionsIn<LearnFormat> print;
    MachineOptions machine;
    LearnRequest request;
    std::string output;             // empty: stdout
    std::vector<std::string> name;  // one, or none
};

struct TunableCheckOptions {
    PrintOptionsIn<TunableCheckFormat> print;
    MachineOptions machine;
    std::vector<std::string> assume;
    std::vector<std::string> files;
};

struct TunableShowOptions {
    PrintOptionsIn<TunableShowFormat> print;
    std::vector<std::string> files;
};

struct TunableMergeOptions {
    PrintOptionsIn<MergeFormat> print;
    std::string output;  // empty: stdout
    std::vector<std::string> files;
};

struct HelpOptions {
    PrintOptionsIn<HelpFormat> print;
    bool list = false;                  // print the names of pages only
    std::vector<std::string> topics;    // empty: print the list of topics
    std::vector<CommandText> commands;  // all commands
};

struct CompletionOptions {
    const Shell* shell = nullptr;
    std::string parted_at;              // characters at which bash also splits words
    std::vector<std::string> words;     // words after --: the line, with an unfinished last word
    std::vector<CommandText> commands;  // all commands
};

// The options of the chosen command.
using Options =
    std::variant<CheckOptions, SetOptions, ResetOptions, StatusOptions, EnvOptions, RunOptions,
                 TopoOptions, OccupancyOptions, ExplainOptions, RecordOptions, ProfileListOptions,
                 ProfileShowOptions, ProfileLintOptions, ProfileDiffOptions, ProfileLearnOptions,
                 TunableCheckOptions, TunableShowOptions, TunableMergeOptions, FleetOptions,
                 HelpOptions, CompletionOptions>;

// The result of parsing: options to act on, or the output of --help, --version or bad usage.
struct Parsed {
    std::optional<Options> options;
    std::string command_line;  // can be pasted to repeat the command
    Output output;
    std::vector<std::string> words;  // as given, but with the command first
};
// Parses the arguments of the program, of which the first is its name. Bad usage has status 2, of
// `run` 125.
Parsed parse_options(int argc, const char* const* argv);

// Returns the texts of all commands with their options, in the order of the help.
std::vector<CommandText> all_texts();

}  // namespace rocenv
