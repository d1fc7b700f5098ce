// SPDX-License-Identifier: MIT
// rocenv set: evaluates settings, records their present values, writes and verifies new values, or
// rolls back.
#include "transaction/set.h"

#include <algorithm>
#include <functional>
#include <set>

#include "check/evaluate.h"
#include "check/set_command.h"
#include "machine/identity.h"
#include "profile/profile_selection.h"
#include "profile/request.h"
#include "settings/registry.h"
#include "transaction/journal/journal_grammar.h"
#include "transaction/journal_session.h"
#include "transaction/part_of_node.h"
#include "transaction/undo.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// One target that a set changes to, or keeps at, the expected value.
struct SetItem {
    Key key;
    Change change;
    Level level;
    Assessment* row;       // in Evaluation
    std::string was;       // value in the baseline, as text
    bool written = false;  // and the value was verified
    bool tried = false;    // a write was attempted
    bool failed = false;

    // Returns true if the item is unsafe, or set by another holder.
    bool refused() const { return row->outcome == Outcome::unsafe; }
};

// Returns a sentence if the journal's record of this address belongs to another device. A record of
// the present device could then not be kept.
std::optional<std::string> other_device(const Journal& journal, const Key& key,
                                        const Machine& machine) {
    for (const auto& transaction : journal.transactions) {
        const auto found = transaction.entries.find(key);
        if (found == transaction.entries.end() || !transaction.changed.contains(key)) {
            continue;
        }
        const std::string now = identity_of(machine, key.id, key.target);
        if (!same_device(found->second.identity, now)) {
            return "another device is at this address (" + now + "), not the one that was set (" +
                   found->second.identity + ")";
        }
    }
    return std::nullopt;
}

struct Objection {
    std::string detail;
    std::string next_step;
};

// Returns the next step with the command that sets the value although it is unsafe.
std::string all_the_same(const SetRequest& request, const Evaluation& evaluation,
                         const Expectation& expectation) {
    return "If no guest or job needs the present value: " +
           set_command(request.check, evaluation.result.report.profiles, expectation) +
           " --allow " + expectation.id +
           (request.gpus.empty() ? "" : " --gpu " + shell_word(request.gpus)) +
           (request.hold.empty() ? "" : " --hold " + request.hold);
}

std::string reset_of(const SetRequest& request, const std::string& options) {
    return reset_command_of(request.check.root, request.state, options);
}

// Returns the objection against a write of the item; std::nullopt if it may be written. A value
// that is present needs no write. It cannot be held for one job while another holder relies on a
// different value.
std::optional<Objection> reason_against(const SetItem& item, const Setting& setting,
                                        const Context& context, const Journal& journal,
                                        const SetRequest& request,
                                        const std::optional<PartOfNode>& part,
                                        const std::string& anyway) {
    const bool writes = item.row->outcome == Outcome::differs;
    const std::string& id = item.key.id;
    if (const auto other =
            writes ? other_device(journal, item.key, context.machine) : std::nullopt) {
        return Objection{*other, "to discard that record: " + reset_of(request, " --keep " + id) +
                                     "; to discard all: " + reset_of(request, " --forget")};
    }
    const bool judged = writes || item.row->outcome == Outcome::ok;
    const auto hold = judged ? held_by_others(journal, item.key, request.hold) : std::nullopt;
    if (hold && hold->shown != item.row->expected) {
        const auto first = hold->names.substr(0, hold->names.find(','));
        return Objection{"held at " + hold->shown + " by " + hold->names,
                         first.starts_with("run/")
                             ? "wait until that run ends"
                             : "If that job has ended: " + reset_of(request, " --hold " + first)};
    }
    const bool allowed = !request.allow.empty() && selected(id, request.allow, {});
    auto unsafe = writes && !allowed ? reason_to_spare_others(part, id) : std::nullopt;
    if (writes && !allowed && !unsafe) {
        unsafe = unsafe_of(setting, context, item.row->target);
    }
    return unsafe ? std::optional(Objection{*unsafe, anyway}) : std::nullopt;
}

