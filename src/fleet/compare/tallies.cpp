// SPDX-License-Identifier: MIT
#include "fleet/compare/tallies.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

#include "fleet/read/hostlist.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

// Key of findings that are one kind over all nodes.
using TallyKey = std::tuple<std::string_view, Level, Outcome, bool, std::string_view>;

struct TallyCount {
    std::vector<std::string_view> names;
    std::size_t targets = 0;
    std::string_view fix;
    std::map<std::string, std::string_view> fixes;  // by model
};

bool is_reported(const FleetFinding& finding) {
    return finding.waived || !is_quiet(finding.outcome);
}

// Number of targets of each kind in one report, and the first one's next step.
struct KindCount {
    std::size_t targets = 0;
    std::string_view fix;
};
std::map<TallyKey, KindCount> kinds_of(const FleetReport& report, const FleetPools& pools) {
    std::map<TallyKey, KindCount> out;
    for (const auto index : report.findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        if (is_reported(row)) {
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

}  // namespace

void take_expected(const Sweep& sweep, const CompareRequest& request, FleetResult& out) {
    if (request.expect.empty()) {
        return;
    }
    out.has_expected = true;
    const std::unordered_set<std::string_view> expected(request.expect.begin(),
                                                        request.expect.end());
    std::vector<std::string_view> unexpected;
    for (const auto& node : out.nodes) {
        if (!expected.contains(node.name)) {
            unexpected.push_back(node.name);
        }
    }
    std::vector<std::string_view> missing;
    for (const auto& name : expected) {
        if (!sweep.nodes.contains(name)) {
            missing.push_back(name);
        }
    }
    out.missing = folded_names(missing);
    out.missing_count = missing.size();
    out.unexpected = folded_names(unexpected);
    out.unexpected_count = unexpected.size();
}

namespace {

// Adds a warning about some nodes; does nothing for none.
void warn_of(const std::vector<std::string_view>& names, const std::string& what,
             FleetResult& out) {
    if (!names.empty()) {
        out.warnings.push_back(number(names.size()) + (names.size() == 1 ? " node " : " nodes ") +
                               what + ": " + folded_names(names));
    }
}

// Returns the three digests that most nodes have, and the number of the others.
std::string words_of_digests(const std::map<std::string, std::size_t>& digests) {
    constexpr std::size_t most_digests = 3;
    std::vector<std::pair<std::string, std::size_t>> sorted(digests.begin(), digests.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> parts;
    for (const auto& [digest, nodes] : sorted) {
        if (parts.size() == most_digests) {
            break;
        }
        parts.push_back((digest.empty() ? "none" : digest) + " on " + number(nodes));
    }
    const std::size_t more = digests.size() - parts.size();
    return join(parts, ", ") + (more > 0 ? " and " + number(more) + " more" : "");
}

// Warns of nodes that should be equal and were checked with profiles of different content.
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
        out.warnings.push_back("nodes of one kind were checked with " + number(digests.size()) +
                               " profiles of different content (digest " +
                               words_of_digests(digests) + "); findings are compared within each");
    }
}

// Returns true if the status would be better without --strict.
bool is_by_strict(const FleetReport& report, const FleetPools& pools) {
    return report.strict && report.because.empty() &&
           is_worse(report.exit_code, exit_code_of(report.findings, pools, false));
}

// Warns of reports whose status contradicts their findings, that have lapsed waivers, or that were
// made with --strict.
void warn_of_reports(const FleetPools& pools, FleetResult& out) {
    std::vector<std::string_view> contradicting;
    std::vector<std::string_view> lapsed;
    std::vector<std::string_view> strict;
    for (const auto& node : out.nodes) {
        const FleetReport& report = pools.reports.rows()[node.report];
        if (report.contradicts) {
            contradicting.push_back(node.name);
        }
        if (report.lapsed) {
            lapsed.push_back(node.name);
        }
        if (is_by_strict(report, pools)) {
            strict.push_back(node.name);
        }
    }
    warn_of(contradicting, "whose report has another status than its findings; the worse counts",
            out);
    warn_of(lapsed, "with waivers that have expired or are incomplete; the waived findings count",
            out);
    warn_of(strict, "checked with --strict, which made the status", out);
}

constexpr std::int64_t shortest_reboot = 60;  // seconds

bool are_several(const std::map<std::string_view, Sweep::Boot>& boots) {
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (const auto& [boot_id, boot] : boots) {
        if (!boot_id.empty()) {
            spans.emplace_back(utc_seconds(boot.first).value_or(0),
                               utc_seconds(boot.last).value_or(0));
        }
    }
    std::sort(spans.begin(), spans.end());
    return std::adjacent_find(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
               return b.first < a.second + shortest_reboot;
           }) != spans.end();
}

// Returns the host's own name in lower case; an address unchanged.
std::string bare_name(std::string_view name) {
    const bool is_address = name.find_first_not_of("0123456789.:") == name.npos;
    return lower_case(is_address ? name : name.substr(0, name.find('.')));
}

// Warns of a name that several machines use: their boots overlap, or are less than a minute apart.
// The fleet then does not pass, since only one of them counts. Warns also of names that differ in
// case or domain only.
void warn_of_names(const Sweep& sweep, FleetResult& out) {
    std::vector<std::string_view> several;
    std::map<std::string, std::vector<std::string_view>> alike;
    for (const auto& node : out.nodes) {
        const auto boots = sweep.boots.find(node.name);
        if (boots != sweep.boots.end() && are_several(boots->second)) {
            several.push_back(node.name);
        }
        alike[bare_name(node.name)].push_back(node.name);
    }
    if (!several.empty()) {
        out.uncounted = true;
        out.warnings.push_back(
            "several machines report as one node (their boot ids alternate); only one of them "
            "counts: " +
            folded_names(several));
    }
    std::vector<std::string_view> twice;
    for (const auto& [bare, names] : alike) {
        if (names.size() > 1) {
            twice.insert(twice.end(), names.begin(), names.end());
        }
    }
    if (!twice.empty()) {
        out.warnings.push_back("names that differ in case or domain only are nodes of their own: " +
                               folded_names(twice));
    }
}

void warn(const Sweep& sweep, const FleetPools& pools, FleetResult& out) {
    warn_of_digests(out);
    warn_of_reports(pools, out);
    warn_of_names(sweep, out);
    for (const auto& each : out.uncompared) {
        out.uncompared_count += each.count;
        out.doubtful = out.doubtful || each.counts;
    }
}

// Conditions that --strict rejects.
struct Strictness {
    bool differs = false;
    bool unsure = false;
};
Strictness strictness_of(const FleetResult& out) {
    Strictness found{out.mistrusted || out.unjudged > 0,
                     out.doubtful || out.outliers > 0 || out.without_majority > 0};
    for (const auto& group : out.groups) {
        found.differs = found.differs || std::any_of(group.splits.begin(), group.splits.end(),
                                                     [](const auto& each) { return !each.unread; });
        for (const auto& fold : group.folds) {
            found.differs = found.differs ||
                            std::any_of(fold.differences.begin(), fold.differences.end(),
                                        [](const FleetDifference& each) { return !each.unread; });
        }
    }
    return found;
}

}  // namespace

