// SPDX-License-Identifier: MIT
#include "fleet/compare/rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "fleet/compare/baseline.h"
#include "fleet/compare/presence.h"
#include "fleet/compare/tallies.h"
#include "fleet/read/hostlist.h"
#include "util/exit_status.h"

namespace rocenv {

namespace {

// The members that are equal in findings of one kind, whatever their targets are.
using CauseKey = std::tuple<std::string_view, Outcome, Level, Reason, std::string_view,
                            std::string_view>;  // id … expected, have

// The findings of one report that nothing else in it explains, by the row that they make.
struct Roots {
    std::map<CauseKey, std::vector<FleetIndex>> failed;
    std::map<CauseKey, std::vector<FleetIndex>> unknown;
    std::map<CauseKey, std::vector<FleetIndex>> advice;
};

// The members that are equal in nodes of one row.
struct RowKey {
    FleetRowKind kind;
    std::vector<CauseKey> causes;
    std::string_view because;
    std::string_view beside;
    bool unselected = false;
    bool operator<(const RowKey& other) const {
        return std::tie(kind, causes, because, beside, unselected) <
               std::tie(other.kind, other.causes, other.because, other.beside, other.unselected);
    }
};

using Targets = std::vector<std::pair<std::string_view, std::string_view>>;

class Rows {
   public:
    Rows(const FleetResult& fleet, const FleetPools& pools)
        : fleet_(fleet), pools_(pools), haves_(pools.findings.rows()) {
        for (const auto& report : pools.reports.rows()) {
            learn_causes(report);
        }
    }

    std::vector<FleetRow> all() {
        for (FleetIndex node = 0; node < fleet_.nodes.size(); ++node) {
            add(node);
        }
        std::vector<FleetRow> out;
        for (auto& [key, nodes] : nodes_of_) {
            out.push_back(row_of(key, std::move(nodes)));
        }
        add_outliers(out);
        std::stable_sort(out.begin(), out.end(), [](const FleetRow& a, const FleetRow& b) {
            return std::tuple(a.kind, -static_cast<long>(a.nodes.size())) <
                   std::tuple(b.kind, -static_cast<long>(b.nodes.size()));
        });
        return out;
    }

   private:
    const FleetFinding& finding(FleetIndex index) const { return pools_.findings.rows()[index]; }
    const FleetReport& report(FleetIndex node) const {
        return pools_.reports.rows()[fleet_.nodes[node].report];
    }
    const FleetFold& fold(FleetIndex node) const {
        const FleetNode& row = fleet_.nodes[node];
        return fleet_.groups[row.group].folds[row.fold];
    }

    CauseKey key_of(const FleetFinding& row) {
        if (row.outcome == Outcome::unknown) {
            return {row.id, row.outcome, row.level, row.reason, {}, {}};
        }
        return {row.id,
                row.outcome,
                row.level,
                row.reason,
                row.expected.value_or(std::string_view()),
                haves_.of(row).value_or(std::string_view())};
    }

    // The finding that the report names as the cause, std::nullopt if it has none. A cause that is
    // waived or was left out explains nothing.
    std::optional<FleetIndex> cause_of(const FleetFinding& row, const FleetReport& in) const {
        const auto found =
            row.cause_id.empty()
                ? in.findings.end()
                : std::find_if(in.findings.begin(), in.findings.end(), [&](FleetIndex index) {
                      const FleetFinding& other = finding(index);
                      return other.id == row.cause_id && other.target == row.cause_target &&
                             is_open(other);
                  });
        return found == in.findings.end() ? std::nullopt : std::optional(*found);
    }

    static bool is_open(const FleetFinding& row) {
        return !row.waived && (is_not_as_expected(row.outcome) || row.outcome == Outcome::unknown);
    }

    void learn_causes(const FleetReport& row) {
        for (const auto index : row.findings) {
            if (const auto cause = cause_of(finding(index), row)) {
                known_causes_[key_of(finding(index))].insert(key_of(finding(*cause)));
                versions_with_causes_.insert(row.version);
            }
        }
    }

    // A report of a version without causes has those that reports of other versions name for the
    // same findings.
    bool is_explained(const FleetFinding& row, const FleetReport& in) {
        if (cause_of(row, in)) {
            return true;
        }
        if (versions_with_causes_.contains(in.version)) {
            return false;
        }
        const auto known = known_causes_.find(key_of(row));
        return known != known_causes_.end() &&
               std::any_of(in.findings.begin(), in.findings.end(), [&](FleetIndex index) {
                   return is_open(finding(index)) && known->second.contains(key_of(finding(index)));
               });
    }

    const Roots& roots_of(FleetIndex node) {
        const auto [found, is_new] = roots_.try_emplace(fleet_.nodes[node].report);
        if (!is_new) {
            return found->second;
        }
        const FleetReport& row = report(node);
        const Level least = row.strict ? Level::recommended : Level::required;
        for (const auto index : row.findings) {
            const FleetFinding& each = finding(index);
            if (!is_open(each) || each.level < Level::recommended || is_explained(each, row)) {
                continue;
            }
            auto& into = each.level < least                 ? found->second.advice
                         : each.outcome == Outcome::unknown ? found->second.unknown
                                                            : found->second.failed;
            into[key_of(each)].push_back(index);
        }
        return found->second;
    }

