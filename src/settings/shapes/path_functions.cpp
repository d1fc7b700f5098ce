// SPDX-License-Identifier: MIT
#include "settings/shapes/path_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "machine/pci/pcie_path.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct PathFunctions {
    std::map<std::string, PathFunction> functions;
    std::optional<Error> uncertain;
};

void add(PathFunctions& out, const Machine& machine, const std::string& bdf,
         const std::string& above, bool end) {
    out.functions.try_emplace(bdf, PathFunction{bdf, end, above, &machine.reader_of(bdf)});
}

PathFunctions path_functions(const Machine& machine) {
    const PathEnds ends = path_ends(machine);
    PathFunctions out{{}, ends.uncertain};
    for (const auto& end : ends.functions) {
        const auto above = machine.bridges_above(end);
        if (!above) {
            out.uncertain = above.error();
            add(out, machine, end, "", true);
            continue;
        }
        std::string upper;
        for (const auto& bridge : *above) {
            add(out, machine, bridge, upper, false);
            upper = bridge;
        }
        add(out, machine, end, upper, true);
    }
    return out;
}

// What is gathered over all functions.
struct Tally {
    std::size_t well = 0;
    std::set<std::string> have;  // of those that are well
    std::vector<Assessment> odd;
    std::vector<Assessment> unread;
    std::vector<Assessment> refused;  // for lack of rights
};

void take(const Machine& machine, const PathFunction& function, const Error& error, Tally& tally) {
    const Target target{function.bdf, std::nullopt, ""};
    const bool gone =
        error.kind == ErrorKind::not_here && !exists(machine.fs(), pci_path(function.bdf));
    auto row = unreadable(target, error);
    if (gone) {
        row.detail = "the function has disappeared from PCI";
    }
    (error.kind == ErrorKind::not_permitted ? tally.refused : tally.unread)
        .push_back(std::move(row));
}

bool counts_any(const Counters& counters) {
    return std::any_of(counters.begin(), counters.end(),
                       [](const auto& each) { return each.second > 0; });
}

}  // namespace

Assessment told_once(std::vector<Assessment> refused, const std::string& what) {
    Assessment row = std::move(refused.front());
    if (refused.size() > 1) {
        row.detail += " (and of " + number(refused.size() - 1) + " more " + what + ")";
    }
    row.target = {};
    return row;
}

std::vector<Assessment> assess_paths(const Setting& setting, const Context& context,
                                     const Want& want) {
    const auto& facts = *setting.row.path;
    const std::string wanted = plain_text(want.value);
    const auto paths = path_functions(context.machine);
    Tally tally;
    for (const auto& [bdf, function] : paths.functions) {
        if (const auto sleeping = context.machine.asleep(bdf)) {
            take(context.machine, function, *sleeping, tally);
            continue;
        }
        const auto row = facts.judge(context, function, want);
        if (!row) {
            take(context.machine, function, row.error(), tally);
        } else if (*row && (*row)->outcome == Outcome::ok && !(*row)->remark &&
                   !counts_any((*row)->counters)) {
            ++tally.well;
            tally.have.insert((*row)->have.value_or(wanted));
        } else if (*row) {
            tally.odd.push_back(**row);
            tally.odd.back().target = {bdf, std::nullopt, ""};
        }
    }
    std::vector<Assessment> out = std::move(tally.odd);
    std::move(tally.unread.begin(), tally.unread.end(), std::back_inserter(out));
    if (!tally.refused.empty()) {
        out.push_back(told_once(std::move(tally.refused), "functions"));
    } else if (const auto unsure = paths.uncertain) {
        out.push_back(unreadable({}, *unsure));
    }
    for (auto& row : out) {
        row.want = row.want ? row.want : wanted;
    }
    if (out.empty() && tally.well == 0) {
        return {no_target(paths.functions.empty() ? "no GPU and no RDMA NIC is on PCI"
                                                  : std::string(facts.none))};
    }
    const bool fine = std::all_of(out.begin(), out.end(),
                                  [](const Assessment& row) { return row.outcome == Outcome::ok; });
    if (fine && tally.well > 0) {
        out.push_back(compared({}, wanted, wanted));
        out.back().have = tally.have.size() == 1 ? *tally.have.begin() : wanted;
        out.back().detail = number(tally.well) + (tally.well == 1 ? " function" : " functions");
    }
    return out;
}

namespace {

// Of each function its own, as facts are compared by position.
std::vector<ClusterFact> facts_of_paths(const Setting& setting, const Context& context) {
    const auto judge = setting.row.path->judge;
    Want want;
    want.id = setting.info.id;
    want.value = some_value(setting.info);
    const auto paths = path_functions(context.machine);
    std::vector<Assessment> rows;
    std::vector<Assessment> refused;
    for (const auto& [bdf, function] : paths.functions) {
        const Target target{bdf, std::nullopt, ""};
        const auto sleeping = context.machine.asleep(bdf);
        auto row = sleeping ? Result<std::optional<Assessment>>(*sleeping)
                            : judge(context, function, want);
        if (row.is(ErrorKind::not_permitted)) {
            refused.push_back(unreadable(target, row.error()));
        } else if (!row) {
            rows.push_back(unreadable(target, row.error()));
        } else if (*row) {
            rows.push_back(**std::move(row));
            rows.back().target = target;
        }
    }
    if (!refused.empty()) {
        rows.push_back(told_once(std::move(refused), "functions"));
    }
    return facts_of(rows);
}

}  // namespace

Setting path_setting(Info info, const PathFacts& facts) {
    return {.info = std::move(info),
            .assess = assess_paths,
            .facts = facts_of_paths,
            .row = {.path = &facts}};
}

}  // namespace rocenv
