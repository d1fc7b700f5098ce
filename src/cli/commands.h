// SPDX-License-Identifier: MIT
// The commands, from options and a machine to output.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "commands/topology/topology.h"
#include "os/child/given_files.h"
#include "os/child/supervise.h"
#include "os/fs/safe_folder.h"
#include "os/state/state_folder.h"
#include "report/render.h"
#include "rocenv/cpu_topology.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "vendor/smi_probe.h"

namespace rocenv {

// The whole program: parses, dispatches, prints, and gives the exit status. Never throws.
int run(int argc, const char* const* argv) noexcept;

struct Call {
    Process process;
    std::string command_line;  // as it could be typed again
    GivenFiles given;          // of the files that options name, those that no helper can read
};

Output run_check(const CheckOptions& options, const Fs& machine, const Fs& host,
                 const Process& process);
Output run_env(const EnvOptions& options, const Fs& machine, const Fs& host,
               const Process& process);
Output run_record(const RecordOptions& options, const Fs& machine, const Fs& host,
                  const Process& process);
Output run_profile_list(const ProfileListOptions& options, const Fs& host, const Process& process);
Output run_profile_show(const ProfileShowOptions& options, const Fs& machine, const Fs& host,
                        const Process& process);
Output run_profile_diff(const ProfileDiffOptions& options, const Fs& machine, const Fs& host,
                        const Process& process);
Output run_profile_learn(const ProfileLearnOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);
// `input` is what standard input holds, read where it is a name.
Output run_profile_lint(const ProfileLintOptions& options, const Fs& machine, const Fs& host,
                        const Process& process, const std::optional<Result<std::string>>& input);

// Returns whether to colour what goes to stdout, and how wide it may be.
Screen screen_for(UseColour use, const Process& process);

// Returns what the chosen format makes of it.
template <typename Made>
std::string formatted(const PrintOptionsIn<FormatOf<Made>>& options, const Made& made,
                      const Process& process) {
    return options.format->render(made, options.detail(), screen_for(options.colour, process));
}

// A command that ends with this status and one line on stderr.
Output failure(int exit_code, const std::string& text);

// "rocenv: TEXT" lines for stderr, each text made printable.
std::string error_lines(const std::vector<std::string>& texts);

// Moves what was for stdout to the file, if one is named; without any the file is left as it is.
// A file that cannot be written is told, 3; one that will not be replaced is bad usage, 2.
Output to_file(const std::string& path, const PrintOptions& options, FileReaders readers,
               Output output);

// The same of a check, whose verdict stays the status where the file cannot be written. With
// --format nagios a check that came to no report is a line, too, and 3.
Output check_delivered(const CheckOptions& options, Output output);

// The same of words that could not be understood, if they ask for --format nagios. The command is
// the first of them.
Output misuse_delivered(const std::vector<std::string>& words, Output output);

class SmiOpinion {
   public:
    // Asks the library, when it is to be asked.
    explicit SmiOpinion(const CheckOptions& options);

    // "rocenv: …" lines for stderr: one per GPU, or one that says why there are none.
    std::string lines(const Fs& machine) const;

   private:
    std::string who_;  // "rsmi"
    std::vector<std::string> why_none_;
    std::vector<SmiDevice> devices_;
};

// Returns the output of set or reset. With -q failures are listed on stderr.
Output set_output(const PrintOptionsIn<SetFormat>& options, DryRun dry_run, const SetResult& result,
                  const Process& process);

// Patterns of ids, and the option that gave them.
struct GivenPatterns {
    const char* option;
    const std::vector<std::string>& patterns;
};
// Bad usage that names what is asked for and no setting is; nothing when all are.
std::optional<Output> wrong_names(std::initializer_list<GivenPatterns> given);

// Bad usage that names the profiles that fit this node; nothing when one was named.
std::optional<Output> profile_missing(const CheckRequest& request, const std::string& command,
                                      const Fs& machine, const Fs& host, const Process& process);

// set --persist-hints: prints, writes nothing.
Output run_persist_hints(const SetOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);

Output run_set(const SetOptions& options, const Call& call);
Output run_reset(const ResetOptions& options, const Call& call);
Output run_status(const StatusOptions& options, const Process& process);

// As run_set, for a hold that lasts as long as `hold.alive` is open. The status is that of set.
struct Tuned {
    Output output;
    RunHold hold;  // without a name: nothing was tried
};
Tuned tune(const RunOptions& options, const Call& call);

// Releases the hold. Returns lines for stderr about what is not back as it was.
std::string untune(const RunOptions& options, const Call& call, RunHold hold);

// Comes back only when the program did not start, or when this process stayed to look after it
// (--init, --tune): then with its exit status.
Output run_launch(const RunOptions& options, const Call& call);

// The CPU topology from hwloc, where the command needs it and hwloc can look there; nothing: it is
// to be read from the kernel's files. Asks a child of this process, so it is called before the
// machine's own helper starts.
std::optional<Result<CpuTopology>> ask_hwloc(const TopoOptions& options);

Output run_topo(const TopoOptions& options, const Fs& machine, const Process& process,
                const std::optional<Result<CpuTopology>>& hwloc);

// Reads of a topology what these keys (or globs) can name. The CPU topology is for the caller to
// add when needs_cpu_topology() says so.
Topology read_for_keys(const Machine& machine, const std::vector<std::string>& keys);
bool needs_cpu_topology(const std::vector<std::string>& keys);

// One value a line, in the order of the keys; a glob gives what it matches in the order of the JSON
// report. A value that cannot be known is "null". A key that names nothing: 2, and nothing is
// printed.
Output get_values(const Topology& topology, const std::vector<std::string>& keys);

// `machine` is asked for its GPU only, `files` for what --asm and --triton name.
Output run_occupancy(const OccupancyOptions& options, const Fs& machine, const Fs& files,
                     const Process& process);

// Reads files, folders and streams in this process: as for sort, what is not there yet is waited
// for.
Output run_fleet(const FleetOptions& options, const Process& process);

Output run_explain(const ExplainOptions& options, const Fs& machine, const Fs& host,
                   const Process& process);

Output run_help(const HelpOptions& options, const Process& process);

// `host` is read for names of profiles.
Output run_completion(const CompletionOptions& options, const Fs& host, const Process& process);

// 2: a file that cannot be read or is none of TunableOp's; else 1: PyTorch would refuse one, or it
// is damaged; else 3: that cannot be told; else 0.
Output run_tunable_check(const TunableCheckOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);

// 2 when one of the files cannot be shown; the others are.
Output run_tunable_show(const TunableShowOptions& options, const Fs& host, const Process& process);

// The merged file in Output.out; nothing there when they do not go together (2).
Output run_tunable_merge(const TunableMergeOptions& options, const Fs& host,
                         const Process& process);

// JSON Schemas of profile list and profile show, which the build writes.
std::string profile_list_schema();
std::string profile_show_schema();

}  // namespace rocenv