// Returns one sentence for each expected value above the limit that the node itself states.
std::vector<std::string> refusals(const Evaluation& evaluation) {
    std::vector<std::string> out;
    for (const auto& judged : evaluation.judged) {
        for (const auto& row : judged.rows) {
            if (!row.refused.empty() && judged.expectation.level != Level::info) {
                out.push_back(judged.expectation.id + ": " + row.refused);
            }
        }
    }
    return out;
}

// Returns the settable items of level recommended or required. Marks an item as unsafe if the write
// would break something (unless allowed), or if another holder relies on a different value.
std::vector<SetItem> choose_items(Evaluation& evaluation, const Context& context,
                                  const Journal& journal, const SetRequest& request,
                                  const std::optional<PartOfNode>& part) {
    std::vector<SetItem> items;
    for (auto& judged : evaluation.judged) {
        const Expectation& expectation = judged.expectation;
        if (expectation.level == Level::info) {
            continue;  // evaluated only
        }
        const std::string anyway = all_the_same(request, evaluation, expectation);
        for (auto& row : judged.rows) {
            if (!row.change) {
                continue;
            }
            SetItem item{
                {expectation.id, row.target.text()}, *row.change, expectation.level, &row, ""};
            if (const auto why = reason_against(item, *judged.setting, context, journal, request,
                                                part, anyway)) {
                row.outcome = Outcome::unsafe;
                row.detail = why->detail;
                row.next_step = why->next_step;
            }
            items.push_back(std::move(item));
        }
    }
    return items;
}

bool none_differs(const std::vector<SetItem>& items) {
    return std::none_of(items.begin(), items.end(),
                        [](const SetItem& item) { return item.row->outcome == Outcome::differs; });
}

constexpr int most_rounds = 3;  // limit, because a later step may undo an earlier one

// The writing part of a set: records the baseline, writes with verification, adds the end record;
// or rolls back.
class SetRun {
   public:
    struct Scene {
        const Context& context;
        JournalSession& session;
        Writer& writer;
        const Caller& caller;
        const std::string& hold;
    };
    SetRun(Scene scene, std::vector<SetItem>& items) : scene_(scene), items_(items) {}

    // Runs the set. Marks each item as written or failed, and its row with the outcome of a
    // failure.
    Aftermath perform();

    std::vector<std::string>
        errors;  // reasons of the failure, and values that could not be restored
    std::vector<std::string> notes;  // side effects

    // A value that could not be restored, and the present value.
    struct Left {
        Key key;
        Target target;
        std::string was;
        std::string have;
    };
    std::vector<Left> left;

   private:
    void note_lost();
    void drop_unrecorded();
    std::optional<Error> record_baseline();
    Aftermath forward();
    std::optional<Aftermath> step(SetItem& item, bool& any);
    std::optional<Aftermath> take_failure(SetItem& item, const Error& error);
    void put_back_alone(SetItem& item);
    std::optional<std::string> find_undone();
    Aftermath roll_back(const std::string& why);
    void name_left(const Key& key);
    Records end_of_hold() const;
    Records end_of_set();
    std::optional<Error> commit(const Records& end);
    Records changed_or_not(const Found& found, const std::string& shown);

    Scene scene_;
    std::vector<SetItem>& items_;
    std::vector<Found> found_;
    std::vector<std::string> side_effects_;  // notes, added when the set is final
    bool stuck_ = false;
};

