// SPDX-License-Identifier: MIT
#include "transaction/service.h"

#include <algorithm>
#include <utility>

#include "os/child/given_files.h"
#include "os/child/helper_fs.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "os/fs/posix_fs.h"
#include "os/fs/sysroot_fs.h"
#include "os/fs/tree_file.h"
#include "os/state/state_folder.h"
#include "os/state/system_log.h"
#include "transaction/journal_session.h"
#include "util/text.h"
#include "vendor/smi_fs.h"
#include "vendor/smi_probe.h"

namespace rocenv {

namespace {

constexpr double roll_back_seconds = 20;
const std::string node_state_folder = "/run/rocenv";

Refusal refuse(int exit_code, const std::string& line) {
    return {exit_code, {line}, ""};
}

// Returns the user name for the journal, cut to 64 characters (useradd(8) accepts 32).
std::string user_of(const Process& process) {
    constexpr std::size_t longest = 64;
    const auto name =
        process.through_sudo ? process.variable("SUDO_USER") : process.variable("LOGNAME");
    return name && !name->empty() ? printable(*name, longest) : process.is_root ? "root" : "a user";
}

// Share of the time limit of one operation. The library child ends before the limit, even with the
// 0.2 s wait for a process that is stuck in the kernel. The files can then still be tried.
constexpr double library_share = 0.6;

Result<std::unique_ptr<WritableFs>> open_this_machine(const ServiceOrder& order) {
    if (order.gpu_writes == ServiceOrder::GpuWrites::through_files) {
        return real_writable_fs();
    }
    const double seconds = library_share * order.patience.probe_seconds;
    return std::unique_ptr<WritableFs>(
        std::make_unique<SmiFs>(real_writable_fs(), smi_calls(seconds)));
}

// An empty journal for a rehearsal on a recording; nothing is stored.
class NoStore final : public JournalStore {
   public:
    std::optional<Error> load(const Take&) const override {
        return Error{ErrorKind::not_here, 0, "", "there is no journal"};
    }
    std::optional<Error> append(std::string_view) override { return refused(); }
    std::optional<Error> cut(std::size_t) override { return refused(); }
    std::optional<Error> replace(std::string_view) override { return refused(); }
    std::optional<Error> discard() override { return refused(); }
    std::optional<Error> set_aside() override { return refused(); }
    std::optional<Error> reserve() override { return refused(); }
    bool release() override { return false; }
    bool outlives_boot() const override { return false; }
    std::string generation() const override { return ""; }

