// SPDX-License-Identifier: MIT
// A journal in as few records as say the same, so that its size is bounded by targets and living
// holders, however often a node is set.
#include <algorithm>

#include "transaction/journal/journal_grammar.h"
#include "util/text.h"

namespace rocenv {

namespace {

bool is_holder(const Journal& journal, const std::string& name) {
    return std::binary_search(journal.holders.begin(), journal.holders.end(), name);
}

// Nobody can have these names. What departed jobs have set belongs to all jobs that remain, and
// what a departed run has set goes back as soon as nobody wants it: the names themselves say no
// more.
const std::string departed_job = "left/job";
const std::string departed_run = "run/left";

std::string owner_of(const Journal& journal, const Transaction& transaction) {
    if (transaction.hold.empty() || is_holder(journal, transaction.hold)) {
        return transaction.hold;
    }
    return is_run_hold(transaction.hold) ? departed_run : departed_job;
}

bool is_living(const Journal& journal, const Transaction& transaction) {
    return !transaction.hold.empty() && is_holder(journal, transaction.hold);
}

// A value left alone as someone else's divides transactions: those after it found it so.
bool divided(const Journal& journal, const Transaction& older, const Transaction& newer) {
    return std::any_of(journal.foreign.begin(), journal.foreign.end(), [&](const auto& entry) {
        return older.number <= entry.second.begun && entry.second.begun < newer.number;
    });
}

// Brings what a further transaction did to one key together with what earlier ones did to it.
// Transactions of one owner go back together, so for each key and owner one record is enough, in
// the place of the last; the oldest original stays with whoever is then the first.
class Folding {
   public:
    explicit Folding(const Journal& journal) : journal_(journal) {}

    void add(Transaction transaction) {
        transaction.hold = owner_of(journal_, transaction);
        std::vector<Key> gone;
        for (const auto& [key, changed] : transaction.changed) {
            if (transaction.entries.contains(key) && joins(key, transaction)) {
                gone.push_back(key);
            }
        }
        for (const auto& key : gone) {
            transaction.changed.erase(key);
            transaction.entries.erase(key);
        }
        if (!is_living(journal_, transaction)) {
            transaction.wanted.clear();
        }
        if (!transaction.changed.empty() || !wish_joins(transaction)) {
            out_.push_back(std::move(transaction));
        }
    }

    std::vector<Transaction> finish() {
        std::erase_if(out_, [&](const Transaction& transaction) {
            return transaction.changed.empty() && !is_living(journal_, transaction);
        });
        return std::move(out_);
    }

   private:
    bool alike(const Transaction& older, const Transaction& newer) const {
        return older.hold == newer.hold && !divided(journal_, older, newer);
    }

    // True: an earlier transaction has it now.
    bool joins(const Key& key, const Transaction& transaction) {
        const auto before = having(key);
        if (before.empty()) {
            return moves(key, transaction);
        }
        Transaction& last = out_[before.back()];
        if (alike(last, transaction)) {
            last.changed[key] = transaction.changed.at(key);
            return true;
        }
        drop_older(key, before, transaction);
        return false;
    }

    std::vector<std::size_t> having(const Key& key) const {
        std::vector<std::size_t> out;
        for (std::size_t at = 0; at < out_.size(); ++at) {
            if (out_[at].changed.contains(key)) {
                out.push_back(at);
            }
        }
        return out;
    }

    // Nobody else has touched it: its place among the others says nothing.
    bool moves(const Key& key, const Transaction& transaction) {
        const auto first = std::find_if(out_.begin(), out_.end(), [&](const Transaction& older) {
            return alike(older, transaction);
        });
        if (first == out_.end()) {
            return false;
        }
        first->entries[key] = transaction.entries.at(key);
        first->changed[key] = transaction.changed.at(key);
        return true;
    }

    void drop_older(const Key& key, const std::vector<std::size_t>& before,
                    const Transaction& transaction) {
        for (std::size_t at = before.size(); at-- > 0;) {
            Transaction& older = out_[before[at]];
            if (is_living(journal_, older) || is_living(journal_, transaction)) {
                return;
            }
            if (alike(older, transaction)) {
                if (at == 0) {
                    out_[before[1]].entries[key] = older.entries.at(key);
                }
                older.changed.erase(key);
                older.entries.erase(key);
                return;
            }
        }
    }

