// SPDX-License-Identifier: MIT
// rocenv reset: what was there before the first set comes back, or is named.
#include <algorithm>
#include <set>

#include "core/here.h"
#include "core/journal.h"
#include "core/judging.h"
#include "core/set_plan.h"
#include "core/undo.h"
#include "rocenv/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int exit_held = 1;

// "policy12" as base, number and suffix, so that equal CPUs are told as one.
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

Assessment row_of(const Undone& target) {
    Assessment row;
    row.target = target_of(target.key.target);
    row.want = target.baseline;
    switch (target.fate) {
        case Undone::Fate::back:
            row.outcome = Outcome::changed;
            row.have = target.baseline;
            row.detail = "was " + target.before;
            break;
        case Undone::Fate::was_back:
            row.outcome = Outcome::ok;
            row.have = target.baseline;
            break;
        case Undone::Fate::foreign:
            row.outcome = Outcome::differs;
            row.have = target.before;
            row.detail = "changed by someone else since, left alone";
            row.next_step =
                "rocenv reset --force puts it back, --keep " + target.key.id + " accepts it";
            break;
        case Undone::Fate::stuck:
            row.outcome = Outcome::failed;
            row.have = target.before;
            row.detail = target.detail;
            row.next_step = "rocenv reset tries again, --keep " + target.key.id + " gives it up";
            break;
    }
    return row;
}

class Resetter {
   public:
    Resetter(const ResetRequest& request, WritableFs& fs, const Process& process,
             JournalStore& store)
        : request_(request),
          process_(process),
          machine_(fs),
          context_{machine_, process_},
          ledger_(store, machine_.facts().boot_id),
          writer_(fs, out_.writes) {}

    SetResult run() {
        head();
        check_patterns(request_.keep, "--keep", out_.errors);
        if (!out_.errors.empty()) {
            return end(exit_usage);
        }
        const auto error = ledger_.open(request_.dry_run ? Ledger::Touch::no : Ledger::Touch::yes);
        if (error) {
            out_.errors.push_back("the journal cannot be used: " + error->text);
            return end(exit_unknown);
        }
        if (ledger_.dropped()) {
            out_.warnings.emplace_back(dropped_sentence);
        }
        if (ledger_.journal().empty()) {
            (void)(request_.dry_run ? std::nullopt : ledger_.close());
            out_.report.notes.emplace_back("nothing is recorded: there is nothing to put back");
            return end(0);
        }
        return request_.hold.empty() ? reset_all() : leave();
    }

   private:
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
        return std::move(out_);
    }

    SetResult reset_all() {
        const auto& holders = ledger_.journal().holders;
        if (!holders.empty() && !request_.force) {
            out_.errors.push_back("held by " + join(holders, ", ") +
                                  ": reset --hold NAME lets one go, --force overrides");
            return end(exit_held);
        }
        std::string records;
        for (const auto& holder : holders) {
            records += leave_record(holder);
        }
        return go_back(numbers([](const Transaction&) { return true; }), records);
    }

    // One name leaves; with the last one everything that was set for a name goes back.
    SetResult leave() {
        auto holders = ledger_.journal().holders;
        if (std::erase(holders, request_.hold) == 0) {
            out_.report.notes.push_back(request_.hold + " holds nothing");
            return end(0);
        }
        const std::string record = leave_record(request_.hold);
        if (holders.empty()) {
            return go_back(numbers([](const Transaction& one) { return !one.hold.empty(); }),
                           record);
        }
        out_.report.notes.push_back("nothing goes back yet, held by " + join(holders, ", "));
        const auto error = request_.dry_run ? std::nullopt : ledger_.append(record);
        if (error) {
            out_.errors.push_back("the journal cannot be written: " + error->text);
        }
        return end(error ? exit_unknown : 0);
    }

    template <class Which>
    std::vector<std::size_t> numbers(Which which) const {
        std::vector<std::size_t> out;
        for (const auto& transaction : ledger_.journal().transactions) {
            if (which(transaction)) {
                out.push_back(transaction.number);
            }
        }
        return out;
    }

    SetResult go_back(const std::vector<std::size_t>& which, std::string records) {
        records += kept_records();
        if (request_.dry_run) {
            return rehearse(which);
        }
        if (const auto error = records.empty() ? std::nullopt : ledger_.append(records)) {
            out_.errors.push_back("the journal cannot be written, nothing was put back: " +
                                  error->text);
            return end(exit_unknown);
        }
        const auto undoing =
            undo(ledger_, writer_, context_, which, request_.force ? Force::yes : Force::no);
        if (undoing.error) {
            out_.errors.push_back("the journal cannot be written: " + undoing.error->text);
        }
        return tell(undoing);
    }

    // Accepted as they are: of every transaction.
    std::string kept_records() {
        std::string records;
        std::set<Key> keys;
        for (const auto& transaction : ledger_.journal().transactions) {
            for (const auto& [key, entry] : transaction.entries) {
                const bool may_differ = transaction.ended ? transaction.changed.contains(key)
                                                          : !holds_now(context_.fs(), entry.back);
                if (may_differ && !request_.keep.empty() && selected(key.id, request_.keep, {})) {
                    keys.insert(key);
                }
            }
        }
        const auto all = numbers([](const Transaction&) { return true; });
        for (const auto& key : keys) {
            records += settled_record(key, all);
            out_.report.notes.push_back(key.id + " " + key.target + " stays as it is");
        }
        return records;
    }

    SetResult rehearse(const std::vector<std::size_t>& which) {
        for (const auto& goal : goals_of(ledger_.journal(), which, context_.fs())) {
            for (const auto& write : goal.change.writes) {
                out_.writes.push_back({goal.key, write});
            }
        }
        return end(0);
    }

    SetResult tell(const Undoing& undoing) {
        std::map<std::string, std::vector<Assessment>> rows;
        for (const auto& target : undoing.targets) {
            rows[target.key.id].push_back(row_of(target));
        }
        for (const Setting* setting : all_settings()) {
            Want want;
            want.id = setting->info().id;
            auto findings = to_findings(want, *setting, rows[want.id]);
            std::move(findings.begin(), findings.end(), std::back_inserter(out_.report.findings));
        }
        if (!undoing.complete()) {
            out_.errors.emplace_back(
                "the journal was cut within its baseline: what else was changed is not known");
        }
        const bool stuck = !undoing.clean() || undoing.error || !undoing.complete();
        judge_set(out_.report, stuck ? Aftermath::stuck : Aftermath::done);
        return std::move(out_);
    }

    const ResetRequest& request_;
    const Process& process_;
    SetResult out_;
    const Machine machine_;
    const Context context_;
    Ledger ledger_;
    Writer writer_;
};

}  // namespace

SetResult reset(const ResetRequest& request, WritableFs& machine, const Process& process,
                JournalStore& store, const Caller& caller) {
    if (request.to_defaults) {
        return set_defaults(request, machine, process, store, caller);
    }
    return Resetter(request, machine, process, store).run();
}

}  // namespace rocenv
