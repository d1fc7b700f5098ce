// SPDX-License-Identifier: MIT
#include "check/facts.h"

#include <algorithm>
#include <tuple>

#include "check/hidden_names.h"
#include "check/target_groups.h"
#include "machine/identity.h"
#include "profile/profile.h"
#include "settings/registry.h"
#include "util/credentials.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Makes facts without host name and addresses, also with --with-ids, because nodes are compared by
// their facts.
class FactWriter {
   public:
    explicit FactWriter(const Machine& machine)
        : machine_(machine), host_(machine.facts().hostname) {}

    ReportFact fact_of(const Setting& setting, const ClusterFact& fact) const {
        ReportFact out;
        out.id = setting.info.id;
        if (fact.value) {  // as JSON can keep it
            out.value = plain(out.id, printable(normalised_of(setting, *fact.value), uncut));
        }
        out.reason = fact.reason;
        out.detail = without_named_addresses(machine_, without_credentials(fact.detail));
        return out;
    }
    std::string target(const std::string& text) const {
        return without_named_addresses(machine_, text);
    }

   private:
    std::string plain(std::string_view id, const std::string& value) const {
        return without_named_addresses(machine_, without_identities(id, value, host_));
    }

    const Machine& machine_;
    HostName host_;
};

std::vector<ReportFact> folded(const FactWriter& writer, const Setting& setting,
                               const std::vector<ClusterFact>& facts) {
    std::vector<ReportFact> out;
    const auto answer = [](const ClusterFact& fact) { return std::tie(fact.value, fact.reason); };
    for (const auto& group : grouped_by_target(facts, answer)) {
        out.push_back(writer.fact_of(setting, *group.first));
        out.back().target = writer.target(group.target());
    }
    return out;
}

bool is_before(const ReportFact& a, const ReportFact& b) {
    return std::tie(a.id, a.target) < std::tie(b.id, b.target);
}

bool has_same_key(const ReportFact& a, const ReportFact& b) {
    return a.id == b.id && a.target == b.target;
}

}  // namespace

std::set<std::string> fact_ids(const CheckRequest& request, const Resolved& profile) {
    std::set<std::string> out;
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        const std::string id(info.id);
        const bool named =
            std::any_of(profile.expectations.begin(), profile.expectations.end(),
                        [&](const Expectation& expectation) { return expectation.id == id; });
        if (info.over_cluster == OverCluster::equal && (named || !info.only_when_named) &&
            selected(id, request.only, request.skip)) {
            out.insert(id);
        }
    }
    return out;
}

FactSheet gather_facts(const std::set<std::string>& ids, const Context& context) {
    FactSheet out;
    const FactWriter writer(context.machine);
    for (const auto& id : ids) {
        const Setting& setting = *find_setting(id);
        auto facts = folded(writer, setting, facts_of(setting, context));
        std::move(facts.begin(), facts.end(), std::back_inserter(out.facts));
    }
    std::stable_sort(out.facts.begin(), out.facts.end(), is_before);
    out.facts.erase(std::unique(out.facts.begin(), out.facts.end(), has_same_key), out.facts.end());
    std::string all;
    for (const auto& fact : out.facts) {
        all += fact.id + "\n" + fact.target + "\n" +
               (fact.value ? "=" + *fact.value : std::string(word_of(fact.reason))) + "\n";
        out.unread += fact.value ? 0U : 1U;
    }
    out.fingerprint = bare_hex(fnv1a(all), 16);
    return out;
}

}  // namespace rocenv
