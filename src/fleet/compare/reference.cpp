// SPDX-License-Identifier: MIT
#include "fleet/compare/reference.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "profile/profile.h"
#include "settings/registry.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Targets and values of an id in all facts. A fact with a name of its own, as "system/taint", has a
// list of its own.
struct IdFacts {
    std::set<std::string_view> targets;
    std::set<std::string_view> values;
};

using FactsById = std::map<std::string_view, std::map<std::string_view, IdFacts>>;

FactsById facts_by_id(const FleetPools& pools) {
    FactsById out;
    for (const auto& fact : pools.facts.rows()) {
        const auto slash = std::min(fact.target.find('/'), fact.target.size());
        IdFacts& facts = out[fact.id][fact.target.substr(slash)];
        facts.targets.insert(fact.target);
        if (fact.value) {
            facts.values.insert(*fact.value);
        }
    }
    return out;
}

// Returns the value as text; a list of one value as that value.
std::string expected_text(const Value& value) {
    const ValueList* list = value.list();
    return plain_text(list != nullptr && list->size() == 1 ? list->front() : value);
}

bool all_of_them(const std::set<std::string_view>& values, bool (*is)(std::string_view)) {
    return !values.empty() && std::all_of(values.begin(), values.end(), is);
}

// Returns whether an expected value has the form of the facts of its id. A relation (">=6.8",
// "equal", "model", a size in bytes if facts are in GiB) has another form, unless a node has that
// text.
bool is_comparable(const Value& value, const std::string& text, const IdFacts& facts) {
    static const std::set<std::string_view> relations = {
        "equal",    "model",   "known", "all",       "max",    "full",  "consistent", "recommended",
        "distinct", "default", "even",  "populated", "usable", "clean", "match"};
    if (facts.values.contains(text)) {
        return true;
    }
    const auto is_number = [](std::string_view fact) { return parse_number(fact).has_value(); };
    const auto is_truth = [](std::string_view fact) { return fact == "true" || fact == "false"; };
    if (parse_number(text)) {
        return all_of_them(facts.values, is_number);
    }
    if (is_truth(text)) {
        return all_of_them(facts.values, is_truth);
    }
    const ValueList* list = value.list();
    const bool is_one = list == nullptr || list->size() == 1;
    return is_one && value.table() == nullptr && !text.starts_with(">=") &&
           !relations.contains(text) && !all_of_them(facts.values, is_number);
}

// Adds the facts that an item of a profile expects. Returns false if no fact of the id is
// comparable.
bool add_expected(const Expectation& expectation, const std::map<std::string_view, IdFacts>& known,
                  FleetPools& pools, std::vector<FleetIndex>& into) {
    const std::string text = expected_text(expectation.value);
    const std::size_t before = into.size();
    for (const auto& [suffix, facts] : known) {
        if (!facts.values.contains(text) &&
            (!suffix.empty() || !is_comparable(expectation.value, text, facts))) {
            continue;
        }
        for (const auto target : facts.targets) {
            into.push_back(pools.facts.keep(
                {pools.keep(expectation.id), target, pools.keep(text), pools.keep("")}));
        }
    }
    return into.size() > before;
}

// Returns whether the value is a link's rate: a minimum for every link, not an expected fact.
bool is_least_rate(const Info& info, const Expectation& expectation) {
    return expectation.value.text() != nullptr &&
           std::any_of(info.forms.begin(), info.forms.end(),
                       [](const Form& form) { return form.kind == FormKind::link_rate; });
}

bool is_compared(const Expectation& expectation) {
    const Setting* setting = find_setting(expectation.id);
    return setting != nullptr && setting->info.over_cluster == OverCluster::equal &&
           !is_least_rate(setting->info, expectation);
}

}  // namespace

Result<FleetReference> reference_report(const std::string& path, FleetPools& pools,
                                        IdFilter& filter, const JudgeRecording& judge,
                                        Problems& problems) {
    Problems own;
    Sweep sweep;
    Gatherer(pools, filter, own, judge).take(path, sweep);
    if (sweep.nodes.size() == 1) {
        for (const auto& each : own.all) {
            problems.add(each.kind, each.file, each.line, each.text);
        }
        const auto& [name, node] = *sweep.nodes.begin();
        return FleetReference{std::string(name), node.report, {}};
    }
    const std::string why = !sweep.nodes.empty() ? "holds reports of several nodes"
                            : own.all.empty()    ? "holds no report"
                                                 : own.all.front().text;
    return Error{ErrorKind::bad_input, 0, path, printable(path) + ": " + why};
}

Result<FleetReference> reference_profile(const std::string& path, const ProfileStore& store,
                                         FleetPools& pools, std::vector<std::string>& unused) {
    const Resolved profile = resolve(store, {path}, {});
    for (const auto& each : profile.diagnostics) {
        if (each.is_error) {
            return Error{each.timed_out ? ErrorKind::timed_out : ErrorKind::bad_input, 0, path,
                         diagnostic_text(each)};
        }
    }
    FleetReference out{join(profile.names, " + "), std::nullopt, {}};
    const auto known = facts_by_id(pools);
    for (const auto& expectation : profile.expectations) {
        const auto found = known.find(expectation.id);
        const bool used = found != known.end() && is_compared(expectation) &&
                          add_expected(expectation, found->second, pools, out.expected);
        if (!used) {
            unused.push_back(expectation.id);
        }
    }
    return out;
}

