// SPDX-License-Identifier: MIT
#include "transaction/undo.h"

#include <algorithm>
#include <set>

#include "machine/identity.h"
#include "settings/registry.h"
#include "transaction/journal/record_rules.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Fate = Undone::Fate;

// One target that a transaction to restore may have changed.
struct Task {
    Key key;
    std::size_t transaction;          // number of the transaction that recorded the entry
    Recorded entry;                   // value to restore
    std::optional<Changed> expected;  // left by the last transaction; std::nullopt: unknown
    bool report_equal = true;         // false: report only differences
    bool unaccounted = false;
};

bool is_one_of(const std::vector<std::size_t>& numbers, std::size_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

class Undoer {
   public:
    Undoer(JournalSession& session, Writer& writer, const Context& context, const HoldRelease& what,
           Force force)
        : session_(session),
          writer_(writer),
          context_(context),
          what_(what),
          numbers_(what.numbers),
          force_(force),
          compares_(!session.journal().reset_begun && !is_unfinished(session.journal())) {}

    Undoing run() {
        if (numbers_.empty()) {
            finish({});
            return std::move(out_);
        }
        const auto tasks = find_tasks();
        const auto present = take_baseline(context_);
        if ((out_.error = say_begun())) {
            return std::move(out_);
        }
        for (const auto& found : present) {
            if (found.baseline.back.is(ErrorKind::asleep)) {
                asleep_[found.key] = found.baseline.back.error().text;
            }
        }
        for (const auto& task : tasks) {
            check(task);
        }
        name_lost();
        guard(present);
        finish(restore(writer_, goals_, [this] { return session_.make_room(); }));
        return std::move(out_);
    }

   private:
    // The reset record comes before the leave records: a holder that left without an open reset
    // would be lost. A full disk does not stop a reset.
    std::optional<Error> say_begun() {
        if (session_.damaged()) {
            return std::nullopt;
        }
        Records records{reset_record(numbers_)};
        add(records, leave_records());
        const auto error = session_.append_at_any_cost(records);
        return error && !is_full_disk(*error) ? error : std::nullopt;
    }

    // Returns the tasks. The oldest record of a key counts: it has the value from before rocenv.
    std::vector<Task> find_tasks() const {
        std::vector<Task> tasks;
        std::set<Key> seen;
        for (const auto& transaction : session_.journal().transactions) {
            if (!is_one_of(numbers_, transaction.number)) {
                continue;
            }
            for (const auto& [key, entry] : transaction.entries) {
                if (goes_back(transaction, key) && seen.insert(key).second) {
                    tasks.push_back({key, transaction.number, entry, expected(key),
                                     transaction.ended,
                                     transaction.recorded < transaction.announced});
                }
            }
        }
        return tasks;
    }

    // Reports keys of a damaged journal that were changed but whose old value is unreadable.
    void name_lost() {
        for (const auto& transaction : session_.journal().transactions) {
            for (const auto& [key, changed] : transaction.changed) {
                if (!transaction.entries.contains(key) && handled_.insert(key).second) {
                    out_.targets.push_back({key, Fate::stuck, "unknown", "",
                                            "the record of the old value is damaged", false});
                }
            }
        }
    }

    bool goes_back(const Transaction& transaction, const Key& key) const {
        if (transaction.ended && !transaction.lost_lines && !transaction.changed.contains(key)) {
            return false;  // value equals the baseline
        }
        return !stays(transaction, key) && !superseded(transaction, key);
    }

    // Returns true if the transaction must keep its record, which holds the oldest value.
    bool stays(const Transaction& transaction, const Key& key) const {
        return owned_by_later(key, transaction.number) ||
               (transaction.ended && what_.kept.contains(key));
    }

    // Returns true if the key was left alone as foreign and set again later. The foreign value is
    // then the one to restore.
    bool superseded(const Transaction& transaction, const Key& key) const {
        const auto& journal = session_.journal();
        const auto foreign = journal.foreign.find(key);
        if (force_ == Force::yes || foreign == journal.foreign.end() ||
            transaction.number > foreign->second.begun) {
            return false;
        }
        return std::any_of(journal.transactions.begin(), journal.transactions.end(),
                           [&](const Transaction& later) {
                               return later.number > foreign->second.begun &&
                                      is_one_of(numbers_, later.number) &&
                                      later.changed.contains(key);
                           });
    }

    // Returns true if a later transaction that stays has set the key, too, and now owns it.
    bool owned_by_later(const Key& key, std::size_t number) const {
        const auto& all = session_.journal().transactions;
        return std::any_of(all.begin(), all.end(), [&](const Transaction& later) {
            return later.number > number && !is_one_of(numbers_, later.number) &&
                   later.changed.contains(key);
        });
    }

    std::optional<Changed> expected(const Key& key) const {
        const auto& all = session_.journal().transactions;
        for (auto at = all.rbegin(); at != all.rend(); ++at) {
            const auto found = at->changed.find(key);
            if (found != at->changed.end()) {
                return found->second;
            }
        }
        return std::nullopt;
    }

    void check(const Task& task) {
        if (const auto why = not_ours_to_write(task)) {
            handled_.insert(task.key);
            out_.targets.push_back(
                {task.key, Fate::stuck, task.entry.shown, "", *why, task.unaccounted});
            return;
        }
        const auto values = read_values(context_.fs(), task.entry.back);
        Undone row{task.key, Fate::back, task.entry.shown, "", "", task.unaccounted};
        if (values && holds(task.entry.back, *values)) {
            row.fate = Fate::was_back;
            row.before = row.baseline;
        } else if (values && is_foreign(task, *values)) {
            row.fate = Fate::foreign;
        }
        handled_.insert(task.key);
        if (row.fate == Fate::was_back && !task.report_equal) {
            goals_.push_back({task.key, task.entry.back, true});
            rows_.push_back(std::nullopt);
            return;
        }
        if (row.fate == Fate::foreign) {
            out_.targets.push_back(std::move(row));
            return;
        }
        goals_.push_back({task.key, task.entry.back});
        rows_.push_back(std::move(row));
    }

    // Returns the reason why the recorded value must not be written: the device is asleep, the
    // record breaks the rules of its setting, or the device was replaced.
    std::optional<std::string> not_ours_to_write(const Task& task) const {
        if (const auto asleep = asleep_.find(task.key); asleep != asleep_.end()) {
            return asleep->second + "; repeat the reset when the device is awake";
        }
        if (const auto refused = refused_record(task.key, task.entry.back)) {
            return refused->text;
        }
        const std::string now = identity_of(context_.machine, task.key.id, task.key.target);
        if (same_device(task.entry.identity, now)) {
            return std::nullopt;
        }
        return changed_identity(task.entry.identity, now);
    }

    bool is_foreign(const Task& task, const std::vector<std::string>& values) const {
        if (force_ == Force::yes) {
            return false;
        }
        const auto& known = session_.journal().foreign;
        const auto found = known.find(task.key);
        if (found != known.end() && task.transaction <= found->second.begun) {
            return true;
        }
        return compares_ && task.expected && !is_ours(task.entry, *task.expected, values);
    }

    // A restore of one target may disturb others (a governor changes boost), so all other targets
    // become goals at their present values. Goals are applied last first, so these come in front.
    void guard(const std::vector<Found>& present) {
        std::vector<Goal> goals;
        for (const auto& [key, baseline] : present) {
            const bool unread = !baseline.back && baseline.shown.empty();
            before_[key] = unread ? "unknown" : baseline.shown;
            if (!handled_.contains(key) && baseline.back) {
                goals.push_back({key, *baseline.back, true});
            }
        }
        rows_.insert(rows_.begin(), goals.size(), std::nullopt);
        goals.insert(goals.end(), goals_.begin(), goals_.end());
        goals_ = std::move(goals);
    }

    void finish(const std::vector<std::size_t>& left) {
        Records records = numbers_.empty() ? leave_records() : Records();
        for (std::size_t at = 0; at < goals_.size(); ++at) {
            const bool stuck = std::find(left.begin(), left.end(), at) != left.end();
            resolve(at, stuck, records);
        }
        for (auto& row : out_.targets) {
            row.before = before_.contains(row.key) ? before_[row.key] : "unknown";
            if (row.fate == Fate::foreign) {
                records.push_back(foreign_record(row.key, row.before));
            }
        }
        add_undone(records);
        // A stuck target may be partly written, so the next reset does not compare it with the
        // record.
        const auto half_way = half_way_of(left);
        if (half_way.empty() && !numbers_.empty()) {
            records.push_back(rest_record());
        }
        out_.error = session_.conclude(records);
        if (what_.part && !half_way.empty() && !out_.error) {
            out_.error = session_.close_reset(half_way);
        }
    }

    // Returns the keys of these goals, without targets that are gone and were not written.
    std::set<Key> half_way_of(const std::vector<std::size_t>& goals) const {
        std::set<Key> keys;
        for (const auto at : goals) {
            const auto& states = goals_[at].change.states;
            if (std::any_of(states.begin(), states.end(), [&](const AttributeState& state) {
                    return !read_attribute(context_.fs(), state.attribute).is(ErrorKind::not_here);
                })) {
                keys.insert(goals_[at].key);
            }
        }
        return keys;
    }

    void add_undone(Records& records) const {
        for (const auto& transaction : session_.journal().transactions) {
            if (out_.clean() && is_one_of(numbers_, transaction.number) &&
                !keeps_any(transaction)) {
                records.push_back(undone_record(transaction.number));
            }
        }
    }

    Records leave_records() const {
        Records records;
        for (const auto& name : what_.names) {
            records.push_back(leave_record(name));
        }
        return records;
    }

    bool keeps_any(const Transaction& transaction) const {
        return std::any_of(transaction.changed.begin(), transaction.changed.end(),
                           [&](const auto& entry) { return stays(transaction, entry.first); });
    }

    void resolve(std::size_t at, bool stuck, Records& records) {
        const Goal& goal = goals_[at];
        if (!stuck && rows_[at]) {
            records.push_back(resolved_record(goal.key, numbers_));
        }
        if (!stuck && !rows_[at]) {
            return;
        }
        Undone row = rows_[at].value_or(Undone{goal.key, Fate::stuck, "", "", ""});
        if (stuck) {
            row.fate = Fate::stuck;
            row.detail = why_not(goal);
        }
        out_.targets.push_back(std::move(row));
    }

    std::string why_not(const Goal& goal) const {
        const auto values = read_values(context_.fs(), goal.change);
        if (!values) {
            return values.is(ErrorKind::not_here)
                       ? "the device or file is gone: " + values.error().path
                       : values.error().text;
        }
        if (const auto refused = writer_.refusal(goal.key)) {
            return refused->text;
        }
        return goal.change.states.front().attribute.path + " does not accept the old value";
    }

    JournalSession& session_;
    Writer& writer_;
    const Context& context_;
    const HoldRelease& what_;
    const std::vector<std::size_t>& numbers_;
    Force force_;
    bool compares_;
    std::vector<Goal> goals_;
    std::vector<std::optional<Undone>> rows_;  // parallel to goals_; std::nullopt: guarded only
    std::set<Key> handled_;
    std::map<Key, std::string> before_;
    std::map<Key, std::string> asleep_;
    Undoing out_;
};

}  // namespace

