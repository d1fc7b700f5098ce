// SPDX-License-Identifier: MIT
#include "fleet/compare.h"

#include <algorithm>
#include <map>
#include <set>

#include "fleet/baseline.h"
#include "fleet/differences.h"
#include "fleet/groups.h"
#include "fleet/hostlist.h"
#include "fleet/report_time.h"
#include "fleet/since.h"
#include "fleet/tallies.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Reports of one group, with the nodes of each.
struct ReportNodes {
    FleetIndex report = 0;
    std::vector<FleetIndex> nodes;
};

class Comparer {
   public:
    Comparer(FleetPools& pools, const CompareRequest& request, FleetResult& out)
        : pools_(pools),
          request_(request),
          out_(out),
          places_(pools.facts.rows()),
          items_(pools.findings.rows()) {}

    void compare() {
        group();
        for (auto& [kin, groups] : kins_) {
            compare_kin(kin, groups);
        }
        order_groups();
        if (request_.since != nullptr) {
            out_.since = compared_with(*request_.since, request_.since_folder, out_.nodes, pools_,
                                       places_, items_);
        }
        out_.tallies = tallies(out_.nodes, pools_);
        out_.items = items_.take();
    }

   private:
    using Reports = std::map<FleetIndex, std::vector<FleetIndex>>;  // nodes by report
    struct Group {
        GroupKey key;
        Reports reports;
    };

