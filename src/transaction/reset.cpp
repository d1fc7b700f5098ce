// SPDX-License-Identifier: MIT
// rocenv reset: restores the values from before the first set, or names those it could not restore.

#include <algorithm>
#include <set>

#include "check/evaluate.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "transaction/journal/journal_grammar.h"
#include "transaction/set.h"
#include "transaction/undo.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns every setting with a default of the kernel's own, judged against it, for
// `reset --to-defaults`. A note names the settings that have none.
Evaluation judge_defaults(const Context& context, const ResetRequest& request) {
    Evaluation out;
    Report& report = out.result.report;
    report.command = "reset";
    report.root = request.root;
    report.time = report_time(context.process);
    report.node = context.machine.facts();
    std::vector<std::string> alone;
    for (const Setting* setting : all_settings()) {
        Expectation expectation;
        expectation.id = setting->info.id;
        if (!selected(expectation.id, request.only, request.skip)) {
            continue;
        }
        auto rows = defaults_of(*setting, context);
        const bool of_variables = setting->info.scope == Scope::process;
        if (rows.empty() && !setting->info.set_by.empty() && !of_variables) {
            alone.push_back(expectation.id);
        } else if (!rows.empty()) {
            out.judged.push_back({std::move(expectation), setting, std::move(rows)});
        }
    }
    if (!alone.empty()) {
        report.notes.push_back(
            "left alone, because no default is known or the value is the default: " +
            join(alone, ", "));
    }
    return out;
}

SetResult set_defaults(const ResetRequest& request, WritableFs& machine, const Process& process,
                       JournalStore& store, const Caller& caller) {
    SetRequest all;
    all.check.root = request.root;
    all.state = request.state;
    all.allow = {"*"};  // a restore is never refused as unsafe
    all.whole_node = true;
    all.dry_run = request.dry_run;
    const auto judgement = [&](const Context& context) { return judge_defaults(context, request); };
    return set_judged(all, judgement, machine, process, store, caller);
}

// Splits "policy12" into base, number and suffix, so that equal CPUs are reported as one.
Target target_of(const std::string& text) {
    for (const std::string base : {"cpu", "policy"}) {
        const auto end = text.find_first_not_of("0123456789", base.size());
        const auto value = text.starts_with(base)
                               ? parse_number(std::string_view(text).substr(
                                     base.size(), std::min(end, text.size()) - base.size()))
                               : std::nullopt;
        if (value && *value <= UINT32_MAX) {
            return {base, static_cast<std::uint32_t>(*value),
                    end == std::string::npos ? "" : text.substr(end)};
        }
    }
    return {text, std::nullopt, ""};
}

// Returns the row of one target of a reset. `now` holds the present values, needed for stuck
// targets. `reset` is the command that restores this target and leaves alone what this reset left
// alone.
Assessment reset_row(const Undone& target, const std::map<Key, std::string>& now,
                     const std::string& reset) {
    Assessment row;
    row.target = target_of(target.key.target);
    // A guarded target has no baseline: its value was not to change.
    row.expected = target.baseline.empty() ? target.before : target.baseline;
    switch (target.fate) {
        case Undone::Fate::back:
            row.outcome = Outcome::changed;
            row.have = target.baseline;
            row.was = target.before;
            row.put_back = PutBack::yes;
            break;
        case Undone::Fate::was_back:
            row.outcome = Outcome::ok;
            row.have = target.baseline;
            row.put_back = PutBack::yes;
            break;
        case Undone::Fate::foreign:
            row.outcome = Outcome::differs;
            row.have = target.before;
            row.put_back = PutBack::not_tried;
            row.detail = "the value was changed outside rocenv after the set, so it was left alone";
            row.next_step = "to restore it: " + reset +
                            " --force; if the present value is right: " + reset + " --keep " +
                            target.key.id;
            break;
        case Undone::Fate::stuck:
            row.outcome = Outcome::failed;
            row.have = now.contains(target.key) ? now.at(target.key) : "unknown";
            row.was = target.before;
            row.put_back = PutBack::no;
            row.detail = target.detail;
            row.next_step = way_out(target.key.id, reset);
            break;
        case Undone::Fate::given_up:
            row.outcome = target.before == target.baseline ? Outcome::ok : Outcome::differs;
            row.have = target.before;
            row.put_back = PutBack::not_tried;
            row.detail = "the record was discarded, so reset no longer restores the value";
            row.next_step = "if you need the old value, write it by hand";
            break;
    }
    return row;
}