Aftermath SetRun::perform() {
    if (none_differs(items_) && scene_.hold.empty()) {
        return Aftermath::done;
    }
    found_ = take_baseline_twice(scene_.context, scene_.writer.fs());
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

// Notes the values that could not be recorded. They are not written, but may change as a side
// effect.
void SetRun::note_lost() {
    for (const auto& found : found_) {
        const auto& back = found.baseline.back;
        if (!back && !back.is(ErrorKind::not_here) && !back.is(ErrorKind::asleep)) {
            notes.push_back("not recorded, so not restored if it changes: " + found.key.id + " " +
                            found.key.target + ": " + found.baseline.back.error().text);
        }
    }
}

// Drops items that could not be recorded as a whole; these are never written.
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
            item.row->detail = at == by_key.end() ? "the device or file is gone"
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
            entries.push_back(expected_record(item.key, item.row->expected.value_or("")));
        }
    }
    Records records{begin_record(transaction)};
    add(records, std::move(entries));
    records.push_back(writing_record());
    return scene_.session.append(records);
}

Aftermath SetRun::forward() {
    const auto read_states = [this] {
        for (const auto& found : found_) {
            (void)(found.baseline.back && holds_now(scene_.context.fs(), *found.baseline.back));
        }
        (void)take_baseline(scene_.context);
    };
    bool any = true;
    for (int pass = 0; any && pass < most_rounds; ++pass) {
        any = false;
        if (pass > 0) {
            scene_.writer.fs().read_ahead(read_states);
        }
        for (auto& item : items_) {
            if (const auto stop = step(item, any)) {
                return *stop;
            }
        }
    }
    if (scene_.caller.interrupted()) {
        return roll_back("interrupted");
    }
    if (const auto undone = find_undone()) {
        return roll_back(*undone);
    }
    const Records end = end_of_set();
    // The append of the end record is the commit point. A signal that was noted before it puts
    // everything back; a later one changes neither the settings nor the exit status.
    if (scene_.caller.interrupted()) {
        return roll_back("interrupted");
    }
    if (const auto error = commit(end)) {
        return roll_back("the journal cannot be written: " + error->text);
    }
    return stuck_ ? Aftermath::stuck : Aftermath::done;
}

// Writes one item. Returns std::nullopt to continue, or the result if the set ended.
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
    item.row->next_step = "sudo dmesg | tail";
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

// Returns a sentence if a later step permanently undid a requested value.
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
        item.row->detail = values ? "another setting changes it back" : values.error().text;
        if (item.level == Level::required) {
            return item.key.id + " " + item.key.target + " does not keep its value";
        }
        put_back_alone(item);
    }
    return std::nullopt;
}

// Restores all writable values, requested or not, to the baseline.
Aftermath SetRun::roll_back(const std::string& why) {
    scene_.caller.more_time();
    std::vector<Goal> goals;
    for (const auto& found : found_) {
        if (found.baseline.back) {
            goals.push_back({found.key, *found.baseline.back, true});
        }
    }
    const auto unreached =
        restore(scene_.writer, goals, [this] { return scene_.session.make_room(); });
    for (auto& item : items_) {
        item.written = false;
    }
    errors = {"set failed: " + why};
    left.clear();  // drops values that are restored by now
    for (const auto at : unreached) {
        name_left(goals[at].key);
    }
    if (!unreached.empty()) {
        return Aftermath::stuck;  // the journal stays, and reset continues from it
    }
    Records records{undone_record(scene_.session.journal().begun)};
    add(records, end_of_hold());
    (void)scene_.session.conclude(records);
    return Aftermath::rolled_back;
}

// Adds the present value of a target that could not be restored.
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
    errors.push_back(key.id + " " + key.target + " could not be restored, " +
                     (now == "unknown" ? "its present value is unknown" : "its value is " + now));
}

// Returns the records that release a name that only this set holds.
Records SetRun::end_of_hold() const {
    const auto& transactions = scene_.session.journal().transactions;
    const auto others = std::count_if(
        transactions.begin(), transactions.end(),
        [&](const Transaction& transaction) { return transaction.hold == scene_.hold; });
    return scene_.hold.empty() || others > 1 ? Records() : Records{leave_record(scene_.hold)};
}

