// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>
#include <variant>

#include "check/earlier.h"
#include "cli/machines.h"
#include "os/child/child_process.h"
#include "os/child/given_files.h"
#include "os/child/supervise.h"
#include "os/child/wait_line.h"
#include "os/fs/posix_fs.h"
#include "os/interruption.h"
#include "util/credentials.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The subject of the exit status: the report, or the change of the node.
enum class About { report, node };

template <typename Each>
About about(const Each& /*options*/) {
    return About::report;
}

About about(const SetOptions& options) {
    return options.request.dry_run || options.persist_hints ? About::report : About::node;
}

About about(const ResetOptions& options) {
    return options.request.dry_run ? About::report : About::node;
}

template <typename Each>
ReadBy reader_of(const Each& options) {
    return options.print.format->reader;
}

ReadBy reader_of(const EnvOptions& /*options*/) {
    return ReadBy::program;
}

ReadBy reader_of(const RunOptions& /*options*/) {
    return ReadBy::person;
}

ReadBy reader_of(const CompletionOptions& /*options*/) {
    return ReadBy::program;
}

template <typename Each>
bool is_quiet(const Each& options) {
    return options.print.quiet;
}

bool is_quiet(const CompletionOptions& /*options*/) {
    return true;
}

// Prints the output and returns its exit status. A report that passes but cannot be printed must
// not look like success; any other verdict stays. A completed change of the node keeps its status,
// and only stderr reports the lost output.
int print(const Output& output, About about, ReadBy reader) {
    const auto remark = [&] {
        print_to(STDERR_FILENO, printable_but(Kept::both, without_credentials(output.err)));
    };
    if (reader != ReadBy::plugin_host) {
        remark();
    }
    const int err =
        print_to(STDOUT_FILENO,
                 reader == ReadBy::person ? printable_but(Kept::both, output.out) : output.out);
    if (reader == ReadBy::plugin_host) {
        remark();
    }
    if (err == 0) {
        return output.exit_code;
    }
    if (err != EPIPE || about == About::node) {
        print_to(STDERR_FILENO, "rocenv: cannot write the report: " + errno_text(err) + "\n");
    }
    return output.exit_code == 0 && about == About::report ? exit_unknown : output.exit_code;
}

// Removes credentials from a report about a node or about profiles. Programs use the output of run,
// env and profile show --format toml, so that these print every value unchanged.
Output reported(Output output) {
    output.out = without_credentials(output.out);
    return output;
}

// Each command with the options that are its own.
class Act {
   public:
    explicit Act(const std::string& command_line) : command_line_(command_line) {}

    Output operator()(const CheckOptions& options) const {
        auto files = profile_files(options.request.profiles);
        for (auto& file : env_source_files(options.request.env_files)) {
            files.push_back(std::move(file));
        }
        for (auto& file : waiver_files(options.request.waivers)) {
            files.push_back(std::move(file));
        }
        if (!options.request.since.empty()) {
            files.push_back({options.request.since, most_report_mib});
        }
        const GivenFiles given = given_of(files, options.machine);
        const SmiOpinion opinion(options);
        const auto read = [&] {
            return supervise(options.machine, given, [&](const Fs& machine, const Fs& host) {
                Output output = reported(run_check(options, machine, host, process_));
                output.err += opinion.lines(machine);
                return output;
            });
        };
        return check_delivered(
            options, options.wait_seconds ? repeated_read(*options.wait_seconds, read) : read());
    }

    Output operator()(const SetOptions& options) const {
        return reported(run_set(options, call(options)));
    }

    Output operator()(const ResetOptions& options) const {
        return reported(run_reset(options, {process_, command_line_, {}}));
    }

    Output operator()(const StatusOptions& options) const {
        return reported(run_status(options, process_));
    }

    Output operator()(const EnvOptions& options) const {
        const GivenFiles given = given_of(profile_files(options.request.profiles), options.machine);
        return supervise_if_needed(options.machine, given, [&](const Fs& machine, const Fs& host) {
            return run_env(options, machine, host, process_);
        });
    }

    Output operator()(const RunOptions& options) const {
        Call on_stderr = call(options);
        on_stderr.process.prints_to_terminal = stderr_is_terminal();  // stdout is the program's
        on_stderr.process.terminal_columns =
            on_stderr.process.prints_to_terminal ? columns_of_terminal(STDERR_FILENO) : 0;
        return run_launch(options, on_stderr);
    }

    Output operator()(const TopoOptions& options) const {
        const auto hwloc = ask_hwloc(options);
        return supervise(options.machine, {}, [&](const Fs& machine, const Fs&) {
            return run_topo(options, machine, process_, hwloc);
        });
    }

    Output operator()(const OccupancyOptions& options) const {
        const GivenFiles given = given_of(assembly_files(options.assembly), options.machine);
        return supervise(options.machine, {}, [&](const Fs& machine, const Fs&) {
            return reported(run_occupancy(options, machine, *given.over(*real_fs()), process_));
        });
    }

    Output operator()(const ExplainOptions& options) const {
        auto files = profile_files(options.request.check.profiles);
        for (auto& file : profile_files(options.request.words)) {
            files.push_back(std::move(file));
        }
        for (auto& file : env_source_files(options.request.check.env_files)) {
            files.push_back(std::move(file));
        }
        for (auto& file : waiver_files(options.request.check.waivers)) {
            files.push_back(std::move(file));
        }
        return supervise_if_needed(
            options.machine, given_of(files, options.machine),
            [&](const Fs& machine, const Fs& host) {
                return reported(run_explain(options, machine, host, process_));
            });
    }

