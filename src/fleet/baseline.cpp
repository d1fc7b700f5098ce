// SPDX-License-Identifier: MIT
#include "fleet/baseline.h"

#include <algorithm>
#include <map>

#include "settings/registry.h"

namespace rocenv {

namespace {

struct PlaceTraits {
    static std::uint64_t hash(const FactPlace& row) {
        return mixed(std::bit_cast<std::uintptr_t>(row.id.data()),
                     std::bit_cast<std::uintptr_t>(row.target.data()));
    }
    static bool equal(const FactPlace& a, const FactPlace& b) {
        return a.id.data() == b.id.data() && a.target.data() == b.target.data();
    }
};

// The values of one place, with the nodes that have each.
struct PlaceCount {
    FleetIndex best = no_fact;
    std::size_t best_nodes = 0;
    std::size_t nodes = 0;
};

FactBaseline::At most_have(const PlaceCount& count, std::size_t nodes) {
    if (count.best_nodes * 2 > nodes) {
        return {FactBaseline::Is::value, count.best};
    }
    return {(nodes - count.nodes) * 2 > nodes ? FactBaseline::Is::absent : FactBaseline::Is::split,
            no_fact};
}

}  // namespace

bool is_own(std::string_view id) {
    const Setting* setting = find_setting(std::string(id));
    return id.starts_with("env.") ||
           (setting != nullptr && setting->info().over_cluster == OverCluster::own);
}

FactPlaces::FactPlaces(const std::vector<FleetFact>& facts) {
    RowPool<FactPlace, PlaceTraits> places;
    of_.reserve(facts.size());
    for (const auto& fact : facts) {
        of_.push_back(places.keep({fact.id, fact.target}));
    }
    places_ = places.take_rows();
}

FactBaseline majority_facts(const std::vector<Weighted>& reports, const FleetPools& pools,
                            const FactPlaces& places) {
    FactBaseline out;
    std::vector<std::size_t> nodes_of(pools.facts.rows().size());
    std::size_t nodes = 0;
    for (const auto& each : reports) {
        const FleetReport& report = pools.reports.rows()[each.report];
        nodes += report.has_facts ? each.nodes : 0;
        for (const auto fact : report.facts) {
            nodes_of[fact] += each.nodes;
        }
    }
    out.there = nodes >= fewest_for_majority;
    out.places.resize(places.all().size());
    if (!out.there) {
        return out;
    }
    std::vector<PlaceCount> counts(places.all().size());
    for (FleetIndex fact = 0; fact < nodes_of.size(); ++fact) {
        PlaceCount& count = counts[places.of(fact)];
        count.nodes += nodes_of[fact];
        if (nodes_of[fact] > count.best_nodes) {
            count.best = fact;
            count.best_nodes = nodes_of[fact];
        }
    }
    for (FleetIndex place = 0; place < counts.size(); ++place) {
        if (counts[place].nodes == 0) {
            continue;
        }
        FactBaseline::At& at = out.places[place];
        at = most_have(counts[place], nodes);
        if (at.is == FactBaseline::Is::value && !pools.facts.rows()[at.fact].value) {
            at = {FactBaseline::Is::split, no_fact};
        }
        if (at.is == FactBaseline::Is::value) {
            out.values.push_back(place);
        } else if (at.is == FactBaseline::Is::split) {
            out.splits.push_back(place);
        }
    }
    return out;
}

FactBaseline all_facts(const FleetReport& reference, const FactPlaces& places) {
    FactBaseline out;
    out.there = true;
    out.places.assign(places.all().size(), {FactBaseline::Is::absent, no_fact});
    for (const auto fact : reference.facts) {
        const auto place = places.of(fact);
        out.places[place] = {FactBaseline::Is::value, fact};
        out.values.push_back(place);
    }
    return out;
}

FactBaseline reference_facts(const FleetReport& reference, const std::vector<FleetFact>& facts,
                             const FactPlaces& places) {
    FactBaseline out = all_facts(reference, places);
    const auto unread = [&](FleetIndex place) { return !facts[out.places[place].fact].value; };
    const auto read_end = std::stable_partition(out.values.begin(), out.values.end(),
                                                [&](FleetIndex place) { return !unread(place); });
    std::for_each(read_end, out.values.end(), [&](FleetIndex place) {
        out.places[place] = {FactBaseline::Is::unused, no_fact};
    });
    out.values.erase(read_end, out.values.end());
    return out;
}

FactBaseline wanted_facts(const std::vector<FleetIndex>& wanted, const FactPlaces& places) {
    FactBaseline out;
    out.there = true;
    out.places.resize(places.all().size());
    for (const auto fact : wanted) {
        out.places[places.of(fact)] = {FactBaseline::Is::value, fact};
    }
    return out;
}

FindingItems::FindingItems(const std::vector<FleetFinding>& findings, WaivedItems waived) {
    std::map<const char*, bool> own;
    of_.reserve(findings.size());
    for (const auto& finding : findings) {
        if (is_quiet(finding.outcome) || (finding.waived && waived == WaivedItems::left_out)) {
            of_.push_back(no_fact);
            continue;
        }
        const auto [place, is_new] = own.try_emplace(finding.id.data());
        if (is_new) {
            place->second = is_own(finding.id);
        }
        FleetFinding item = finding;
        item.detail = item.fix = item.until = item.waived_why = {};
        item.counters = {};
        if (place->second || !finding.counters.empty()) {
            item.have.reset();
        }
        of_.push_back(items_.keep(item));
    }
}

std::vector<FleetIndex> FindingItems::of(const FleetReport& report) const {
    std::vector<FleetIndex> out;
    for (const auto finding : report.findings) {
        if (of_[finding] != no_fact) {
            out.push_back(of_[finding]);
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::vector<FleetIndex> majority_items(const std::vector<Weighted>& reports,
                                       const std::vector<FleetReport>& all,
                                       const FindingItems& items) {
    std::vector<std::size_t> nodes_of(items.all().size());
    std::size_t nodes = 0;
    for (const auto& each : reports) {
        nodes += each.nodes;
        for (const auto item : items.of(all[each.report])) {
            nodes_of[item] += each.nodes;
        }
    }
    std::vector<FleetIndex> out;
    for (FleetIndex item = 0; item < nodes_of.size(); ++item) {
        if (nodes_of[item] * 2 > nodes) {
            out.push_back(item);
        }
    }
    return out;
}

}  // namespace rocenv