   private:
    static std::optional<Error> refused() {
        return Error{ErrorKind::bad_input, 0, "", "a recording has no journal"};
    }
};

// Returns the user that owns the folder that represents the machine. Fails if rocenv cannot switch
// to that user, if a named folder does not respond, or if the stack is too small.
Result<std::unique_ptr<ActingUser>> acting_user(const ServiceOrder& order, bool is_tree) {
    std::vector<std::string> named;
    for (const auto& path : {order.sysroot, order.state}) {
        if (path) {
            named.push_back(*path);
        }
    }
    const auto ms = static_cast<std::int64_t>(order.patience.deadline_seconds * 1000);
    if (auto silent = named.empty() ? std::nullopt : first_silent(named, ms)) {
        return *std::move(silent);
    }
    return order.sysroot && !is_tree ? ActingUser::owner_of(*order.sysroot)
                                     : std::unique_ptr<ActingUser>();
}

// Returns the exit status of a command that changed nothing. A restore is stuck if other users may
// have written the journal; one that only timed out waiting for the lock was not tried.
int exit_of_refused(const Error& error, bool is_back, bool stopped) {
    if (is_back) {
        return is_not_trusted(error) ? exit_stuck : exit_unknown;
    }
    return stopped || error.kind == ErrorKind::timed_out ? exit_rolled_back : exit_unknown;
}

constexpr std::size_t longest_line = 900;  // RFC 3164 allows 1024 with the header

// Findings of one setting whose targets now have one value.
struct ChangeLine {
    const Finding* first;
    std::size_t findings = 0;
    std::size_t targets = 0;
    bool alike = true;  // the former values are equal
};

std::vector<ChangeLine> folded(const std::vector<Finding>& findings) {
    std::vector<ChangeLine> out;
    for (const auto& finding : findings) {
        if (finding.outcome != Outcome::changed) {
            continue;
        }
        auto same = std::find_if(out.begin(), out.end(), [&](const ChangeLine& change) {
            return change.first->id == finding.id && change.first->have == finding.have;
        });
        if (same == out.end()) {
            same = out.insert(out.end(), ChangeLine{&finding});
        }
        same->findings += 1;
        same->targets += finding.count;
        same->alike = same->alike && same->first->was == finding.was;
    }
    return out;
}

std::string targets_of(const ChangeLine& change) {
    std::string count = number(change.targets) + " targets";
    if (change.findings > 1) {
        return count;
    }
    return change.first->target + (change.targets > 1 ? " (" + count + ")" : "");
}

// Writes to the system log after the lock is released. Returns a line for stderr if the log did not
// accept every line.
std::optional<std::string> log_changes(const Report& report, const std::string& user) {
    constexpr std::int64_t log_ms = 500;
    const auto lines = change_lines(report, user);
    const auto lost = log_lines(lines, log_ms);
    return lost ? std::optional(number(lost->count) + " of " + number(lines.size()) +
                                " lines did not reach the system's log: " + lost->why)
                : std::nullopt;
}

// Returns true if the record of a run was removed during the run.
bool is_forgotten(const JournalStore& store, const std::string& hold) {
    const auto journal = read_journal(store);
    return journal && journal->damage.empty() &&
           std::find(journal->holders.begin(), journal->holders.end(), hold) ==
               journal->holders.end();
}

}  // namespace

std::vector<std::string> change_lines(const Report& report, const std::string& user) {
    std::vector<std::string> out;
    for (const auto& change : folded(report.findings)) {
        const Finding& first = *change.first;
        const std::string was = change.alike ? first.was.value_or("unknown") : "not the same";
        out.push_back(printable(first.id + " " + targets_of(change) + ": was " + was + ", is " +
                                    first.have.value_or("unknown") + " (" + report.command +
                                    " by " + user + ")",
                                longest_line));
    }
    return out;
}

// The open machine.
struct Service::Node {
    std::unique_ptr<ActingUser> acting;
    std::unique_ptr<MemoryFs> tree;
    std::unique_ptr<HelperFs> helper;
    std::unique_ptr<Fs> host;   // set if the machine is not the real one
    std::unique_ptr<Fs> given;  // caller's files, layered over the host or the machine

    WritableFs& machine() const {
        return tree ? static_cast<WritableFs&>(*tree) : static_cast<WritableFs&>(*helper);
    }
    void extend() const {
        if (helper) {
            helper->extend(roll_back_seconds);
        }
    }
};

// The journal, and the lock if the command writes.
struct Service::Locked {
    std::unique_ptr<NoTerminalStops> no_stops;  // active until the lock is released
    std::unique_ptr<JournalStore> store;
    StateFolder* folder = nullptr;  // the store, if it is on disk and locked
    Fd lock;

