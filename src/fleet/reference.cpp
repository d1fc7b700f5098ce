// SPDX-License-Identifier: MIT
#include "fleet/reference.h"

#include <algorithm>
#include <map>
#include <set>

#include "profile/profile.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

// What stands of an id in all facts: its targets, and its values.
struct IdFacts {
    std::set<std::string_view> targets;
    std::set<std::string_view> values;
};

std::map<std::string_view, IdFacts> facts_by_id(const FleetPools& pools) {
    std::map<std::string_view, IdFacts> out;
    for (const auto& fact : pools.facts.rows()) {
        IdFacts& of_id = out[fact.id];
        of_id.targets.insert(fact.target);
        if (fact.value) {
            of_id.values.insert(*fact.value);
        }
    }
    return out;
}

// A list of one is that one.
std::string wanted_text(const Value& value) {
    const ValueList* list = value.list();
    return plain_text(list != nullptr && list->size() == 1 ? list->front() : value);
}

bool is_compared(const Want& want) {
    const Setting* setting = find_setting(want.id);
    return setting != nullptr && setting->info().over_cluster == OverCluster::equal;
}

}  // namespace

Result<FleetReference> reference_report(const std::string& path, FleetPools& pools,
                                        IdFilter& filter, const JudgeRecording& judge) {
    Problems problems;
    Sweep sweep;
    Gatherer(pools, filter, problems, judge).take(path, sweep);
    if (sweep.nodes.size() == 1) {
        const auto& [name, node] = *sweep.nodes.begin();
        return FleetReference{std::string(name), node.report, {}};
    }
    const std::string why = !sweep.nodes.empty()   ? "holds reports of several nodes"
                            : problems.all.empty() ? "holds no report"
                                                   : problems.all.front().text;
    return Error{ErrorKind::bad_input, 0, path, printable(path) + ": " + why};
}

Result<FleetReference> reference_profile(const std::string& path, const Fs& host,
                                         const Process& process, FleetPools& pools,
                                         std::vector<std::string>& unused) {
    const ProfileStore store(host, process);
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
        const std::string text = wanted_text(want.value);
        const auto id = pools.keep(want.id);
        const auto value = pools.keep(text);
        if (found == known.end() || !is_compared(want) || !found->second.values.contains(text)) {
            unused.push_back(want.id);
            continue;
        }
        for (const auto target : found->second.targets) {
            out.wanted.push_back(pools.facts.keep({id, target, value, pools.keep("")}));
        }
    }
    return out;
}

}  // namespace rocenv
