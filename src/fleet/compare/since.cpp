// SPDX-License-Identifier: MIT
#include "fleet/compare/since.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "fleet/compare/differences.h"
#include "fleet/read/hostlist.h"
#include "fleet/read/precedence.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Counters of a report by id, target and name.
using CountsOf =
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::uint64_t>;

CountsOf counts_of(const FleetReport& report, const FleetPools& pools) {
    CountsOf out;
    for (const auto index : report.findings) {
        const FleetFinding& finding = pools.findings.rows()[index];
        for (const auto& each : finding.counters) {
            out[{finding.id, finding.target, each.name}] = each.count;
        }
    }
    return out;
}

class SinceComparer {
   public:
    SinceComparer(const FleetPools& pools, const ComparedBy& by)
        : pools_(pools),
          fact_keys_(by.facts),
          finding_keys_(by.findings),
          coverage_(by.coverage),
          items_(pools.findings.rows(), WaivedItems::kept) {}

    std::vector<FleetDifference> differences(FleetIndex now, FleetIndex then) const {
        const FleetReport& here = pools_.reports.rows()[now];
        const FleetReport& before = pools_.reports.rows()[then];
        const auto states_here = finding_keys_.in(here);
        const auto states_before = finding_keys_.in(before);
        auto out =
            finding_differences({items_.of(here), states_here}, {items_.of(before), states_before},
                                items_.all(), finding_keys_, OwnTargets::compared);
        if (here.has_facts && before.has_facts) {
            const auto facts = fact_differences(
                pairs_with(reference_facts(before, pools_.facts.rows(), fact_keys_), here,
                           fact_keys_),
                pools_.facts.rows(), fact_keys_);
            out.insert(out.end(), facts.begin(), facts.end());
        } else if (before.has_facts) {
            out.push_back({FleetSubject::fact, "facts", "system", "not in the report",
                           number(before.facts.size()) + " of them", true});
        }
        std::erase_if(out, [&](const FleetDifference& each) {
            return !coverage_.covers(here, each.id) || !coverage_.covers(before, each.id);
        });
        sort_by_weight(out);
        return out;
    }

    // Adds the counters that changed. A counter that a report lacks counts as 0.
    void growths(FleetIndex node, const FleetNode& now, const Sweep::Node& then,
                 std::vector<FleetSince::Growth>& into) const {
        const CountsOf before = counts_of(pools_.reports.rows()[then.report], pools_);
        CountsOf here = counts_of(pools_.reports.rows()[now.report], pools_);
        for (const auto& [key, count] : before) {
            here.try_emplace(key, 0);
        }
        for (const auto& [key, count] : here) {
            const auto found = before.find(key);
            const auto was = found == before.end() ? 0 : found->second;
            if (count != was) {
                into.push_back({node, std::get<0>(key), std::get<1>(key), std::get<2>(key), was,
                                count, !now.boot_id.empty() && now.boot_id == then.boot_id,
                                !now.boot_id.empty() && !then.boot_id.empty()});
            }
        }
    }

   private:
    const FleetPools& pools_;
    const FactKeys& fact_keys_;
    const FindingKeys& finding_keys_;
    const ComparableIds& coverage_;
    const FindingItems items_;
};

// A change with the nodes that it happened to. All nodes of one pair of reports have the same
// changes.
class ChangesSince {
   public:
    explicit ChangesSince(const SinceComparer& comparer) : comparer_(comparer) {}

    // Returns whether anything changed.
    bool add(FleetIndex node, FleetIndex now, FleetIndex then) {
        const auto [found, is_new] = known_.try_emplace({now, then}, no_fact);
        if (is_new) {
            found->second = index_of(comparer_.differences(now, then));
        }
        if (found->second != no_fact) {
            changes_[found->second].nodes.push_back(node);
        }
        return found->second != no_fact;
    }

    std::vector<FleetSince::Change> take() { return std::move(changes_); }

   private:
    FleetIndex index_of(const std::vector<FleetDifference>& differences) {
        if (differences.empty()) {
            return no_fact;
        }
        std::string key;
        for (const auto& each : differences) {
            key += std::string(each.id) + '\0' + each.target + '\0' + each.here + '\0' +
                   each.others + '\0';
        }
        const auto [found, is_new] =
            by_key_.try_emplace(key, static_cast<FleetIndex>(changes_.size()));
        if (is_new) {
            changes_.push_back({{}, "", differences});
        }
        return found->second;
    }

    const SinceComparer& comparer_;
    std::map<std::pair<FleetIndex, FleetIndex>, FleetIndex> known_;
    std::unordered_map<std::string, FleetIndex> by_key_;
    std::vector<FleetSince::Change> changes_;
};

std::string names_of(const std::vector<FleetIndex>& nodes, const std::vector<FleetNode>& all) {
    std::vector<std::string_view> names;
    names.reserve(nodes.size());
    for (const auto node : nodes) {
        names.push_back(all[node].name);
    }
    return folded_names(names);
}

// Adds the nodes that are in one sweep only.
void add_strangers(const Sweep& then, const std::vector<FleetNode>& now, FleetSince& out) {
    std::vector<std::string_view> added;
    std::vector<std::string_view> gone;
    std::map<std::string_view, bool> here;
    for (const auto& node : now) {
        here[node.name] = true;
        if (!then.nodes.contains(node.name)) {
            added.push_back(node.name);
        }
    }
    for (const auto& [name, node] : then.nodes) {
        if (!here.contains(name)) {
            gone.push_back(name);
        }
    }
    out.added = folded_names(added);
    out.added_count = added.size();
    out.gone = folded_names(gone);
    out.gone_count = gone.size();
}

}  // namespace

FleetSince compared_with(const Sweep& then, const std::string& folder,
                         const std::vector<FleetNode>& now, const FleetPools& pools,
                         const ComparedBy& by) {
    FleetSince out;
    out.folder = folder;
    out.nodes = then.nodes.size();
    add_strangers(then, now, out);
    const SinceComparer comparer(pools, by);
    ChangesSince changes(comparer);
    for (FleetIndex node = 0; node < now.size(); ++node) {
        if (!then.nodes.contains(now[node].name)) {
            continue;
        }
        const FleetIndex report = now[node].report;
        const Sweep::Node& before =
            counted_report(then, now[node].name, pools.reports.rows()[report].profiles, pools);
        const bool changed = changes.add(node, report, before.report);
        const std::size_t growths = out.growths.size();
        if (report != before.report) {
            comparer.growths(node, now[node], before, out.growths);
        }
        out.unchanged += changed || out.growths.size() > growths ? 0U : 1U;
    }
    out.changes = changes.take();
    for (auto& change : out.changes) {
        change.names = names_of(change.nodes, now);
    }
    std::stable_sort(out.changes.begin(), out.changes.end(),
                     [](const auto& a, const auto& b) { return a.nodes.size() > b.nodes.size(); });
    return out;
}

}  // namespace rocenv