// Returns the same as a finding, for an id that no setting has any more.
Finding reset_finding(const std::string& id, const Assessment& row) {
    Finding finding;
    finding.id = id;
    finding.target = row.target.text();
    finding.outcome = row.outcome;
    finding.expected = row.expected;
    finding.have = row.have;
    finding.was = row.was;
    finding.put_back = row.put_back;
    finding.detail = row.detail;
    finding.fix = row.next_step;
    return finding;
}

// A collector of the recorded values of a journal, for reset --forget.
class Originals {
   public:
    explicit Originals(const Context& context) : context_(context), present_(shown_now(context)) {}

    // Adds the records of a transaction. For each key the first added record is the oldest and
    // counts.
    void add(const Transaction& transaction) {
        const bool all = !transaction.ended || transaction.lost_lines;
        for (const auto& [key, entry] : transaction.entries) {
            const bool concerned = all || transaction.changed.contains(key);
            if (concerned && !holds_now(context_.fs(), entry.back)) {
                add_lost(key, entry.shown);
            }
        }
        for (const auto& [key, changed] : transaction.changed) {
            if (!transaction.entries.contains(key)) {  // the line of its entry is damaged
                add_lost(key, "unknown");
            }
        }
    }

    std::vector<Undone> finish() { return std::move(out_); }

   private:
    void add_lost(const Key& key, const std::string& original) {
        const auto now = present_.find(key);
        if (seen_.insert(key).second) {
            out_.push_back({key, Undone::Fate::given_up, original,
                            now == present_.end() ? "unknown" : now->second, "", false});
        }
    }

    const Context& context_;
    std::map<Key, std::string> present_;
    std::set<Key> seen_;
    std::vector<Undone> out_;
};

// Returns every recorded value that may still differ, with the present value. Writes nothing.
std::vector<Undone> originals_of(const Journal& journal, const Context& context) {
    Originals originals(context);
    for (const auto& transaction : journal.transactions) {
        originals.add(transaction);
    }
    return originals.finish();
}

class Resetter {
   public:
    Resetter(const ResetRequest& request, WritableFs& fs, const Process& process,
             JournalStore& store)
        : request_(request),
          process_(process),
          machine_(fs),
          context_{machine_, process_},
          session_(store, fs,
                   request.dry_run ? JournalSession::Touch::no : JournalSession::Touch::yes),
          writer_(fs, out_.writes, request.dry_run ? Writer::Mode::rehearse : Writer::Mode::write) {
    }

    SetResult run() {
        head();
        check_patterns(request_.only, "--only", out_.errors);
        check_patterns(request_.skip, "--skip", out_.errors);
        check_patterns(request_.keep, "--keep", out_.errors);
        if (!out_.errors.empty()) {
            return end(exit_usage);
        }
        if (request_.forget) {
            return forget();
        }
        if (const auto error = session_.open()) {
            out_.errors.push_back("the journal cannot be used, nothing was restored: " +
                                  error->text);
            return end(is_not_trusted(*error) ? exit_stuck : exit_unknown);
        }
        if (session_.journal().empty() && !session_.damaged()) {
            (void)session_.conclude({});
            out_.report.notes.emplace_back(no_record_note);
            return end(0);
        }
        writer_.fs().read_ahead([this] { read_all(); });
        if (is_part()) {
            return reset_part();
        }
        return request_.hold.empty() ? reset_all() : leave();
    }

