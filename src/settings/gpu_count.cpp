// SPDX-License-Identifier: MIT
// gpu.count: that every GPU of the node is usable. "consistent" needs no number: at least one;
// every accelerator on PCI has a driver and a KFD node; in an xGMI hive all have equally many
// links. A number is compared with the physical GPUs that PCI and KFD agree on.
#include <algorithm>
#include <map>
#include <set>

#include "rocenv/setting.h"
#include "settings/gpu_files.h"
#include "settings/version_wish.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct Census {
    std::optional<Error> unread;  // of a GPU whose driver could not be found out
    std::size_t usable = 0;       // on PCI (where there is a list), with driver and KFD node
    std::vector<std::string> no_driver;
    std::vector<std::string> other_driver;
    std::vector<std::string> no_node;
    std::vector<std::string> not_on_pci;
    std::vector<std::string> unlinked;
};

// Not in the list of PCI functions, not even as one that could not be read.
bool is_gone(const Machine& machine, const std::string& bdf) {
    const auto& functions = machine.pci();
    return functions.ok() &&
           std::none_of(functions->begin(), functions->end(),
                        [&](const auto& function) { return function.bdf == bdf; });
}

Census take_census(const Machine& machine) {
    Census census;
    for (const auto& gpu : machine.gpus()) {
        if (!gpu.accelerator && gpu.agents.empty()) {
            continue;  // a display adapter
        }
        if (!gpu.on_pci && is_gone(machine, gpu.bdf)) {
            census.not_on_pci.push_back(gpu.bdf);
        } else if (gpu.driver_unread) {
            census.unread = gpu.driver_unread;
        } else if (gpu.on_pci && gpu.driver.empty()) {
            census.no_driver.push_back(gpu.bdf);
        } else if (gpu.on_pci && gpu.driver != "amdgpu") {
            census.other_driver.push_back(gpu.bdf + " (" + printable(gpu.driver, 30) + ")");
        } else if (gpu.agents.empty()) {
            census.no_node.push_back(gpu.bdf);
        } else {
            ++census.usable;
        }
    }
    return census;
}

// By hive: its physical GPUs, each with how many others its links reach.
using Hives = std::map<std::uint64_t, std::map<std::string, std::size_t>>;

Result<Hives> hive_links(const Machine& machine) {
    const auto& nodes = machine.kfd().nodes;
    const auto owner = gpus_by_node(machine);
    Hives hives;
    for (const auto& gpu : machine.gpus()) {
        if (gpu.agents.empty() || nodes[gpu.agents.front()].get("hive_id") == 0) {
            continue;
        }
        const auto& node = nodes[gpu.agents.front()];
        const auto links = machine.links_of(node);
        if (!links) {
            return links.error();
        }
        std::set<std::string> reached;
        for (const auto& link : *links) {
            const auto to = owner.find(link.to);
            if (link.type == link_xgmi && to != owner.end() && to->second != gpu.bdf) {
                reached.insert(to->second);
            }
        }
        hives[node.get("hive_id")][gpu.bdf] = reached.size();
    }
    return hives;
}

void judge_hive(const std::map<std::string, std::size_t>& members, Census& census) {
    std::size_t most = 0;
    for (const auto& [bdf, links] : members) {
        most = std::max(most, links);
    }
    for (const auto& [bdf, links] : members) {
        if (links < most || (most == 0 && members.size() > 1)) {
            const std::size_t others = std::max(most, members.size() - 1);
            census.unlinked.push_back(bdf + " (" + number(links) + " of " + number(others) + ")");
        }
    }
}

// A GPU of the same kind as the members of a hive, and in none.
void find_outsiders(const Machine& machine, const Hives& hives, Census& census) {
    std::set<std::uint32_t> kinds;
    for (const auto& gpu : machine.gpus()) {
        for (const auto& [hive, members] : hives) {
            if (members.size() > 1 && members.contains(gpu.bdf)) {
                kinds.insert(gpu.device);
            }
        }
    }
    for (const auto& gpu : machine.gpus()) {
        if (!gpu.agents.empty() && kinds.contains(gpu.device) &&
            machine.kfd().nodes[gpu.agents.front()].get("hive_id") == 0) {
            census.unlinked.push_back(gpu.bdf + " (in no hive)");
        }
    }
}

