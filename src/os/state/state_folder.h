// SPDX-License-Identifier: MIT
// A file in the state folder that says "the process of this hold lives": as long as it does, it
// holds a write lock on it. Process ids would not do, since containers that share the folder do not
// share them.
//
// It is an open file description lock (fcntl(2), F_OFD_SETLK): readers can ask for it, and only who
// may write to the file can take it, so nobody else can pass a dead process off as a living one.
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

// A name of its own, and the lock that goes with the process: not inherited by what it starts.
struct RunHold {
    std::string name;  // "run/PID-RANDOM"
    Fd alive;
    bool recorded = false;  // set was done and the journal has it
};

// Makes and locks the file. Only while the folder's own lock is held.
Result<RunHold> new_run_hold(int folder, const std::string& shown);

// False also when it cannot be found out.
bool is_known_dead(int folder, const std::string& hold);

// Removes the files of the dead, but for these holds'. Only while the folder's own lock is held.
void remove_stale_holds(int folder, const std::vector<std::string>& holds);

// The journal on disk, in a folder that is the program's own: /run/rocenv, DIR/run/rocenv below a
// --sysroot (inside the jail), or the folder given with --state.
//
// No symbolic link is followed on the way to any of its files. For writing, a folder or file that
// somebody else owns, or that group or others may write to, is refused with bad_input.

// Who holds the lock, for those who wait.
struct Holder {
    std::string user;
    std::string command;
};

class StateFolder final : public JournalStore {
   public:
    // look: nothing is made, and a folder that is not there is an empty one. rehearse: the same,
    // but one that somebody else may change is refused as by write. write: the folder is made; of a
    // sysroot, run too.
    enum class Mode { look, rehearse, write };
    static Result<std::unique_ptr<StateFolder>> open(const std::optional<std::string>& sysroot,
                                                     const std::optional<std::string>& state,
                                                     Mode mode);

    std::optional<Error> load(const Take& take) const override;
    // When it fails, nothing of `text` is there.
    std::optional<Error> append(std::string_view text) override;
    std::optional<Error> cut(std::size_t size) override;
    std::optional<Error> replace(std::string_view text) override;
    std::optional<Error> discard() override;
    std::optional<Error> set_aside() override;
    std::optional<Error> reserve() override;
    bool release() override;
    bool outlives_boot() const override;
    // From /proc/locks: those who may not open the lock file can see who holds it.
    std::optional<bool> in_use() const override;
    std::string generation() const override;
    bool is_dead(const std::string& hold) const override;

    // For `rocenv run --tune`; see RunHold. Both need the lock.
    Result<RunHold> new_hold() const { return new_run_hold(folder_.get(), name_); }
    // Removes the files of dead runs but for these.
    void remove_stale_holds(const std::vector<std::string>& holds) const {
        rocenv::remove_stale_holds(folder_.get(), holds);
    }

    // Called again and again while the lock is not free: "1234 alice set mi300x", safe on a
    // terminal, and until when it is waited for, as by now_ms().
    using Waiting = std::function<void(const std::string& who, std::int64_t until_ms)>;

    // One writer at a time: the lock is held until what is returned is closed, or the process ends.
    // timed_out, naming the holder, when it did not come free. Needs Mode::write.
    Result<Fd> lock(double patience_seconds, const Holder& self, const Waiting& waiting,
                    const std::function<bool()>& interrupted = {}) const;

    // For a person: "/run/rocenv".
    const std::string& name() const { return name_; }

   private:
    StateFolder(Fd folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}

    std::string path_of(const char* file) const { return name_ + "/" + file; }
    // A regular file of ours with one name. `flags` as for open(2).
    Result<Fd> open_own(const char* file, int flags, unsigned mode) const;
    // The same; what is there already is replaced.
    Result<Fd> make_own(const char* file, unsigned mode) const;

    Fd folder_;  // none: it is not there
    std::string name_;
};

// Who has the lock of the state folder: told by /proc/locks, and by the line that whoever took it
// wrote into it.

// Whether somebody holds a flock(2) on this file; nothing: it cannot be told.
std::optional<bool> is_locked(const struct stat& file);

// "12 root set": what the holder wrote, if it was he; "process 12" of one that wrote nothing.
std::string holder_of(const Fd& lock);

// Only for those who wait: a lock without it is a lock.
void sign(const Fd& lock, const Holder& self);

// Whether a folder that a container sees is one of the node's: only such a one is the same journal
// for all who may change the one kernel.

// Whether a folder of the root file system will do, which may be the node's disk or be made for the
// container, or only one on what was mounted below it.
enum class OnRoot { will_do, will_not_do };

// Why the folder, or where it is missing the nearest one above it, is not on a file system of the
// node's: it is on an overlay, which is the container's own root, or on memory that was mounted for
// the container. Memory of the node's is known by a mounted part of it whose whole is not mounted
// here, or by what only a node's /run holds (udev's data). What is mounted above the folder counts.
// Nothing: it is the node's. An unreadable mountinfo is an error, too.
std::optional<Error> not_of_the_node(const std::string& folder, OnRoot on_root);

// Root in somebody else's folder acts as that somebody: whatever his files, links and modes make of
// a write, it gains him nothing that he could not do himself.

class ActingUser {
   public:
    // As long as the object lives, the effective user and group of this process are those that
    // `folder` belongs to, and it is in no other group. Nothing changes where the caller is not
    // root, or the folder is root's. A group 0 is not taken over: then the group has the user's
    // number. A folder that is not there changes nothing. Error: not_permitted where the kernel
    // refuses the change.
    static Result<std::unique_ptr<ActingUser>> owner_of(const std::string& folder);
    ~ActingUser();
    ActingUser(const ActingUser&) = delete;
    ActingUser& operator=(const ActingUser&) = delete;

   private:
    ActingUser() = default;
    struct Former;
    std::unique_ptr<Former> former_;  // nothing: nothing was changed
};

}  // namespace rocenv