   private:
    // Makes the reads of a reset up to its first write. Runs in a helper.
    void read_all() const {
        (void)take_baseline(context_);
        for (const auto& transaction : session_.journal().transactions) {
            for (const auto& [key, entry] : transaction.entries) {
                (void)read_values(context_.fs(), entry.back);
            }
        }
    }

    void head() {
        Report& report = out_.report;
        report.command = "reset";
        report.root = request_.root;
        report.time = report_time(process_);
        report.node = machine_.facts();
    }

    SetResult end(int code) {
        if (out_.report.result.empty()) {
            judge_set(out_.report, Aftermath::done);
        }
        out_.report.exit_code = code;
        const bool is_well = out_.report.result == "ok" || out_.report.result == "changed";
        if (code != exit_ok && is_well) {  // the findings alone do not show the error
            out_.report.result = code == exit_differs   ? "differs"
                                 : code == exit_unknown ? "unknown"
                                                        : "failed";
        }
        return std::move(out_);
    }

    SetResult fail(const std::string& why) {
        out_.errors.push_back(why);
        return end(exit_unknown);
    }

    // Returns the holders without `names`.
    std::vector<std::string> names_without(const std::vector<std::string>& names) const {
        auto out = session_.journal().holders;
        std::erase_if(out, [&](const std::string& name) {
            return std::find(names.begin(), names.end(), name) != names.end();
        });
        return out;
    }

    SetResult reset_all() {
        const auto living = names_without(session_.dead());
        return living.empty() || request_.force ? all_goes_back() : refuse(living);
    }

    SetResult all_goes_back() {
        const auto& journal = session_.journal();
        HoldRelease all{{}, {}, journal.holders};
        for (const auto& transaction : journal.transactions) {
            all.numbers.push_back(transaction.number);
        }
        return go_back(all);
    }

    // Refuses the reset because of the `living` holders. Changes of an interrupted command or an
    // ended run are restored nevertheless.
    SetResult refuse(const std::vector<std::string>& living) {
        const auto held = held_errors(living);
        const auto add = [&] { out_.errors.insert(out_.errors.end(), held.begin(), held.end()); };
        if (session_.damaged() || !has_remains(session_)) {
            add();
            return end(exit_differs);
        }
        if (const auto error = keep(remains_of(session_))) {
            return fail(not_written(*error));
        }
        report_undo(undo_remains(session_, writer_, context_));
        add();
        return end(out_.report.exit_code == 0 ? exit_differs : out_.report.exit_code);
    }

    std::vector<std::string> held_errors(const std::vector<std::string>& holders) const {
        std::vector<std::string> out{"reset refused: the settings are held by " +
                                     join(holders, ", ")};
        for (const auto& each : holders) {
            out.push_back("If " + each + " has ended: " + command(" --hold " + shell_word(each)));
        }
        out.push_back("To restore all settings now: " + command(" --force"));
        return out;
    }

    std::string command(const std::string& options) const {
        return reset_command_of(request_.root, request_.state, options);
    }

    // Releases one name. Holders whose processes have ended are released as well.
    SetResult leave() {
        if (session_.damaged()) {
            auto names = session_.dead();
            names.push_back(request_.hold);
            return leave_damaged(names);
        }
        if (!undoes_remains()) {
            return std::move(out_);
        }
        const auto& journal = session_.journal();
        const bool holds = std::find(journal.holders.begin(), journal.holders.end(),
                                     request_.hold) != journal.holders.end();
        if (!holds) {
            out_.report.notes.push_back(request_.hold + " holds nothing");
            return end(out_.report.exit_code);
        }
        const std::vector<std::string> names{request_.hold};
        const HoldRelease what = release_of(journal, names);
        if (const auto others = names_without(names); !others.empty()) {
            const bool part = !what.numbers.empty();
            if (!part || !what.kept.empty()) {
                out_.report.notes.push_back(
                    (part ? "a part stays set, held by "
                          : "the hold was released; the settings stay set, held by ") +
                    join(others, ", "));
            }
            if (!part && !request_.keep.empty()) {
                out_.report.notes.emplace_back(
                    "--keep applies to what is restored: no record was discarded");
            }
        }
        return go_back(what);
    }

