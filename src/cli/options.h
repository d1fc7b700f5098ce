// SPDX-License-Identifier: MIT
// The command line as plain data. CLI11 ends in options.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "cli/occupancy_options.h"
#include "cli/topo_command.h"
#include "cli/tunable_options.h"
#include "report/render.h"
#include "sys/helper/supervise.h"

namespace rocenv {

enum class Command {
    check,
    set,
    reset,
    status,
    env,
    run,
    topo,
    occupancy,
    record,
    profile_list,
    profile_show,
    profile_lint,
    profile_diff,
    profile_learn,
    tunable_check,
    tunable_show,
    tunable_merge
};

class GivenFiles;

struct Options {
    Command command = Command::check;
    std::string command_line;            // as it could be typed again
    CheckRequest request;                // profiles, wants, filters, scope
    std::vector<std::string> names;      // of profile show, lint, diff and learn
    std::optional<std::string> sysroot;  // nothing: the real machine
    std::string format = "human";
    std::string env_format = "sh";  // of env
    std::string color = "auto";
    bool quiet = false;
    bool verbose = false;
    std::vector<std::string> program;  // of run: what follows --
    std::string check_first;           // of run: empty, "check" or "warn"
    bool override_env = false;         // of run: the profile's value wins over the caller's
    bool as_init = false;              // of run
    bool tune = false;                 // of run: set before, restore after
    std::string user;                  // of run: USER[:GROUP], empty: the caller
    std::string output;                // --output of record, learn and merge; empty: stdout
    bool with_env = false;             // of record
    bool dry_run = false;              // of set and reset
    std::vector<std::string> allow;    // of set and run --tune, ids or globs
    std::vector<std::string> keep;     // of reset, ids or globs
    std::string hold;                  // of set and reset; empty: none
    bool force = false;                // of reset
    bool forget = false;               // of reset
    bool to_defaults = false;          // of reset
    bool persist_hints = false;        // of set: print them, set nothing
    std::optional<std::string> state;  // where the journal is kept; nothing: the node's own place
    std::string gpu_backend = "sysfs";
    TunableOptions tunable;
    TopoOptions topo;
    OccupancyOptions occupancy;
    Patience patience;
    // What of the files that it names only this process can read; nothing: none was looked for.
    std::shared_ptr<const GivenFiles> given;

    bool through_rsmi() const { return gpu_backend == "rsmi"; }
    Detail detail() const {
        return quiet ? Detail::quiet : verbose ? Detail::everything : Detail::normal;
    }
};

// What parsing gave: options to act on, or the output of --help, --version or bad usage.
struct Parsed {
    std::optional<Options> options;
    Output output;
};
Parsed parse_options(int argc, const char* const* argv);

}  // namespace rocenv