// Returns the records of all changes, and the end record.
Records SetRun::end_of_set() {
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
    return records;
}

// Makes the set final. On an error none of these records is in the journal.
std::optional<Error> SetRun::commit(const Records& end) {
    const auto error = scene_.session.append(end);  // does not use the room reserved for a reset
    if (!error) {
        std::move(side_effects_.begin(), side_effects_.end(), std::back_inserter(notes));
    }
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
    const bool requested = item != items_.end();
    if (!requested && values) {
        side_effects_.push_back("side effect: " + found.key.id + " " + found.key.target + " is " +
                                shown + " now, was " + found.baseline.shown);
    }
    const std::string set_to = requested ? item->row->expected.value_or(shown) : shown;
    return {changed_record(found.key,
                           {set_to, values ? *values : std::vector<std::string>(), requested})};
}

class Setter {
   public:
    Setter(const SetRequest& request, Judgement judgement, WritableFs& fs, const Process& process,
           JournalStore& store, const Caller& caller)
        : request_(request),
          judgement_(std::move(judgement)),
          process_(process),
          caller_(caller),
          machine_(fs),
          context_{machine_, process_},
          session_(store, fs,
                   request.dry_run ? JournalSession::Touch::no : JournalSession::Touch::yes),
          writer_(fs, out_.writes, request.dry_run ? Writer::Mode::rehearse : Writer::Mode::write) {
    }

    SetResult run() {
        check_patterns(request_.allow, "--allow", out_.errors);
        writer_.fs().read_ahead([this] { plan(); });
        if (!judge() || !open_journal()) {
            return std::move(out_);
        }
        if (has_remains(session_) && !recover()) {
            return std::move(out_);
        }
        items_ = choose_items(evaluation_, context_, living(), request_, part_);
        name_rivals();
        note_environment();
        const auto aftermath = request_.dry_run ? rehearse() : perform();
        report(aftermath);
        return std::move(out_);
    }

   private:
    // Makes the reads of a set up to its first write. Runs in a helper, whose copy of this object
    // ends with it; the records of the journal are not needed for the reads.
    void plan() {
        if (judge()) {
            items_ = choose_items(evaluation_, context_, session_.journal(), request_, part_);
            name_rivals();
            (void)take_baseline(context_);
        }
    }

    bool judge() {
        evaluation_ = judgement_(context_);
        auto& result = evaluation_.result;
        std::move(result.warnings.begin(), result.warnings.end(),
                  std::back_inserter(out_.warnings));
        std::move(result.errors.begin(), result.errors.end(), std::back_inserter(out_.errors));
        if (out_.errors.empty()) {
            out_.errors = refusals(evaluation_);
        }
        out_.report = result.report;
        if (out_.errors.empty()) {
            choose_part();
        }
        if (!out_.errors.empty()) {
            out_.report.exit_code = exit_of_unread(result.timed_out);
        }
        return out_.errors.empty();
    }

    void choose_part() {
        auto part = request_.whole_node ? Result<std::optional<PartOfNode>>(std::nullopt)
                                        : part_of_node(request_.gpus, context_);
        if (!part) {
            out_.errors.push_back(part.error().text);
            return;
        }
        part_ = *std::move(part);
        if (part_) {
            out_.report.notes.push_back(keep_part(*part_, request_.allow, evaluation_));
        }
    }

    // Warns about services that may set the same values again, before anything is written.
    void name_rivals() {
        const Setting& rivals = *find_setting("host.rivals");
        Expectation none;
        none.id = rivals.info.id;
        none.value.data = std::string("none");
        for (const auto& row : none_differs(items_) ? std::vector<Assessment>()
                                                    : rivals.assess(rivals, context_, none)) {
            if (row.outcome == Outcome::differs) {
                out_.warnings.push_back(row.detail + ": this may undo the settings (" +
                                        row.next_step + ")");
            }
        }
    }

