// SPDX-License-Identifier: MIT
#include "fleet/tallies.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "fleet/hostlist.h"
#include "fleet/report_time.h"
#include "fleet/same_names.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_filters = 10;  // kinds of --only, --skip and --scope that are named

// Which findings are one kind over all nodes.
using TallyKey = std::tuple<std::string_view, Level, Outcome, bool, std::string_view>;

struct TallyCount {
    std::vector<std::string_view> names;
    std::size_t targets = 0;
    std::string_view fix;
};

bool is_told(const FleetFinding& finding) {
    return finding.waived || !is_quiet(finding.outcome);
}

// How many targets of each kind one report has, and the first one's next step.
struct KindCount {
    std::size_t targets = 0;
    std::string_view fix;
};
std::map<TallyKey, KindCount> kinds_of(const FleetReport& report, const FleetPools& pools) {
    std::map<TallyKey, KindCount> out;
    for (const auto index : report.findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        if (is_told(row)) {
            KindCount& count = out[{row.id, row.level, row.outcome, row.waived, row.ticket}];
            ++count.targets;
            count.fix = count.fix.empty() ? row.fix : count.fix;
        }
    }
    return out;
}

bool is_before(const FleetTally& a, const FleetTally& b) {
    const auto rank = [](const FleetTally& tally) {
        return std::tuple(tally.waived, -static_cast<int>(tally.level),
                          tally.outcome != Outcome::differs, -static_cast<long>(tally.nodes),
                          tally.id, tally.ticket);
    };
    return rank(a) < rank(b);
}

void take_expected(const CompareRequest& request, const std::set<std::string_view>& stale,
                   FleetResult& out) {
    if (request.expect.empty()) {
        return;
    }
    const std::unordered_set<std::string_view> expected(request.expect.begin(),
                                                        request.expect.end());
    std::unordered_set<std::string_view> here(stale.begin(), stale.end());
    std::vector<std::string_view> unexpected;
    for (const auto& node : out.nodes) {
        here.insert(node.name);
        if (!expected.contains(node.name)) {
            unexpected.push_back(node.name);
        }
    }
    std::vector<std::string_view> missing;
    for (const auto& name : expected) {
        if (!here.contains(name)) {
            missing.push_back(name);
        }
    }
    out.missing = folded_names(missing);
    out.missing_count = missing.size();
    out.unexpected = folded_names(unexpected);
    out.unexpected_count = unexpected.size();
}

bool is_stale(const Sweep::Node& node, const CompareRequest& request) {
    return request.max_age_seconds && !node.future &&
           seconds_of_time(node.time).value_or(0) < request.now_seconds - *request.max_age_seconds;
}

// Some nodes by what they lack, as a warning.
void warn_of(const std::vector<std::string_view>& names, const std::string& what,
             FleetResult& out) {
    if (!names.empty()) {
        out.warnings.push_back(number(names.size()) + (names.size() == 1 ? " node " : " nodes ") +
                               what + ": " + folded_names(names));
    }
}

// Nodes that should be equal and were judged by profiles that came to something else.
void warn_of_digests(FleetResult& out) {
    std::map<std::tuple<std::string, std::string, decltype(FleetGroup::by)>,
             std::map<std::string, std::size_t>>
        kins;
    for (const auto& group : out.groups) {
        kins[{group.model, group.product, group.by}][group.profile_digest] += group.nodes.size();
    }
    for (const auto& [kin, digests] : kins) {
        if (digests.size() < 2) {
            continue;
        }
        std::vector<std::string> parts;
        for (const auto& [digest, nodes] : digests) {
            parts.push_back((digest.empty() ? "none" : digest) + " on " + number(nodes));
        }
        out.warnings.push_back(
            "nodes of one kind are judged by profiles that want different things (digest " +
            join(parts, ", ") + "), and their findings are compared within each");
    }
}

// Reports that say one thing and hold another, and those that were not asked for all.
void warn_of_reports(const FleetPools& pools, FleetResult& out) {
    std::vector<std::string_view> contradicting;
    std::map<std::string, std::vector<std::string_view>> filtered;
    for (const auto& node : out.nodes) {
        const FleetReport& report = pools.reports.rows()[node.report];
        if (report.contradicts) {
            contradicting.push_back(node.name);
        }
        if (!report.only.empty() || !report.skip.empty() || report.scope == "process") {
            filtered[asked_for(report)].push_back(node.name);
        }
    }
    warn_of(contradicting, "whose report's status is not what its findings say; the worse counts",
            out);
    std::vector<std::string_view> rest;
    std::size_t kinds = 0;
    for (const auto& [asked, names] : filtered) {
        if (++kinds <= most_filters) {
            warn_of(names, "checked with " + asked, out);
        } else {
            rest.insert(rest.end(), names.begin(), names.end());
        }
    }
    warn_of(rest, "checked with other --only, --skip or --scope", out);
}

