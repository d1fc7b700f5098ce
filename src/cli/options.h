// SPDX-License-Identifier: MIT
// The command line as plain data: for each command what it takes, and nothing else. CLI11 ends in
// option_tree.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/option_groups.h"
#include "help/manual/commands.h"
#include "os/child/supervise.h"
#include "rocenv/setting.h"

namespace rocenv {

struct CheckOptions {
    PrintOptionsIn<CheckFormat> print;
    MachineOptions machine;
    ProfileOptions profile;
    WaiverOptions waivers;
    std::optional<ScopeChoice> scope;    // nothing: all, under sudo the node's
    std::string pid;                     // judge this process' environment; empty: the caller's
    std::vector<std::string> env_files;  // judge these files' environment, the later wins
    std::vector<std::string> assume;
    bool strict = false;
    std::string node_name;  // empty: the machine's own
    bool facts = false;     // add what nodes of a cluster should agree on
    bool with_ids = false;  // add serial numbers, GUIDs and MACs
    std::string since;      // an earlier report, empty: none
    std::string output;     // empty: stdout
    GpuOpinion gpu_backend = GpuOpinion::sysfs;
};

struct SetOptions {
    PrintOptionsIn<SetFormat> print;
    MachineOptions machine;
    ProfileOptions profile;
    WaiverOptions waivers;
    std::optional<ScopeChoice> scope;
    std::vector<std::string> allow;  // ids or globs
    std::string gpus;                // "visible", indices or addresses; empty: the default
    WriteOptions write;
    bool persist_hints = false;  // print them, set nothing
    std::string node_name;
};

struct ResetOptions {
    PrintOptionsIn<SetFormat> print;
    MachineOptions machine;
    FilterOptions filter;           // of what goes back
    std::vector<std::string> keep;  // ids or globs
    bool force = false;
    bool forget = false;
    bool to_defaults = false;
    WriteOptions write;
};

struct StatusOptions {
    PrintOptionsIn<StatusFormat> print;
    MachineOptions machine;
    FilterOptions filter;  // of what is told
    std::optional<std::string> state;
};

struct EnvOptions {
    PrintOptionsIn<EnvFormat> print;
    MachineOptions machine;
    ProfileOptions profile;
    std::vector<std::string> assume;
};

struct RunOptions {
    std::vector<std::string> program;  // what follows --
    std::optional<CheckFirst> check_first;
    bool override_env = false;  // the profile's value wins over the caller's
    bool as_init = false;
    bool tune = false;               // set before, restore after
    std::vector<std::string> allow;  // of --tune, ids or globs
    std::string gpus;                // of --tune: "visible", indices or addresses
    std::optional<std::string> state;
    std::string user;  // USER[:GROUP], empty: the caller
    PrintOptions print;
    const CheckFormat* format = nullptr;  // of --check; nullptr: human, and only what is wrong
    MachineOptions machine;
    ProfileOptions profile;
    WaiverOptions waivers;
    std::vector<std::string> assume;
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
    ProfileOptions profile;  // that recordings are judged by; its filter is for all
    WaiverOptions waivers;
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
    ProfileOptions profile;  // that settings are judged by; its filter is for what is told
    WaiverOptions waivers;
    std::string search;                  // empty: any
    bool only_set = false;               // variables that are set
    std::string pid;                     // in this process' environment; empty: the caller's
    std::vector<std::string> env_files;  // in these files' environment, the later wins
    std::vector<std::string> assume;
    std::vector<std::string> words;
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
    std::vector<std::string> wants;  // ID=VALUE
    FilterOptions filter;            // of what is shown
    bool no_site = false;
    std::vector<std::string> profiles;  // empty: auto
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
    FilterOptions filter;
    std::optional<Level> level;
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

// Of the command that was chosen.
using Options =
    std::variant<CheckOptions, SetOptions, ResetOptions, StatusOptions, EnvOptions, RunOptions,
                 TopoOptions, OccupancyOptions, ExplainOptions, RecordOptions, ProfileListOptions,
                 ProfileShowOptions, ProfileLintOptions, ProfileDiffOptions, ProfileLearnOptions,
                 TunableCheckOptions, TunableShowOptions, TunableMergeOptions, FleetOptions,
                 HelpOptions, CompletionOptions>;

// What parsing gave: options to act on, or the output of --help, --version or bad usage.
struct Parsed {
    std::optional<Options> options;
    std::string command_line;  // as it could be typed again
    Output output;
};
Parsed parse_options(int argc, const char* const* argv);

}  // namespace rocenv
