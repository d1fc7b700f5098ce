// SPDX-License-Identifier: MIT
#include "transaction/set_plan.h"

#include <algorithm>

#include "check/set_command.h"
#include "machine/identity.h"
#include "profile/request.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The journal's record of the address is another device's: of this one it could keep none.
std::optional<std::string> other_device(const Journal& journal, const Key& key,
                                        const Machine& machine) {
    for (const auto& transaction : journal.transactions) {
        const auto found = transaction.entries.find(key);
        if (found == transaction.entries.end() || !transaction.changed.contains(key)) {
            continue;
        }
        const std::string now = identity_of(machine, key.id, key.target);
        if (!same_device(found->second.identity, now)) {
            return "another device is there (" + now + ") than the one that was set (" +
                   found->second.identity + ")";
        }
    }
    return std::nullopt;
}

struct Objection {
    std::string detail;
    std::string next_step;
};

// The command that sets it though it is unsafe.
std::string all_the_same(const SetRequest& request, const Evaluation& evaluation,
                         const Want& want) {
    return "if nobody needs it as it is: " +
           set_command(request.check, evaluation.result.report.profiles, want) + " --allow " +
           want.id + (request.hold.empty() ? "" : " --hold " + request.hold);
}

// Why the item must not be written; nothing: it may be. What is there already needs no write, but
// it cannot be promised to one holder while another was promised something else.
std::optional<Objection> reason_against(const SetItem& item, const Setting& setting,
                                        const Context& context, const Journal& journal,
                                        const SetRequest& request, const std::string& anyway) {
    const bool writes = item.row->outcome == Outcome::differs;
    const std::string& id = item.key.id;
    if (const auto other =
            writes ? other_device(journal, item.key, context.machine) : std::nullopt) {
        return Objection{*other, "drop that record: sudo rocenv reset --keep " + id +
                                     ", or all: sudo rocenv reset --forget"};
    }
    const bool judged = writes || item.row->outcome == Outcome::ok;
    const auto hold = judged ? held_by_others(journal, item.key, request.hold) : std::nullopt;
    if (hold && hold->shown != item.row->want) {
        const auto first = hold->names.substr(0, hold->names.find(','));
        return Objection{"held at " + hold->shown + " by " + hold->names,
                         first.starts_with("run/")
                             ? "wait for that run"
                             : "let it go: sudo rocenv reset --hold " + first};
    }
    const bool allowed = !request.allow.empty() && selected(id, request.allow, {});
    const auto unsafe =
        writes && !allowed ? unsafe_of(setting, context, item.row->target) : std::nullopt;
    return unsafe ? std::optional(Objection{*unsafe, anyway}) : std::nullopt;
}

}  // namespace

std::string damage_sentence(const Journal& journal) {
    return "the journal is damaged (" + join(journal.damage, ", ") +
           "): rocenv reset restores what it can of it, reset --forget gives it up";
}

std::string way_out(const std::string& id, const std::string& reset) {
    if (find_setting(id) == nullptr) {
        return "reset with the rocenv that set it, or give up all that is recorded: sudo rocenv "
               "reset --forget";
    }
    return reset + ", or to give it up: " + reset + " --keep " + id;
}

std::vector<std::string> refusals(const Evaluation& evaluation) {
    std::vector<std::string> out;
    for (const auto& judged : evaluation.judged) {
        for (const auto& row : judged.rows) {
            if (!row.refused.empty() && judged.want.level != Level::info) {
                out.push_back(judged.want.id + ": " + row.refused);
            }
        }
    }
    return out;
}

Evaluation judge_defaults(const Context& context, const ResetRequest& request) {
    Evaluation out;
    Report& report = out.result.report;
    report.command = "reset";
    report.root = request.root;
    report.time = report_time(context.process);
    report.node = context.machine.facts();
    std::vector<std::string> alone;
    for (const Setting* setting : all_settings()) {
        Want want;
        want.id = setting->info.id;
        if (!selected(want.id, request.only, request.skip)) {
            continue;
        }
        auto rows = defaults_of(*setting, context);
        const bool of_variables = setting->info.scope == Scope::process;
        if (rows.empty() && !setting->info.set_by.empty() && !of_variables) {
            alone.push_back(want.id);
        } else if (!rows.empty()) {
            out.judged.push_back({std::move(want), setting, std::move(rows)});
        }
    }
    if (!alone.empty()) {
        report.notes.push_back("left alone, no default is known or nothing has left it: " +
                               join(alone, ", "));
    }
    return out;
}

std::vector<SetItem> choose_items(Evaluation& evaluation, const Context& context,
                                  const Journal& journal, const SetRequest& request) {
    std::vector<SetItem> items;
    for (auto& judged : evaluation.judged) {
        if (judged.want.level == Level::info) {
            continue;  // judged, not set
        }
        const std::string anyway = all_the_same(request, evaluation, judged.want);
        for (auto& row : judged.rows) {
            if (!row.change) {
                continue;
            }
            SetItem item{
                {judged.want.id, row.target.text()}, *row.change, judged.want.level, &row, ""};
            if (const auto why =
                    reason_against(item, *judged.setting, context, journal, request, anyway)) {
                row.outcome = Outcome::unsafe;
                row.detail = why->detail;
                row.next_step = why->next_step;
            }
            items.push_back(std::move(item));
        }
    }
    return items;
}

}  // namespace rocenv
