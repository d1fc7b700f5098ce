// SPDX-License-Identifier: MIT
#include "transaction/set_run.h"

#include <algorithm>

#include "machine/identity.h"
#include "transaction/journal/journal_grammar.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int most_rounds = 3;  // a later step may undo an earlier one

bool is_lost(const Found& found) {
    return found.baseline.back.is(ErrorKind::io);
}

// A read that came to nothing, as when its helper was killed, is tried once more: what another
// write changes by the way and nobody recorded would stay so for good.
std::vector<Found> take_baseline_twice(const Context& context) {
    auto found = take_baseline(context);
    if (std::none_of(found.begin(), found.end(), is_lost)) {
        return found;
    }
    auto again = take_baseline(context);
    return std::count_if(again.begin(), again.end(), is_lost) <
                   std::count_if(found.begin(), found.end(), is_lost)
               ? again
               : found;
}

}  // namespace

Aftermath SetRun::perform() {
    const bool nothing = std::none_of(items_.begin(), items_.end(), [](const SetItem& item) {
        return item.row->outcome == Outcome::differs;
    });
    if (nothing && scene_.hold.empty()) {
        return Aftermath::done;
    }
    found_ = take_baseline_twice(scene_.context);
    note_lost();
    drop_unrecorded();
    auto error = scene_.session.reserve();
    if (!error) {
        error = record_baseline();
    }
    if (error) {
        errors.push_back("the journal cannot be written, nothing was set: " + error->text);
        (void)scene_.session.conclude({});
        return Aftermath::rolled_back;
    }
    return forward();
}

// Nothing writes these, but what is written may change them by the way.
void SetRun::note_lost() {
    for (const auto& found : found_) {
        const auto& back = found.baseline.back;
        if (!back && !back.is(ErrorKind::not_here) && !back.is(ErrorKind::asleep)) {
            notes.push_back("not recorded, and not put back if it changes: " + found.key.id + " " +
                            found.key.target + ": " + found.baseline.back.error().text);
        }
    }
}

// What could not be read as a whole is never written.
void SetRun::drop_unrecorded() {
    std::map<Key, const Found*> by_key;
    for (const auto& found : found_) {
        by_key[found.key] = &found;
    }
    std::erase_if(items_, [&](SetItem& item) {
        const auto at = by_key.find(item.key);
        const bool recorded = at != by_key.end() && at->second->baseline.back.ok();
        if (recorded) {
            item.was = at->second->baseline.shown;
        } else if (item.row->outcome == Outcome::differs) {
            item.row->outcome = Outcome::unknown;
            item.row->reason =
                at == by_key.end() ? Reason::error : reason_of(at->second->baseline.back.error());
            item.row->detail = at == by_key.end() ? "it is not there any more"
                                                  : at->second->baseline.back.error().text;
        }
        return !recorded;
    });
}

std::optional<Error> SetRun::record_baseline() {
    Transaction transaction;
    transaction.number = scene_.session.journal().begun + 1;
    transaction.time = report_time(scene_.context.process);
    transaction.user = scene_.caller.user;
    transaction.hold = scene_.hold;
    const int format = scene_.session.format();
    Records entries;
    for (const auto& found : found_) {
        if (found.baseline.back) {
            const auto identity =
                identity_of(scene_.context.machine, found.key.id, found.key.target);
            entries.push_back(entry_record(
                found.key, {found.baseline.shown, *found.baseline.back, identity}, format));
        }
    }
    transaction.announced = entries.size();
    for (const auto& item : items_) {
        if (!scene_.hold.empty() && !item.refused()) {
            entries.push_back(wanted_record(item.key, item.row->want.value_or("")));
        }
    }
    Records records{begin_record(transaction)};
    add(records, std::move(entries));
    records.push_back(writing_record());
    return scene_.session.append(records);
}

Aftermath SetRun::forward() {
    for (int pass = 0; pass < most_rounds; ++pass) {
        bool any = false;
        for (auto& item : items_) {
            if (const auto stop = step(item, any)) {
                return *stop;
            }
        }
        if (!any) {
            break;
        }
    }
    if (scene_.caller.interrupted()) {
        return roll_back("interrupted");
    }
    if (const auto undone = find_undone()) {
        return roll_back(*undone);
    }
    if (const auto error = record_end()) {
        return roll_back("the journal cannot be written: " + error->text);
    }
    return stuck_ ? Aftermath::stuck : Aftermath::done;
}

// Nothing, or how it ended when it cannot go on.
std::optional<Aftermath> SetRun::step(SetItem& item, bool& any) {
    if (item.refused() || item.failed || holds_now(scene_.context.fs(), item.change)) {
        return std::nullopt;
    }
    if (scene_.caller.interrupted()) {
        return roll_back("interrupted");
    }
    any = true;
    item.tried = true;
    const auto error = scene_.writer.apply(item.key, item.change);
    item.written = true;
    return error ? take_failure(item, *error) : std::nullopt;
}