bool Undoing::complete() const {
    return std::none_of(targets.begin(), targets.end(),
                        [](const Undone& row) { return row.unaccounted; });
}

bool Undoing::clean() const {
    return std::none_of(targets.begin(), targets.end(), [](const Undone& row) {
        return row.fate == Fate::foreign || row.fate == Fate::stuck;
    });
}

bool Undoing::nothing_stuck() const {
    return std::none_of(targets.begin(), targets.end(),
                        [](const Undone& row) { return row.fate == Fate::stuck; });
}

Undoing undo(JournalSession& session, Writer& writer, const Context& context,
             const HoldRelease& what, Force force) {
    return Undoer(session, writer, context, what, force).run();
}

bool is_ours(const Recorded& entry, const Changed& expected,
             const std::vector<std::string>& values) {
    const auto& states = entry.back.states;
    if (expected.values.empty()) {
        return true;  // the value could not be read at the end of the set
    }
    if (values.size() != states.size() || expected.values.size() != states.size()) {
        return false;
    }
    for (std::size_t at = 0; at < values.size(); ++at) {
        const bool lost = !states[at].lost.empty() && values[at] == states[at].lost;
        if (values[at] != expected.values[at] && !lost) {
            return false;
        }
    }
    return true;
}

bool is_unfinished(const Journal& journal) {
    return !journal.transactions.empty() && !journal.transactions.back().ended;
}

