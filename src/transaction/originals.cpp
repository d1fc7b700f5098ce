// SPDX-License-Identifier: MIT
// What a journal holds, for whoever gives it up.
#include "transaction/undo.h"

namespace rocenv {

namespace {

using Fate = Undone::Fate;

class Originals {
   public:
    explicit Originals(const Context& context) : context_(context), present_(shown_now(context)) {}

    // The oldest original of a key comes first and is the one.
    void add(const Transaction& transaction) {
        const bool all = !transaction.ended || transaction.lost_lines;
        for (const auto& [key, entry] : transaction.entries) {
            const bool concerned = all || transaction.changed.contains(key);
            if (concerned && !holds_now(context_.fs(), entry.back)) {
                give_up(key, entry.shown);
            }
        }
        for (const auto& [key, changed] : transaction.changed) {
            if (!transaction.entries.contains(key)) {  // its line is damaged
                give_up(key, "unknown");
            }
        }
    }

    std::vector<Undone> finish() { return std::move(out_); }

   private:
    void give_up(const Key& key, const std::string& original) {
        const auto now = present_.find(key);
        if (seen_.insert(key).second) {
            out_.push_back({key, Fate::given_up, original,
                            now == present_.end() ? "unknown" : now->second, "", false});
        }
    }

    const Context& context_;
    std::map<Key, std::string> present_;
    std::set<Key> seen_;
    std::vector<Undone> out_;
};

}  // namespace

std::vector<Undone> originals_of(const Journal& journal, const Context& context) {
    Originals originals(context);
    for (const auto& transaction : journal.transactions) {
        originals.add(transaction);
    }
    return originals.finish();
}

}  // namespace rocenv