std::optional<Error> find_unlinked(const Machine& machine, Census& census) {
    const auto hives = hive_links(machine);
    if (!hives) {
        return hives.error();
    }
    for (const auto& [hive, members] : *hives) {
        judge_hive(members, census);
    }
    find_outsiders(machine, *hives, census);
    return std::nullopt;
}

void tell(std::string& detail, const char* what, const std::vector<std::string>& gpus) {
    if (!gpus.empty()) {
        detail += (detail.empty() ? "" : "; ") + std::string(what) + ": " + join(gpus, ", ");
    }
}

std::string faults(const Census& census) {
    std::string detail;
    tell(detail, "no driver bound", census.no_driver);
    tell(detail, "bound to another driver", census.other_driver);
    tell(detail, "driver bound, but no KFD node", census.no_node);
    tell(detail, "in KFD, but gone from PCI", census.not_on_pci);
    tell(detail, "fewer xGMI links than the others of its hive", census.unlinked);
    return detail;
}

class Count final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "gpu.count",
            .summary = "How many GPUs can be used, and whether every one on PCI is among them",
            .why = "A GPU that is missing or not linked slows or fails the job that counts on it",
            .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07",
            .target = "system",
            .read_from =
                "/sys/bus/pci/devices/*/{modalias,driver}, "
                "/sys/class/kfd/kfd/topology/nodes/*/{properties,io_links,p2p_links}",
            .set_by = "",
            .next_step = "sudo dmesg | grep -e amdgpu -e xgmi; then reseat, reset or reboot",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"consistent"}},
                      {.kind = FormKind::at_least}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const Machine& machine = context.machine;
        Census census = take_census(machine);
        const auto unread_node = machine.kfd_uncertain();
        if (unread_node) {
            census.no_node.clear();  // its node may be the one that could not be read
        }
        auto blocked = unread_node ? unread_node : machine.gpus_uncertain();
        blocked = blocked ? blocked : census.unread;
        // Links to nodes that this container may not see say nothing.
        if (is_consistent(want.value) && machine.kfd().hidden() == 0) {
            const auto unread = find_unlinked(machine, census);
            blocked = blocked ? blocked : unread;
        }
        Assessment row = judge(machine, want, census);
        // A known fault is never masked by an unknown; a count that may be short is no fault.
        if (blocked && (row.outcome != Outcome::differs || faults(census).empty())) {
            return {unreadable({}, *blocked, row.want)};
        }
        return {row};
    }

    // A number would hide that a GPU is lost.
    std::optional<std::vector<Value>> learn(const Context& context) const override {
        Want want;
        want.value.data = "consistent";
        const auto row = assess(context, want).front();
        const auto count = row.outcome == Outcome::ok ? parse_signed(*row.have) : std::nullopt;
        return count ? std::vector{Value{*count, {}}} : std::vector{want.value};
    }

   private:
    static bool is_consistent(const Value& value) {
        return value.text() != nullptr && *value.text() == "consistent";
    }

    static Assessment judge(const Machine& machine, const Want& want, const Census& census) {
        Assessment row;
        row.want = want.value.text() != nullptr ? *want.value.text() : toml_text(want.value);
        row.have = number(census.usable);
        row.detail = faults(census);
        const std::size_t hidden = machine.kfd().hidden();
        const bool only_hidden = hidden > 0 && hidden >= census.no_node.size() &&
                                 census.no_driver.empty() && census.other_driver.empty() &&
                                 census.not_on_pci.empty() && census.unlinked.empty();
        if (only_hidden) {
            row.outcome = Outcome::hidden;
            row.detail = number(hidden) + " KFD nodes are hidden from this container";
            return row;
        }
        row.outcome =
            as_wanted(want.value, census, row.detail.empty()) ? Outcome::ok : Outcome::differs;
        if (row.outcome == Outcome::differs && row.detail.empty()) {
            row.detail = census.usable == 0 ? "no AMD GPU on this node" : "";
        }
        return row;
    }

    static bool as_wanted(const Value& value, const Census& census, bool faultless) {
        if (is_consistent(value)) {
            return census.usable > 0 && faultless;
        }
        return version_wish(value).accepts_count(census.usable);
    }
};

}  // namespace

const Setting& gpu_count() {
    static const Count setting;
    return setting;
}

}  // namespace rocenv
