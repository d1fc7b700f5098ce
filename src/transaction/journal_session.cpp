// SPDX-License-Identifier: MIT
#include "transaction/journal_session.h"

#include <algorithm>

#include "settings/registry.h"
#include "transaction/journal/record_rules.h"
#include "transaction/undo.h"
#include "util/text.h"

namespace rocenv {

std::vector<Found> take_baseline(const Context& context) {
    std::vector<Found> out;
    for (const Setting* setting : all_settings()) {
        for (auto& baseline : baseline_of(*setting, context)) {
            Key key{std::string(setting->info.id), baseline.target.text()};
            auto writable = recordable(setting->info.id, std::move(baseline));
            out.push_back({std::move(key), std::move(writable)});
        }
    }
    return out;
}

std::vector<Found> take_baseline_twice(const Context& context, WritableFs& fs) {
    const auto lost = [](const std::vector<Found>& found) {
        return std::count_if(found.begin(), found.end(), [](const Found& each) {
            return each.baseline.back.is(ErrorKind::io);
        });
    };
    auto found = take_baseline(context);
    const auto missing = lost(found);
    if (missing == 0) {
        return found;
    }
    fs.read_live();
    auto again = take_baseline(context);
    return lost(again) < missing ? again : found;
}

std::map<Key, std::string> shown_now(const Context& context) {
    std::map<Key, std::string> now;
    for (const auto& found : take_baseline(context)) {
        now[found.key] = found.baseline.back ? found.baseline.shown : "unknown";
    }
    return now;
}

std::vector<std::string> dead_holders(const Journal& journal, const JournalStore& store) {
    std::vector<std::string> out;
    std::copy_if(journal.holders.begin(), journal.holders.end(), std::back_inserter(out),
                 [&](const std::string& hold) { return is_run_hold(hold) && store.is_dead(hold); });
    return out;
}

std::string damage_sentence(const Journal& journal) {
    return "the journal is damaged (" + join(journal.damage, ", ") +
           "): sudo rocenv reset restores what can be read of it; sudo rocenv reset --forget "
           "discards it";
}

std::optional<Error> of_another_boot(const Journal& journal, const JournalStore& store,
                                     const Fs& machine) {
    if (!machine.is_real() || journal.format == 0 || !store.outlives_boot()) {
        return std::nullopt;
    }
    const auto id = boot_id_of(machine);
    if (id && *id == journal.boot_id) {
        return std::nullopt;
    }
    const std::string why =
        !id ? "rocenv cannot determine whether the journal is of this boot, " + id.error().text
        : journal.boot_id.empty() ? "the journal does not name its boot"
                                  : "the journal is of another boot";
    return Error{ErrorKind::bad_input, 0, "",
                 why + "; the journal is kept; sudo rocenv reset --forget discards it"};
}

std::optional<Error> JournalSession::open() {
    const auto error = open_any();
    return error ? error : of_another_boot(journal(), store_, machine_);
}

std::optional<Error> JournalSession::open_any() {
    auto error = store_.load([&](std::string_view piece) { text_.feed(piece); });
    if (error) {
        return error->kind == ErrorKind::not_here ? std::nullopt : error;
    }
    error = text_.finish();
    if (error || !text_.journal().damage.empty()) {
        auto left = read_journal(store_);
        if (!left) {
            damaged_ = text_.is_newer() ? std::optional(salvaged(store_)) : std::nullopt;
            return left.error();
        }
        damaged_ = *std::move(left);
    }
    return std::nullopt;
}

std::optional<Error> JournalSession::append(const Records& records) {
    if (damaged_) {
        const auto& damage = damaged_->damage;
        return Error{ErrorKind::garbled, 0, "the journal",
                     damage.empty() ? "it was written by a newer rocenv" : damage.front()};
    }
    if (touch_ == Touch::yes && text_.journal().torn) {
        if (auto error = store_.cut(text_.journal().good_size)) {
            return error;
        }
    }
    JournalText next = text_;
    const std::string added = next.add(records, boot_id(), second_format);
    if (auto error = touch_ == Touch::yes ? store_.append(added) : std::nullopt) {
        return error;
    }
    text_ = std::move(next);
    return std::nullopt;
}

std::optional<Error> JournalSession::append_at_any_cost(const Records& records) {
    auto error = append(records);
    return error && is_full_disk(*error) && make_room() ? append(records) : error;
}

std::optional<Error> JournalSession::reserve() {
    return touch_ == Touch::yes ? store_.reserve() : std::nullopt;
}

std::optional<Error> JournalSession::conclude(const Records& records) {
    if (damaged_) {
        return std::nullopt;
    }
    JournalText next = text_;
    if (!records.empty()) {
        (void)next.add(records, boot_id(), second_format);
    }
    if (next.journal().empty()) {
        text_ = {};
        return touch_ == Touch::yes ? store_.discard() : std::nullopt;
    }
    if (auto error = records.empty() ? std::nullopt : append_at_any_cost(records)) {
        return error;
    }
    shorten();
    return std::nullopt;
}

// A failed replacement is ignored: the longer text is equivalent.
void JournalSession::shorten() {
    const Journal& now = journal();
    if (touch_ == Touch::no || now.reset_begun || is_unfinished(now)) {
        return;
    }
    JournalText next;
    const std::string text = next.add(compact_records(now, now.format), now.boot_id, now.format);
    if (text.size() < now.good_size && !store_.replace(text)) {
        text_ = std::move(next);
    }
}

std::optional<Error> JournalSession::replace(const Records& records) {
    const Journal& now = journal();
    JournalText next;
    const std::string text = next.add(records, now.boot_id, now.format);
    auto error = touch_ == Touch::yes ? store_.replace(text) : std::nullopt;
    if (error && is_full_disk(*error) && make_room()) {
        error = store_.replace(text);
    }
    if (!error) {
        text_ = std::move(next);
    }
    return error;
}

std::optional<Error> JournalSession::close_reset(const std::set<Key>& stuck) {
    Journal now = journal();
    now.reset_begun = false;
    now.resetting.clear();
    for (auto& transaction : now.transactions) {
        for (auto& [key, changed] : transaction.changed) {
            if (stuck.contains(key)) {
                changed.values.clear();
            }
        }
    }
    return replace(compact_records(now, now.format));
}

Result<std::vector<std::size_t>> JournalSession::set_apart(const Picks& picks) {
    const Journal& now = journal();
    auto apart = rocenv::set_apart(now, now.format, picks);
    auto error = apart.numbers.empty() ? std::nullopt : replace(apart.records);
    return error ? Result<std::vector<std::size_t>>(*std::move(error)) : std::move(apart.numbers);
}

// The id of the real machine was read before any record was added. A --sysroot has no boot id.
std::string JournalSession::boot_id() const {
    const auto id = machine_.is_real() ? boot_id_of(machine_) : Result<std::string>("");
    return id ? *id : "";
}

std::optional<Error> JournalSession::forget() {
    return touch_ == Touch::yes ? store_.set_aside() : std::nullopt;
}

std::optional<Hold> held_by_others(const Journal& journal, const Key& key,
                                   const std::string& own_name) {
    std::optional<Hold> out;
    for (const auto& transaction : journal.transactions) {
        const auto expected = transaction.expected.find(key);
        const bool holds = expected != transaction.expected.end() && transaction.hold != own_name &&
                           std::find(journal.holders.begin(), journal.holders.end(),
                                     transaction.hold) != journal.holders.end();
        if (holds) {
            out = Hold{(out ? out->names + ", " : "") + transaction.hold, expected->second};
        }
    }
    return out;
}

}  // namespace rocenv
