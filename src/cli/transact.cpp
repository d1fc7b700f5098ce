// SPDX-License-Identifier: MIT
#include "cli/transact.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "cli/change_lines.h"
#include "cli/commands.h"
#include "cli/opened.h"
#include "cli/permission.h"
#include "cli/requests.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "os/interruption.h"
#include "os/state/state_folder.h"
#include "os/state/system_log.h"
#include "transaction/set.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr double roll_back_seconds = 20;
const std::string set_command = "set";
const std::string reset_command = "reset";
const std::string tune_command = "run --tune";

// A folder that is none is the caller's mistake, a helper that dies or hangs is not.
Output not_opened(const Error& error) {
    return failure(error.kind == ErrorKind::bad_input ? exit_usage : exit_unknown, error.text);
}

// As the journal keeps it, so no longer than a name is (useradd(8) takes 32 characters).
std::string user_of(const Process& process) {
    constexpr std::size_t longest = 64;
    const auto name =
        process.through_sudo ? process.variable("SUDO_USER") : process.variable("LOGNAME");
    return name && !name->empty() ? printable(*name, longest) : process.is_root ? "root" : "a user";
}

// What a reset could not put back, one line each.
std::vector<std::string> not_back(const SetResult& result) {
    std::vector<std::string> lines = result.errors;
    for (const auto& finding : result.report.findings) {
        if (finding.put_back == PutBack::no || finding.put_back == PutBack::not_tried) {
            lines.push_back("not put back: " + finding.id + " on " + finding.target + " is " +
                            finding.have.value_or("unknown") + ", was " +
                            finding.want.value_or("unknown") +
                            (finding.detail.empty() ? "" : ": " + finding.detail));
        }
    }
    return lines;
}

struct State {
    std::unique_ptr<NoTerminalStops> no_stops;  // until the lock is released
    std::unique_ptr<JournalStore> store;
    StateFolder* folder = nullptr;  // the store, where it is on disk and locked
    Fd lock;
};

enum class Way { forward, back };

// A set or reset on its way.
struct TransactionOrder {
    const std::string& command;
    Way way;
    MachineOptions machine;
    WriteOptions write;
    PrintOptionsIn<ReportFormat> print;
    const Call& call;
    std::function<bool()> stop = interrupted;
    std::int64_t start = now_ms();
};

Result<State> open_state(const TransactionOrder& self) {
    State out;
    if (is_tree(self.machine)) {
        out.store = no_store();
        return out;
    }
    const bool dry_run = self.write.dry_run;
    const auto mode = dry_run ? StateFolder::Mode::rehearse : StateFolder::Mode::write;
    auto folder = StateFolder::open(self.machine.sysroot, self.write.state, mode);
    if (!folder) {
        return folder.error();
    }
    if (!dry_run) {
        WaitLine line;
        bool said = false;
        const auto waiting = [&](const std::string& who, std::int64_t until_ms) {
            const std::string what = "waiting for another rocenv to end:";
            line.tell(what, who, until_ms);
            if (!std::exchange(said, true) && !stderr_is_terminal()) {
                mention(error_lines({what + " " + who}));
            }
        };
        out.no_stops = std::make_unique<NoTerminalStops>();
        auto lock = (*folder)->lock(self.machine.patience.deadline_seconds,
                                    {user_of(self.call.process), self.command}, waiting, self.stop);
        if (!lock) {
            return lock.error();
        }
        out.lock = std::move(lock).value();
        out.folder = folder->get();
    }
    out.store = std::move(folder).value();
    return out;
}

// A line on stderr where the system's log did not take all. Nobody waits for it with the lock held.
std::string log_changes(const SetResult& result, const std::string& user) {
    constexpr std::int64_t log_ms = 500;
    const auto lines = change_lines(result.report, user);
    const auto lost = log_lines(lines, log_ms);
    return lost ? error_lines({number(lost->count) + " of " + number(lines.size()) +
                               " lines did not reach the system's log: " + lost->why})
                : "";
}

// Nobody waits for the dead any more once the journal does not name them.
void remove_files_of_dead_runs(const State& state) {
    const auto journal =
        state.folder == nullptr ? Result<Journal>(Error{}) : read_journal(*state.folder);
    if (journal && journal->damage.empty()) {
        state.folder->remove_stale_holds(journal->holders);
    }
}

// Whether there is time left once the lock is there. The way back has time of its own, a way
// forward has not.
bool in_time(const TransactionOrder& self, const Opened& opened, Way way) {
    if (way == Way::back) {
        if (opened.helper) {
            opened.helper->extend(roll_back_seconds);
        }
        return true;
    }
    return static_cast<double>(now_ms() - self.start) <
           self.machine.patience.deadline_seconds * 1000;
}

