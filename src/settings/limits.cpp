// SPDX-License-Identifier: MIT
#include "settings/limits.h"

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

}  // namespace rocenv
