// SPDX-License-Identifier: MIT
#include "fleet/compare/reference.h"

#include <algorithm>
#include <map>
#include <set>

#include "profile/profile.h"
#include "settings/registry.h"
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

// A list of one is that one.
std::string wanted_text(const Value& value) {
    const ValueList* list = value.list();
    return plain_text(list != nullptr && list->size() == 1 ? list->front() : value);
}

bool all_of_them(const std::set<std::string_view>& values, bool (*is)(std::string_view)) {
    return !values.empty() && std::all_of(values.begin(), values.end(), is);
}

// Returns true if a wanted value has the form of the facts of its id. A relation (">=6.8", "equal",
// "model", a size in bytes if facts are in GiB) has another form, unless a node has that text.
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

// False: nothing of the id can be held against what is wanted.
bool add_wanted(const Want& want, const std::map<std::string_view, IdFacts>& known,
                FleetPools& pools, std::vector<FleetIndex>& into) {
    const std::string text = wanted_text(want.value);
    const std::size_t before = into.size();
    for (const auto& [suffix, facts] : known) {
        if (!facts.values.contains(text) &&
            (!suffix.empty() || !is_comparable(want.value, text, facts))) {
            continue;
        }
        for (const auto target : facts.targets) {
            into.push_back(
                pools.facts.keep({pools.keep(want.id), target, pools.keep(text), pools.keep("")}));
        }
    }
    return into.size() > before;
}

// A link's rate is the least that is wanted of every link, whatever each of them has.
bool is_least_rate(const Info& info, const Want& want) {
    return want.value.text() != nullptr &&
           std::any_of(info.forms.begin(), info.forms.end(),
                       [](const Form& form) { return form.kind == FormKind::link_rate; });
}

bool is_compared(const Want& want) {
    const Setting* setting = find_setting(want.id);
    return setting != nullptr && setting->info.over_cluster == OverCluster::equal &&
           !is_least_rate(setting->info, want);
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
    for (const auto& want : profile.wants) {
        const auto found = known.find(want.id);
        const bool used = found != known.end() && is_compared(want) &&
                          add_wanted(want, found->second, pools, out.wanted);
        if (!used) {
            unused.push_back(want.id);
        }
    }
    return out;
}

}  // namespace rocenv