// All is left as it is. A way back that cannot begin since somebody else may have written what it
// would follow is stuck, one that another rocenv is in the way of was not tried.
int exit_of_refused(const Error& error, Way way, bool stopped) {
    if (way == Way::back) {
        return is_not_trusted(error) ? exit_stuck : exit_unknown;
    }
    return stopped || error.kind == ErrorKind::timed_out ? exit_rolled_back : exit_unknown;
}

using Body = std::function<SetResult(const Opened&, State&, const Caller&)>;
using Before = std::function<std::optional<Output>(const Opened&)>;

// Why nothing may be written here; nothing: it may. Asked before the lock is there.
std::optional<Output> forbidden(const TransactionOrder& self, const Opened& opened,
                                const Before& before) {
    if (auto output = before(opened)) {
        return output;
    }
    if (self.write.dry_run) {
        return std::nullopt;
    }
    if (auto output = no_rights(self.machine, self.write.state, self.call, opened, self.command)) {
        return output;
    }
    return no_library(self.write.gpu_backend, self.machine.patience, self.command);
}

// All that happens with the lock held, where nobody outside is waited for: no terminal, reader or
// log. Output: why nothing was done.
std::variant<Output, SetResult> locked(const TransactionOrder& self, const Opened& opened,
                                       const Body& body) {
    auto state = open_state(self);
    if (!state) {
        return failure(exit_of_refused(state.error(), self.way, self.stop()),
                       state.error().text + ", nothing was written");
    }
    if (!in_time(self, opened, self.way)) {
        return failure(exit_rolled_back, "the lock came too late, nothing was written");
    }
    const auto timed_out = [&] { return !in_time(self, opened, Way::forward); };
    const Caller caller{user_of(self.call.process), self.stop, timed_out, [&] {
                            if (opened.helper) {
                                opened.helper->extend(roll_back_seconds);
                            }
                        }};
    auto result = body(opened, *state, caller);
    remove_files_of_dead_runs(*state);
    return result;
}

Output transact(const TransactionOrder& self, const Before& before, const Body& body) {
    const MachineOptions& machine = self.machine;
    const WriteOptions& write = self.write;
    if (write.gpu_backend == GpuBackend::rsmi && machine.sysroot) {
        return failure(exit_usage, self.command + ": --gpu-backend rsmi acts on this machine only");
    }
    if (!write.dry_run) {  // there is nothing to put back
        catch_interruptions(self.command == tune_command ? OtherSignals::wait
                                                         : OtherSignals::interrupt);
    }
    const auto acting = acting_user(machine, write.state);
    if (!acting) {
        return failure(exit_unknown, acting.error().text + ", nothing was written");
    }
    auto opened = open_for_writing(machine, write.gpu_backend, self.call.given);
    if (!opened) {
        return not_opened(opened.error());
    }
    if (auto output = forbidden(self, *opened, before)) {
        return *output;
    }
    const auto done = locked(self, *opened, body);
    if (const auto* refused = std::get_if<Output>(&done)) {
        return *refused;
    }
    const auto& result = std::get<SetResult>(done);
    Output output =
        set_output(self.print, write.dry_run ? DryRun::yes : DryRun::no, result, self.call.process);
    if (!machine.sysroot && !write.dry_run) {
        output.err += log_changes(result, user_of(self.call.process));
    }
    if (const auto refusal =
            write.dry_run ? no_place(machine, write.state, *opened, self.command) : std::nullopt) {
        output.err += refusal->err;
        output.exit_code = refusal->exit_code;
    }
    if (opened->helper) {
        output.err += error_lines(opened->helper->left_behind());
    }
    return output;
}

// What a set asks for and cannot have; nothing: it can.
std::optional<Output> bad_request(const ProfileOptions& profile,
                                  const std::vector<std::string>& allow, const std::string& command,
                                  const Opened& opened, const Process& process) {
    auto output = wrong_names(
        {{"--only", profile.filter.only}, {"--skip", profile.filter.skip}, {"--allow", allow}});
    return output ? output
                  : profile_missing(profile, command, opened.machine(), opened.files(), process);
}

// The set before a run, or the reset after it.
TransactionOrder of_run(const RunOptions& options, const Call& call, Way way) {
    TransactionOrder self{tune_command, way, options.machine, {}, {}, call};
    self.write.state = options.state;
    static_cast<PrintOptions&>(self.print) = options.print;
    return self;
}

}  // namespace

Output run_set(const SetOptions& options, const Call& call) {
    const Process& process = call.process;
    const auto before = [&](const Opened& opened) {
        auto output = bad_request(options.profile, options.allow, set_command, opened, process);
        return output || !options.persist_hints
                   ? output
                   : run_persist_hints(options, opened.machine(), opened.files(), process);
    };
    return transact(
        {set_command, Way::forward, options.machine, options.write, options.print, call}, before,
        [&](const Opened& opened, State& state, const Caller& caller) {
            return set(set_request(options), opened.machine(), opened.files(), process,
                       *state.store, caller);
        });
}

