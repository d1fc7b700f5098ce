// SPDX-License-Identifier: MIT
// Storage of a journal, independent of its text (transaction/journal/journal.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/result.h"

namespace rocenv {

// A store of one journal: a folder of the node, or memory of a test. It has one writer at a time.
// The store of a rehearsal on a recording is empty, and every change of it fails with bad_input.
class JournalStore {
   public:
    JournalStore() = default;
    JournalStore(const JournalStore&) = delete;
    JournalStore& operator=(const JournalStore&) = delete;
    virtual ~JournalStore() = default;

    using Take = std::function<void(std::string_view piece)>;
    // Passes the whole text to `take` in pieces. Fails with `not_here` if there is none. After any
    // other error `take` may have received a part.
    virtual std::optional<Error> load(const Take& take) const = 0;
    // Appends text; creates the store's text if there is none. Returns after fsync of the file and
    // its folder.
    virtual std::optional<Error> append(std::string_view text) = 0;
    // Cuts the text to `size` bytes to remove a torn last line.
    virtual std::optional<Error> cut(std::size_t size) = 0;
    // Replaces the whole text atomically, also if the process dies.
    virtual std::optional<Error> replace(std::string_view text) = 0;
    // Removes the text and the reserved space. Succeeds if there is neither.
    virtual std::optional<Error> discard() = 0;
    // Renames the text, which replaces an earlier renamed one, and removes the reserved space.
    // Succeeds without a text.
    virtual std::optional<Error> set_aside() = 0;

    // Reserves disk space for a later reset. Calling it again is harmless.
    virtual std::optional<Error> reserve() = 0;
    // Releases the reserved space. Returns true if there was any.
    virtual bool release() = 0;

    // Returns true if the text may be from an earlier boot; false for memory (tmpfs).
    virtual bool outlives_boot() const = 0;

    // Returns true if a process writes to the store now, as far as a reader can detect;
    // std::nullopt if unknown.
    virtual std::optional<bool> in_use() const { return std::nullopt; }
    // Returns a text that changes with every writer, because an equal journal can reappear within a
    // second. Empty before the first writer.
    virtual std::string generation() const = 0;

    // Returns true if the process of this hold is known to have ended; false if it lives or that is
    // unknown. Only holds of `rocenv run --tune` (is_run_hold) have a process; a job's hold lasts
    // until it is released.
    virtual bool is_dead(const std::string& hold) const {
        (void)hold;
        return false;
    }
};

// Returns true for "run/PID-RANDOM", the hold of a `rocenv run --tune`. A job cannot have such a
// name.
inline bool is_run_hold(std::string_view hold) {
    return hold.starts_with("run/");
}

}  // namespace rocenv
