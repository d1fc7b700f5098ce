// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>

#include "cli/commands.h"
#include "cli/launch.h"
#include "cli/machines.h"
#include "cli/occupancy_command.h"
#include "cli/smi_opinion.h"
#include "cli/topo_command.h"
#include "cli/transact.h"
#include "cli/tunable_commands.h"
#include "sys/fs/posix_fs.h"
#include "sys/fs/write_file.h"
#include "sys/helper/read_input.h"
#include "sys/helper/wait_line.h"
#include "sys/inherited.h"
#include "sys/interruption.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// What the exit status is about: what the report says, or what was done to the node.
enum class About { report, node };

About about(const Options& options) {
    const bool acts = options.command == Command::set || options.command == Command::reset;
    return acts && !options.dry_run && !options.persist_hints ? About::node : About::report;
}

// Who reads stdout. What programs read follows the rules of its own format.
enum class Reader { person, program };

Reader reader_of(const Options& options) {
    switch (options.command) {
        case Command::env:
        case Command::record:
        case Command::profile_learn:
        case Command::tunable_merge:
            return Reader::program;
        default:
            break;
    }
    const auto& format = options.format;
    return format == "json" || format == "jsonl" || format == "svg" ? Reader::program
                                                                    : Reader::person;
}

// A verdict stays the exit status. A report that nobody got must not look like success; but what
// was done to the node is done, and then stderr alone says that the report is lost.
int print(const Output& output, About about, Reader reader) {
    print_to(STDERR_FILENO, printable_but(Kept::both, output.err));
    const int err =
        print_to(STDOUT_FILENO,
                 reader == Reader::person ? printable_but(Kept::both, output.out) : output.out);
    if (err == 0) {
        return output.exit_code;
    }
    if (err != EPIPE || about == About::node) {
        print_to(STDERR_FILENO, "rocenv: cannot write the report: " + errno_text(err) + "\n");
    }
    return output.exit_code == 0 && about == About::report ? exit_unknown : output.exit_code;
}

// Moves what was for stdout to the file; without a recording the file is left as it is.
Output to_file(const Options& options, Output output) {
    const std::string& path = options.output;
    if (path.empty() || output.out.empty()) {
        return output;
    }
    if (const auto error =
            write_file(path, output.out, options.with_env ? Readers::owner : Readers::by_umask)) {
        const bool usage = error->kind == ErrorKind::bad_input;
        return {usage ? exit_usage : exit_unknown, "", output.err + error_lines({error->text})};
    }
    if (!options.quiet) {
        output.err +=
            "rocenv: wrote " + printable(path) + ", " + number(output.out.size()) + " bytes\n";
    }
    output.out.clear();
    return output;
}

Output check_machine(const Options& options, const Process& process) {
    const SmiOpinion opinion(options);
    return supervise(options, [&](const Fs& machine, const Fs& host) {
        Output output = run_check(options, machine, host, process);
        output.err += opinion.lines(machine);
        return output;
    });
}

Output act_on_tunable(const Options& options, const Process& process) {
    return to_file(options, supervise(options, [&](const Fs& machine, const Fs& host) {
                       return options.command == Command::tunable_check
                                  ? run_tunable_check(options, machine, host, process)
                              : options.command == Command::tunable_show
                                  ? run_tunable_show(options, host)
                                  : run_tunable_merge(options, host);
                   }));
}

// What stands on standard input, where "-" names it: a helper has none.
std::optional<Result<std::string>> input_of(const Options& options) {
    const auto& names = options.names;
    return std::find(names.begin(), names.end(), "-") == names.end()
               ? std::nullopt
               : std::optional(read_standard_input(options.patience.deadline_seconds));
}

Output act_on_profiles(const Options& options, const Process& process) {
    switch (options.command) {
        case Command::profile_list:
            return supervise(options, [&](const Fs&, const Fs& host) {
                return run_profile_list(options, host, process);
            });
        case Command::profile_lint:
            return supervise(options, [&, input = input_of(options)](const Fs&, const Fs& host) {
                return run_profile_lint(options, host, process, input);
            });
        case Command::profile_learn:
            return to_file(options, supervise(options, [&](const Fs& machine, const Fs&) {
                               return run_profile_learn(options, machine, process);
                           }));
        default:
            return supervise(options, [&](const Fs& machine, const Fs& host) {
                return options.command == Command::profile_diff
                           ? run_profile_diff(options, machine, host, process)
                           : run_profile_show(options, machine, host, process);
            });
    }
}

Output act(const Options& options) {
    const Process process = calling_process();
    const auto supervised = [&](const Work& work) { return supervise(options, work); };
    switch (options.command) {
        case Command::check:
            return check_machine(options, process);
        case Command::set:
            return run_set(options, process);
        case Command::reset:
            return run_reset(options, process);
        case Command::status:
            return run_status(options, process);
        case Command::env:
            return supervised([&](const Fs& machine, const Fs& host) {
                return run_env(options, machine, host, process);
            });
        case Command::run:
            return run_launch(options, process);
        case Command::topo:
            return supervised([&, hwloc = ask_hwloc(options)](const Fs& machine, const Fs&) {
                return run_topo(options, machine, process, hwloc);
            });
        case Command::occupancy:
            return supervised([&](const Fs& machine, const Fs&) {
                return run_occupancy(options, machine, *caller_files(options, *real_fs()));
            });
        case Command::record:
            return to_file(options, supervised([&](const Fs& machine, const Fs& host) {
                               return run_record(options, machine, host, process);
                           }));
        case Command::tunable_check:
        case Command::tunable_show:
        case Command::tunable_merge:
            return act_on_tunable(options, process);
        case Command::profile_list:
        case Command::profile_show:
        case Command::profile_lint:
        case Command::profile_diff:
        case Command::profile_learn:
            return act_on_profiles(options, process);
    }
    return {exit_unknown, "", ""};
}

}  // namespace

int run(int argc, const char* const* argv) noexcept {
    try {
        set_inherited_aside();
        Parsed parsed = parse_options(argc, argv);
        if (!parsed.options) {
            return print(parsed.output, About::report, Reader::person);
        }
        if (parsed.options->quiet) {
            tell_no_waits();
        }
        parsed.options->given = read_given(*parsed.options);
        return print(act(*parsed.options), about(*parsed.options), reader_of(*parsed.options));
    } catch (const std::exception& failure) {
        print_to(STDERR_FILENO, error_lines({failure.what()}));
        return exit_unknown;
    }
}

}  // namespace rocenv
