// SPDX-License-Identifier: MIT
// An open journal. The text of the file and the records added to it are kept consistent.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rocenv/setting.h"
#include "transaction/journal/journal_grammar.h"
#include "transaction/set.h"

namespace rocenv {

// One target that rocenv can write on this machine, and its present state.
struct Found {
    Key key;
    Baseline baseline;
};
// Reads the state of every writable target, in the registry's order. A failed read is the error of
// `Baseline::back`.
std::vector<Found> take_baseline(const Context& context);
// Reads the baseline. If reads failed with `io` (such as a killed helper), reads everything once
// more with read_live() and returns the result with fewer such failures. A side effect on an
// unrecorded value could never be restored. `fs` is the file system of `context`.
std::vector<Found> take_baseline_twice(const Context& context, WritableFs& fs);

// Returns the present value of each writable target as text; "unknown" if the read fails.
std::map<Key, std::string> shown_now(const Context& context);

// Returns the holders whose `rocenv run --tune` process has ended. A job's hold, and a process
// whose state is unknown, never count as ended.
std::vector<std::string> dead_holders(const Journal& journal, const JournalStore& store);

// Fails with `bad_input` if the journal is of another boot, names no boot, or the boot id cannot be
// read. Returns std::nullopt for this boot, an empty journal, a store in memory, and any machine
// that is not real.
std::optional<Error> of_another_boot(const Journal& journal, const JournalStore& store,
                                     const Fs& machine);

// Returns one sentence: how the journal is damaged, and the commands that restore or discard it.
// Requires a damaged journal.
std::string damage_sentence(const Journal& journal);

// A session on one journal: reads the store and appends records to it.
class JournalSession {
   public:
    // With Touch::no nothing is written to the store; added records only change journal().
    enum class Touch { no, yes };
    // Reads nothing yet. `store` and `machine` must outlive the session.
    JournalSession(JournalStore& store, const Fs& machine, Touch touch)
        : store_(store), machine_(machine), touch_(touch) {}

    // Reads the journal; a missing file is an empty journal, and damage is not an error (see
    // damaged()). Fails with `bad_input` (other format or boot) or the errors of
    // JournalStore::load, such as `garbled` for a file above its limits. The file is not changed.
    // After an error journal() has the records that could be read.
    std::optional<Error> open();

    // Reads the journal like open(), but accepts any boot. For `reset --forget`.
    std::optional<Error> open_any();

    // Returns the journal; the readable part if the text is damaged.
    const Journal& journal() const { return damaged_ ? *damaged_ : text_.journal(); }
    // Returns whether journal() is only the readable part: the text is damaged, or open() failed
    // because a newer rocenv wrote it.
    bool damaged() const { return damaged_.has_value(); }
    // Returns the format of added records: that of the file, or the newest if the file is empty.
    int format() const { return journal().format == 0 ? second_format : journal().format; }
    // Returns the holders whose process has ended.
    std::vector<std::string> dead() const { return dead_holders(journal(), store_); }

    // Appends records; they are on disk when the call returns, and journal() includes them. A torn
    // last line is cut first. Fails with `garbled` if the journal is damaged, or with the errors of
    // JournalStore; journal() is then unchanged.
    std::optional<Error> append(const Records& records);
    // Appends records like append(). If the disk is full, the reserved room is released and the
    // append is tried once more.
    std::optional<Error> append_at_any_cost(const Records& records);

    // Reserves 64 KiB of disk space for a later reset; calling it again is harmless. Returns an
    // error if the disk has no room. With Touch::no it does nothing.
    std::optional<Error> reserve();
    // Releases the reserved space. Returns true if any was reserved; with Touch::no false.
    bool make_room() { return touch_ == Touch::yes && store_.release(); }

    // Ends a set or reset with its final records, which may be empty. If no change is left after
    // them, removes the file and the reserved space. Otherwise appends them with
    // append_at_any_cost(), and shortens the file if no set or reset is open; a failed shortening
    // is not an error. For a damaged journal it does nothing and returns std::nullopt.
    std::optional<Error> conclude(const Records& records);

    // Moves the picked keys into transactions of their own, in one atomic replacement on disk.
    // Returns the numbers of these transactions (journal_grammar.h), ascending; empty without a
    // picked key, and then nothing is written. Requires an undamaged journal without holders and
    // without an open set or reset. Errors are those of JournalStore::replace.
    Result<std::vector<std::size_t>> set_apart(const Picks& picks);

    // Ends an open partial reset by replacing the file with a compact one. The present values of
    // the `stuck` keys then count as set by rocenv; all other keys are compared again. Requires an
    // undamaged journal. If the disk is full, the reserved space is released for a second try.
    std::optional<Error> close_reset(const std::set<Key>& stuck);

    // Renames the file, so that its records are no longer used, and removes the reserved space.
    // The last renamed file is kept. Succeeds without a file. journal() is unchanged.
    std::optional<Error> forget();

   private:
    std::string boot_id() const;
    std::optional<Error> replace(const Records& records);
    void shorten();

    JournalStore& store_;
    const Fs& machine_;
    Touch touch_;
    JournalText text_;
    std::optional<Journal> damaged_;
};

// The names of the holders that rely on a value of a key, and that value.
struct Hold {
    std::string names;  // separated by ", ", oldest set first; one with two sets may occur twice
    std::string shown;  // the value of the newest set
};
// Returns the holders other than `own_name` that rely on the key; std::nullopt if there are none.
// Ended holders count; see dead_holders().
std::optional<Hold> held_by_others(const Journal& journal, const Key& key,
                                   const std::string& own_name);

}  // namespace rocenv