    // Restores interrupted changes first: an open transaction has recorded values set by others and
    // would restore these later. Returns false if one is left.
    bool undoes_remains() {
        if (!has_remains(session_)) {
            return true;
        }
        if (const auto error = keep(remains_of(session_))) {
            out_ = fail(not_written(*error));
            return false;
        }
        if (restore_remains()) {
            return true;
        }
        out_.errors.push_back(
            "what a killed set, reset or run had left could not be restored, so the hold of " +
            request_.hold + " was not released");
        return false;
    }

    // Restores and reports the remains. Returns whether the journal has none: a value that was
    // changed by hand or could not be restored keeps its record and stops nothing else.
    bool restore_remains() {
        const auto first = undo_remains(session_, writer_, context_);
        report_undo(first);
        const auto& journal = session_.journal();
        return !first.error && !is_unfinished(journal) && !journal.reset_begun;
    }

    // Resets the picked settings. They first become transactions of their own: after a crash the
    // next set or reset restores only these, and the other settings stay.
    SetResult reset_part() {
        if (session_.damaged()) {
            return fail(damage_sentence(session_.journal()) + "; only a whole reset is possible");
        }
        if (const auto error = keep(remains_of(session_))) {
            return fail(not_written(*error));
        }
        if (has_remains(session_) && !remains_are_gone()) {
            return std::move(out_);
        }
        if (const auto& holders = session_.journal().holders; !holders.empty()) {
            const auto held = held_errors(holders);
            out_.errors.insert(out_.errors.end(), held.begin(), held.end() - 1);
            return end(exit_differs);
        }
        const auto others = others_set();
        const auto numbers = session_.set_apart([this](const Key& key) { return picks(key); });
        if (!numbers) {
            return fail(
                "the journal cannot be written, nothing was restored (a whole reset needs no "
                "room): " +
                numbers.error().text);
        }
        if (!others.empty()) {
            out_.report.notes.push_back("left alone: " + join(others, ", "));
        }
        if (numbers->empty()) {
            out_.report.notes.emplace_back(no_part_note);
            return end(out_.report.exit_code);
        }
        return go_back({*numbers, {}, {}, true});
    }

    // Restores the changes of ended processes. Returns false if one is left; the picked settings
    // are then not tried.
    bool remains_are_gone() {
        const bool gone = restore_remains();
        if (gone) {
            out_.report.notes.emplace_back(
                "what a killed set, reset or run had left was restored first");
        } else {
            out_.errors.emplace_back(
                "what a killed set, reset or run had left could not be restored, so nothing else "
                "was tried");
        }
        return gone;
    }

    bool is_part() const { return !request_.only.empty() || !request_.skip.empty(); }

    bool picks(const Key& key) const { return selected(key.id, request_.only, request_.skip); }

    // Returns the ids of settings outside the picked part.
    std::vector<std::string> others_set() const {
        std::set<std::string> ids;
        for (const auto& transaction : session_.journal().transactions) {
            for (const auto& [key, changed] : transaction.changed) {
                if (!picks(key)) {
                    ids.insert(key.id);
                }
            }
        }
        return {ids.begin(), ids.end()};
    }

    // Releases names of a damaged journal. The owner of each change is unknown, so all changes are
    // restored, and only without other holders.
    SetResult leave_damaged(const std::vector<std::string>& names) {
        if (!names_without(names).empty()) {
            out_.errors.push_back(
                damage_sentence(session_.journal()) +
                "; other names hold settings, so nothing was restored; --force restores them");
            return end(exit_stuck);
        }
        return all_goes_back();
    }