void warn_of_partial(const Sweep& sweep, FleetResult& out) {
    std::size_t kinds = 0;
    for (const auto& [asked, partial] : sweep.partial) {
        if (++kinds > most_filters) {
            out.warnings.push_back(number(sweep.partial.size() - most_filters) +
                                   " more kinds of reports that are no whole ones");
            return;
        }
        const bool one = partial.reports == 1;
        out.warnings.push_back(number(partial.reports) + (one ? " report" : " reports") +
                               " of check " + asked + (one ? " is" : " are") +
                               " newer than a whole one, and not in its place (first in " +
                               partial.first + ")");
    }
}

void warn(const Sweep& sweep, const FleetPools& pools, FleetResult& out) {
    warn_of_digests(out);
    warn_of_reports(pools, out);
    warn_of_partial(sweep, out);
    warn_of_names(sweep, out);
    for (const auto& each : out.uncompared) {
        out.uncompared_count += each.count;
        out.doubtful = out.doubtful || each.counts;
    }
}

// What --strict does not let pass.
struct Strictness {
    bool differs = false;
    bool unsure = false;
};
Strictness strictness_of(const FleetResult& out) {
    Strictness found{false, out.doubtful || out.odd > 0 || out.without_majority > 0};
    for (const auto& group : out.groups) {
        found.differs = found.differs || std::any_of(group.splits.begin(), group.splits.end(),
                                                     [](const auto& each) { return !each.unread; });
        for (const auto& fold : group.folds) {
            found.differs = found.differs ||
                            (group.has_baseline &&
                             std::any_of(fold.differences.begin(), fold.differences.end(),
                                         [](const FleetDifference& each) { return !each.unread; }));
        }
    }
    return found;
}

}  // namespace

void take_nodes(const Sweep& sweep, const CompareRequest& request, FleetResult& out) {
    std::set<std::string_view> stale;
    out.bytes = sweep.bytes;
    out.reports_read = sweep.reports_read;
    out.superseded = sweep.superseded;
    std::vector<std::string_view> future;
    std::string_view oldest;
    std::string_view newest;
    for (const auto& [name, node] : sweep.nodes) {
        if (is_stale(node, request)) {
            stale.insert(name);
            continue;
        }
        if (node.future) {
            future.push_back(name);
        } else {
            oldest = oldest.empty() ? node.time : std::min(oldest, node.time);
            newest = std::max(newest, node.time);
        }
        out.nodes.push_back(
            {name, node.time, node.boot_id, node.file, node.line, node.report, 0, 0});
    }
    out.oldest = oldest;
    out.newest = newest;
    std::sort(out.nodes.begin(), out.nodes.end(), [](const FleetNode& a, const FleetNode& b) {
        return is_name_before(a.name, b.name);
    });
    out.future = folded_names(future);
    out.future_count = future.size();
    out.stale = folded_names(std::vector<std::string_view>(stale.begin(), stale.end()));
    out.stale_count = stale.size();
    take_expected(request, stale, out);
}

std::vector<FleetTally> tallies(const std::vector<FleetNode>& nodes, const FleetPools& pools) {
    std::map<FleetIndex, std::vector<std::string_view>> by_report;
    for (const auto& node : nodes) {
        by_report[node.report].push_back(node.name);
    }
    std::map<TallyKey, TallyCount> counts;
    for (const auto& [report, names] : by_report) {
        for (const auto& [key, kind] : kinds_of(pools.reports.rows()[report], pools)) {
            TallyCount& count = counts[key];
            count.names.insert(count.names.end(), names.begin(), names.end());
            count.targets += kind.targets * names.size();
            count.fix = count.fix.empty() ? kind.fix : count.fix;
        }
    }
    std::vector<FleetTally> out;
    for (const auto& [key, count] : counts) {
        const auto& [id, level, outcome, waived, ticket] = key;
        out.push_back({id, level, outcome, waived, ticket, count.fix, count.names.size(),
                       count.targets, folded_names(count.names)});
    }
    std::sort(out.begin(), out.end(), is_before);
    return out;
}

void count_nodes(const Sweep& sweep, const FleetPools& pools, const CompareRequest& request,
                 FleetResult& out) {
    for (const auto& group : out.groups) {
        for (const auto& fold : group.folds) {
            out.with_status[fold.exit_code & 3] += fold.nodes.size();
            const bool odd = group.has_baseline && !fold.differences.empty();
            out.odd += odd ? fold.nodes.size() : 0;
            out.odd_but_ok += odd && fold.exit_code == exit_ok ? fold.nodes.size() : 0;
        }
    }
    out.reference = request.reference ? request.reference->name : "";
    warn(sweep, pools, out);
    const Strictness strict = request.strict ? strictness_of(out) : Strictness();
    const bool not_fresh = request.max_age_seconds && out.future_count > 0;
    const bool lacking = out.with_status[exit_unknown] + out.missing_count + out.stale_count > 0 ||
                         out.unread_inputs > 0 || out.nodes.empty() || not_fresh || strict.unsure;
    out.exit_code = out.with_status[exit_differs] > 0 || strict.differs ? exit_differs
                    : lacking                                           ? exit_unknown
                                                                        : exit_ok;
}

}  // namespace rocenv