std::optional<Aftermath> SetRun::take_failure(SetItem& item, const Error& error) {
    item.failed = true;
    item.written = false;
    item.row->outcome = Outcome::failed;
    item.row->detail = error.text;
    item.row->next_step = "sudo dmesg | tail; the kernel may say why";
    if (scene_.caller.interrupted()) {
        return roll_back("interrupted");
    }
    if (error.kind == ErrorKind::timed_out || item.level == Level::required) {
        return roll_back(item.key.id + " " + item.key.target + ": " + error.text);
    }
    put_back_alone(item);
    return std::nullopt;
}

void SetRun::put_back_alone(SetItem& item) {
    for (const auto& found : found_) {
        if (found.key == item.key &&
            !restore(scene_.writer, {{found.key, *found.baseline.back}}).empty()) {
            stuck_ = true;
            name_left(item.key);
        }
    }
}

// A wanted value that a later step has undone for good.
std::optional<std::string> SetRun::find_undone() {
    for (auto& item : items_) {
        if (item.refused() || item.failed) {
            continue;
        }
        const auto values = read_values(scene_.context.fs(), item.change);
        if (values && holds(item.change, *values)) {
            continue;
        }
        item.failed = true;
        item.written = false;
        item.row->outcome = Outcome::failed;
        item.row->detail = values ? "another setting keeps undoing it" : values.error().text;
        if (item.level == Level::required) {
            return item.key.id + " " + item.key.target + " does not stay as wanted";
        }
        put_back_alone(item);
    }
    return std::nullopt;
}

// Everything that can be written goes back to what it was, wanted or not.
Aftermath SetRun::roll_back(const std::string& why) {
    scene_.caller.more_time();
    scene_.writer.on_full_disk([this] { return scene_.session.make_room(); });
    std::vector<Goal> goals;
    for (const auto& found : found_) {
        if (found.baseline.back) {
            goals.push_back({found.key, *found.baseline.back, true});
        }
    }
    const auto unreached = restore(scene_.writer, goals);
    for (auto& item : items_) {
        item.written = false;
    }
    for (const auto at : unreached) {
        name_left(goals[at].key);
    }
    errors.insert(errors.begin(), "set failed: " + why);
    if (!unreached.empty()) {
        return Aftermath::stuck;  // the journal stays as it is, reset goes on from there
    }
    const auto number = scene_.session.journal().begun;
    Records records{undone_record(number)};
    add(records, end_of_hold());
    (void)scene_.session.conclude(records);
    return Aftermath::rolled_back;
}

// Says what a target that could not be put back holds now.
void SetRun::name_left(const Key& key) {
    std::string now = "unknown";
    for (const auto& found : take_baseline(scene_.context)) {
        if (found.key == key && found.baseline.back) {
            now = found.baseline.shown;
        }
    }
    for (const auto& found : found_) {
        if (found.key == key) {
            left.push_back({key, found.baseline.target, found.baseline.shown, now});
        }
    }
    errors.push_back(key.id + " " + key.target + " could not be put back, " +
                     (now == "unknown" ? "what it holds now is unknown" : "it is " + now));
}

// A name that this set brought leaves again with it.
Records SetRun::end_of_hold() const {
    const auto& transactions = scene_.session.journal().transactions;
    const auto others = std::count_if(
        transactions.begin(), transactions.end(),
        [&](const Transaction& transaction) { return transaction.hold == scene_.hold; });
    return scene_.hold.empty() || others > 1 ? Records() : Records{leave_record(scene_.hold)};
}

std::optional<Error> SetRun::record_end() {
    std::map<Key, std::string> shown;
    for (const auto& found : take_baseline(scene_.context)) {
        shown[found.key] = found.baseline.shown;
    }
    Records records;
    for (const auto& found : found_) {
        add(records, changed_or_not(found, shown[found.key]));
    }
    for (const auto& item : items_) {
        if (item.failed && !scene_.hold.empty() && scene_.session.format() != first_format) {
            records.push_back(unwanted_record(item.key));
        }
    }
    const bool nothing = records.empty() && scene_.hold.empty();
    records.push_back(nothing ? undone_record(scene_.session.journal().begun) : end_record());
    const auto error = scene_.session.append(records);  // not out of the room for the way back
    return error ? error : scene_.session.conclude({});
}

Records SetRun::changed_or_not(const Found& found, const std::string& shown) {
    if (!found.baseline.back) {
        return {};
    }
    const auto values = read_values(scene_.context.fs(), *found.baseline.back);
    if (values && holds(*found.baseline.back, *values)) {
        return {};
    }
    const auto item = std::find_if(items_.begin(), items_.end(), [&](const SetItem& candidate) {
        return candidate.key == found.key && candidate.written;
    });
    const bool wanted = item != items_.end();
    if (!wanted && values) {
        notes.push_back("side effect: " + found.key.id + " " + found.key.target + " is " + shown +
                        " now, was " + found.baseline.shown);
    }
    const std::string set_to = wanted ? item->row->want.value_or(shown) : shown;
    return {
        changed_record(found.key, {set_to, values ? *values : std::vector<std::string>(), wanted})};
}

}  // namespace rocenv
