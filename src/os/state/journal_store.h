// SPDX-License-Identifier: MIT
// Where a journal is kept, whatever its text says (transaction/journal/journal.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/result.h"

namespace rocenv {

// Where a journal is kept: a folder of the node, or a test's memory. One writer at a time.
class JournalStore {
   public:
    JournalStore() = default;
    JournalStore(const JournalStore&) = delete;
    JournalStore& operator=(const JournalStore&) = delete;
    virtual ~JournalStore() = default;

    // Gives the whole text to `take`, piece by piece. Error not_here: there is none.
    using Take = std::function<void(std::string_view piece)>;
    virtual std::optional<Error> load(const Take& take) const = 0;
    // Adds text and returns when it is on disk, with the folder's entry (fsync of both).
    virtual std::optional<Error> append(std::string_view text) = 0;
    // Cuts a torn tail off, so that what is appended next starts a line.
    virtual std::optional<Error> cut(std::size_t size) = 0;
    // Puts another text in the place of the whole: afterwards, or after a death in between, it is
    // the one or the other.
    virtual std::optional<Error> replace(std::string_view text) = 0;
    // Removes the text and the room that was reserved.
    virtual std::optional<Error> discard() = 0;
    // Gives the text another name, under which one is kept.
    virtual std::optional<Error> set_aside() = 0;

    // Room on the disk for the way back. release() gives it up and returns whether there was any.
    virtual std::optional<Error> reserve() = 0;
    virtual bool release() = 0;

    // Whether the text may have been written before this boot: not where it is in memory only
    // (tmpfs).
    virtual bool outlives_boot() const = 0;

    // Whether somebody writes to it now, as far as those can tell who only look. Nothing: it cannot
    // be told.
    virtual std::optional<bool> in_use() const { return std::nullopt; }
    // A text that is another one once somebody has begun to write: the same journal can come again
    // within a second.
    virtual std::string generation() const = 0;

    // Whether the process that brought this name is known to have died. Only names of `rocenv run
    // --tune` (is_run_hold) are a process'; a job's name holds until it leaves.
    virtual bool is_dead(const std::string& hold) const {
        (void)hold;
        return false;
    }
};

// "run/PID-RANDOM", the hold of one `rocenv run --tune`. No job can have such a name.
inline bool is_run_hold(std::string_view hold) {
    return hold.starts_with("run/");
}

}  // namespace rocenv
