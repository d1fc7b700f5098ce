// SPDX-License-Identifier: MIT
// The common frame of set, reset, status and `run --tune`. The service opens the machine, checks
// rights, acquires the lock, reads the journal, runs the transaction and writes the system log.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "os/child/given_files.h"
#include "os/child/supervise.h"
#include "os/interruption.h"
#include "os/state/state_folder.h"
#include "rocenv/process.h"
#include "transaction/set.h"
#include "util/exit_status.h"

namespace rocenv {

// A refused command: exit status and lines for stderr.
struct Refusal {
    int exit_code = exit_unknown;
    std::vector<std::string> lines;
    std::string instead;  // command to paste after the lines; empty: none
};

// The parameters of one command.
struct ServiceOrder {
    enum class Purpose { inspect, rehearse, write };
    enum class GpuWrites { through_files, through_rocm_smi };

    std::string command;       // "set": for messages, and for the processes that wait for the lock
    std::string command_line;  // the command line, quoted for a shell
    Purpose purpose = Purpose::inspect;
    std::optional<std::string> sysroot;  // std::nullopt: this machine
    std::optional<std::string>
        state;  // folder of the journal; std::nullopt: the default folder of the node
    Patience patience;
    GpuWrites gpu_writes = GpuWrites::through_files;
    OtherSignals other_signals = OtherSignals::interrupt;
    // Restore at the end of a run: signals are ignored, and extra time follows the deadline.
    bool ends_run = false;
};

// The result of a set or reset.
struct ServiceResult {
    std::optional<SetResult> result;  // std::nullopt: refused
    std::optional<Refusal>
        refusal;  // beside the result of a dry run: the reason why a write is refused
    std::vector<std::string> remarks;  // further lines for stderr
};

// The result of a status.
struct StatusResult {
    std::optional<Status> status;  // std::nullopt: refused
    std::optional<Refusal> refusal;
};

// One command on one machine. The constructor installs the signal handlers if the command may
// write.
class Service {
   public:
    // Opens the machine: this machine (through files or rocm_smi_lib), a --sysroot folder, or a
    // recording in memory. `process` and `given` must outlive the service.
    Service(ServiceOrder order, const Process& process, const GivenFiles& given);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    // Returns the reason why the machine could not be opened; std::nullopt if it is open. The
    // functions below require an open machine.
    const std::optional<Refusal>& refusal() const { return refusal_; }

    // Runs a command that does not write, and calls the functions below, in one helper. In a
    // command that writes, and on a recording, it calls `work` directly.
    Output run(const std::function<Output()>& work) const;

    // Returns the file system of the machine.
    const Fs& machine() const;
    // Returns the file system that holds the caller's own files.
    const Fs& files() const;

    // Runs rocenv::set() under the lock of the journal, then writes the changes of this machine to
    // the system log. A refusal (no root, no lock, deadline) is in ServiceResult::refusal. A dry
    // run acquires no lock. `request.state` is replaced by that of the order.
    ServiceResult set(SetRequest request);
    // Runs rocenv::reset() in the same way. It has time of its own after the lock was acquired.
    ServiceResult reset(ResetRequest request);
    // Returns the active settings and their present values; a recording has none. Writes nothing.
    // Refused if the folder of the journal cannot be opened.
    StatusResult status() const;

    // Sets for a hold that lasts as long as `hold.alive` is open. If `hold` has no name afterwards,
    // nothing was attempted. Requires Purpose::write.
    ServiceResult tune(SetRequest request, RunHold& hold);
    // Releases the hold and restores the settings that were made for it. If the journal no longer
    // names the hold, nothing is restored, and the result has an error if `hold.recorded` is set.
    ServiceResult untune(RunHold hold);

   private:
    enum class Way { forward, back };
    struct Node;
    struct Locked;
    using Body = std::function<SetResult(Locked&, const Caller&)>;

    bool is_tree() const;
    std::optional<Refusal> open_node(const GivenFiles& given);
    std::optional<Refusal> forbidden() const;
    std::optional<Refusal> no_rights() const;
    std::optional<Refusal> no_shared_journal() const;
    std::optional<Refusal> no_library() const;
    bool stopped() const;
    bool in_time(Way way) const;
    Result<Locked> lock() const;
    ServiceResult run_locked(Way way, const Body& body) const;
    ServiceResult transact(Way way, const Body& body) const;

    const std::int64_t start_;
    ServiceOrder order_;
    const Process& process_;
    std::optional<Refusal> refusal_;
    std::unique_ptr<Node> node_;
};

// Returns one line for the system log for each setting and changed value: the target or the number
// of targets, the former value if it is the same for all, the present value, and the user. The
// lines hold at most 900 printable characters each. Findings that were not changed have none.
std::vector<std::string> change_lines(const Report& report, const std::string& user);

}  // namespace rocenv
