// SPDX-License-Identifier: MIT
#include "fleet/compare/compare.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "fleet/compare/baseline.h"
#include "fleet/compare/differences.h"
#include "fleet/compare/presence.h"
#include "fleet/compare/reference.h"
#include "fleet/compare/rows.h"
#include "fleet/compare/since.h"
#include "fleet/compare/splits.h"
#include "fleet/compare/tallies.h"
#include "fleet/read/groups.h"
#include "fleet/read/hostlist.h"
#include "fleet/read/precedence.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

class Comparer {
   public:
    Comparer(FleetPools& pools, Kins& kins, const CompareRequest& request, FleetResult& out)
        : pools_(pools),
          all_kins_(kins),
          request_(request),
          out_(out),
          fact_keys_(pools.facts.rows()),
          items_(pools.findings.rows(), WaivedItems::left_out),
          finding_keys_(pools.findings.rows()),
          coverage_(pools),
          against_(pools, request, fact_keys_, coverage_),
          uncompared_(pools) {}

    void compare() {
        against_.warn(out_);
        warn_of_versions(coverage_, pools_, out_);
        group();
        for (auto& [kin, groups] : kins_) {
            compare_kin(kin, groups);
        }
        order_groups();
        out_.uncompared = uncompared_.take(names_);
        if (request_.since != nullptr) {
            out_.since = compared_with(*request_.since, request_.since_folder, out_.nodes, pools_,
                                       {fact_keys_, finding_keys_, coverage_});
        }
        out_.tallies = tallies(out_.nodes, out_.groups, pools_);
        out_.items = items_.take();
    }

   private:
    using Reports = std::map<FleetIndex, std::vector<FleetIndex>>;  // nodes by report
    using Folds = std::unordered_map<std::string, FleetFold>;       // by fold_key
    struct Group {
        GroupKey key;
        Reports reports;
    };

    // The baseline for the findings of a group.
    struct FindingBaseline {
        const ItemBaseline& items;
        bool of_own_version = true;
    };

    // Groups that differ in nothing but the profile and the program's version have one majority of
    // facts.
    void group() {
        std::map<FleetIndex, std::vector<FleetIndex>> by_report;
        for (FleetIndex node = 0; node < out_.nodes.size(); ++node) {
            by_report[out_.nodes[node].report].push_back(node);
        }
        std::map<GroupKey, Reports> groups;
        for (auto& [report, nodes] : by_report) {
            groups[all_kins_.key_of(report)].emplace(report, std::move(nodes));
        }
        for (auto& [key, reports] : groups) {
            GroupKey kin = key;
            kin.digest.clear();
            kin.version.clear();
            kins_[kin].push_back({key, std::move(reports)});
        }
    }

    static std::vector<Weighted> weighted(const Reports& reports) {
        std::vector<Weighted> out;
        for (const auto& [report, nodes] : reports) {
            out.push_back({report, nodes.size()});
        }
        return out;
    }

    const FleetReport& report(FleetIndex index) const { return pools_.reports.rows()[index]; }

    // Returns whether a report has something that decides. If --only selects facts alone, which no
    // report has as findings, the nodes are only compared, and none of them is unjudged.
    bool is_judged(const FleetReport& each) const {
        const bool facts_alone =
            pools_.findings.rows().empty() && each.has_findings && !each.facts.empty();
        return each.judged || facts_alone || each.exit_code != exit_ok;
    }

    static std::vector<ReportNodes> report_nodes(const std::vector<Group>& groups) {
        std::vector<ReportNodes> out;
        for (const auto& group : groups) {
            for (const auto& [index, nodes] : group.reports) {
                out.push_back({index, nodes});
            }
        }
        return out;
    }

    void compare_kin(const GroupKey& kin, std::vector<Group>& groups) {
        std::vector<Weighted> all;
        for (const auto& group : groups) {
            const auto some = weighted(group.reports);
            all.insert(all.end(), some.begin(), some.end());
        }
        const FactBaseline facts = against_.facts(kin, all);
        const auto reports = report_nodes(groups);
        auto splits = facts.there ? splits_of(facts, reports, pools_, fact_keys_, coverage_, names_)
                                  : pair_splits(reports, pools_, fact_keys_, coverage_, names_);
        out_.without_majority += splits.size();
        const bool differ = !splits.empty() || findings_differ(reports);
        const std::size_t first = out_.groups.size();
        compare_groups(kin, groups, facts);
        for (std::size_t at = first; at < out_.groups.size(); ++at) {
            out_.groups[at].without_majority = splits.size();
        }
        const auto nodes =
            std::accumulate(all.begin(), all.end(), std::size_t{0},
                            [](std::size_t sum, const Weighted& each) { return sum + each.nodes; });
        for (std::size_t at = first; at < out_.groups.size(); ++at) {
            against_.warn_of_strangers(kin, out_.groups[at], out_);
            note_uncompared(kin, out_.groups[at], nodes);
        }
        uncompared_.add(kin.model, reports, against_.is_for(kin), differ);
        out_.groups[first].splits = std::move(splits);
    }