    // A holder's wishes join those of its earlier set.
    bool wish_joins(const Transaction& transaction) {
        const auto first = std::find_if(out_.begin(), out_.end(), [&](const Transaction& older) {
            return alike(older, transaction);
        });
        if (first == out_.end()) {
            return !is_living(journal_, transaction);
        }
        for (const auto& [key, shown] : transaction.wanted) {
            first->wanted[key] = shown;
        }
        return true;
    }

    const Journal& journal_;
    std::vector<Transaction> out_;
};

// In the first format a transaction builds on the entries of the one before it, which are all
// there.
void add_transaction(Records& records, Transaction transaction, int format) {
    std::erase_if(transaction.entries,
                  [&](const auto& entry) { return !transaction.changed.contains(entry.first); });
    transaction.announced = transaction.entries.size();
    records.push_back(begin_record(transaction));
    for (const auto& [key, entry] : transaction.entries) {
        records.push_back(entry_record(key, entry, format));
    }
    for (const auto& [key, shown] : transaction.wanted) {
        records.push_back(wanted_record(key, shown));
    }
    records.push_back(writing_record());
    for (const auto& [key, changed] : transaction.changed) {
        records.push_back(changed_record(key, changed));
    }
    records.push_back(end_record());
}

using Strangers = std::map<Key, Foreign>;

// Those that were noted when this many transactions had begun.
void add_foreign(Records& records, const Strangers& all, std::size_t from, std::size_t below) {
    for (const auto& [key, foreign] : all) {
        if (from <= foreign.begun && foreign.begun < below) {
            records.push_back(foreign_record(key, foreign.shown));
        }
    }
}

std::vector<Transaction> folded(const Journal& journal) {
    Folding folding(journal);
    for (const auto& transaction : journal.transactions) {
        folding.add(transaction);
    }
    return folding.finish();
}

Records records_of(const std::vector<Transaction>& transactions, const Strangers& foreign,
                   int format) {
    constexpr std::size_t lines_in_front = 3;  // the first, the boot's and this one
    Records records;
    for (std::size_t at = 0; at < transactions.size(); ++at) {
        const bool last = at + 1 == transactions.size();
        add_transaction(records, transactions[at], format);
        add_foreign(records, foreign, at == 0 ? 0 : transactions[at].number,
                    last ? SIZE_MAX : transactions[at + 1].number);
    }
    for (const auto& name : {departed_job, departed_run}) {
        const bool any =
            std::any_of(transactions.begin(), transactions.end(),
                        [&](const Transaction& transaction) { return transaction.hold == name; });
        if (any) {
            records.push_back(leave_record(name));
        }
    }
    if (format != first_format) {
        records.insert(records.begin(), {"whole", number(records.size() + lines_in_front)});
    }
    return records;
}

Transaction picked_part(Transaction transaction, const Picks& picks, bool picked) {
    std::erase_if(transaction.changed,
                  [&](const auto& each) { return picks(each.first) != picked; });
    return transaction;
}

}  // namespace

Records compact_records(const Journal& journal, int format) {
    return records_of(folded(journal), journal.foreign, format);
}

// The parts are numbered anew, since no two transactions have one number, and what was left alone
// stays between the same two.
SetApart set_apart(const Journal& journal, int format, const Picks& picks) {
    SetApart out;
    std::vector<Transaction> parts;
    Strangers foreign = journal.foreign;
    for (auto& [key, each] : foreign) {
        each.begun = 0;
    }
    for (const auto& transaction : folded(journal)) {
        for (const bool picked : {false, true}) {
            Transaction part = picked_part(transaction, picks, picked);
            if (part.changed.empty()) {
                continue;
            }
            part.number = parts.size() + 1;
            if (picked) {
                out.numbers.push_back(part.number);
            }
            parts.push_back(std::move(part));
        }
        for (auto& [key, each] : foreign) {
            if (transaction.number <= journal.foreign.at(key).begun) {
                each.begun = parts.size();
            }
        }
    }
    out.records = records_of(parts, foreign, format);
    return out;
}

}  // namespace rocenv