    // Removes the hold files of ended runs that the journal does not name.
    void remove_files_of_dead_runs() const {
        const auto journal = folder == nullptr ? Result<Journal>(Error{}) : read_journal(*folder);
        if (journal && journal->damage.empty()) {
            folder->remove_stale_holds(journal->holders);
        }
    }
};

Service::Service(ServiceOrder order, const Process& process, const GivenFiles& given)
    : start_(now_ms()),
      order_(std::move(order)),
      process_(process),
      node_(std::make_unique<Node>()) {
    if (order_.ends_run) {
        double& deadline = order_.patience.deadline_seconds;
        deadline = std::max(deadline, roll_back_seconds);
    }
    if (order_.purpose == ServiceOrder::Purpose::write) {  // otherwise there is nothing to restore
        catch_interruptions(order_.other_signals);
    }
    refusal_ = open_node(given);
}

Service::~Service() = default;

Output Service::run(const std::function<Output()>& work) const {
    const bool here = order_.purpose == ServiceOrder::Purpose::write || !node_->helper;
    return here ? work() : node_->helper->run(work);
}

const Fs& Service::machine() const {
    return node_->machine();
}

const Fs& Service::files() const {
    return *node_->given;
}

// Returns true for a recording; `set` can only be rehearsed on a recording.
bool Service::is_tree() const {
    return order_.sysroot && order_.sysroot->ends_with(".tree");
}

std::optional<Refusal> Service::open_node(const GivenFiles& given) {
    auto acting = acting_user(order_, is_tree());
    if (!acting) {
        const bool inspects = order_.purpose == ServiceOrder::Purpose::inspect;
        return refuse(exit_unknown,
                      acting.error().text + (inspects ? "" : ", nothing was written"));
    }
    node_->acting = std::move(acting).value();
    // A path that is not a folder is a usage error; a helper that dies or hangs is not.
    const auto not_opened = [](const Error& error) {
        return refuse(error.kind == ErrorKind::bad_input ? exit_usage : exit_unknown, error.text);
    };
    if (order_.sysroot) {
        node_->host = real_fs();
    }
    if (is_tree()) {
        auto tree = load_tree(*order_.sysroot);
        if (!tree) {
            return not_opened(tree.error());
        }
        node_->tree = std::move(tree).value();
        node_->given = given.over(*node_->host);
        return std::nullopt;
    }
    const auto opener = [this]() -> Result<std::unique_ptr<WritableFs>> {
        return order_.sysroot ? writable_sysroot_fs(*order_.sysroot) : open_this_machine(order_);
    };
    if (order_.purpose == ServiceOrder::Purpose::write) {
        const bool by_library =
            !order_.sysroot && order_.gpu_writes == ServiceOrder::GpuWrites::through_rocm_smi;
        auto helper =
            HelperFs::start(order_.patience, opener,
                            by_library ? HelperFs::Writes::delayed : HelperFs::Writes::direct);
        if (!helper) {
            return not_opened(helper.error());
        }
        node_->helper = std::move(helper).value();
    } else {
        node_->helper = HelperFs::not_started(order_.patience, opener);
    }
    node_->given = given.over(node_->host ? *node_->host : *node_->helper);
    return std::nullopt;
}

// Returns the reason why writes are refused before the lock is acquired; std::nullopt if they are
// allowed.
std::optional<Refusal> Service::forbidden() const {
    if (order_.purpose != ServiceOrder::Purpose::write) {
        return std::nullopt;
    }
    auto why = no_rights();
    return why ? why : no_library();
}

std::optional<Refusal> Service::no_rights() const {
    if (is_tree()) {
        return refuse(exit_usage, order_.command +
                                      ": a recording cannot be changed; use --dry-run, "
                                      "or a folder");
    }
    if (order_.sysroot) {
        return std::nullopt;
    }
    if (!process_.is_root) {
        return Refusal{exit_unknown,
                       {order_.command + " needs root; nothing was written. Run:"},
                       "sudo " + order_.command_line};
    }
    return no_shared_journal();
}

// Returns the reason why this journal is not the one shared by all processes that can change this
// kernel. A rehearsal needs no rights but reports the reason as well.
std::optional<Refusal> Service::no_shared_journal() const {
    if (order_.sysroot || !Machine(machine()).facts().container) {
        return std::nullopt;
    }
    const auto why = order_.state ? not_of_the_node(*order_.state, OnRoot::will_do)
                                  : not_of_the_node(node_state_folder, OnRoot::will_not_do);
    return why ? std::optional(
                     refuse(exit_unknown,
                            order_.command +
                                ": the kernel of a container is shared with the node, nothing was "
                                "written (" +
                                why->text + "). Mount the node's " + node_state_folder +
                                " here, or name it: --state DIR"))
               : std::nullopt;
}

// Returns the reason why rocm_smi_lib cannot write; std::nullopt if it can or is not used.
std::optional<Refusal> Service::no_library() const {
    if (order_.gpu_writes == ServiceOrder::GpuWrites::through_files) {
        return std::nullopt;
    }
    const auto devices = smi_devices(order_.patience.probe_seconds);
    return devices ? std::nullopt
                   : std::optional(refuse(
                         exit_rolled_back,
                         order_.command + ": " + devices.error().text + ", nothing was written"));
}

bool Service::stopped() const {
    return !order_.ends_run && interrupted();
}

// Returns true if time is left after the lock was acquired. A restore has time of its own, a set
// does not.
bool Service::in_time(Way way) const {
    if (way == Way::back) {
        node_->extend();
        return true;
    }
    return static_cast<double>(now_ms() - start_) < order_.patience.deadline_seconds * 1000;
}

Result<Service::Locked> Service::lock() const {
    Locked out;
    if (is_tree()) {
        out.store = std::make_unique<NoStore>();
        return out;
    }
    const bool writes = order_.purpose == ServiceOrder::Purpose::write;
    auto folder =
        StateFolder::open(order_.sysroot, order_.state,
                          writes ? StateFolder::Mode::write : StateFolder::Mode::rehearse);
    if (!folder) {
        return folder.error();
    }
    if (writes) {
        WaitLine line;
        bool said = false;
        const auto waiting = [&](const std::string& holder, std::int64_t until_ms) {
            const std::string what = "waiting for another rocenv process:";
            line.show_wait(what, holder, until_ms);
            if (!std::exchange(said, true) && !stderr_is_terminal()) {
                mention("rocenv: " + printable(what + " " + holder, uncut) + "\n");
            }
        };
        out.no_stops = std::make_unique<NoTerminalStops>();
        auto lock =
            (*folder)->lock(order_.patience.deadline_seconds, {user_of(process_), order_.command},
                            waiting, [this] { return stopped(); });
        if (!lock) {
            return lock.error();
        }
        out.lock = std::move(lock).value();
        out.folder = folder->get();
    }
    out.store = std::move(folder).value();
    return out;
}

// Runs `body` under the lock. The body waits for no terminal, reader or log.
ServiceResult Service::run_locked(Way way, const Body& body) const {
    auto locked = lock();
    if (!locked) {
        return {std::nullopt,
                refuse(exit_of_refused(locked.error(), way == Way::back, stopped()),
                       locked.error().text + ", nothing was written"),
                {}};
    }
    if (!in_time(way)) {
        return {std::nullopt,
                refuse(exit_rolled_back,
                       "the lock was not free before the deadline; nothing was written"),
                {}};
    }
    const Caller caller{user_of(process_), [this] { return stopped(); },
                        [this] { return !in_time(Way::forward); }, [this] { node_->extend(); }};
    ServiceResult done{body(*locked, caller), std::nullopt, {}};
    locked->remove_files_of_dead_runs();
    return done;
}

ServiceResult Service::transact(Way way, const Body& body) const {
    if (auto why = forbidden()) {
        return {std::nullopt, std::move(why), {}};
    }
    ServiceResult done = run_locked(way, body);
    if (!done.result) {
        return done;
    }
    if (order_.purpose != ServiceOrder::Purpose::write) {
        done.refusal = no_shared_journal();
    } else if (!order_.sysroot) {
        if (auto lost = log_changes(done.result->report, user_of(process_))) {
            done.remarks.push_back(*std::move(lost));
        }
    }
    if (node_->helper) {
        for (auto& line : node_->helper->left_behind()) {
            done.remarks.push_back(std::move(line));
        }
    }
    return done;
}

ServiceResult Service::set(SetRequest request) {
    request.state = order_.state.value_or("");
    return transact(Way::forward, [&](Locked& locked, const Caller& caller) {
        return rocenv::set(request, node_->machine(), files(), process_, *locked.store, caller);
    });
}

ServiceResult Service::reset(ResetRequest request) {
    request.state = order_.state.value_or("");
    return transact(Way::back, [&](Locked& locked, const Caller& caller) {
        return rocenv::reset(request, node_->machine(), process_, *locked.store, caller);
    });
}

StatusResult Service::status() const {
    const auto inspect = StateFolder::Mode::inspect;
    const auto folder = is_tree() ? StateFolder::open(std::nullopt, "/nonexistent", inspect)
                                  : StateFolder::open(order_.sysroot, order_.state, inspect);
    if (!folder) {
        return {std::nullopt, refuse(exit_unknown, folder.error().text)};
    }
    return {read_status(machine(), process_, **folder), std::nullopt};
}

ServiceResult Service::tune(SetRequest request, RunHold& hold) {
    return transact(Way::forward, [&](Locked& locked, const Caller& caller) {
        auto made = locked.folder->new_hold();
        if (!made) {
            SetResult failed;
            failed.errors = {made.error().text + ", nothing was set"};
            failed.report.exit_code = exit_unknown;
            return failed;
        }
        hold = std::move(made).value();
        request.hold = hold.name;
        request.state = order_.state.value_or("");
        auto result =
            rocenv::set(request, node_->machine(), files(), process_, *locked.store, caller);
        hold.recorded = result.errors.empty();
        return result;
    });
}

ServiceResult Service::untune(RunHold hold) {
    return transact(Way::back, [&](Locked& locked, const Caller& caller) {
        SetResult result;
        if (!is_forgotten(*locked.store, hold.name)) {
            ResetRequest request;
            request.hold = hold.name;
            request.root = order_.sysroot.value_or("/");
            request.state = order_.state.value_or("");
            result = rocenv::reset(request, node_->machine(), process_, *locked.store, caller);
        } else if (hold.recorded) {
            result.errors = {
                "the settings of this run are no longer recorded (they were reset or discarded "
                "meanwhile); nothing was restored"};
        }
        hold.alive.close();
        return result;
    });
}

}  // namespace rocenv
