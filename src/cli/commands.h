// SPDX-License-Identifier: MIT
// The commands: functions that turn options and a machine into output.
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

// Parses the arguments, runs the command and prints its output. Returns the exit status and never
// throws.
int run(int argc, const char* const* argv) noexcept;

// The caller of a command.
struct Call {
    Process process;
    std::string command_line;  // can be pasted to repeat the command
    GivenFiles given;          // named files that no helper can read
};

// Runs check. Like each function here, returns output and exit status; help/explain/vocabulary has
// the meaning of each status. After bad usage, a bad profile or input file it is 2, or 3 if a file
// timed out. `machine` is the machine to read, `host` the real one, with profiles and named files.
Output run_check(const CheckOptions& options, const Fs& machine, const Fs& host,
                 const Process& process);
// Prints the environment variables of a profile.
Output run_env(const EnvOptions& options, const Fs& machine, const Fs& host,
               const Process& process);
// Records the machine as a `.tree` file. Files that did not answer are on stderr, with status 3.
Output run_record(const RecordOptions& options, const Fs& machine, const Fs& host,
                  const Process& process);
// Lists the profiles that `-p` accepts by name. Files that are not trusted are on stderr.
Output run_profile_list(const ProfileListOptions& options, const Fs& host, const Process& process);
// Prints what profiles expect on this node, merged.
Output run_profile_show(const ProfileShowOptions& options, const Fs& machine, const Fs& host,
                        const Process& process);
// Prints the differences between two profiles, as they apply to this node; with differences the
// status is 1.
Output run_profile_diff(const ProfileDiffOptions& options, const Fs& machine, const Fs& host,
                        const Process& process);
// Prints a profile of the present state of this node.
Output run_profile_learn(const ProfileLearnOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);
// Prints the faults of profile files on stdout; with errors the status is 2, or 3 after a timeout.
// `input` is standard input, read if a name is "-".
Output run_profile_lint(const ProfileLintOptions& options, const Fs& machine, const Fs& host,
                        const Process& process, const std::optional<Result<std::string>>& input);

// Returns the use of colour and the width for stdout.
Screen screen_for(UseColour use, const Process& process);

// Returns the result of a command in the chosen format.
template <typename Made>
std::string formatted(const PrintOptionsIn<FormatOf<Made>>& options, const Made& made,
                      const Process& process) {
    return options.format->render(made, options.detail(), screen_for(options.colour, process));
}

// Returns an output with this exit status and one line on stderr.
Output failure(int exit_code, const std::string& text);

// Returns "rocenv: TEXT" lines for stderr, with each text made printable.
std::string error_lines(const std::vector<std::string>& texts);

// Moves the text for stdout to the file, if a path is given, and adds a line about it to stderr
// unless quiet. Without text the file is not changed.
// A file that cannot be written is an error with status 3; a file that must not be replaced is bad
// usage, 2.
Output to_file(const std::string& path, const PrintOptions& options, FileReaders readers,
               Output output);

// Does the same for a check, which keeps its verdict as status if the file cannot be written. With
// --format nagios, a check without a report prints a line, too, and ends with 3.
Output check_delivered(const CheckOptions& options, Output output);

// Does the same for words that could not be parsed if they ask for --format nagios. The first word
// is the command.
Output misuse_delivered(const std::vector<std::string>& words, Output output);

// GPU values from one of AMD's libraries, for comparison.
class SmiOpinion {
   public:
    // Reads the library if the options ask for this and are not quiet.
    explicit SmiOpinion(const CheckOptions& options);

    // Returns "rocenv: …" lines for stderr: one for each GPU of the library that `machine` has, or
    // one with the reason for missing values. Empty if the library was not read.
    std::string lines(const Fs& machine) const;

   private:
    std::string library_;  // "rsmi"
    std::vector<std::string> why_none_;
    std::vector<SmiDevice> devices_;
};

// Returns the output of set or reset. Without a report, or after bad usage, Output.out is empty.
// With -q, failures are listed on stderr.
Output set_output(const PrintOptionsIn<SetFormat>& options, DryRun dry_run, const SetResult& result,
                  const Process& process);

// Patterns of ids, and the option that they were given with.
struct GivenPatterns {
    const char* option;
    const std::vector<std::string>& patterns;
};
// Returns bad usage with the given names that match no setting, or std::nullopt if all match.
std::optional<Output> wrong_names(std::initializer_list<GivenPatterns> given);