    // Compares each group with nodes of its own program version, since other versions may find
    // other things. If these are too few for a majority, nodes of every version with one profile
    // count.
    void compare_groups(const GroupKey& kin, std::vector<Group>& groups,
                        const FactBaseline& facts) {
        std::map<std::string, std::vector<Weighted>> of_digest;
        for (const auto& group : groups) {
            auto& all = of_digest[group.key.digest];
            const auto some = weighted(group.reports);
            all.insert(all.end(), some.begin(), some.end());
        }
        std::map<std::string, ItemBaseline> shared;  // by digest
        for (auto& group : groups) {
            const auto& digest = group.key.digest;
            const auto& all = of_digest[digest];
            const ItemBaseline own =
                against_.findings(kin, digest, weighted(group.reports), items_, finding_keys_);
            if (own.there || all.size() == group.reports.size()) {
                compare_group(group, facts, kin, {own});
                continue;
            }
            const auto [baseline, is_new] = shared.try_emplace(digest);
            if (is_new) {
                baseline->second = against_.findings(kin, digest, all, items_, finding_keys_);
            }
            compare_group(group, facts, kin, {baseline->second, false});
        }
    }

    // Records nodes that were judged like too few others, although other nodes exist. Does nothing
    // if a profile is the reference and no other nodes exist, because no comparison was requested.
    void note_uncompared(const GroupKey& kin, const FleetGroup& group, std::size_t nodes) {
        const bool has_others = nodes >= fewest_for_majority ||
                                (against_.is_for(kin) && against_.node_reference() != nullptr);
        if (!group.findings_compared && group.has_baseline && has_others) {
            uncompared_.add_findings(group.nodes, out_.nodes);
            out_.mistrusted = true;
        }
    }

    // Returns true if two nodes that one profile judged have other findings.
    bool findings_differ(const std::vector<ReportNodes>& reports) const {
        if (reports.size() != 2) {
            return false;
        }
        const FleetReport& a = report(reports[0].report);
        const FleetReport& b = report(reports[1].report);
        return a.profile_digest == b.profile_digest && items_.of(a) != items_.of(b);
    }

    void compare_group(Group& group, const FactBaseline& facts, const GroupKey& kin,
                       const FindingBaseline& findings) {
        const ItemBaseline& items = findings.items;
        FleetGroup into;
        into.model = group.key.model;
        into.product = group.key.product;
        into.by = group.key.by;
        into.profile_digest = group.key.digest;
        into.version = group.key.version;
        into.profiles = profiles_of(group);
        into.has_baseline = items.there || facts.there;
        into.findings_compared = items.there;
        into.findings = sorted_items(items.there ? items.common : items_of_all(group));
        Folds folds;
        for (auto& [index, nodes] : group.reports) {
            FleetFold fold;
            fold.judged = is_judged(report(index));
            fold.exit_code = fold.judged ? report(index).exit_code : exit_unknown;
            fold.container = report(index).container;
            fold.because = report(index).because;
            fold.beside = report(index).beside;
            fold.differences = fact_differences(pairs_with(facts, report(index), fact_keys_),
                                                pools_.facts.rows(), fact_keys_);
            if (into.findings_compared) {
                add_items(report(index), findings, fold.differences);
            }
            against_.finish(kin, report(index), fold.differences);
            add_fault(report(index), fold.differences);
            sort_by_weight(fold.differences);
            FleetFold& known = folds.try_emplace(fold_key(fold), fold).first->second;
            known.nodes.insert(known.nodes.end(), nodes.begin(), nodes.end());
            into.nodes.insert(into.nodes.end(), nodes.begin(), nodes.end());
        }
        finish_group(into, folds);
    }

    // Returns the first name by alphabet. Different lists of names may have one digest.
    std::string_view profiles_of(const Group& group) const {
        std::string_view out = report(group.reports.begin()->first).profiles;
        for (const auto& [index, nodes] : group.reports) {
            out = std::min(out, report(index).profiles);
        }
        return out;
    }

    std::vector<FleetIndex> items_of_all(const Group& group) const {
        std::set<FleetIndex> out;
        for (const auto& [index, nodes] : group.reports) {
            const auto items = items_.of(report(index));
            out.insert(items.begin(), items.end());
        }
        return {out.begin(), out.end()};
    }

    // Returns the items in an order that does not depend on the order of reading.
    std::vector<FleetIndex> sorted_items(std::vector<FleetIndex> items) const {
        std::sort(items.begin(), items.end(), [&](FleetIndex a, FleetIndex b) {
            const auto key = [&](FleetIndex item) {
                const FleetFinding& row = items_.all()[item];
                return std::tuple(row.id, row.target, -static_cast<int>(row.level), row.outcome,
                                  row.reason, row.expected, row.have);
            };
            return key(a) < key(b);
        });
        return items;
    }