    Output operator()(const RecordOptions& options) const {
        const auto readers = options.with_env ? FileReaders::owner : FileReaders::by_umask;
        return to_file(options.output, options.print, readers,
                       supervise(options.machine, {}, [&](const Fs& machine, const Fs& host) {
                           return run_record(options, machine, host, process_);
                       }));
    }

    Output operator()(const ProfileListOptions& options) const {
        return supervise({}, {}, [&](const Fs&, const Fs& host) {
            return reported(run_profile_list(options, host, process_));
        });
    }

    Output operator()(const ProfileShowOptions& options) const {
        const GivenFiles given = given_of(profile_files(options.request.profiles), options.machine);
        return supervise(options.machine, given, [&](const Fs& machine, const Fs& host) {
            Output output = run_profile_show(options, machine, host, process_);
            return options.print.format->keeps_credentials ? output : reported(std::move(output));
        });
    }

    // Reads standard input here if "-" names it: a helper has none.
    Output operator()(const ProfileLintOptions& options) const {
        const auto& names = options.profiles;
        const GivenFiles given = given_of(profile_files(names), {});
        std::optional<Result<std::string>> input;
        if (std::find(names.begin(), names.end(), "-") != names.end()) {
            input = read_standard_input(Patience().deadline_seconds);
        }
        return supervise({}, given, [&](const Fs& machine, const Fs& host) {
            return reported(run_profile_lint(options, machine, host, process_, input));
        });
    }

    Output operator()(const ProfileDiffOptions& options) const {
        const GivenFiles given = given_of(profile_files(options.profiles), options.machine);
        return supervise(options.machine, given, [&](const Fs& machine, const Fs& host) {
            return reported(run_profile_diff(options, machine, host, process_));
        });
    }

    Output operator()(const ProfileLearnOptions& options) const {
        return to_file(options.output, options.print, FileReaders::by_umask,
                       supervise(options.machine, {}, [&](const Fs& machine, const Fs& host) {
                           return run_profile_learn(options, machine, host, process_);
                       }));
    }

    Output operator()(const TunableCheckOptions& options) const {
        const GivenFiles given = given_of(tunable_files(options.files), options.machine);
        return supervise(options.machine, given, [&](const Fs& machine, const Fs& host) {
            return reported(run_tunable_check(options, machine, host, process_));
        });
    }

    Output operator()(const TunableShowOptions& options) const {
        const GivenFiles given = given_of(tunable_files(options.files), {});
        return supervise({}, given, [&](const Fs&, const Fs& host) {
            return reported(run_tunable_show(options, host, process_));
        });
    }

    Output operator()(const TunableMergeOptions& options) const {
        const GivenFiles given = given_of(tunable_files(options.files), {});
        return to_file(options.output, options.print, FileReaders::by_umask,
                       supervise({}, given, [&](const Fs&, const Fs& host) {
                           return run_tunable_merge(options, host, process_);
                       }));
    }

    Output operator()(const FleetOptions& options) const {
        return to_file(options.output, options.print, FileReaders::by_umask,
                       run_fleet(options, process_));
    }

    Output operator()(const HelpOptions& options) const { return run_help(options, process_); }

    // Reads names of profiles in a helper with a short deadline, because a person is waiting for
    // the completion.
    Output operator()(const CompletionOptions& options) const {
        MachineOptions soon;
        soon.patience = {0.5, 1};
        return supervise(soon, {}, [&](const Fs&, const Fs& host) {
            return run_completion(options, host, process_);
        });
    }

   private:
    static GivenFiles given_of(const NamedFiles& files, const MachineOptions& options) {
        return {files, options.patience.deadline_seconds};
    }
    // Returns the call of set or run.
    template <typename Each>
    Call call(const Each& options) const {
        auto files = profile_files(options.request.check.profiles);
        for (auto& file : waiver_files(options.request.check.waivers)) {
            files.push_back(std::move(file));
        }
        return {process_, command_line_, given_of(files, options.machine)};
    }

    const std::string& command_line_;
    const Process process_ = calling_process();
};

}  // namespace

int run(int argc, const char* const* argv) noexcept {
    try {
        if (const std::string scarce = scarce_stack(); !scarce.empty()) {
            print_to(STDERR_FILENO, error_lines({scarce + "; nothing was done"}));
            return exit_unknown;
        }
        set_inherited_aside();
        Parsed parsed = parse_options(argc, argv);
        if (!parsed.options) {
            return print(misuse_delivered(parsed.words, std::move(parsed.output)), About::report,
                         ReadBy::person);
        }
        const auto ask = [&](const auto& question) {
            return std::visit(question, *parsed.options);
        };
        if (ask([](const auto& options) { return is_quiet(options); })) {
            disable_wait_line();
        }
        return print(ask(Act(parsed.command_line)),
                     ask([](const auto& options) { return about(options); }),
                     ask([](const auto& options) { return reader_of(options); }));
    } catch (const std::exception& failure) {
        const std::string scarce = scarce_space();
        print_to(STDERR_FILENO, error_lines({scarce.empty() ? failure.what() : scarce}));
        return exit_unknown;
    }
}

}  // namespace rocenv