// Returns bad usage with the profiles that fit this node, or std::nullopt if a profile was given.
std::optional<Output> profile_missing(const CheckRequest& request, const std::string& command,
                                      const Fs& machine, const Fs& host, const Process& process);

// Prints the output of set --persist-hints. Writes nothing.
Output run_persist_hints(const SetOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);

// Sets the values of profiles. `call` holds this process and the command line.
Output run_set(const SetOptions& options, const Call& call);
// Restores the values before set.
Output run_reset(const ResetOptions& options, const Call& call);
// Prints the active settings of this node. Writes nothing.
Output run_status(const StatusOptions& options, const Process& process);

// The result of run_set() for a hold that lasts while `hold.alive` is open. The status is that of
// set.
struct Tuned {
    Output output;
    RunHold hold;  // without a name: no write was tried
};
// Sets the node for the program of `run --tune`.
Tuned tune(const RunOptions& options, const Call& call);

// Releases the hold. Returns lines for stderr about settings that were not restored; empty if all
// were.
std::string untune(const RunOptions& options, const Call& call, RunHold hold);

// Starts the program. Returns only if the program did not start (status 125 to 127, or 2 for --tune
// without a profile), or if this process supervised it (--init, --tune); the exit status is then
// the program's.
Output run_launch(const RunOptions& options, const Call& call);

// Returns the CPU topology from hwloc, or its error. std::nullopt if hwloc was not used: the
// command needs no CPUs, or the machine is that of --sysroot and --hwloc-xml is not given. Runs a
// child of this process, so call it before the machine's helper starts.
std::optional<Result<CpuTopology>> ask_hwloc(const TopoOptions& options);

// Prints the topology, values of it, or the binding of a rank. The status is 3 if KFD's files could
// not be read. `hwloc` is the result of ask_hwloc(); after its error the kernel's files are read,
// but an error of --hwloc-xml ends the command.
Output run_topo(const TopoOptions& options, const Fs& machine, const Process& process,
                const std::optional<Result<CpuTopology>>& hwloc);

// Returns the parts of a topology that these keys (or globs) can match. The caller adds the CPU
// topology if needs_cpu_topology() returns true.
Topology read_for_keys(const Machine& machine, const std::vector<std::string>& keys);
// Returns whether a key begins in "cpus." or "numa.", or is a glob that may.
bool needs_cpu_topology(const std::vector<std::string>& keys);

// Returns one value a line in the order of the keys. A glob gives its matches in the order of the
// JSON report. An unknown value is "null". If a key matches nothing, the status is 2 and nothing is
// printed.
Output get_values(const Topology& topology, const std::vector<std::string>& keys);

// Reads only the GPU model from `machine`, and the files of --asm and --triton from `files`. The
// status is 3 if no occupancy is known, and 2 if any file or kernel has an error; other kernels are
// printed.
Output run_occupancy(const OccupancyOptions& options, const Fs& machine, const Fs& files,
                     const Process& process);

// Reads files, folders and streams in this process. As in sort(1), a pipe may block until its
// writer sends data.
Output run_fleet(const FleetOptions& options, const Process& process);

// Prints facts about settings, variables, profiles and words. With an unknown word or a bad profile
// the status is 2, and the others are printed.
Output run_explain(const ExplainOptions& options, const Fs& machine, const Fs& host,
                   const Process& process);

// Prints pages of the manual, or their list. With an unknown topic the status is 2, and no page is
// printed.
Output run_help(const HelpOptions& options, const Process& process);

// Prints the script of a shell, or the completions of a line: first what the shell adds (":files"),
// then WORD TAB TEXT. Reads names of profiles from `host`.
Output run_completion(const CompletionOptions& options, const Fs& host, const Process& process);

// Returns status 2 if a file cannot be read or is not a TunableOp file. Otherwise 1 if PyTorch
// would reject a file, one is damaged, empty or untuned, or the files of one job do not fit each
// other; 3 if that is unknown, and 0 if all files fit.
Output run_tunable_check(const TunableCheckOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);

// Returns status 2 (3 after a timeout) if one of the files cannot be shown; the others are printed.
Output run_tunable_show(const TunableShowOptions& options, const Fs& host, const Process& process);

// Returns the merged file in Output.out. If the files are incompatible or one cannot be read,
// Output.out is empty and the status is 2 (3 after a timeout).
Output run_tunable_merge(const TunableMergeOptions& options, const Fs& host,
                         const Process& process);

// Returns the JSON Schema of profile list, which the build writes to a file.
std::string profile_list_schema();
// Returns that of profile show.
std::string profile_show_schema();

}  // namespace rocenv
