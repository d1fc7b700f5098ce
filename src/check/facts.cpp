// SPDX-License-Identifier: MIT
#include "check/facts.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profile/profile.h"
#include "settings/registry.h"
#include "util/fnv.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Facts of CPUs that are told as one: base and suffix of their targets, the value or why there is
// none.
using FactKey = std::tuple<std::string, std::string, std::optional<std::string>, Reason>;

ReportFact from(const Setting& setting, const ClusterFact& fact) {
    ReportFact out;
    out.id = setting.info().id;
    out.target = fact.target.text();
    if (fact.value) {
        out.value = printable(setting.normalised(*fact.value), uncut);  // as JSON can keep it
    }
    out.reason = fact.reason;
    out.detail = fact.detail;
    return out;
}

std::vector<ReportFact> folded(const Setting& setting, const std::vector<ClusterFact>& facts) {
    std::vector<ReportFact> out;
    std::map<FactKey, std::pair<std::size_t, std::vector<std::uint32_t>>> groups;
    for (const auto& fact : facts) {
        if (!fact.target.number) {
            out.push_back(from(setting, fact));
            continue;
        }
        const FactKey key{fact.target.base, fact.target.suffix, fact.value, fact.reason};
        const auto [place, is_new] = groups.try_emplace(key, out.size(), 0);
        if (is_new) {
            out.push_back(from(setting, fact));
        }
        place->second.second.push_back(*fact.target.number);
    }
    for (auto& [key, group] : groups) {
        auto& [at, numbers] = group;
        std::sort(numbers.begin(), numbers.end());
        out[at].target = std::get<0>(key) + number_list(numbers) + std::get<1>(key);
    }
    return out;
}

bool is_before(const ReportFact& a, const ReportFact& b) {
    return std::tie(a.id, a.target) < std::tie(b.id, b.target);
}

bool is_same_place(const ReportFact& a, const ReportFact& b) {
    return a.id == b.id && a.target == b.target;
}

}  // namespace

std::set<std::string> fact_ids(const CheckRequest& request, const Resolved& profile) {
    std::set<std::string> out;
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info();
        const std::string id(info.id);
        const bool named = std::any_of(profile.wants.begin(), profile.wants.end(),
                                       [&](const Want& want) { return want.id == id; });
        if (info.over_cluster == OverCluster::equal && (named || !info.only_when_named) &&
            selected(id, request.only, request.skip)) {
            out.insert(id);
        }
    }
    return out;
}

FactSheet gather_facts(const std::set<std::string>& ids, const Context& context) {
    FactSheet out;
    for (const auto& id : ids) {
        const Setting& setting = *find_setting(id);
        auto facts = folded(setting, setting.facts(context));
        std::move(facts.begin(), facts.end(), std::back_inserter(out.facts));
    }
    std::stable_sort(out.facts.begin(), out.facts.end(), is_before);
    out.facts.erase(std::unique(out.facts.begin(), out.facts.end(), is_same_place),
                    out.facts.end());
    std::string all;
    for (const auto& fact : out.facts) {
        all += fact.id + "\n" + fact.target + "\n" +
               (fact.value ? "=" + *fact.value : std::string(reason_word(fact.reason))) + "\n";
        out.unread += fact.value ? 0U : 1U;
    }
    out.fingerprint = bare_hex(fnv1a(all), 16);
    return out;
}

}  // namespace rocenv