    // Groups that differ in nothing but the profile have one majority of facts.
    void group() {
        std::map<FleetIndex, std::vector<FleetIndex>> by_report;
        for (FleetIndex node = 0; node < out_.nodes.size(); ++node) {
            by_report[out_.nodes[node].report].push_back(node);
        }
        std::map<GroupKey, Reports> groups;
        for (auto& [report, nodes] : by_report) {
            const auto& row = pools_.reports.rows()[report];
            groups[group_key(row, pools_, request_.group_by)].emplace(report, std::move(nodes));
        }
        for (auto& [key, reports] : groups) {
            GroupKey kin = key;
            kin.digest.clear();
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

    bool is_for(const GroupKey& kin) const {
        if (!request_.reference || !request_.reference->report) {
            return request_.reference.has_value();
        }
        return group_key(report(*request_.reference->report), pools_, {}).model == kin.model;
    }

    FactBaseline baseline(const GroupKey& kin, const std::vector<Weighted>& all) const {
        if (is_for(kin)) {
            return request_.reference->report ? reference_facts(report(*request_.reference->report),
                                                                pools_.facts.rows(), places_)
                                              : wanted_facts(request_.reference->wanted, places_);
        }
        return majority_facts(all, pools_, places_);
    }

    void compare_kin(const GroupKey& kin, std::vector<Group>& groups) {
        std::vector<Weighted> all;
        for (const auto& group : groups) {
            const auto some = weighted(group.reports);
            all.insert(all.end(), some.begin(), some.end());
        }
        const FactBaseline facts = baseline(kin, all);
        std::vector<std::size_t> of_kin;
        for (auto& group : groups) {
            of_kin.push_back(out_.groups.size());
            compare_group(kin, group, facts);
        }
        out_.groups[of_kin.front()].splits = splits(facts, groups);
    }

    std::vector<FleetIndex> item_baseline(const GroupKey& kin, const Group& group, bool& there) {
        const auto all = weighted(group.reports);
        std::size_t nodes = 0;
        for (const auto& each : all) {
            nodes += each.nodes;
        }
        if (is_for(kin) && request_.reference->report &&
            report(*request_.reference->report).profile_digest == group.key.digest) {
            there = true;
            return items_.of(report(*request_.reference->report));
        }
        there = nodes >= fewest_for_majority;
        return there ? majority_items(all, pools_.reports.rows(), items_)
                     : std::vector<FleetIndex>();
    }

    void compare_group(const GroupKey& kin, Group& group, const FactBaseline& facts) {
        FleetGroup into;
        into.model = group.key.model;
        into.product = group.key.product;
        into.by = group.key.by;
        into.profile_digest = group.key.digest;
        into.profiles = report(group.reports.begin()->first).profiles;
        bool has_items = false;
        into.findings = item_baseline(kin, group, has_items);
        into.has_baseline = has_items || facts.there;
        std::map<std::string, FleetFold> folds;
        for (auto& [index, nodes] : group.reports) {
            FleetFold fold;
            fold.exit_code = report(index).exit_code;
            fold.differences = fact_differences(pairs_with(facts, report(index), places_),
                                                pools_.facts.rows(), places_);
            if (has_items || !facts.there) {
                add_items(items_.of(report(index)), into.findings, fold.differences);
            }
            FleetFold& known = folds.try_emplace(fold_key(fold), fold).first->second;
            known.nodes.insert(known.nodes.end(), nodes.begin(), nodes.end());
            into.nodes.insert(into.nodes.end(), nodes.begin(), nodes.end());
        }
        finish_group(into, folds);
    }

    // Before the facts. Where no majority is known all that is not ok is told.
    void add_items(const std::vector<FleetIndex>& here, const std::vector<FleetIndex>& others,
                   std::vector<FleetDifference>& into) const {
        const auto found = item_differences(here, others, items_.all());
        into.insert(into.begin(), found.begin(), found.end());
    }

    static std::string fold_key(const FleetFold& fold) {
        std::string out = number(fold.exit_code);
        for (const auto& each : fold.differences) {
            for (const auto text : {each.id, std::string_view(each.target),
                                    std::string_view(each.here), std::string_view(each.others)}) {
                out += '\0' + number(text.size()) + ':';
                out += text;
            }
        }
        return out;
    }

    void finish_group(FleetGroup& group, std::map<std::string, FleetFold>& folds) {
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

    std::vector<FleetSplit> splits(const FactBaseline& facts, const std::vector<Group>& groups) {
        std::map<FleetIndex, std::map<std::string, std::vector<FleetIndex>>> sides;
        for (const auto place : facts.splits) {
            sides[place];
        }
        if (sides.empty()) {
            return {};
        }
        for (const auto& group : groups) {
            for (const auto& [index, nodes] : group.reports) {
                add_sides(report(index), nodes, sides);
            }
        }
        std::vector<FleetSplit> out;
        for (const auto& [place, values] : sides) {
            const FactPlace& at = places_.all()[place];
            out.push_back({at.id, std::string(at.target), sorted_sides(values)});
        }
        std::sort(out.begin(), out.end(), [](const FleetSplit& a, const FleetSplit& b) {
            return std::tie(a.id, a.target) < std::tie(b.id, b.target);
        });
        return out;
    }

    void add_sides(const FleetReport& row, const std::vector<FleetIndex>& nodes,
                   std::map<FleetIndex, std::map<std::string, std::vector<FleetIndex>>>& sides) {
        std::set<FleetIndex> seen;
        const auto add = [&](FleetIndex place, const std::string& value) {
            auto& side = sides[place][value];
            side.insert(side.end(), nodes.begin(), nodes.end());
        };
        for (const auto index : row.facts) {
            const FleetFact& fact = pools_.facts.rows()[index];
            const auto place = places_.of(index);
            if (sides.contains(place) && seen.insert(place).second) {
                add(place, fact.value ? std::string(*fact.value)
                                      : "unread (" + std::string(fact.reason) + ")");
            }
        }
        for (const auto& [place, values] : sides) {
            if (row.has_facts && !seen.contains(place)) {
                add(place, "not there");
            }
        }
    }

    std::vector<FleetSplit::Side> sorted_sides(
        const std::map<std::string, std::vector<FleetIndex>>& values) const {
        std::vector<FleetSplit::Side> out;
        out.reserve(values.size());
        for (const auto& [value, nodes] : values) {
            out.push_back({value, nodes.size(), names(nodes)});
        }
        std::stable_sort(out.begin(), out.end(),
                         [](const auto& a, const auto& b) { return a.count > b.count; });
        return out;
    }

    // Largest first; nodes learn where they are.
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
    const CompareRequest& request_;
    FleetResult& out_;
    FactPlaces places_;
    FindingItems items_;
    std::map<GroupKey, std::vector<Group>> kins_;
};

}  // namespace

FleetResult compare_fleet(const Sweep& sweep, FleetPools& pools, Problems& problems,
                          const CompareRequest& request) {
    FleetResult out;
    out.texts = pools.texts;
    take_nodes(sweep, request, out);
    Comparer(pools, request, out).compare();
    out.problems = std::move(problems.all);
    out.more_problems = problems.more;
    count_nodes(pools, request, problems.unread, out);
    for (const auto& [id, told] : pools.settings) {
        out.settings.push_back(told.setting);
    }
    std::sort(out.settings.begin(), out.settings.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    out.reports = pools.reports.take_rows();
    out.findings = pools.findings.take_rows();
    out.facts = pools.facts.take_rows();
    return out;
}

}  // namespace rocenv