std::vector<FleetStep> steps_by_model(const std::map<std::string, std::string_view>& fixes) {
    const bool is_one = std::all_of(fixes.begin(), fixes.end(), [&](const auto& each) {
        return each.second == fixes.begin()->second;
    });
    std::vector<FleetStep> out;
    for (const auto& [model, fix] : fixes) {
        if (!fix.empty() && (!is_one || out.empty())) {
            out.push_back({is_one ? std::string() : model, fix});
        }
    }
    return out;
}

std::vector<FleetTally> tallies(const std::vector<FleetNode>& nodes,
                                const std::vector<FleetGroup>& groups, const FleetPools& pools) {
    std::map<FleetIndex, std::vector<std::string_view>> by_report;
    std::vector<const FleetNode*> first_nodes;  // first node of each report, by name
    for (const auto& node : nodes) {
        auto& names = by_report[node.report];
        if (names.empty()) {
            first_nodes.push_back(&node);
        }
        names.push_back(node.name);
    }
    std::map<TallyKey, TallyCount> counts;
    for (const FleetNode* first : first_nodes) {
        const auto& names = by_report[first->report];
        for (const auto& [key, kind] : kinds_of(pools.reports.rows()[first->report], pools)) {
            TallyCount& count = counts[key];
            count.names.insert(count.names.end(), names.begin(), names.end());
            count.targets += kind.targets * names.size();
            count.fix = count.fix.empty() ? kind.fix : count.fix;
            count.fixes.try_emplace(groups[first->group].model, kind.fix);
        }
    }
    std::vector<FleetTally> out;
    for (const auto& [key, count] : counts) {
        const auto& [id, level, outcome, waived, ticket] = key;
        out.push_back({id, level, outcome, waived, ticket, count.fix, count.names.size(),
                       count.targets, folded_names(count.names), steps_by_model(count.fixes)});
    }
    std::sort(out.begin(), out.end(), is_before);
    return out;
}

void count_nodes(const Sweep& sweep, const FleetPools& pools, const CompareRequest& request,
                 FleetResult& out) {
    for (const auto& group : out.groups) {
        for (const auto& fold : group.folds) {
            (fold.judged ? out.with_status[fold.exit_code & 3] : out.unjudged) += fold.nodes.size();
            const bool is_outlier = !fold.differences.empty();
            out.outliers += is_outlier ? fold.nodes.size() : 0;
            out.passing_outliers += is_outlier && fold.exit_code == exit_ok ? fold.nodes.size() : 0;
        }
    }
    out.reference = request.reference ? request.reference->name : "";
    warn(sweep, pools, out);
    const Strictness strict = request.strict ? strictness_of(out) : Strictness();
    const bool not_fresh = request.max_age_seconds && out.future_count > 0;
    const std::size_t open =
        out.with_status[exit_unknown] + out.unjudged + out.missing_count + out.stale_count;
    const bool lacking = out.nodes.empty() || open > 0 || out.unread_inputs > 0 || not_fresh ||
                         out.uncounted || out.beside_exit == exit_unknown || strict.unsure;
    const bool differs = out.with_status[exit_differs] > 0 || out.beside_exit == exit_differs;
    out.exit_code = differs || strict.differs ? exit_differs : lacking ? exit_unknown : exit_ok;
}

}  // namespace rocenv