    // Adds a note on variables, which belong to processes and not to the node.
    void note_environment() {
        std::vector<std::string> names;
        for (const auto& judged : evaluation_.judged) {
            if (judged.expectation.id.starts_with("env.") &&
                judged.expectation.level != Level::info) {
                names.push_back(judged.expectation.id.substr(4));
            }
        }
        if (!names.empty()) {
            out_.report.notes.push_back(std::string(variables_note) + ": export " +
                                        join(names, ", ") + " there (rocenv profile show)");
        }
    }

    bool open_journal() {
        std::optional<Error> error = session_.open();
        if (!error && session_.damaged()) {
            error = Error{ErrorKind::garbled, 0, "", damage_sentence(session_.journal())};
        }
        if (!error && context_.fs().is_real()) {
            const auto id = boot_id_of(context_.fs());  // required to detect a stale journal later
            error = id ? std::nullopt : std::optional(id.error());
        }
        return !error || fail(exit_unknown,
                              "the journal cannot be used, nothing was written: " + error->text);
    }

    bool fail(int code, const std::string& why) {
        out_.errors.push_back(why);
        out_.report.exit_code = code;
        return false;
    }

    // Returns the journal without dead holders, for a dry run, which releases no holder.
    Journal living() const {
        Journal journal = session_.journal();
        for (const auto& dead : session_.dead()) {
            std::erase(journal.holders, dead);
        }
        return journal;
    }

    // Restores the changes of interrupted commands and ended runs first.
    bool recover() {
        const auto& journal = session_.journal();
        const auto dead = session_.dead();
        const bool cut_off = journal.reset_begun || is_unfinished(journal);
        const std::string what = cut_off ? journal.reset_begun ? "an earlier reset did not finish"
                                                               : "an earlier set did not finish"
                                         : join(dead, ", ") + " was killed";
        caller_.more_time();
        const auto undoing = undo_remains(session_, writer_, context_);
        out_.warnings.clear();  // drops warnings of the profile, which is evaluated again
        const bool died_whole = !cut_off && undoing.nothing_stuck();
        if (undoing.error || (!undoing.clean() && !died_whole)) {
            const auto why = undoing.error ? undoing.error->text : first_trouble(undoing);
            return fail(exit_stuck,
                        what + "; nothing was set, because its changes cannot be restored: " + why +
                            " (rocenv reset; --keep accepts the present value)");
        }
        out_.warnings.push_back(what + ": its changes " + (request_.dry_run ? "would be" : "were") +
                                " restored first");
        if (request_.dry_run) {
            for (const auto& row : undoing.targets) {
                recovered_.insert(row.key);
            }
            return judge();
        }
        if (caller_.timed_out()) {
            return fail(exit_rolled_back, "the deadline was reached after that; nothing was set");
        }
        writer_.fs().read_ahead([this] { plan(); });
        if (!undoing.clean()) {
            out_.warnings.push_back("left alone, because they were changed outside rocenv: " +
                                    first_trouble(undoing));
        }
        return judge();
    }

    static std::string first_trouble(const Undoing& undoing) {
        for (const auto& row : undoing.targets) {
            if (row.fate == Undone::Fate::stuck || row.fate == Undone::Fate::foreign) {
                return row.key.id + " " + row.key.target + " is " + row.before + ", was " +
                       row.baseline + (row.detail.empty() ? "" : " (" + row.detail + ")");
            }
        }
        return "";
    }

    // Plans the writes of a set in which every write succeeds. An item that has the expected value
    // only until an earlier state is restored is planned as well.
    Aftermath rehearse() {
        for (auto& item : items_) {
            const bool lost = item.row->outcome == Outcome::ok && recovered_.contains(item.key);
            if (item.row->outcome == Outcome::differs || lost) {
                for (const auto& write : item.change.writes) {
                    out_.writes.push_back({item.key, write});
                }
                item.written = true;
            }
        }
        return Aftermath::done;
    }

