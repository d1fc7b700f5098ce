// SPDX-License-Identifier: MIT
// rocenv status: the changed settings, their users, and their present values.
#include <algorithm>
#include <set>

#include "machine/identity.h"
#include "profile/request.h"
#include "transaction/journal_session.h"
#include "transaction/undo.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The transactions of one key: the first one recorded the baseline, the last one the set value.
struct Story {
    const Transaction* first;
    const Transaction* last;
    std::vector<std::string> holds;
};

std::map<Key, Story> stories_of(const Journal& journal) {
    std::map<Key, Story> out;
    for (const auto& transaction : journal.transactions) {
        for (const auto& [key, changed] : transaction.changed) {
            auto& story = out.try_emplace(key, Story{&transaction, nullptr, {}}).first->second;
            story.last = &transaction;
            const bool held = std::find(journal.holders.begin(), journal.holders.end(),
                                        transaction.hold) != journal.holders.end();
            if (held && std::find(story.holds.begin(), story.holds.end(), transaction.hold) ==
                            story.holds.end()) {
                story.holds.push_back(transaction.hold);
            }
        }
    }
    return out;
}

std::string changed_by(const Recorded& entry, const Changed& changed,
                       const Result<std::vector<std::string>>& values) {
    if (!values) {
        return "unknown";
    }
    if (*values == changed.values && changed.requested) {
        return "rocenv";  // even if this equals the baseline
    }
    if (holds(entry.back, *values)) {
        return "baseline";
    }
    return !is_ours(entry, changed, *values) ? "someone else"
           : changed.requested               ? "rocenv"
                                             : "side effect";
}

StatusItem item_of(const Key& key, const Story& story, const Machine& machine,
                   const std::map<Key, std::string>& present) {
    const Recorded& entry = story.first->entries.at(key);
    const Changed& changed = story.last->changed.at(key);
    StatusItem item;
    item.key = key;
    for (const auto& state : entry.back.states) {
        item.paths.push_back(state.attribute.path);
    }
    item.baseline = entry.shown;
    item.set = changed.shown;
    const auto found = present.find(key);
    item.present = found == present.end() ? "unknown" : found->second;
    const auto values = read_values(machine.fs(), entry.back);
    item.by = same_device(entry.identity, identity_of(machine, key.id, key.target))
                  ? changed_by(entry, changed, values)
                  : "another device";
    if (item.by == "rocenv" && *values == changed.values) {
        item.present = item.set;  // a maximum limit and no limit read the same
    }
    item.since = story.first->time;
    item.user = story.first->user;
    item.hold = join(story.holds, ",");
    return item;
}

// Adds the targets of an unfinished transaction that differ from their baseline.
void add_unfinished(Status& status, const Transaction& transaction, const Machine& machine,
                    const std::map<Key, std::string>& present) {
    for (const auto& [key, entry] : transaction.entries) {
        const bool known =
            std::any_of(status.items.begin(), status.items.end(),
                        [&expected = key](const StatusItem& item) { return item.key == expected; });
        if (!known && !holds_now(machine.fs(), entry.back)) {
            const Transaction one{transaction.number,
                                  transaction.time,
                                  "",
                                  "",
                                  0,
                                  0,
                                  {{key, entry}},
                                  {{key, {"unknown", {}, false}}}};
            StatusItem item = item_of(key, {&one, &one, {}}, machine, present);
            item.by = item.by == "another device" ? item.by : "unknown";
            status.items.push_back(std::move(item));
        }
    }
}

// Returns a sentence about a running or interrupted set or reset. Values may change meanwhile, so
// none is reported as changed by someone else.
std::string open_sentence(const Journal& journal, const std::optional<bool>& in_use) {
    const std::string what = journal.reset_begun ? "a reset" : "a set";
    const std::string cut_off =
        journal.reset_begun ? " has not restored everything yet" : " did not finish";
    const bool open = journal.reset_begun || is_unfinished(journal);
    if (in_use == true) {
        return (open ? what : "a set or reset") + " is running on this node";
    }
    if (!open) {
        return "";
    }
    return in_use ? what + cut_off + ": rocenv reset " +
                        (journal.reset_begun ? "continues it" : "restores its changes")
                  : what + " is running on this node, or" + cut_off +
                        ": sudo rocenv reset waits for it";
}

