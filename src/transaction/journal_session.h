// SPDX-License-Identifier: MIT
// A journal that is being worked with: what the file says and what is added to it stay the same.
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

// Everything that can be written on this machine, in the registry's order.
struct Found {
    Key key;
    Baseline baseline;
};
std::vector<Found> take_baseline(const Context& context);

// What each of these holds now, in text form; "unknown" where it cannot be read.
std::map<Key, std::string> shown_now(const Context& context);

std::vector<std::string> dead_holders(const Journal& journal, const JournalStore& store);

// Why the journal may be of another boot, and so must not be acted on. Nothing: it is of this one.
// A file in memory cannot be older than the boot.
std::optional<Error> of_another_boot(const Journal& journal, const JournalStore& store,
                                     const Fs& machine);

// Returns why nothing can be set over a damaged journal, and what to do.
std::string damage_sentence(const Journal& journal);

class JournalSession {
   public:
    // With Touch::no nothing is written: what is added is only taken into journal().
    enum class Touch { no, yes };
    JournalSession(JournalStore& store, const Fs& machine, Touch touch)
        : store_(store), machine_(machine), touch_(touch) {}

    // Reads the file. An error: it cannot be used, for it cannot be read, is of another format or
    // of another boot, and stays as it is. Damage is no error here: journal().damage.
    std::optional<Error> open();

    // As open(), for one that is given up: its boot is not asked.
    std::optional<Error> open_any();

    const Journal& journal() const { return damaged_ ? *damaged_ : text_.journal(); }
    bool damaged() const { return damaged_.has_value(); }
    // Of what is added: that of the file, or the newest.
    int format() const { return journal().format == 0 ? second_format : journal().format; }
    // Holders whose process died.
    std::vector<std::string> dead() const { return dead_holders(journal(), store_); }

    // Adds records, on disk when it returns, and takes them into journal(). A damaged journal takes
    // none.
    std::optional<Error> append(const Records& records);
    // The same on the way back: when the disk is full, the room that was reserved for it is given
    // up.
    std::optional<Error> append_at_any_cost(const Records& records);

    // Reserves room for the way back; an error when there is none.
    std::optional<Error> reserve();
    // Gives it up. True: there was some.
    bool make_room() { return touch_ == Touch::yes && store_.release(); }

    // Adds the last records of what was done, or, where nothing would be left to put back, removes
    // the file. One in which nothing is unfinished is replaced by a shorter one that says the same,
    // if there is room.
    std::optional<Error> conclude(const Records& records);

    // Makes what changed these keys transactions of their own, at once and on disk, and returns
    // their numbers (journal_grammar.h).
    Result<std::vector<std::size_t>> set_apart(const Picks& picks);

    // Ends an open reset of a part that these keys did not come back from: whatever they hold now
    // counts as ours, all others are compared again.
    std::optional<Error> close_reset(const std::set<Key>& stuck);

    // Gives the journal up: the file gets another name.
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

// The names that hold the key at a value, and that value.
struct Hold {
    std::string names;
    std::string shown;
};
std::optional<Hold> held_by_others(const Journal& journal, const Key& key,
                                   const std::string& own_name);

}  // namespace rocenv
