// SPDX-License-Identifier: MIT
#include "fleet/compare/baseline.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "settings/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct KeyTraits {
    static std::uint64_t hash(const FactKey& row) {
        return mixed(std::bit_cast<std::uintptr_t>(row.id.data()),
                     std::bit_cast<std::uintptr_t>(row.target.data()));
    }
    static bool equal(const FactKey& a, const FactKey& b) {
        return a.id.data() == b.id.data() && a.target.data() == b.target.data();
    }
};

// The values of the fact of one key, with the nodes that have each.
struct ValueCounts {
    FleetIndex best = no_fact;
    std::size_t best_nodes = 0;
    std::size_t nodes = 0;
};

// Returns the majority of the nodes that read the fact of a key. Fewer than three agree or differ.
FactBaseline::At most_have(const ValueCounts& count, std::size_t nodes) {
    if (nodes < fewest_for_majority) {
        return {count.best_nodes == nodes ? FactBaseline::Is::unused : FactBaseline::Is::split,
                no_fact};
    }
    if (count.best_nodes * 2 > nodes) {
        return {FactBaseline::Is::value, count.best};
    }
    return {(nodes - count.nodes) * 2 > nodes ? FactBaseline::Is::absent : FactBaseline::Is::split,
            no_fact};
}

// Nodes by fact, of the facts that some report has.
using FactNodes = IndexMap<std::size_t>;

IndexMap<ValueCounts> counts_by_key(const FactNodes& nodes_of, const FactKeys& keys) {
    IndexMap<ValueCounts> out;
    for (const auto& [fact, nodes] : nodes_of.all()) {
        ValueCounts& count = out[keys.of(fact)];
        count.nodes += nodes;
        if (nodes > count.best_nodes) {
            count.best = fact;
            count.best_nodes = nodes;
        }
    }
    return out;
}