int exit_of(const Status& status) {
    if (!status.open.empty()) {
        return exit_differs;
    }
    const auto changed_since =
        std::any_of(status.items.begin(), status.items.end(), [](const StatusItem& item) {
            return item.by == "someone else" || item.by == "baseline" ||
                   item.by == "another device";
        });
    const bool nothing = status.items.empty() && status.holders.empty() && status.notes.empty();
    return changed_since ? exit_stuck : nothing ? 0 : exit_differs;
}

Status unknown_status(Error error) {
    Status status;
    status.unreadable = std::move(error);
    status.exit_code = exit_unknown;
    return status;
}

void add_holders(Status& status, const Journal& journal, const JournalStore& store) {
    status.holders = journal.holders;
    for (const auto& name : journal.holders) {
        status.held_since[name] = held_since(journal, name);
    }
    status.dead = dead_holders(journal, store);
    for (const auto& name : status.dead) {
        status.notes.push_back(name +
                               " was killed: the next set, reset or run --tune first "
                               "restores its settings");
    }
}

Status status_once(const Fs& fs, const Process& process, const JournalStore& store) {
    const auto in_use = store.in_use();
    const auto journal = read_journal(store);
    if (!journal) {
        return unknown_status(journal.error());
    }
    if (auto error = of_another_boot(*journal, store, fs)) {
        return unknown_status(*std::move(error));
    }
    if (!journal->damage.empty()) {
        return unknown_status({ErrorKind::garbled, 0, "", damage_sentence(*journal)});
    }
    Status status;
    status.time = report_time(process);
    const Machine machine(fs);
    std::map<Key, std::string> present;
    if (!journal->empty()) {
        present = shown_now({machine, process});
    }
    for (const auto& [key, story] : stories_of(*journal)) {
        status.items.push_back(item_of(key, story, machine, present));
    }
    status.open = open_sentence(*journal, in_use);
    if (is_unfinished(*journal) && in_use != true) {
        add_unfinished(status, journal->transactions.back(), machine, present);
    }
    add_holders(status, *journal, store);
    status.exit_code = exit_of(status);
    return status;
}

bool same(const Result<std::string>& left, const Result<std::string>& right) {
    return left.ok() == right.ok() && (!left || *left == *right);
}

}  // namespace

Status part_of(Status status, const std::vector<std::string>& only,
               const std::vector<std::string>& skip) {
    if (status.unreadable || (only.empty() && skip.empty())) {
        return status;
    }
    std::set<std::string> left_out;
    std::erase_if(status.items, [&](const StatusItem& item) {
        const bool out = !selected(item.key.id, only, skip);
        if (out) {
            left_out.insert(item.key.id);
        }
        return out;
    });
    status.left_out = left_out.size();
    const bool nothing = status.items.empty() && status.open.empty();
    status.exit_code = nothing ? 0 : exit_of(status);
    return status;
}

Status read_status(const Fs& fs, const Process& process, const JournalStore& store) {
    constexpr int most_attempts = 5;
    for (int attempt = 1;; ++attempt) {
        const auto in_use = store.in_use();
        const auto generation = store.generation();
        const auto text = text_of(store);
        Status status = status_once(fs, process, store);
        const bool still = store.in_use() == in_use && store.generation() == generation &&
                           same(text_of(store), text);
        if (still || attempt == most_attempts) {
            if (!still) {
                status.open = "a set or reset is running on this node";
                status.exit_code = exit_differs;
            }
            return status;
        }
    }
}

}  // namespace rocenv