    // Adds differences of findings in front of the facts. A finding that only one of two versions
    // has is not a difference.
    void add_items(const FleetReport& row, const FindingBaseline& baseline,
                   std::vector<FleetDifference>& into) const {
        const auto here = finding_keys_.in(row);
        auto found = finding_differences({items_.of(row), here},
                                         {baseline.items.items, baseline.items.states},
                                         items_.all(), finding_keys_, OwnTargets::left_out);
        std::erase_if(found, [&](const FleetDifference& each) {
            return !baseline.of_own_version &&
                   (each.here == not_in_report || each.others == not_in_report);
        });
        into.insert(into.begin(), found.begin(), found.end());
    }

    // Adds the fault that a report has which does not count.
    void add_fault(const FleetReport& row, std::vector<FleetDifference>& into) const {
        if (row.fault == no_fault) {
            return;
        }
        const FleetFinding& fault = pools_.findings.rows()[row.fault];
        FleetDifference out{FleetSubject::finding, fault.id, std::string(fault.target), {}, {}};
        out.here = finding_words(fault) + ", in " +
                   std::string(row.beside.substr(0, row.beside.find(": ")));
        out.others = finding_keys_.words(finding_keys_.in(row), fault.id, fault.target);
        out.level = fault.level;
        into.push_back(std::move(out));
    }

    static std::string fold_key(const FleetFold& fold) {
        std::string out = number(fold.exit_code) + (fold.container ? "c" : "") +
                          (fold.judged ? "" : "u") + std::string(fold.because) + '\0' +
                          std::string(fold.beside);
        for (const auto& each : fold.differences) {
            for (const auto text : {each.id, std::string_view(each.target),
                                    std::string_view(each.here), std::string_view(each.others)}) {
                out += '\0' + number(text.size()) + ':';
                out += text;
            }
            out += each.level ? std::string(word_of(*each.level)) : "";
        }
        return out;
    }

    void finish_group(FleetGroup& group, Folds& folds) {
        for (auto& [key, fold] : folds) {
            std::sort(fold.nodes.begin(), fold.nodes.end());
            fold.names = names(fold.nodes);
            group.folds.push_back(std::move(fold));
        }
        std::sort(
            group.folds.begin(), group.folds.end(), [](const FleetFold& a, const FleetFold& b) {
                const auto rank = [](const FleetFold& fold) {
                    return std::tuple(!fold.differences.empty(),
                                      -static_cast<long>(fold.nodes.size()), fold.nodes.front());
                };
                return rank(a) < rank(b);
            });
        std::sort(group.nodes.begin(), group.nodes.end());
        group.names = names(group.nodes);
        out_.groups.push_back(std::move(group));
    }

    std::string names(const std::vector<FleetIndex>& nodes) const {
        std::vector<std::string_view> all;
        all.reserve(nodes.size());
        for (const auto node : nodes) {
            all.push_back(out_.nodes[node].name);
        }
        return folded_names(all);
    }

    // Sorts the largest groups first, and sets the group and fold of each node.
    void order_groups() {
        std::stable_sort(out_.groups.begin(), out_.groups.end(),
                         [](const FleetGroup& a, const FleetGroup& b) {
                             return a.nodes.size() > b.nodes.size();
                         });
        for (FleetIndex group = 0; group < out_.groups.size(); ++group) {
            const auto& folds = out_.groups[group].folds;
            for (FleetIndex fold = 0; fold < folds.size(); ++fold) {
                for (const auto node : folds[fold].nodes) {
                    out_.nodes[node].group = group;
                    out_.nodes[node].fold = fold;
                }
            }
        }
    }

    FleetPools& pools_;
    Kins& all_kins_;
    const CompareRequest& request_;
    FleetResult& out_;
    FactKeys fact_keys_;
    FindingItems items_;
    FindingKeys finding_keys_;
    ComparableIds coverage_;
    GroupBaselines against_;
    Uncompared uncompared_;
    std::map<GroupKey, std::vector<Group>> kins_;
    const NamesOf names_ = [this](const std::vector<FleetIndex>& nodes) { return names(nodes); };
};

}  // namespace

FleetResult compare_fleet(const Sweep& sweep, FleetPools& pools, Problems& problems,
                          const CompareRequest& request) {
    FleetResult out;
    out.texts = pools.texts;
    out.bytes = sweep.bytes;
    out.reports_read = sweep.reports_read;
    out.superseded = sweep.superseded;
    Kins kins(pools, request.group_by);
    select_reports(sweep, pools, kins, {request.max_age_seconds, request.now_seconds}, problems,
                   out);
    take_expected(sweep, request, out);
    Comparer(pools, kins, request, out).compare();
    out.problems = std::move(problems.all);
    out.more_problems = problems.more;
    out.unread_inputs = problems.unread_inputs;
    count_nodes(sweep, pools, request, out);
    out.rows = fleet_rows(out, pools);
    for (const auto& [id, reported] : pools.settings) {
        out.settings.push_back(reported.setting);
    }
    std::sort(out.settings.begin(), out.settings.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    out.reports = pools.reports.take_rows();
    out.findings = pools.findings.take_rows();
    out.facts = pools.facts.take_rows();
    return out;
}

}  // namespace rocenv