    SetResult go_back(HoldRelease what) {
        if (session_.damaged()) {  // a damaged journal accepts no records
            what.kept.merge(keys_to_keep(what));
        } else if (const auto error = keep(what)) {
            return fail(not_written(*error));
        }
        report_undo(
            undo(session_, writer_, context_, what, request_.force ? Force::yes : Force::no));
        return std::move(out_);
    }

    // Prints every recorded value, restores none, and renames the file.
    SetResult forget() {
        if (const auto error = session_.open_any()) {
            out_.warnings.push_back(
                (is_not_trusted(*error)       ? "the records of the journal are not shown: "
                 : session_.journal().empty() ? "the journal cannot be read: "
                                              : "a part of the journal cannot be read: ") +
                error->text);
        } else if (session_.journal().empty() && !session_.damaged()) {
            out_.report.notes.emplace_back(no_record_note);
            return end(0);
        }
        add_rows(originals_of(session_.journal(), context_));
        if (const auto error = session_.forget()) {
            return fail("the journal cannot be renamed: " + error->text);
        }
        out_.report.notes.emplace_back(
            request_.dry_run
                ? "the journal would be discarded; reset would no longer restore these values"
                : "the journal was discarded; reset no longer restores these values");
        return end(0);
    }

    static std::string not_written(const Error& error) {
        return "the journal cannot be written, nothing was restored: " + error.text;
    }

    // Returns the keys that --keep accepts at their present values. Keys that other holders have
    // set or rely on are not among them.
    std::set<Key> keys_to_keep(const HoldRelease& what) {
        std::set<Key> keys;
        std::set<Key> theirs = what.kept;
        for (const auto& transaction : session_.journal().transactions) {
            const bool ours = std::find(what.numbers.begin(), what.numbers.end(),
                                        transaction.number) != what.numbers.end();
            for (const auto& [key, entry] : transaction.entries) {
                const bool may_differ = transaction.ended ? transaction.changed.contains(key)
                                                          : !holds_now(context_.fs(), entry.back);
                if (may_differ && !request_.keep.empty() && selected(key.id, request_.keep, {})) {
                    (ours ? keys : theirs).insert(key);
                }
            }
        }
        for (const auto& key : keys) {
            out_.report.notes.push_back(key.id + " " + key.target +
                                        (theirs.contains(key)
                                             ? " is not kept, because other holders rely on it"
                                             : " stays as it is"));
        }
        std::erase_if(keys, [&](const Key& key) { return theirs.contains(key); });
        return keys;
    }

    std::optional<Error> keep(const HoldRelease& what) {
        Records records;
        for (const auto& key : keys_to_keep(what)) {
            records.push_back(resolved_record(key, what.numbers));
        }
        return records.empty() ? std::nullopt : session_.append_at_any_cost(records);
    }

    void report_undo(const Undoing& undoing) {
        if (undoing.error) {
            out_.errors.push_back("the journal cannot be written: " + undoing.error->text);
        }
        add_rows(undoing.targets);
        if (!undoing.complete() && !session_.damaged()) {
            out_.errors.emplace_back(
                "the journal ends within its baseline, so other changes are not known");
        }
        if (session_.damaged()) {
            out_.errors.push_back("the journal is damaged (" +
                                  join(session_.journal().damage, ", ") +
                                  "): the readable part was restored; other changes are not known; "
                                  "the journal is kept; sudo rocenv reset --forget discards it");
        }
        stuck_ = stuck_ || !undoing.clean() || undoing.error || !undoing.complete() ||
                 session_.damaged();
        judge_set(out_.report, stuck_ ? Aftermath::stuck : Aftermath::done);
    }

