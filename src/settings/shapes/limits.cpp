// SPDX-License-Identifier: MIT
#include "settings/shapes/limits.h"

#include "util/text.h"

namespace rocenv {

namespace {

std::string limit_text(std::uint64_t limit) {
    return limit == unlimited ? "unlimited" : number(limit);
}

}  // namespace

Assessment assess_limit(std::optional<std::uint64_t> have, const Value& wanted,
                        const std::string& what) {
    const std::uint64_t least =
        wanted.integer() != nullptr ? static_cast<std::uint64_t>(*wanted.integer()) : unlimited;
    Assessment row;
    row.target = {"process", std::nullopt, ""};
    row.want = limit_text(least);
    if (!have) {
        row.detail = what + " could not be read";
        return row;
    }
    row.have = limit_text(*have);
    row.outcome = *have >= least ? Outcome::ok : Outcome::differs;
    return row;
}

std::optional<Assessment> not_this_process(const Context& context) {
    if (context.fs().is_real()) {
        return std::nullopt;
    }
    Assessment row;
    row.target = {"process", std::nullopt, ""};
    row.outcome = Outcome::na;
    row.detail = "the limits of this process say nothing about another machine";
    return row;
}

namespace {

std::vector<Assessment> assess_limit_row(const Setting& setting, const Context& context,
                                         const Want& want) {
    const auto& facts = *setting.row.limit;
    if (auto other = not_this_process(context)) {
        return {*std::move(other)};
    }
    const std::string what(facts.what);
    const auto limit = facts.read(context);
    if (limit) {
        auto row = assess_limit(*limit, want.value, what);
        if (!*limit && !facts.none.empty()) {
            row.outcome = Outcome::na;
            row.detail = facts.none;
        }
        return {row};
    }
    if (!limit.is(ErrorKind::not_here) || facts.without.empty()) {
        return {unreadable({"process", std::nullopt, ""}, limit.error())};
    }
    auto row = assess_limit(0, want.value, what);
    row.detail = facts.without;
    return {row};
}

Setting setting_of(const LimitFacts& facts) {
    return {.info = {.id = facts.id,
                     .summary = facts.summary,
                     .why = facts.why,
                     .source = facts.source,
                     .target = "process",
                     .read_from = facts.read_from,
                     .set_by = "",
                     .next_step = facts.next_step,
                     .persist = facts.persist,
                     .risk_note = "",
                     .scope = Scope::process,
                     .over_cluster = OverCluster::own,
                     .forms = {{.kind = FormKind::size_limit}}},
            .assess = assess_limit_row,
            .row = {.limit = &facts}};
}

}  // namespace

std::vector<Setting> limit_settings(std::span<const LimitFacts> table) {
    std::vector<Setting> out;
    for (const auto& facts : table) {
        out.push_back(setting_of(facts));
    }
    return out;
}

}  // namespace rocenv
