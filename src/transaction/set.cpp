// SPDX-License-Identifier: MIT
// rocenv set: judge, record what is there, write, prove, or put everything back.
#include "transaction/set.h"

#include <algorithm>
#include <functional>
#include <set>

#include "check/evaluate.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "transaction/set_run.h"
#include "transaction/undo.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Judgement = std::function<Evaluation(const Context&)>;

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
        if (!judge() || !open_journal()) {
            return std::move(out_);
        }
        if (has_remains(session_) && !recover()) {
            return std::move(out_);
        }
        items_ = choose_items(evaluation_, context_, living(), request_);
        name_rivals();
        note_environment();
        const auto aftermath = request_.dry_run ? rehearse() : perform();
        report(aftermath);
        return std::move(out_);
    }

   private:
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
        if (!out_.errors.empty()) {
            out_.report.exit_code = exit_of_unread(result.timed_out);
        }
        return out_.errors.empty();
    }

    // Whoever may set the same values again is named before anything is written.
    void name_rivals() {
        const Setting& rivals = *find_setting("host.rivals");
        Want none;
        none.id = rivals.info.id;
        none.value.data = std::string("none");
        const bool writes = std::any_of(items_.begin(), items_.end(), [](const SetItem& item) {
            return item.row->outcome == Outcome::differs;
        });
        for (const auto& row :
             writes ? rivals.assess(rivals, context_, none) : std::vector<Assessment>()) {
            if (row.outcome == Outcome::differs) {
                out_.warnings.push_back(row.detail + ": may undo what is set here (" +
                                        row.next_step + ")");
            }
        }
    }

    // Variables live in processes, not on the node.
    void note_environment() {
        std::vector<std::string> names;
        for (const auto& judged : evaluation_.judged) {
            if (judged.want.id.starts_with("env.") && judged.want.level != Level::info) {
                names.push_back(judged.want.id.substr(4));
            }
        }
        if (!names.empty()) {
            out_.report.notes.push_back("variables are the job's, not the node's: export " +
                                        join(names, ", ") + " there (rocenv profile show)");
        }
    }

    bool open_journal() {
        std::optional<Error> error = session_.open();
        if (!error && session_.damaged()) {
            error = Error{ErrorKind::garbled, 0, "", damage_sentence(session_.journal())};
        }
        if (!error && context_.fs().is_real()) {
            const auto id = boot_id_of(
                context_.fs());  // a journal without it could not be told from an old one
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

    // Of a dry run, which buries nobody, without the dead.
    Journal living() const {
        Journal journal = session_.journal();
        for (const auto& dead : session_.dead()) {
            std::erase(journal.holders, dead);
        }
        return journal;
    }

    // What has been left behind goes back first.
    bool recover() {
        const auto& journal = session_.journal();
        const auto dead = session_.dead();
        const bool cut_off = journal.reset_begun || is_unfinished(journal);
        const std::string what = cut_off ? journal.reset_begun
                                               ? "an earlier reset had not put everything back"
                                               : "an earlier set did not come to its end"
                                         : join(dead, ", ") + " was killed";
        caller_.more_time();
        const auto undoing = undo_remains(session_, writer_, context_);
        out_.warnings.clear();  // of the profile: it is judged once more
        const bool died_whole = !cut_off && undoing.nothing_stuck();
        if (undoing.error || (!undoing.clean() && !died_whole)) {
            const auto why = undoing.error ? undoing.error->text : first_trouble(undoing);
            return fail(exit_stuck, what + "; nothing was set, since it cannot be put back: " +
                                        why + " (rocenv reset; --keep accepts the present value)");
        }
        out_.warnings.push_back(what + ": what it had changed " +
                                (request_.dry_run ? "would be" : "was") + " put back first");
        if (request_.dry_run) {
            for (const auto& row : undoing.targets) {
                recovered_.insert(row.key);
            }
            return judge();
        }
        if (caller_.timed_out()) {
            return fail(exit_rolled_back, "no time is left after that, nothing was set");
        }
        if (!undoing.clean()) {
            out_.warnings.push_back("left alone, changed by someone else since: " +
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

    // What a set would write if every write succeeded. What is as wanted only until an earlier
    // state is put back is written, too.
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

    // What became of an item. One that was as wanted, and had to be written since another disturbed
    // it, is as wanted.
    static void tell(const SetItem& item) {
        Assessment& row = *item.row;
        const auto was = item.was.empty() ? row.have.value_or("unknown") : item.was;
        if (item.written && row.outcome == Outcome::differs) {
            row.outcome = Outcome::changed;
            row.was = was;
            row.have = row.want;
            row.detail.clear();
        } else if (!item.written && (item.failed || item.tried) && row.outcome != Outcome::ok) {
            row.was = was;
            row.put_back = PutBack::yes;
        }
    }

    void tell(const SetRun::Left& left) {
        Assessment& row = row_of(left);
        if (row.outcome != Outcome::failed) {
            const auto why = writer_.refusal(left.key);
            row.outcome = Outcome::failed;
            row.detail = why ? why->text : "";
        }
        row.was = left.was;
        row.have = left.have;
        row.put_back = PutBack::no;
        row.next_step = way_out(left.key.id);
    }

    // A new one where nobody wanted anything of the target.
    Assessment& row_of(const SetRun::Left& left) {
        auto judged = std::find_if(evaluation_.judged.begin(), evaluation_.judged.end(),
                                   [&](const Judged& each) { return each.want.id == left.key.id; });
        if (judged == evaluation_.judged.end()) {
            Want want;
            want.id = left.key.id;
            evaluation_.judged.push_back({std::move(want), find_setting(left.key.id), {}});
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
            tell(item);
        }
        for (const auto& left : left_) {
            tell(left);
        }
        evaluation_.result.report = std::move(out_.report);
        add_findings(evaluation_);
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
    std::vector<SetItem> items_;
    std::vector<SetRun::Left> left_;
    std::set<Key> recovered_;  // of a rehearsal: what would have been put back before
};

}  // namespace

SetResult set(const SetRequest& request, WritableFs& machine, const Fs& host,
              const Process& process, JournalStore& store, const Caller& caller) {
    const auto judgement = [&](const Context& context) {
        auto evaluation =
            evaluate_profile(request.check, context.machine, host, context.process, Rows::kept);
        evaluation.result.report.command = "set";
        return evaluation;
    };
    return Setter(request, judgement, machine, process, store, caller).run();
}

SetResult set_defaults(const ResetRequest& request, WritableFs& machine, const Process& process,
                       JournalStore& store, const Caller& caller) {
    SetRequest all;
    all.allow = {"*"};  // a way back is never refused
    all.dry_run = request.dry_run;
    const auto judgement = [&](const Context& context) { return judge_defaults(context, request); };
    return Setter(all, judgement, machine, process, store, caller).run();
}

}  // namespace rocenv
