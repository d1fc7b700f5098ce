// SPDX-License-Identifier: MIT
// What surrounds set, reset, status and `run --tune`: the machine is opened, rights are checked,
// the lock is acquired, the journal is loaded, the transaction runs and the system's log is
// written.
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

// Why nothing was done: an exit status and lines for stderr.
struct Refusal {
    int exit_code = exit_unknown;
    std::vector<std::string> lines;
    std::string instead;  // a command that can be pasted after them; empty: none
};

struct ServiceOrder {
    enum class Purpose { look, rehearse, write };
    enum class GpuWrites { through_files, through_rocm_smi };

    std::string command;       // "set": for messages, and for those who wait for the lock
    std::string command_line;  // as it could be typed again
    Purpose purpose = Purpose::look;
    std::optional<std::string> sysroot;  // std::nullopt: this machine
    std::optional<std::string> state;    // folder of the journal; std::nullopt: the node's own
    Patience patience;
    GpuWrites gpu_writes = GpuWrites::through_files;
    OtherSignals other_signals = OtherSignals::interrupt;
    // The way back of a run: no signal ends it, and there is time for it after the deadline.
    bool ends_run = false;
};

// The result of a set or reset.
struct ServiceResult {
    std::optional<SetResult> result;   // std::nullopt: refused
    std::optional<Refusal> refusal;    // beside the result of a rehearsal: why a write is refused
    std::vector<std::string> remarks;  // further lines for stderr
};

struct StatusResult {
    std::optional<Status> status;  // std::nullopt: refused
    std::optional<Refusal> refusal;
};

// One command on one machine. From its construction on, signals are noted if it may write.
class Service {
   public:
    // Opens the machine: this one, through its files or through rocm_smi_lib, a folder that stands
    // for one, or a recording in memory. `process` and `given` must outlive the service.
    Service(ServiceOrder order, const Process& process, const GivenFiles& given);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    // Why the machine could not be opened; std::nullopt: it is open, and the others may be called.
    const std::optional<Refusal>& refusal() const { return refusal_; }

    const Fs& machine() const;
    // The caller's own files.
    const Fs& files() const;

    ServiceResult set(SetRequest request);
    ServiceResult reset(ResetRequest request);
    StatusResult status() const;

    // Sets for a hold that lasts as long as `hold.alive` is open. Without a name: nothing was
    // tried.
    ServiceResult tune(SetRequest request, RunHold& hold);
    // Releases the hold and puts back what was set for it. The errors of the result say what is
    // not recorded any more.
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
    std::optional<Refusal> no_place() const;
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

// Returns one line for the system's log for each setting and value that was changed: the target or
// the number of targets, their former value where it is equal, the present value, and the user.
// Printable, whatever the values hold.
std::vector<std::string> change_lines(const Report& report, const std::string& user);

}  // namespace rocenv