    Aftermath perform() {
        SetRun run({context_, session_, writer_, caller_, request_.hold}, items_);
        const auto aftermath = run.perform();
        std::move(run.errors.begin(), run.errors.end(), std::back_inserter(out_.errors));
        std::move(run.notes.begin(), run.notes.end(), std::back_inserter(out_.report.notes));
        left_ = std::move(run.left);
        return aftermath;
    }

    // Updates the row of an item. An item that passed, and was rewritten because another write
    // disturbed it, still passes.
    static void update_row(const SetItem& item) {
        Assessment& row = *item.row;
        const auto was = item.was.empty() ? row.have.value_or("unknown") : item.was;
        if (item.written && row.outcome == Outcome::differs) {
            row.outcome = Outcome::changed;
            row.was = was;
            row.have = row.expected;
            row.detail.clear();
        } else if (!item.written && (item.failed || item.tried) && row.outcome != Outcome::ok) {
            row.was = was;
            row.put_back = PutBack::yes;
        }
    }

    void add_left(const SetRun::Left& left) {
        Assessment& row = row_of(left);
        if (row.outcome != Outcome::failed) {
            const auto why = writer_.refusal(left.key);
            row.outcome = Outcome::failed;
            row.detail = why ? why->text : "";
        }
        row.was = left.was;
        row.have = left.have;
        row.put_back = PutBack::no;
        row.next_step = way_out(left.key.id, reset_of(request_, ""));
    }

    // Returns the row of the target; adds one if the profiles do not name the target.
    Assessment& row_of(const SetRun::Left& left) {
        auto judged =
            std::find_if(evaluation_.judged.begin(), evaluation_.judged.end(),
                         [&](const Judged& each) { return each.expectation.id == left.key.id; });
        if (judged == evaluation_.judged.end()) {
            evaluation_.judged.push_back(
                {Expectation{.id = left.key.id}, find_setting(left.key.id), {}});
            judged = std::prev(evaluation_.judged.end());
        }
        auto row = std::find_if(
            judged->rows.begin(), judged->rows.end(),
            [&](const Assessment& each) { return each.target.text() == left.key.target; });
        if (row == judged->rows.end()) {
            judged->rows.emplace_back();
            row = std::prev(judged->rows.end());
            row->target = left.target;
        }
        return *row;
    }

    void report(Aftermath aftermath) {
        for (const auto& item : items_) {
            update_row(item);
        }
        for (const auto& left : left_) {
            add_left(left);
        }
        evaluation_.result.report = std::move(out_.report);
        add_findings(evaluation_, request_.check, machine_);
        out_.report = std::move(evaluation_.result.report);
        judge_set(out_.report, aftermath);
    }

    const SetRequest& request_;
    const Judgement judgement_;
    const Process& process_;
    const Caller& caller_;
    SetResult out_;
    const Machine machine_;
    const Context context_;
    JournalSession session_;
    Writer writer_;
    Evaluation evaluation_;
    std::optional<PartOfNode> part_;
    std::vector<SetItem> items_;
    std::vector<SetRun::Left> left_;
    std::set<Key> recovered_;  // in a dry run: keys that a real set would restore first
};

}  // namespace

SetResult set_judged(const SetRequest& request, const Judgement& judgement, WritableFs& machine,
                     const Process& process, JournalStore& store, const Caller& caller) {
    return Setter(request, judgement, machine, process, store, caller).run();
}

SetResult set(const SetRequest& request, WritableFs& machine, const Fs& host,
              const Process& process, JournalStore& store, const Caller& caller) {
    const auto judgement = [&](const Context& context) {
        auto evaluation =
            evaluate_profile(request.check, context.machine, host, context.process, Rows::kept);
        evaluation.result.report.command = "set";
        return evaluation;
    };
    return set_judged(request, judgement, machine, process, store, caller);
}

}  // namespace rocenv
