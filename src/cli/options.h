// SPDX-License-Identifier: MIT
// The command line as plain data: for each command its request to the folders below, and what it
// needs beside that. CLI11 ends in option_tree.cpp.
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
    std::vector<std::string> only;  // ids or globs of what is told
    std::vector<std::string> skip;
    std::optional<std::string> state;
};

struct EnvOptions {
    PrintOptionsIn<EnvFormat> print;
    MachineOptions machine;
    CheckRequest request{.untrusted = Untrusted::ignored};
};

struct RunOptions {
    std::vector<std::string> program;  // what follows --
    std::optional<CheckFirst> check_first;
    bool override_env = false;  // the profile's value wins over the caller's
    bool as_init = false;
    bool tune = false;  // set before, restore after
    // The request of --tune; its `check` also applies to the environment and to --check.
    SetRequest request;
    std::optional<std::string> state;
    std::string user;  // USER[:GROUP], empty: the caller
    PrintOptions print;
    const CheckFormat* format = nullptr;  // of --check; nullptr: human, and only what is wrong
    MachineOptions machine;
};

struct TopoOptions {
    PrintOptionsIn<TopoFormat> print;
    MachineOptions machine;
    std::vector<std::string> get;               // keys or globs
    std::optional<std::uint64_t> bind;          // a job's LOCAL_RANK, which counts all agents
    std::optional<std::uint64_t> bind_visible;  // which counts those that the process sees
    const BindFormat* bind_format = nullptr;    // nullptr: text
    std::optional<BindScope> bind_scope;        // std::nullopt: l3
    std::optional<ReservedCores> reserve;       // std::nullopt: none
    std::optional<std::string> hwloc_xml;       // CPUs and NUMA nodes from what lstopo wrote
};

struct OccupancyOptions {
    PrintOptionsIn<OccupancyFormat> print;
    MachineOptions machine;
    std::optional<std::string> arch;    // nothing: what the file says, else this node's GPU
    std::vector<std::string> assembly;  // files
    std::vector<std::string> triton;    // folders
    std::optional<std::uint64_t> vgprs;
    std::optional<std::uint64_t> agprs;
    std::optional<std::uint64_t> sgprs;
    std::optional<std::uint64_t> lds;    // bytes of a work-group
    std::optional<std::uint64_t> waves;  // of a work-group
    std::optional<std::uint64_t> grid;   // work-groups
};

struct FleetOptions {
    PrintOptionsIn<FleetFormat> print;
    // How recordings are judged; its `only` and `skip` are for all.
    CheckRequest request{.untrusted = Untrusted::ignored};
    std::vector<std::string> group_by;  // ids of facts
    std::vector<std::string> expect;    // lists of nodes
    std::string max_age;                // empty: any
    std::string reference;              // a file, empty: the majority
    std::string since;                  // an earlier sweep's folder, empty: none
    bool strict = false;
    std::string output;               // empty: stdout
    std::vector<std::string> inputs;  // "-" is standard input; empty: that
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
    CheckRequest request;  // its profiles, wants, `only` and `skip` of what is shown, and no_site
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
    bool list = false;                  // names of pages alone
    std::vector<std::string> topics;    // empty: which there are
    std::vector<CommandText> commands;  // all there are
};

struct CompletionOptions {
    const Shell* shell = nullptr;
    std::string parted_at;              // bash parts words at these, too
    std::vector<std::string> words;     // what follows --: the line so far, the last one unfinished
    std::vector<CommandText> commands;  // all there are
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
    std::string command_line;  // as it could be typed again
    Output output;
    std::vector<std::string> words;  // as given, the command first
};
Parsed parse_options(int argc, const char* const* argv);

// All commands with their options, in the order of the help.
std::vector<CommandText> all_texts();

}  // namespace rocenv