std::string reset_command_of(const std::string& root, const std::string& state,
                             const std::string& options) {
    return "sudo rocenv reset" + options + (state.empty() ? "" : " --state " + shell_word(state)) +
           (root == "/" ? "" : " --sysroot " + shell_word(root));
}

std::string way_out(const std::string& id, const std::string& reset) {
    if (find_setting(id) == nullptr) {
        return "use the rocenv version that set it; if that is gone: " + reset + " --forget";
    }
    return reset + "; if the present value is right: " + reset + " --keep " + id;
}

namespace {

// One write can undo another (a level resets clocks, a governor its preference), so writes are
// repeated until no value differs.
constexpr int most_passes = 8;

Error not_kept(const AttributeState& state, const std::string& value) {
    return {ErrorKind::io, 0, state.attribute.path,
            state.attribute.path + ": the write succeeded, but the file reads " + value + ", not " +
                state.value};
}

using Values = std::vector<Result<std::vector<std::string>>>;

// Returns a flat copy of the values that two passes can be compared by; errors are compared by
// their text.
std::vector<std::string> picture(const Values& values) {
    std::vector<std::string> out;
    for (const auto& value : values) {
        if (!value) {
            out.push_back(value.error().text);
            continue;
        }
        out.insert(out.end(), value->begin(), value->end());
    }
    return out;
}

Values read_all(const Fs& fs, const std::vector<Goal>& goals) {
    Values values;
    values.reserve(goals.size());
    for (const auto& goal : goals) {
        values.push_back(read_values(fs, goal.change));
    }
    return values;
}

// Does the same in one helper if that is faster than a message for each read.
Values read_together(WritableFs& fs, const std::vector<Goal>& goals) {
    constexpr std::size_t worth_a_helper = 32;
    if (goals.size() >= worth_a_helper) {
        fs.read_ahead([&] { (void)read_all(fs, goals); });
    }
    return read_all(fs, goals);
}

std::vector<std::size_t> unreached(const std::vector<Goal>& goals, const Values& values) {
    std::vector<std::size_t> out;
    for (std::size_t at = 0; at < goals.size(); ++at) {
        if (!values[at] || !holds(goals[at].change, *values[at])) {
            out.push_back(at);
        }
    }
    return out;
}

// Returns true if an unwritten target cannot be read because its device is silent or gone. Such a
// target is not partly restored.
bool is_only_hidden(const Writer& writer, const Goal& goal,
                    const Result<std::vector<std::string>>& value) {
    return goal.optional && !value && !writer.touched(goal.key);
}

}  // namespace

