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
// Reads the state of every writable target, in the registry's order.
std::vector<Found> take_baseline(const Context& context);
// Reads it, and once more live if a read failed, for example because its helper was killed. A side
// effect on an unrecorded value could never be restored.
std::vector<Found> take_baseline_twice(const Context& context, WritableFs& fs);

// Returns the present value of each writable target as text; "unknown" if the read fails.
std::map<Key, std::string> shown_now(const Context& context);

// Returns the holders whose `rocenv run --tune` process has ended.
std::vector<std::string> dead_holders(const Journal& journal, const JournalStore& store);

// Returns an error if the journal may be of another boot and must not be used; std::nullopt if the
// journal is of this boot. A store in memory never outlives the boot.
std::optional<Error> of_another_boot(const Journal& journal, const JournalStore& store,
                                     const Fs& machine);

// Returns one sentence: how the journal is damaged, and the commands that restore or discard it.
std::string damage_sentence(const Journal& journal);

// A session on one journal: reads the store and appends records to it.
class JournalSession {
   public:
    // With Touch::no nothing is written to the store; added records only change journal().
    enum class Touch { no, yes };
    JournalSession(JournalStore& store, const Fs& machine, Touch touch)
        : store_(store), machine_(machine), touch_(touch) {}

    // Reads the journal. Returns an error, and leaves the file as it is, if the file cannot be
    // read, has another format or is of another boot. Damage is not an error; see damaged().
    std::optional<Error> open();

    // Reads the journal like open(), but accepts any boot. For `reset --forget`.
    std::optional<Error> open_any();

    // Returns the journal; the readable part if the text is damaged.
    const Journal& journal() const { return damaged_ ? *damaged_ : text_.journal(); }
    // Returns whether the text is damaged.
    bool damaged() const { return damaged_.has_value(); }
    // Returns the format of added records: that of the file, or the newest if the file is empty.
    int format() const { return journal().format == 0 ? second_format : journal().format; }
    // Returns the holders whose process has ended.
    std::vector<std::string> dead() const { return dead_holders(journal(), store_); }

    // Appends records; they are on disk when the call returns, and journal() includes them. Fails
    // with `garbled` if the journal is damaged.
    std::optional<Error> append(const Records& records);
    // Appends records like append(). If the disk is full, the reserved room is released and the
    // append is tried once more.
    std::optional<Error> append_at_any_cost(const Records& records);

    // Reserves disk space for a later reset. Returns an error if the disk has no room.
    std::optional<Error> reserve();
    // Releases the reserved space. Returns true if any was reserved.
    bool make_room() { return touch_ == Touch::yes && store_.release(); }

    // Appends the final records of a set or reset. Removes the file if no change is left to
    // restore. Replaces the file by a shorter equivalent one if no transaction is open and the disk
    // has room. A damaged journal is not changed.
    std::optional<Error> conclude(const Records& records);

    // Moves the picked keys into transactions of their own, in one atomic replacement on disk.
    // Returns the numbers of these transactions (journal_grammar.h).
    Result<std::vector<std::size_t>> set_apart(const Picks& picks);

    // Ends an open partial reset. The present values of the `stuck` keys then count as set by
    // rocenv; all other keys are compared again.
    std::optional<Error> close_reset(const std::set<Key>& stuck);

    // Renames the file, so that its records are no longer used.
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
    std::string names;
    std::string shown;
};
// Returns the holders other than `own_name` that rely on the key; std::nullopt if there are none.
std::optional<Hold> held_by_others(const Journal& journal, const Key& key,
                                   const std::string& own_name);

}  // namespace rocenv
