// SPDX-License-Identifier: MIT
// A journal that is being worked with: what the file says and what is added to it stay the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocenv/set.h"
#include "rocenv/setting.h"

namespace rocenv {

// Everything that can be written on this machine, in the registry's order.
struct Found {
    Key key;
    Baseline baseline;
};
std::vector<Found> take_baseline(const Context& context);

std::vector<std::string> dead_holders(const Journal& journal, const JournalStore& store);

class Ledger {
   public:
    Ledger(JournalStore& store, std::string boot_id)
        : store_(store), boot_id_(std::move(boot_id)) {}

    // Reads the file. A journal of another boot is dropped (`dropped()`): what it describes died
    // with that boot. With Touch::no the file is left as it is.
    enum class Touch { no, yes };
    std::optional<Error> open(Touch touch);

    const Journal& journal() const { return journal_; }
    // Holders whose process died.
    std::vector<std::string> dead() const { return dead_holders(journal_, store_); }
    bool dropped() const { return dropped_; }

    // Adds whole records, on disk when it returns, and takes them into journal().
    std::optional<Error> append(const std::string& records);

    // Removes the file when nothing is left to put back.
    std::optional<Error> close();

   private:
    std::optional<Error> take(std::string text);

    JournalStore& store_;
    std::string boot_id_;
    std::string text_;
    bool there_ = false;  // the file
    Journal journal_;
    bool dropped_ = false;
};

// The names that hold the key at a value, and that value.
struct Hold {
    std::string names;
    std::string shown;
};
std::optional<Hold> held_by_others(const Journal& journal, const Key& key,
                                   const std::string& own_name);

}  // namespace rocenv