Result<std::vector<std::string>> read_values(const Fs& fs, const Change& change) {
    std::vector<std::string> values;
    for (const auto& state : change.states) {
        auto value = read_attribute(fs, state.attribute);
        if (!value) {
            return value.error();
        }
        values.push_back(*std::move(value));
    }
    return values;
}

bool holds(const Change& change, const std::vector<std::string>& values) {
    return std::equal(change.states.begin(), change.states.end(), values.begin(), values.end(),
                      [](const AttributeState& state, const auto& value) {
                          return state.value.empty() || state.value == value;
                      });
}

bool holds_now(const Fs& fs, const Change& change) {
    const auto values = read_values(fs, change);
    return values && holds(change, *values);
}

std::optional<Error> Writer::write(const Key& key, const Write& write) {
    log_.push_back({key, write});
    if (rehearses()) {
        return std::nullopt;
    }
    return fs_.write(write.path, write.offset, write.bytes);
}

bool Writer::touched(const Key& key) const {
    return std::any_of(log_.begin(), log_.end(),
                       [&](const PlannedWrite& planned) { return planned.key == key; });
}

std::optional<Error> Writer::apply(const Key& key, const Change& change) {
    for (const auto& step : change.writes) {
        if (auto error = write(key, step)) {
            return error;
        }
    }
    const auto values = read_values(fs_, change);
    if (!values) {
        return values.error();
    }
    for (std::size_t at = 0; at < values->size(); ++at) {
        const auto& expected = change.states[at].value;
        if (!expected.empty() && expected != (*values)[at]) {
            return not_kept(change.states[at], (*values)[at]);
        }
    }
    return std::nullopt;
}

void Writer::apply_tolerantly(const Key& key, const Change& change, const MakeRoom& make_room) {
    refused_.erase(key);
    for (const auto& step : change.writes) {
        auto error = write(key, step);
        if (error && is_full_disk(*error) && make_room && make_room()) {
            error = fs_.write(step.path, step.offset, step.bytes);
        }
        if (error) {
            refused_.emplace(key, *error);
        }
        if (error && error->kind == ErrorKind::timed_out) {
            return;  // no more writes to that device
        }
    }
}

std::optional<Error> Writer::refusal(const Key& key) const {
    const auto found = refused_.find(key);
    return found == refused_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::size_t> restore(Writer& writer, const std::vector<Goal>& goals,
                                 const MakeRoom& make_room) {
    Values values = read_together(writer.fs(), goals);
    auto left = unreached(goals, values);
    int fruitless = 0;
    for (int pass = 0; pass < most_passes && !left.empty() && fruitless < 2; ++pass) {
        // Later settings depend on earlier ones in the registry's order, so they are restored
        // first.
        for (auto at = left.rbegin(); at != left.rend(); ++at) {
            if (!is_only_hidden(writer, goals[*at], values[*at])) {
                writer.apply_tolerantly(goals[*at].key, goals[*at].change, make_room);
            }
        }
        if (writer.rehearses()) {  // an existing target counts as reached, a missing one does not
            std::erase_if(left,
                          [&](std::size_t at) { return !values[at].is(ErrorKind::not_here); });
            break;
        }
        const auto before = picture(values);
        values = read_together(writer.fs(), goals);
        left = unreached(goals, values);
        fruitless = picture(values) == before ? fruitless + 1 : 0;
    }
    std::erase_if(left,
                  [&](std::size_t at) { return is_only_hidden(writer, goals[at], values[at]); });
    return left;
}

}  // namespace rocenv
