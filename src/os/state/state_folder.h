// SPDX-License-Identifier: MIT
// The journal on disk, in a folder that is the program's own: /run/rocenv, DIR/run/rocenv below a
// --sysroot (inside the jail), or the folder given with --state.
//
// No symbolic link is followed on the way to any of its files. For writing, a folder or file that
// somebody else owns, or that group or others may write to, is refused with bad_input.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/fd.h"
#include "os/state/journal_store.h"
#include "os/state/run_lock.h"

namespace rocenv {

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

    // For `rocenv run --tune`; see run_lock.h. Both need the lock.
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

}  // namespace rocenv
