// SPDX-License-Identifier: MIT
// Who leaves, who stays, and what that means for each target: what undo() is asked for.
#include <algorithm>

#include "transaction/undo.h"

namespace rocenv {

namespace {

using Names = std::vector<std::string>;

bool is_one_of(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Names without(const Names& all, const Names& names) {
    Names out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&](const std::string& name) { return !is_one_of(names, name); });
    return out;
}

// Set for somebody who is gone. What was set for jobs belongs to all of them.
bool is_free(const Transaction& transaction, const Names& remaining) {
    if (transaction.hold.empty() || is_one_of(remaining, transaction.hold)) {
        return false;
    }
    return is_run_hold(transaction.hold) ||
           std::all_of(remaining.begin(), remaining.end(),
                       [](const std::string& name) { return is_run_hold(name); });
}

// Whether those who remain want what this transaction has made of the key. A side effect may have
// taken from them what they want: then what was there before is theirs.
bool left_as_wanted(const Journal& journal, const Names& names, const Key& key,
                    const Changed& changed) {
    return std::any_of(journal.transactions.begin(), journal.transactions.end(),
                       [&](const Transaction& transaction) {
                           const auto found = transaction.wanted.find(key);
                           return found != transaction.wanted.end() &&
                                  (changed.wanted || found->second == changed.shown) &&
                                  is_one_of(names, transaction.hold);
                       });
}

// Left alone as someone else's when an earlier name left: told then, and not set again since.
bool is_left_alone(const Journal& journal, const Transaction& transaction, const Key& key) {
    const auto found = journal.foreign.find(key);
    return found != journal.foreign.end() && transaction.number <= found->second.begun;
}

void add_kept(const Journal& journal, const Transaction& transaction, const Names& remaining,
              const Names& leaving, std::set<Key>& kept) {
    bool any = false;
    for (const auto& [key, changed] : transaction.changed) {
        const bool stays = left_as_wanted(journal, remaining, key, changed);
        any = any || stays;
        if (stays ||
            (!is_one_of(leaving, transaction.hold) && is_left_alone(journal, transaction, key))) {
            kept.insert(key);
        }
    }
    for (const auto& [key, changed] : transaction.changed) {
        if (any && !changed.wanted) {
            kept.insert(key);
        }
    }
}

// Of a key that the leaving ones have set over a stranger's value.
void take_back_own(const Journal& journal, const Names& remaining, const Names& leaving,
                   std::set<Key>& kept) {
    for (const auto& transaction : journal.transactions) {
        for (const auto& [key, changed] : transaction.changed) {
            if (is_one_of(leaving, transaction.hold) && changed.wanted &&
                !left_as_wanted(journal, remaining, key, changed)) {
                kept.erase(key);
            }
        }
    }
}

HoldRelease all_of(const Journal& journal, const Names& remaining, const Names& names) {
    HoldRelease out;
    out.names = names;
    for (const auto& transaction : journal.transactions) {
        if (is_free(transaction, remaining)) {
            out.numbers.push_back(transaction.number);
            add_kept(journal, transaction, remaining, names, out.kept);
        }
    }
    take_back_own(journal, remaining, names, out.kept);
    return out;
}

}  // namespace

HoldRelease release_of(const Journal& journal, const std::vector<std::string>& names) {
    return all_of(journal, without(journal.holders, names), names);
}

bool has_remains(const JournalSession& session) {
    const auto& journal = session.journal();
    return is_unfinished(journal) || journal.reset_begun || !session.dead().empty();
}

// Names that hold nothing any more once these transactions are undone: their sets never came to an
// end.
static Names names_of(const Journal& journal, const std::vector<std::size_t>& numbers) {
    Names out = journal.holders;
    for (const auto& transaction : journal.transactions) {
        const bool undone =
            std::find(numbers.begin(), numbers.end(), transaction.number) != numbers.end();
        if (!undone) {
            std::erase(out, transaction.hold);
        }
    }
    return out;
}

// The transactions that an open set or reset has touched.
static HoldRelease unfinished_part(const Journal& journal) {
    HoldRelease what;
    what.numbers = journal.resetting;
    for (const auto& transaction : journal.transactions) {
        if (!transaction.ended && std::find(what.numbers.begin(), what.numbers.end(),
                                            transaction.number) == what.numbers.end()) {
            what.numbers.push_back(transaction.number);
        }
    }
    for (const auto& transaction : journal.transactions) {
        if (!is_one_of(journal.holders, transaction.hold)) {
            add_kept(journal, transaction, journal.holders, {}, what.kept);
        }
    }
    what.names = names_of(journal, what.numbers);
    return what;
}

HoldRelease remains_of(const JournalSession& session) {
    if (!has_remains(session)) {
        return {};
    }
    const auto& journal = session.journal();
    HoldRelease out = unfinished_part(journal);
    HoldRelease dead = release_of(journal, session.dead());
    std::erase_if(dead.numbers, [&](std::size_t number) {
        return std::find(out.numbers.begin(), out.numbers.end(), number) != out.numbers.end();
    });
    out.numbers.insert(out.numbers.end(), dead.numbers.begin(), dead.numbers.end());
    out.kept.merge(dead.kept);
    return out;
}

Undoing undo_remains(JournalSession& session, Writer& writer, const Context& context) {
    const auto& journal = session.journal();
    Undoing first;
    bool left = false;
    if (is_unfinished(journal) || journal.reset_begun) {
        const HoldRelease what = unfinished_part(journal);
        left = !what.names.empty();
        first = undo(session, writer, context, what, Force::no);
    }
    const auto dead = session.dead();
    if (first.error || !first.clean() || (dead.empty() && !left)) {
        return first;
    }
    Undoing second = undo(session, writer, context, release_of(journal, dead), Force::no);
    second.targets.insert(second.targets.begin(), first.targets.begin(), first.targets.end());
    return second;
}

}  // namespace rocenv