namespace {

void doubt(FleetResult& out, const std::string& warning) {
    out.warnings.push_back(warning);
    out.doubtful = true;
}

std::string group_words(const FleetGroup& group) {
    return "the group " + (group.model.empty() ? "of an unknown model" : group.model) +
           (group.product.empty() ? "" : ", " + group.product) + " (" + group.names + ")";
}

}  // namespace

GroupBaselines::GroupBaselines(const FleetPools& pools, const CompareRequest& request,
                               const FactKeys& keys, const ComparableIds& coverage)
    : pools_(pools), request_(request), fact_keys_(keys), coverage_(coverage) {
    if (const FleetReport* node = node_reference()) {
        model_ = group_key(*node, pools_, {}).model;
    } else if (is_profile()) {
        expected_ = expected_facts(request_.reference->expected, fact_keys_);
        for (const auto fact : request_.reference->expected) {
            expected_ids_.insert(pools_.facts.rows()[fact].id);
        }
    }
}

const FleetReport* GroupBaselines::node_reference() const {
    return request_.reference && request_.reference->report
               ? &pools_.reports.rows()[*request_.reference->report]
               : nullptr;
}

bool GroupBaselines::is_for(const GroupKey& kin) const {
    const FleetReport* node = node_reference();
    if (node == nullptr) {
        return request_.reference.has_value();
    }
    return node->has_facts && model_ == kin.model;
}

FactBaseline GroupBaselines::facts_of_profile(const std::vector<Weighted>& all) const {
    FactBaseline out = majority_facts(all, pools_, fact_keys_, coverage_);
    out.there = true;
    for (const auto& each : all) {
        for (const auto fact : pools_.reports.rows()[each.report].facts) {
            const auto key = fact_keys_.of(fact);
            if (const auto* expected = expected_.by_key.find(key)) {
                out.by_key[key] = *expected;
            }
        }
    }
    const auto is_expected = [&](FleetIndex key) { return expected_.by_key.contains(key); };
    std::erase_if(out.splits, is_expected);
    std::erase_if(out.values, is_expected);
    return out;
}

FactBaseline GroupBaselines::facts(const GroupKey& kin, const std::vector<Weighted>& all) const {
    if (!is_for(kin)) {
        return majority_facts(all, pools_, fact_keys_, coverage_);
    }
    return request_.reference->report
               ? reference_facts(*node_reference(), pools_.facts.rows(), fact_keys_)
               : facts_of_profile(all);
}

ItemBaseline GroupBaselines::findings(const GroupKey& kin, const std::string& digest,
                                      const std::vector<Weighted>& all, const FindingItems& items,
                                      const FindingKeys& keys) const {
    const auto& reports = pools_.reports.rows();
    std::size_t nodes = 0;
    for (const auto& each : all) {
        nodes += each.nodes;
    }
    const auto majority = majority_items(all, reports, items, coverage_);
    const FleetReport* node = is_for(kin) ? node_reference() : nullptr;
    if (node != nullptr && node->profile_digest == digest) {
        ItemBaseline out{true, items.of(*node), keys.in(*node), {}};
        std::set_intersection(majority.begin(), majority.end(), out.items.begin(), out.items.end(),
                              std::back_inserter(out.common));
        return out;
    }
    if (nodes >= fewest_for_majority) {
        return {true, majority, keys.majority(all, reports, coverage_), majority};
    }
    return {};
}

void GroupBaselines::finish(const GroupKey& kin, const FleetReport& report,
                            std::vector<FleetDifference>& differences) const {
    const FleetReport* node = is_for(kin) ? node_reference() : nullptr;
    std::erase_if(differences, [&](const FleetDifference& each) {
        return !coverage_.covers(report, each.id) ||
               (node != nullptr && !coverage_.covers(*node, each.id));
    });
    if (!is_profile()) {
        return;
    }
    for (auto& each : differences) {
        each.by_majority = each.of == FleetSubject::finding || !expected_ids_.contains(each.id);
    }
}

std::set<std::string_view> GroupBaselines::unread() const {
    std::set<std::string_view> out;
    for (const auto index : node_reference()->facts) {
        const FleetFact& fact = pools_.facts.rows()[index];
        if (!fact.value) {
            out.insert(fact.id);
        }
    }
    return out;
}

void GroupBaselines::warn(FleetResult& out) const {
    const FleetReport* node = node_reference();
    if (node == nullptr) {
        return;
    }
    const std::string& name = request_.reference->name;
    if (!node->has_facts) {
        doubt(out, "the reference " + name +
                       " has no facts (check --facts), so each group is compared with its "
                       "majority");
        return;
    }
    if (node->exit_code != exit_ok) {
        out.warnings.push_back("the reference " + name + " does not pass itself (" +
                               std::string(node->result) + "), so good nodes may differ from it");
    }
    const auto ids = unread();
    if (!ids.empty()) {
        out.mistrusted = true;
        doubt(out, "not compared, because the reference " + name + " could not read: " +
                       join(std::vector<std::string>(ids.begin(), ids.end()), ","));
    }
}

void GroupBaselines::warn_of_strangers(const GroupKey& kin, const FleetGroup& group,
                                       FleetResult& out) const {
    const FleetReport* node = node_reference();
    if (node == nullptr || !node->has_facts) {
        return;
    }
    if (!is_for(kin) || node->profile_digest != group.profile_digest) {
        doubt(out, group_words(group) + " is not compared with the reference " +
                       request_.reference->name +
                       (is_for(kin) ? " by findings, which another profile checked there"
                                    : ", which is of another model"));
    }
}

}  // namespace rocenv