// What cannot both be meant.
static std::optional<std::string> contradiction(const ResetOptions& options) {
    const bool some = !options.write.hold.empty() || !options.keep.empty() || options.force;
    const bool part = !options.filter.only.empty() || !options.filter.skip.empty();
    if (options.forget && (some || part || options.to_defaults)) {
        return "--forget gives up all that is recorded: --hold, --only, --skip, --keep, --force "
               "and --to-defaults cannot stand beside it";
    }
    if (part && !options.write.hold.empty()) {
        return "--hold lets go of all that a name holds: --only and --skip cannot stand beside it";
    }
    if (options.to_defaults && some) {
        return "--to-defaults follows no record: --hold, --keep and --force cannot stand beside it";
    }
    return std::nullopt;
}

Output run_reset(const ResetOptions& options, const Call& call) {
    if (const auto both = contradiction(options)) {
        return failure(exit_usage, *both);
    }
    const auto before = [&](const Opened&) {
        return wrong_names({{"--only", options.filter.only},
                            {"--skip", options.filter.skip},
                            {"--keep", options.keep}});
    };
    return transact({reset_command, Way::back, options.machine, options.write, options.print, call},
                    before, [&](const Opened& opened, State& state, const Caller& caller) {
                        return reset(reset_request(options), opened.machine(), call.process,
                                     *state.store, caller);
                    });
}

Tuned tune(const RunOptions& options, const Call& call) {
    Tuned out;
    const Process& process = call.process;
    const auto before = [&](const Opened& opened) {
        return bad_request(options.profile, options.allow, tune_command, opened, process);
    };
    out.output = transact(of_run(options, call, Way::forward), before,
                          [&](const Opened& opened, State& state, const Caller& caller) {
                              auto hold = state.folder->new_hold();
                              if (!hold) {
                                  SetResult failed;
                                  failed.errors = {hold.error().text + ", nothing was set"};
                                  failed.report.exit_code = exit_unknown;
                                  return failed;
                              }
                              out.hold = std::move(hold).value();
                              SetRequest request = set_request(options);
                              request.hold = out.hold.name;
                              auto result = set(request, opened.machine(), opened.files(), process,
                                                *state.store, caller);
                              out.hold.recorded = result.errors.empty();
                              return result;
                          });
    return out;
}

// Whether somebody has taken away the record of a run while it was running.
static bool is_forgotten(const JournalStore& store, const std::string& hold) {
    const auto journal = read_journal(store);
    return journal && journal->damage.empty() &&
           std::find(journal->holders.begin(), journal->holders.end(), hold) ==
               journal->holders.end();
}

std::string untune(const RunOptions& options, const Call& call, RunHold hold) {
    auto self = of_run(options, call, Way::back);
    self.stop = [] { return false; };
    double& deadline = self.machine.patience.deadline_seconds;
    deadline = std::max(deadline, roll_back_seconds);
    bool began = false;
    std::vector<std::string> lines;
    const auto body = [&](const Opened& opened, State& state, const Caller& caller) {
        began = true;
        if (is_forgotten(*state.store, hold.name)) {
            if (hold.recorded) {
                lines = {
                    "what was set for this run is not recorded any more (reset or given up "
                    "meanwhile): nothing was put back"};
            }
            hold.alive.close();
            return SetResult();
        }
        ResetRequest request;
        request.hold = hold.name;
        request.root = root_of(options.machine);
        auto result = reset(request, opened.machine(), call.process, *state.store, caller);
        hold.alive.close();
        lines = not_back(result);
        return result;
    };
    const auto nothing = [](const Opened&) { return std::optional<Output>(); };
    const Output output = transact(self, nothing, body);
    if (!began) {
        return output.err + error_lines({"what was set stays until the next rocenv set or reset "
                                         "of this node"});
    }
    return error_lines(lines);
}

Output run_status(const StatusOptions& options, const Process& process) {
    const FilterOptions& filter = options.filter;
    if (const auto wrong = wrong_names({{"--only", filter.only}, {"--skip", filter.skip}})) {
        return *wrong;
    }
    const MachineOptions& machine = options.machine;
    const auto acting = acting_user(machine, options.state);
    if (!acting) {
        return failure(exit_unknown, acting.error().text);
    }
    const GivenFiles none;
    const auto opened = open_for_writing(machine, GpuBackend::sysfs, none);
    if (!opened) {
        return not_opened(opened.error());
    }
    Result<std::unique_ptr<StateFolder>> folder =
        is_tree(machine)
            ? StateFolder::open(std::nullopt, "/nonexistent", StateFolder::Mode::look)
            : StateFolder::open(machine.sysroot, options.state, StateFolder::Mode::look);
    if (!folder) {
        return failure(exit_unknown, folder.error().text);
    }
    const Status status = read_status(opened->machine(), process, **folder);
    return status_output(options.print, part_of(status, filter.only, filter.skip), process);
}

}  // namespace rocenv
