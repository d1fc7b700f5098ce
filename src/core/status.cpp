// SPDX-License-Identifier: MIT
// rocenv status: what has been changed, by whom, and what it reads now.
#include <algorithm>

#include "core/ledger.h"
#include "core/set_plan.h"
#include "core/undo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int exit_set = 1;

// The first transaction that changed a key knows its baseline, the last one what it was set to.
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
    if (holds(entry.back, *values)) {
        return "baseline";
    }
    return !is_ours(entry, changed, *values) ? "someone else"
           : changed.wanted                  ? "rocenv"
                                             : "side effect";
}

StatusItem item_of(const Key& key, const Story& story, const Fs& fs,
                   const std::map<Key, std::string>& present) {
    const Recorded& entry = story.first->entries.at(key);
    const Changed& changed = story.last->changed.at(key);
    StatusItem item;
    item.key = key;
    for (const auto& state : entry.back.states) {
        item.paths.push_back(state.cell.path);
    }
    item.baseline = entry.shown;
    item.set = changed.shown;
    const auto found = present.find(key);
    item.present = found == present.end() ? "unknown" : found->second;
    const auto values = read_values(fs, entry.back);
    item.by = changed_by(entry, changed, values);
    if (item.by == "rocenv" && *values == changed.values) {
        item.present = item.set;  // the setting alone cannot tell a limit at the maximum from none
    }
    item.since = story.first->time;
    item.hold = join(story.holds, ",");
    return item;
}

int exit_of(const Status& status) {
    const auto changed_since = std::any_of(
        status.items.begin(), status.items.end(),
        [](const StatusItem& item) { return item.by == "someone else" || item.by == "baseline"; });
    const bool nothing = status.items.empty() && status.holders.empty() && status.notes.empty();
    return changed_since ? exit_stuck : nothing ? 0 : exit_set;
}

}  // namespace

Status read_status(const Fs& fs, const Process& process, const JournalStore& store) {
    Status status;
    const Machine machine(fs);
    const auto text = store.load();
    auto journal = text                           ? parse_journal(*text)
                   : text.is(ErrorKind::not_here) ? Result<Journal>(Journal())
                                                  : text.error();
    if (!journal) {
        status.unreadable = journal.error();
        status.exit_code = exit_unknown;
        return status;
    }
    if (!journal->boot_id.empty() && journal->boot_id != machine.facts().boot_id) {
        return status;  // it ended with that boot
    }
    std::map<Key, std::string> present;
    if (!journal->empty()) {
        for (const auto& found : take_baseline({machine, process})) {
            present[found.key] = found.baseline.back ? found.baseline.shown : "unknown";
        }
    }
    for (const auto& [key, story] : stories_of(*journal)) {
        status.items.push_back(item_of(key, story, fs, present));
    }
    status.holders = journal->holders;
    status.dead = dead_holders(*journal, store);
    for (const auto& name : status.dead) {
        status.notes.push_back(name +
                               " was killed: the next set, reset or run --tune puts back first "
                               "what it set");
    }
    if (journal->reset_begun) {
        status.notes.emplace_back("a reset did not come to its end: rocenv reset goes on");
    } else if (is_unfinished(*journal)) {
        status.notes.emplace_back(
            "a set did not come to its end: rocenv reset puts back what it changed");
    }
    status.exit_code = exit_of(status);
    return status;
}

}  // namespace rocenv
