// SPDX-License-Identifier: MIT
#include "fleet/tallies.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "fleet/hostlist.h"
#include "fleet/report_time.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Which findings are one kind over all nodes.
using TallyKey = std::tuple<std::string_view, Level, Outcome, bool, std::string_view>;

struct TallyCount {
    std::vector<std::string_view> names;
    std::size_t targets = 0;
};

bool is_told(const FleetFinding& finding) {
    return finding.waived || !is_quiet(finding.outcome);
}

// How many targets of each kind one report has.
std::map<TallyKey, std::size_t> kinds_of(const FleetReport& report, const FleetPools& pools) {
    std::map<TallyKey, std::size_t> out;
    for (const auto index : report.findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        if (is_told(row)) {
            ++out[{row.id, row.level, row.outcome, row.waived, row.ticket}];
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
    return request.max_age_seconds &&
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

void warn(const FleetPools& pools, FleetResult& out) {
    std::vector<std::string_view> without_facts;
    std::size_t without_majority = 0;
    for (const auto& node : out.nodes) {
        const FleetReport& report = pools.reports.rows()[node.report];
        if (!report.has_facts) {
            without_facts.push_back(node.name);
        }
    }
    warn_of_digests(out);
    warn_of(without_facts, "without facts (check --facts), compared by findings alone", out);
    for (const auto& group : out.groups) {
        without_majority += group.has_baseline ? 0 : group.nodes.size();
    }
    if (without_majority > 0) {
        out.warnings.push_back(number(without_majority) +
                               (without_majority == 1 ? " node is" : " nodes are") +
                               " in groups of fewer than three, which have no majority");
    }
}

}  // namespace

void take_nodes(const Sweep& sweep, const CompareRequest& request, FleetResult& out) {
    std::set<std::string_view> stale;
    out.bytes = sweep.bytes;
    out.reports_read = sweep.reports_read;
    out.superseded = sweep.superseded;
    std::string_view oldest;
    std::string_view newest;
    for (const auto& [name, node] : sweep.nodes) {
        if (is_stale(node, request)) {
            stale.insert(name);
            continue;
        }
        oldest = oldest.empty() ? node.time : std::min(oldest, node.time);
        newest = std::max(newest, node.time);
        out.nodes.push_back(
            {name, node.time, node.boot_id, node.file, node.line, node.report, 0, 0});
    }
    out.oldest = oldest;
    out.newest = newest;
    std::sort(out.nodes.begin(), out.nodes.end(), [](const FleetNode& a, const FleetNode& b) {
        return is_name_before(a.name, b.name);
    });
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
        for (const auto& [key, targets] : kinds_of(pools.reports.rows()[report], pools)) {
            TallyCount& count = counts[key];
            count.names.insert(count.names.end(), names.begin(), names.end());
            count.targets += targets * names.size();
        }
    }
    std::vector<FleetTally> out;
    for (const auto& [key, count] : counts) {
        const auto& [id, level, outcome, waived, ticket] = key;
        out.push_back({id, level, outcome, waived, ticket, count.names.size(), count.targets,
                       folded_names(count.names)});
    }
    std::sort(out.begin(), out.end(), is_before);
    return out;
}

void count_nodes(const FleetPools& pools, const CompareRequest& request, bool unread,
                 FleetResult& out) {
    bool stands_out = false;
    for (const auto& group : out.groups) {
        for (const auto& fold : group.folds) {
            out.with_status[fold.exit_code & 3] += fold.nodes.size();
            const bool odd = group.has_baseline && !fold.differences.empty();
            out.odd += odd ? fold.nodes.size() : 0;
            out.odd_but_ok += odd && fold.exit_code == exit_ok ? fold.nodes.size() : 0;
            stands_out =
                stands_out ||
                (odd && std::any_of(fold.differences.begin(), fold.differences.end(),
                                    [](const FleetDifference& each) { return !each.unread; }));
        }
    }
    out.reference = request.reference ? request.reference->name : "";
    warn(pools, out);
    const bool lacking = out.with_status[exit_unknown] + out.missing_count + out.stale_count > 0 ||
                         unread || out.nodes.empty() || (request.strict && out.odd > 0);
    out.exit_code = out.with_status[exit_differs] > 0 || (request.strict && stands_out)
                        ? exit_differs
                    : lacking ? exit_unknown
                              : exit_ok;
}

}  // namespace rocenv
