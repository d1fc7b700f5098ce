// SPDX-License-Identifier: MIT
#include "fleet/read/groups.h"

#include <algorithm>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* model_id = "gpu.model";
constexpr const char* product_id = "host.product";

// Returns "MI300X" for "0x74a1", and the id itself if it is unknown.
std::string model_name(std::string_view device) {
    const auto id = parse_number(device.substr(device.starts_with("0x") ? 2 : 0), 16);
    const GpuModel* model = id ? gpu_model(static_cast<std::uint32_t>(*id)) : nullptr;
    return std::string(model == nullptr ? device : model->name);
}

std::string joined(const std::set<std::string>& values) {
    return join(std::vector<std::string>(values.begin(), values.end()), " + ");
}

bool has_id(std::string_view id, std::string_view target, const std::string& expected) {
    return id == expected ||
           (expected.size() == id.size() + 1 + target.size() && expected.starts_with(id) &&
            expected.ends_with(target) && expected[id.size()] == '/');
}

}  // namespace

std::vector<std::string> grouping_ids(const std::vector<std::string>& group_by) {
    std::vector<std::string> out{model_id, product_id};
    for (const auto& each : group_by) {
        out.push_back(each.substr(0, each.find('/')));
    }
    return out;
}

std::vector<std::string> grouping_facts(const std::vector<std::string>& group_by,
                                        const FleetPools& pools,
                                        std::vector<std::string>& lacking) {
    std::set<std::string_view> ids;
    for (const auto& fact : pools.facts.rows()) {
        ids.insert(fact.id);
    }
    std::vector<std::string> out;
    for (const auto& each : group_by) {
        const auto slash = std::min(each.find('/'), each.size());
        const std::string pattern = each.substr(0, slash);
        const std::size_t before = out.size();
        for (const auto id : ids) {
            if (glob_match(pattern, std::string(id))) {
                out.push_back(std::string(id) + each.substr(slash));
            }
        }
        if (out.size() == before) {
            lacking.push_back(each);
        }
    }
    return out;
}

GroupKey group_key(const FleetReport& report, const FleetPools& pools,
                   const std::vector<std::string>& group_by) {
    std::set<std::string> models;
    std::set<std::string> products;
    std::vector<std::set<std::string>> by(group_by.size());
    for (const auto index : report.facts) {
        const FleetFact& fact = pools.facts.rows()[index];
        if (!fact.value) {
            continue;
        }
        if (fact.id == model_id) {
            models.insert(model_name(*fact.value));
        } else if (fact.id == product_id) {
            products.insert(std::string(*fact.value));
        }
        for (std::size_t at = 0; at < group_by.size(); ++at) {
            if (has_id(fact.id, fact.target, group_by[at])) {
                by[at].insert(std::string(*fact.value));
            }
        }
    }
    GroupKey out{joined(models),
                 joined(products),
                 {},
                 std::string(report.profile_digest),
                 std::string(report.version)};
    for (std::size_t at = 0; at < group_by.size(); ++at) {
        out.by.emplace_back(group_by[at], joined(by[at]));
    }
    return out;
}

FleetIndex Kins::of(FleetIndex report) {
    if (kin_of_report_.size() <= report) {
        kin_of_report_.resize(pools_.reports.rows().size());
    }
    FleetIndex& kin = kin_of_report_[report];
    if (kin == 0) {
        GroupKey key = group_key(pools_.reports.rows()[report], pools_, group_by_);
        key.digest.clear();
        key.version.clear();
        const auto [found, is_new] =
            known_.try_emplace(std::move(key), static_cast<FleetIndex>(known_.size()));
        if (is_new) {
            keys_.push_back(&found->first);
        }
        kin = found->second + 1;
    }
    return kin - 1;
}

GroupKey Kins::key_of(FleetIndex report) {
    GroupKey out = *keys_[of(report)];
    out.digest = pools_.reports.rows()[report].profile_digest;
    out.version = pools_.reports.rows()[report].version;
    return out;
}

MachineIdentity identity_of(const FleetReport& report, const FleetPools& pools) {
    const GroupKey key = group_key(report, pools, {"gpu.count"});
    return {key.product, key.model, key.by.front().second};
}

std::string machine_words(const MachineIdentity& machine) {
    const std::string gpus =
        machine.models.empty()
            ? ""
            : (machine.gpus.empty() ? "" : machine.gpus + " x ") + machine.models;
    return machine.product + (machine.product.empty() || gpus.empty() ? "" : ", ") + gpus;
}

}  // namespace rocenv
