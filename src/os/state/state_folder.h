// SPDX-License-Identifier: MIT
// The lock file of a hold: a locked file means that the process of the hold lives. Process ids do
// not suffice, because containers can share the folder without sharing process ids.
//
// The lock is an open file description lock (fcntl(2), F_OFD_SETLK). Readers can query it, but only
// a user that may write the file can acquire it, so others cannot pretend that a process lives.
#pragma once

#include <sys/stat.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/fd.h"
#include "os/state/journal_store.h"
#include "rocenv/result.h"

namespace rocenv {

// A hold of a run, with its lock. Started programs do not inherit the lock.
struct RunHold {
    std::string name;       // "run/PID-RANDOM"
    Fd alive;               // holds the lock until it is closed
    bool recorded = false;  // true after a set whose journal names the hold
};

// Creates and locks the file in `folder`, whose name for messages is `shown`. Requires the lock of
// the folder.
Result<RunHold> new_run_hold(int folder, const std::string& shown);

// Returns true if the process has ended: the file of the hold is unlocked or missing. Returns false
// if it lives or that is unknown, also for a hold that is not of a run.
bool is_known_dead(int folder, const std::string& hold);

// Removes the files of ended processes, except for these holds. Requires the lock of the folder.
// Errors are ignored.
void remove_stale_holds(int folder, const std::vector<std::string>& holds);

// The journal on disk: in /run/rocenv, in DIR/run/rocenv below a --sysroot (inside the jail), or in
// the folder of --state.
//
// Symbolic links are never followed. For writing, a folder or file is rejected with not_trusted()
// if a user other than root and this one owns it, or if group or others may write to it.

// The process that has the lock, for waiting processes.
struct Holder {
    std::string user;
    std::string command;
};

// A JournalStore in a folder.
class StateFolder final : public JournalStore {
   public:
    // inspect: creates nothing, and a missing folder counts as empty. rehearse: the same, with the
    // checks of write. write: creates the folder; below a sysroot, run as well.
    enum class Mode { inspect, rehearse, write };
    // Opens `state` if given, else run/rocenv below `sysroot`, else the folder of the node. Fails
    // with `bad_input` if `sysroot` cannot be opened, else like open_folder(); with Mode::rehearse
    // and write also like not_ours(), and outside of a sysroot like not_ours_above().
    static Result<std::unique_ptr<StateFolder>> open(const std::optional<std::string>& sysroot,
                                                     const std::optional<std::string>& state,
                                                     Mode mode);

    // Fails with `garbled` above 6 MiB or 65,536 lines, and with not_trusted() for another user's
    // file.
    std::optional<Error> load(const Take& take) const override;
    // Appends text. On an error the file is unchanged, or the error states that a part remains. A
    // journal of more than 5.5 MiB fails with `EFBIG` (is_full_disk()).
    std::optional<Error> append(std::string_view text) override;
    std::optional<Error> cut(std::size_t size) override;
    std::optional<Error> replace(std::string_view text) override;
    std::optional<Error> discard() override;
    std::optional<Error> set_aside() override;
    std::optional<Error> reserve() override;
    bool release() override;
    bool outlives_boot() const override;
    // Reads /proc/locks, so users that cannot open the lock file can detect its holder. False
    // without a folder or a lock file.
    std::optional<bool> in_use() const override;
    std::string generation() const override;
    bool is_dead(const std::string& hold) const override;

    // Creates a hold for `rocenv run --tune`. Requires the lock.
    Result<RunHold> new_hold() const { return new_run_hold(folder_.get(), name_); }
    // Removes the files of ended runs, except for these. Requires the lock.
    void remove_stale_holds(const std::vector<std::string>& holds) const {
        rocenv::remove_stale_holds(folder_.get(), holds);
    }

    // A callback during the wait for the lock: "1234 alice set mi300x", safe for a terminal, and
    // the end of the wait on the clock of now_ms().
    using Waiting = std::function<void(const std::string& holder, std::int64_t until_ms)>;

    // Acquires the lock, which lasts until the result is closed or the process ends. Fails with
    // `timed_out`, naming the holder, after `patience_seconds`, and with `io` (`EINTR`) if
    // `interrupted` returns true. Both callbacks are called about every 20 ms. Requires
    // Mode::write.
    Result<Fd> lock(double patience_seconds, const Holder& self, const Waiting& waiting,
                    const std::function<bool()>& interrupted = {}) const;

    // Returns the name for messages: "/run/rocenv".
    const std::string& name() const { return name_; }

   private:
    StateFolder(Fd folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}

    std::string path_of(const char* file) const { return name_ + "/" + file; }
    // Opens a regular file of this user with one link. `flags` are those of open(2).
    Result<Fd> open_own(const char* file, int flags, unsigned mode) const;
    // Creates such a file and replaces an existing one.
    Result<Fd> make_own(const char* file, unsigned mode) const;

    Fd folder_;  // invalid: the folder does not exist
    std::string name_;
};

// The holder of the lock, from /proc/locks and from the line that the holder wrote into the lock
// file.

// Returns true if a process holds a flock(2) on this file; std::nullopt if unknown.
std::optional<bool> is_locked(const struct stat& file);

// Returns the line of the present holder, "12 root set", printable(); "process 12" if it wrote
// none. If /proc/locks does not show the holder, returns "perhaps LINE" or "another process".
std::string holder_of(const Fd& lock);

// Writes the holder's line for waiting processes; the lock is valid without it.
void sign(const Fd& lock, const Holder& self);

// A check that a folder in a container belongs to the node. Only then all processes that can change
// the kernel share one journal.

// Accept or reject a folder on the root file system, which may be the node's disk or the
// container's own.
enum class OnRoot { will_do, will_not_do };

// Returns an error `bad_input` if the folder, or the nearest existing one above it, is not on a
// file system of the node. An overlay is the container's own root; memory may be mounted for the
// container only. Memory of the node is recognized by a partial mount without a mount of the whole,
// or by udev's data, which only a node's /run has. Mounts above the folder count. Returns
// std::nullopt if the folder is the node's; an unreadable mountinfo is an error.
std::optional<Error> not_of_the_node(const std::string& folder, OnRoot on_root);

// As root in another user's directory, rocenv switches to that user's effective ids. So that user's
// files, links and modes permit nothing beyond that user's own rights.

// The effective ids of a folder's owner, for the life of the object.
class ActingUser {
   public:
    // Switches the effective user and group of this process to the owner of `folder`, without other
    // groups, during the life of the object. Changes nothing if the caller is not root, or if the
    // folder is root's or missing. Group 0 is not adopted: the group then has the user's number.
    // Fails with `not_permitted` if the kernel refuses.
    static Result<std::unique_ptr<ActingUser>> owner_of(const std::string& folder);
    ~ActingUser();
    ActingUser(const ActingUser&) = delete;
    ActingUser& operator=(const ActingUser&) = delete;

   private:
    ActingUser() = default;
    struct Former;
    std::unique_ptr<Former> former_;  // nullptr: no change
};

}  // namespace rocenv