// A number with the unit that follows; sizes in bytes.
struct Measure {
    double number = 0;
    std::string unit;
};
std::optional<Measure> measure_of(std::string_view text) {
    static const std::map<std::string_view, double> sizes = {
        {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto whole = parse_number(text.substr(0, end));
    if (!whole) {
        return std::nullopt;
    }
    const auto unit = trim(text.substr(end));
    const auto size = sizes.find(unit);
    const auto value = static_cast<double>(*whole);
    return size == sizes.end() ? Measure{value, std::string(unit)}
                               : Measure{value * size->second, "bytes"};
}

// Keys whose values may differ a little, with their facts.
using FactsByKey = IndexMap<std::vector<FleetIndex>>;

// Collects the facts of the keys that have no majority of equal values and a tolerance.
FactsByKey facts_to_measure(const std::vector<FleetIndex>& splits, const FactNodes& nodes_of,
                            const FactKeys& keys) {
    FactsByKey out;
    for (const auto key : splits) {
        if (tolerance_of(keys.all()[key].id) > 0) {
            out[key];
        }
    }
    if (!out.all().empty()) {
        for (const auto& [fact, nodes] : nodes_of.all()) {
            if (out.contains(keys.of(fact))) {
                out[keys.of(fact)].push_back(fact);
            }
        }
    }
    return out;
}

// Returns the median of a key if more than half of the nodes are near it.
FactBaseline::At most_are_near(FleetIndex key, const std::vector<FleetIndex>& facts,
                               const FactNodes& nodes_of, const FleetPools& pools,
                               const FactKeys& keys, std::size_t nodes) {
    std::vector<std::pair<double, FleetIndex>> values;
    std::size_t measured = 0;
    for (const auto fact : facts) {
        const auto& value = pools.facts.rows()[fact].value;
        const auto measure = value ? measure_of(*value) : std::nullopt;
        if (measure && nodes_of.at(fact) > 0) {
            values.emplace_back(measure->number, fact);
            measured += nodes_of.at(fact);
        }
    }
    std::sort(values.begin(), values.end());
    std::size_t below = 0;
    FleetIndex middle = no_fact;
    for (const auto& [number, fact] : values) {
        below += nodes_of.at(fact);
        if (below * 2 >= measured) {
            middle = fact;
            break;
        }
    }
    std::size_t near = 0;
    for (const auto& [number, fact] : values) {
        const bool alike =
            are_alike(*pools.facts.rows()[middle].value, *pools.facts.rows()[fact].value,
                      tolerance_of(keys.all()[key].id));
        near += alike ? nodes_of.at(fact) : 0;
    }
    return near * 2 > nodes && nodes >= fewest_for_majority
               ? FactBaseline::At{FactBaseline::Is::value, middle}
               : FactBaseline::At{FactBaseline::Is::split, no_fact};
}

}  // namespace

CoveringNodes::CoveringNodes(const std::vector<Weighted>& reports,
                             const std::vector<FleetReport>& all, const ComparableIds& coverage)
    : coverage_(coverage) {
    std::map<std::pair<const char*, bool>, std::size_t> known;
    for (const auto& each : reports) {
        const FleetReport& report = all[each.report];
        const auto [found, is_new] =
            known.try_emplace({report.version.data(), report.recording}, kinds_.size());
        if (is_new) {
            kinds_.emplace_back(&report, 0);
        }
        kinds_[found->second].second += each.nodes;
    }
}

std::size_t CoveringNodes::of(std::string_view id) {
    const auto [found, is_new] = nodes_of_.try_emplace(id.data(), 0);
    if (is_new) {
        for (const auto& [report, nodes] : kinds_) {
            found->second += coverage_.covers(*report, id) ? nodes : 0;
        }
    }
    return found->second;
}

std::uint32_t tolerance_of(std::string_view id) {
    const Setting* setting = find_setting(std::string(id));
    return setting == nullptr ? 0 : setting->info.tolerated_percent;
}

bool are_alike(std::string_view a, std::string_view b, std::uint32_t percent) {
    const auto one = measure_of(a);
    const auto other = measure_of(b);
    if (percent == 0 || !one || !other || one->unit != other->unit) {
        return a == b;
    }
    constexpr double whole = 100;
    return std::abs(one->number - other->number) * whole <=
           percent * std::max(one->number, other->number);
}

bool is_own(std::string_view id) {
    const Setting* setting = find_setting(std::string(id));
    return id.starts_with("env.") ||
           (setting != nullptr && setting->info.over_cluster == OverCluster::own);
}

FactKeys::FactKeys(const std::vector<FleetFact>& facts) {
    RowPool<FactKey, KeyTraits> keys;
    of_.reserve(facts.size());
    for (const auto& fact : facts) {
        of_.push_back(keys.keep({fact.id, fact.target}));
    }
    keys_ = keys.take_rows();
}

namespace {

// Lists the keys that have a value and those that have none. A value that most could not read is
// none.
void list_keys(FactBaseline& baseline, const FleetPools& pools) {
    baseline.values.clear();
    baseline.splits.clear();
    for (auto& [key, at] : baseline.by_key.all()) {
        if (at.is == FactBaseline::Is::value && !pools.facts.rows()[at.fact].value) {
            at = {FactBaseline::Is::split, no_fact};
        }
        if (at.is == FactBaseline::Is::value) {
            baseline.values.push_back(key);
        } else if (at.is == FactBaseline::Is::split) {
            baseline.splits.push_back(key);
        }
    }
    std::sort(baseline.values.begin(), baseline.values.end());
    std::sort(baseline.splits.begin(), baseline.splits.end());
}

}  // namespace

FactBaseline majority_facts(const std::vector<Weighted>& reports, const FleetPools& pools,
                            const FactKeys& keys, const ComparableIds& coverage) {
    FactBaseline out;
    FactNodes nodes_of;
    std::vector<Weighted> with_facts;
    std::size_t nodes = 0;
    for (const auto& each : reports) {
        const FleetReport& report = pools.reports.rows()[each.report];
        if (report.has_facts) {
            with_facts.push_back(each);
            nodes += each.nodes;
        }
        for (const auto fact : report.facts) {
            nodes_of[fact] += coverage.covers(report, pools.facts.rows()[fact].id) ? each.nodes : 0;
        }
    }
    out.there = nodes >= fewest_for_majority;
    if (!out.there) {
        return out;
    }
    const auto counts = counts_by_key(nodes_of, keys);
    CoveringNodes covering(with_facts, pools.reports.rows(), coverage);
    for (const auto& [key, count] : counts.all()) {
        if (count.nodes > 0) {
            const auto at = most_have(count, covering.of(keys.all()[key].id));
            out.by_key[key] = at;
            if (at.is == FactBaseline::Is::split) {
                out.splits.push_back(key);
            }
        }
    }
    const auto measured = facts_to_measure(out.splits, nodes_of, keys);
    for (const auto& [key, facts] : measured.all()) {
        out.by_key[key] =
            most_are_near(key, facts, nodes_of, pools, keys, covering.of(keys.all()[key].id));
    }
    list_keys(out, pools);
    return out;
}

FactBaseline all_facts(const FleetReport& reference, const FactKeys& keys) {
    FactBaseline out;
    out.there = true;
    out.elsewhere = {FactBaseline::Is::absent, no_fact};
    for (const auto fact : reference.facts) {
        const auto key = keys.of(fact);
        out.by_key[key] = {FactBaseline::Is::value, fact};
        out.values.push_back(key);
    }
    return out;
}

FactBaseline reference_facts(const FleetReport& reference, const std::vector<FleetFact>& facts,
                             const FactKeys& keys) {
    FactBaseline out = all_facts(reference, keys);
    const auto unread = [&](FleetIndex key) { return !facts[out.at(key).fact].value; };
    const auto read_end = std::stable_partition(out.values.begin(), out.values.end(),
                                                [&](FleetIndex key) { return !unread(key); });
    std::for_each(read_end, out.values.end(), [&](FleetIndex key) {
        out.by_key[key] = {FactBaseline::Is::unused, no_fact};
    });
    out.values.erase(read_end, out.values.end());
    return out;
}

FactBaseline expected_facts(const std::vector<FleetIndex>& expected, const FactKeys& keys) {
    FactBaseline out;
    out.there = true;
    for (const auto fact : expected) {
        out.by_key[keys.of(fact)] = {FactBaseline::Is::value, fact};
    }
    return out;
}

std::optional<std::string_view> ComparedHaves::of(const FleetFinding& finding) {
    const auto [own, is_new] = own_.try_emplace(finding.id.data());
    if (is_new) {
        own->second = is_own(finding.id);
    }
    return own->second || !finding.counters.empty() ? std::nullopt : coded_.of(finding);
}

FindingItems::FindingItems(const std::vector<FleetFinding>& findings, WaivedItems waived) {
    ComparedHaves haves(findings);
    of_.reserve(findings.size());
    for (const auto& finding : findings) {
        if (is_quiet(finding.outcome) || (finding.waived && waived == WaivedItems::left_out)) {
            of_.push_back(no_fact);
            continue;
        }
        FleetFinding item = finding;
        item.code = item.detail = item.fix = item.until = item.waived_why = {};
        item.cause_id = item.cause_target = {};
        item.counters = {};
        item.have = haves.of(finding);
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
                                       const FindingItems& items, const ComparableIds& coverage) {
    IndexMap<std::size_t> nodes_of;
    for (const auto& each : reports) {
        for (const auto item : items.of(all[each.report])) {
            nodes_of[item] += each.nodes;
        }
    }
    CoveringNodes covering(reports, all, coverage);
    std::vector<FleetIndex> out;
    for (const auto& [item, nodes] : nodes_of.all()) {
        if (nodes * 2 > covering.of(items.all()[item].id)) {
            out.push_back(item);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace rocenv
