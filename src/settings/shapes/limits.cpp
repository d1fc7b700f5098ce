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

LimitSetting::LimitSetting(const LimitFacts& facts)
    : facts_(facts),
      info_{.id = facts.id,
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
            .forms = {{.kind = FormKind::size_limit}}} {}

std::vector<Assessment> LimitSetting::assess(const Context& context, const Want& want) const {
    if (auto other = not_this_process(context)) {
        return {*std::move(other)};
    }
    const std::string what(facts_.what);
    const auto limit = facts_.read(context);
    if (limit) {
        auto row = assess_limit(*limit, want.value, what);
        if (!*limit && !facts_.none.empty()) {
            row.outcome = Outcome::na;
            row.detail = facts_.none;
        }
        return {row};
    }
    if (!limit.is(ErrorKind::not_here) || facts_.without.empty()) {
        return {unreadable({"process", std::nullopt, ""}, limit.error())};
    }
    auto row = assess_limit(0, want.value, what);
    row.detail = facts_.without;
    return {row};
}

}  // namespace rocenv