    // Adds the rows in the registry's order, then those of unknown ids.
    void add_rows(const std::vector<Undone>& targets) {
        std::map<std::string, std::vector<Assessment>> rows;
        const bool stuck = std::any_of(targets.begin(), targets.end(), [](const Undone& target) {
            return target.fate == Undone::Fate::stuck;
        });
        const auto now = stuck ? shown_now(context_) : std::map<Key, std::string>();
        for (const auto& target : targets) {
            const std::string part = is_part() ? " --only " + target.key.id : "";
            auto row = reset_row(target, now, command(part));
            if (request_.dry_run) {
                row.put_back = PutBack::none;
            }
            if (session_.damaged() && !request_.forget && !row.next_step.empty()) {
                row.next_step = "To discard all records: " + command(" --forget");
            }
            rows[target.key.id].push_back(std::move(row));
        }
        for (const Setting* setting : all_settings()) {
            Expectation expectation;
            expectation.id = setting->info.id;
            auto findings = to_findings(expectation, *setting, rows[expectation.id]);
            std::move(findings.begin(), findings.end(), std::back_inserter(out_.report.findings));
            rows.erase(expectation.id);
        }
        for (const auto& [id, unknown] : rows) {
            for (const auto& row : unknown) {
                out_.report.findings.push_back(reset_finding(id, row));
            }
        }
    }

    const ResetRequest& request_;
    const Process& process_;
    SetResult out_;
    const Machine machine_;
    const Context context_;
    JournalSession session_;
    Writer writer_;
    bool stuck_ = false;  // true if a report of this reset had a stuck, foreign or unknown value
};

}  // namespace

SetResult reset(const ResetRequest& request, WritableFs& machine, const Process& process,
                JournalStore& store, const Caller& caller) {
    if (request.to_defaults) {
        return set_defaults(request, machine, process, store, caller);
    }
    return Resetter(request, machine, process, store).run();
}

// Releases of holders: computes the transactions and keys that undo() has to restore.

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

// Returns true if the holder of the transaction is gone. Settings of jobs belong to all jobs.
bool is_free(const Transaction& transaction, const Names& remaining) {
    if (transaction.hold.empty() || is_one_of(remaining, transaction.hold)) {
        return false;
    }
    return is_run_hold(transaction.hold) ||
           std::all_of(remaining.begin(), remaining.end(),
                       [](const std::string& name) { return is_run_hold(name); });
}

// Returns true if a remaining holder relies on the value that this transaction gave the key. If a
// side effect changed a value that a holder relies on, the former value counts.
bool left_as_expected(const Journal& journal, const Names& names, const Key& key,
                      const Changed& changed) {
    return std::any_of(journal.transactions.begin(), journal.transactions.end(),
                       [&](const Transaction& transaction) {
                           const auto found = transaction.expected.find(key);
                           return found != transaction.expected.end() &&
                                  (changed.requested || found->second == changed.shown) &&
                                  is_one_of(names, transaction.hold);
                       });
}

// Returns true if the key was left alone as foreign in an earlier release and not set again since.
bool is_left_alone(const Journal& journal, const Transaction& transaction, const Key& key) {
    const auto found = journal.foreign.find(key);
    return found != journal.foreign.end() && transaction.number <= found->second.begun;
}

void add_kept(const Journal& journal, const Transaction& transaction, const Names& remaining,
              const Names& leaving, std::set<Key>& kept) {
    bool any = false;
    for (const auto& [key, changed] : transaction.changed) {
        const bool stays = left_as_expected(journal, remaining, key, changed);
        any = any || stays;
        if (stays ||
            (!is_one_of(leaving, transaction.hold) && is_left_alone(journal, transaction, key))) {
            kept.insert(key);
        }
    }
    for (const auto& [key, changed] : transaction.changed) {
        if (any && !changed.requested) {
            kept.insert(key);
        }
    }
}

// Removes keys from `kept` that the leaving holders set over a foreign value.
void take_back_own(const Journal& journal, const Names& remaining, const Names& leaving,
                   std::set<Key>& kept) {
    for (const auto& transaction : journal.transactions) {
        for (const auto& [key, changed] : transaction.changed) {
            if (is_one_of(leaving, transaction.hold) && changed.requested &&
                !left_as_expected(journal, remaining, key, changed)) {
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

// Returns the names that hold nothing after these transactions are undone, because their sets never
// ended.
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

// Returns the transactions that an open set or reset has touched.
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
