// SPDX-License-Identifier: MIT
#include "core/ledger.h"

#include <algorithm>

#include "core/journal.h"
#include "rocenv/registry.h"

namespace rocenv {

bool JournalStore::is_dead(const std::string&) const {
    return false;
}

bool is_run_hold(std::string_view hold) {
    return hold.starts_with("run/");
}

std::vector<Found> take_baseline(const Context& context) {
    std::vector<Found> out;
    for (const Setting* setting : all_settings()) {
        for (auto& baseline : setting->baseline(context)) {
            Key key{std::string(setting->info().id), baseline.target.text()};
            out.push_back({std::move(key), std::move(baseline)});
        }
    }
    return out;
}

std::vector<std::string> dead_holders(const Journal& journal, const JournalStore& store) {
    std::vector<std::string> out;
    std::copy_if(journal.holders.begin(), journal.holders.end(), std::back_inserter(out),
                 [&](const std::string& hold) { return is_run_hold(hold) && store.is_dead(hold); });
    return out;
}

std::optional<Error> Ledger::open(Touch touch) {
    auto text = store_.load();
    if (!text) {
        return text.is(ErrorKind::not_here) ? std::nullopt : std::optional(text.error());
    }
    there_ = true;
    if (auto error = take(*std::move(text))) {
        return error;
    }
    dropped_ = !text_.empty() && journal_.boot_id != boot_id_ && !journal_.boot_id.empty();
    if (!dropped_) {
        return std::nullopt;
    }
    journal_ = {};
    text_.clear();
    there_ = false;
    return touch == Touch::yes ? store_.discard() : std::nullopt;
}

std::optional<Error> Ledger::take(std::string text) {
    auto parsed = parse_journal(text);
    if (!parsed) {
        return parsed.error();
    }
    journal_ = *std::move(parsed);
    text_ = std::move(text);
    return std::nullopt;
}

std::optional<Error> Ledger::append(const std::string& records) {
    if (journal_.cut) {
        if (auto error = store_.cut(journal_.good_size)) {
            return error;
        }
        text_.resize(journal_.good_size);
    }
    // A file that was torn within its first two lines starts anew.
    const bool fresh = text_.empty() || journal_.boot_id.empty();
    if (fresh && !text_.empty()) {
        if (auto error = store_.cut(0)) {
            return error;
        }
        text_.clear();
    }
    const std::string added = (fresh ? head_record(boot_id_) : "") + records;
    if (auto error = store_.append(added)) {
        return error;
    }
    there_ = true;
    return take(text_ + added);
}

std::optional<Error> Ledger::close() {
    if (!there_ || !journal_.empty()) {
        return std::nullopt;
    }
    there_ = false;
    text_.clear();
    journal_ = {};
    return store_.discard();
}

std::optional<Hold> held_by_others(const Journal& journal, const Key& key,
                                   const std::string& own_name) {
    std::optional<Hold> out;
    for (const auto& transaction : journal.transactions) {
        const auto wanted = transaction.wanted.find(key);
        const bool holds = wanted != transaction.wanted.end() && transaction.hold != own_name &&
                           std::find(journal.holders.begin(), journal.holders.end(),
                                     transaction.hold) != journal.holders.end();
        if (holds) {
            out = Hold{(out ? out->names + ", " : "") + transaction.hold, wanted->second};
        }
    }
    return out;
}

}  // namespace rocenv