    void add(FleetIndex node) {
        const FleetFold& of = fold(node);
        const Roots& roots = roots_of(node);
        for (const auto& [key, found] : roots.advice) {
            nodes_of_[{FleetRowKind::warn, {key}, {}, {}}].push_back(node);
        }
        if (!of.judged) {
            nodes_of_[{FleetRowKind::unjudged, {}, {}, {}, report(node).has_findings}].push_back(
                node);
            return;
        }
        if (of.exit_code == exit_ok) {
            return;
        }
        const bool failed = of.exit_code == exit_differs;
        RowKey key{failed ? FleetRowKind::fail : FleetRowKind::unknown, {}, of.because, of.beside};
        if (of.because.empty()) {
            for (const auto& [each, found] : failed ? roots.failed : roots.unknown) {
                key.causes.push_back(each);
                ++nodes_with_[each];
            }
        }
        nodes_of_[key].push_back(node);
    }

    const std::vector<FleetIndex>& found(FleetIndex node, FleetRowKind kind, const CauseKey& key) {
        const Roots& roots = roots_of(node);
        return (kind == FleetRowKind::warn   ? roots.advice
                : kind == FleetRowKind::fail ? roots.failed
                                             : roots.unknown)
            .at(key);
    }

    Targets targets_of(FleetIndex node, const RowKey& key) {
        Targets out;
        for (const auto& cause : key.causes) {
            for (const auto index : found(node, key.kind, cause)) {
                out.emplace_back(finding(index).id, finding(index).target);
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }

    FleetRow row_of(RowKey key, std::vector<FleetIndex> nodes) {
        FleetRow out;
        out.kind = key.kind;
        out.because = key.because;
        out.beside = key.beside;
        out.unselected = key.unselected;
        out.names = names(nodes);
        std::stable_sort(
            key.causes.begin(), key.causes.end(),
            [&](const CauseKey& a, const CauseKey& b) { return nodes_with_[a] < nodes_with_[b]; });
        for (const auto& cause : key.causes) {
            const auto& some = found(nodes.front(), key.kind, cause);
            out.findings.insert(out.findings.end(), some.begin(), some.end());
            if (std::find(out.ids.begin(), out.ids.end(), std::get<0>(cause)) == out.ids.end()) {
                out.ids.push_back(std::get<0>(cause));
            }
        }
        const Targets first = targets_of(nodes.front(), key);
        out.same_targets = std::all_of(nodes.begin(), nodes.end(), [&](FleetIndex node) {
            return targets_of(node, key) == first;
        });
        if (!key.causes.empty()) {
            out.steps = steps_of(nodes, key);
        }
        out.nodes = std::move(nodes);
        return out;
    }

    // Returns the steps of the first node of each model.
    std::vector<FleetStep> steps_of(const std::vector<FleetIndex>& nodes, const RowKey& key) {
        std::map<std::string, std::string_view> by_model;
        for (const auto node : nodes) {
            const FleetIndex first = found(node, key.kind, key.causes.front()).front();
            by_model.try_emplace(fleet_.groups[fleet_.nodes[node].group].model, finding(first).fix);
        }
        return steps_by_model(by_model);
    }

    // Nodes that pass or are not judged, and differ from their group in more than the
    // recommendations that they miss.
    void add_outliers(std::vector<FleetRow>& into) {
        for (FleetIndex group = 0; group < fleet_.groups.size(); ++group) {
            const auto& folds = fleet_.groups[group].folds;
            for (FleetIndex at = 0; at < folds.size(); ++at) {
                const FleetFold& of = folds[at];
                const bool may_pass = of.exit_code == exit_ok || !of.judged;
                if (may_pass && (!of.beside.empty() || !is_covered_by_advice(of))) {
                    FleetRow row;
                    row.kind = FleetRowKind::outlier;
                    row.nodes = of.nodes;
                    row.names = of.names;
                    row.beside = of.beside;
                    row.group = group;
                    row.fold = at;
                    into.push_back(std::move(row));
                }
            }
        }
    }

    // Returns whether a finding that most nodes have was not judged here: it is missing, na or
    // hidden.
    static bool is_lack(const FleetDifference& each) {
        constexpr std::string_view words[] = {not_in_report, word_of(Presence::na),
                                              word_of(Presence::hidden)};
        return std::find(std::begin(words), std::end(words), each.here) != std::end(words);
    }

    // Returns whether missed recommendations cover all differences. Findings that pass here are
    // ignored.
    bool is_covered_by_advice(const FleetFold& of) {
        std::set<std::string_view> missed;
        for (const auto& [key, found] : roots_of(of.nodes.front()).advice) {
            missed.insert(std::get<0>(key));
        }
        return std::all_of(
            of.differences.begin(), of.differences.end(), [&](const FleetDifference& each) {
                return missed.contains(each.id) ||
                       (each.of == FleetSubject::finding && !each.level && !is_lack(each));
            });
    }

    std::string names(const std::vector<FleetIndex>& nodes) const {
        std::vector<std::string_view> all;
        all.reserve(nodes.size());
        for (const auto node : nodes) {
            all.push_back(fleet_.nodes[node].name);
        }
        return folded_names(all);
    }

    const FleetResult& fleet_;
    const FleetPools& pools_;
    ComparedHaves haves_;
    std::unordered_map<FleetIndex, Roots> roots_;  // by report
    std::map<RowKey, std::vector<FleetIndex>> nodes_of_;
    std::map<CauseKey, std::size_t> nodes_with_;
    std::map<CauseKey, std::set<CauseKey>> known_causes_;  // causes of a consequence
    std::set<std::string_view> versions_with_causes_;
};

}  // namespace

std::vector<FleetRow> fleet_rows(const FleetResult& fleet, const FleetPools& pools) {
    return Rows(fleet, pools).all();
}

}  // namespace rocenv
