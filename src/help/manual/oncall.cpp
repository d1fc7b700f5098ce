// SPDX-License-Identifier: MIT
#include "help/manual/oncall.h"

#include <algorithm>
#include <map>

#include "profile/profile.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

namespace {

constexpr std::string_view variable_family = "env.";
constexpr std::size_t most_named_profiles = 4;

constexpr std::string_view drain_now = "yes, after the running job";
constexpr std::string_view drain_multi_node = "yes for jobs on several nodes; others may run";
constexpr std::string_view drain_idle = "only to change it: a change needs a node without jobs";
constexpr std::string_view no_drain = "no";

// The first row that fits counts.
constexpr OncallGroup oncall_groups[] = {
    {"gpu.driver", drain_now,
     "only if the driver is installed and fails to load: `sudo dmesg`, `modinfo amdgpu`, "
     "`rocenv check --format json`"},
    {"gpu.bad_pages gpu.ras_events", drain_now,
     "the GPU's serial number (`sudo rocenv check --with-ids --format json`), `sudo dmesg`, "
     "`sudo amd-smi bad-pages`"},
    {"gpu.visible access.*", no_drain, ""},
    {"gpu.compute_partition gpu.memory_partition gpu.parameters cpu.nodes_per_socket "
     "kernel.cmdline",
     drain_idle, ""},
    {"gpu.*", drain_now,
     "the GPU's serial number (`sudo rocenv check --with-ids --format json`), `sudo dmesg`, "
     "`sudo lspci -vvv` and `rocenv record`"},
    {"pci.acs", no_drain, ""},
    {"pci.*", drain_now,
     "`sudo lspci -vvv`, `sudo dmesg`, the event log of the BMC (`sudo ipmitool sel list`)"},
    {"memory.ttm_pages", no_drain, ""},
    {"memory.* cpu.machine_checks", drain_now,
     "`sudo dmesg`, the event log of the BMC (`sudo ipmitool sel list`), the slot of the DIMM"},
    {"rdma.count", drain_multi_node, "`sudo lspci -vvv`, `sudo dmesg`, `rdma link show`"},
    {"rdma.* net.*", drain_multi_node,
     "`rdma link show`, `ip -s link`, the switch, its port and the cable"},
    {"kernel.health", drain_now, "`sudo dmesg`, `rocenv check --format json`"},
    {"cpu.* kernel.* limits.*", no_drain, ""},
    {"env.*", no_drain, ""},
};

// Returns the profiles that require an id, by id. A profile that extends one of these requires the
// same.
std::map<std::string, std::vector<std::string>> required_settings() {
    std::map<std::string, std::vector<std::string>> out;
    for (const auto& profile : builtin_profiles) {
        for (const auto& entry : profile_in(profile.image, "", Entries::all).entries) {
            const Level otherwise = entry.bare ? Level::required : Level::recommended;
            if (entry.level.value_or(otherwise) == Level::required) {
                out[entry.id].emplace_back(profile.name);
            }
        }
    }
    return out;
}

std::string profiles_text(const std::vector<std::string>& profiles) {
    std::vector<std::string> names(
        profiles.begin(), profiles.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(profiles.size(), most_named_profiles)));
    const std::size_t more = profiles.size() - names.size();
    return join(names, ", ") + (more > 0 ? " and " + number(more) + " more" : "");
}

// Returns the profile for a command: one of nodes if there is one.
const std::string& profile_to_set(const std::vector<std::string>& profiles) {
    static constexpr std::string_view of_nodes[] = {"mi", "host-benchmark", "rccl-multinode",
                                                    "acceptance"};
    for (const auto name : of_nodes) {
        const auto found = std::find(profiles.begin(), profiles.end(), name);
        if (found != profiles.end()) {
            return *found;
        }
    }
    return profiles.front();
}

std::string meaning_of(const std::string& id) {
    if (id.starts_with(variable_family)) {
        const auto variable = find_variable(id.substr(variable_family.size()));
        return variable ? std::string(variable->doc) : "A variable of the job's environment.";
    }
    return std::string(find_setting(id)->info.summary) + ".";
}

// Returns the command of rocenv that sets the value, or the steps by hand.
std::string commands_of(const std::string& id, const std::string& profile) {
    if (id.starts_with(variable_family)) {
        return "in the job's script: `eval \"$(rocenv env -p " + profile + ")\"`";
    }
    const Info& info = find_setting(id)->info;
    if (!info.set_by.empty()) {
        return "`sudo rocenv set -p " + profile + " --only " + id + "`";
    }
    return info.next_step.empty() ? "`rocenv explain " + id + "`" : std::string(info.next_step);
}

void add_row(const std::string& id, const std::vector<std::string>& profiles,
             std::vector<Block>& into) {
    const OncallGroup* group = oncall_group(id);
    into.push_back({BlockKind::subsection, id});
    into.push_back({BlockKind::paragraph, meaning_of(id)});
    into.push_back({BlockKind::item, profiles_text(profiles), "profiles"});
    into.push_back(
        {BlockKind::item,
         group == nullptr ? "not decided: see rocenv explain" : std::string(group->drain),
         "drain"});
    into.push_back({BlockKind::item, commands_of(id, profile_to_set(profiles)), "run"});
    into.push_back({BlockKind::item,
                    group == nullptr || group->attach.empty() ? "none: the site's own configuration"
                                                              : std::string(group->attach),
                    "ticket"});
}

}  // namespace

const OncallGroup* oncall_group(std::string_view id) {
    const auto* found = std::find_if(
        std::begin(oncall_groups), std::end(oncall_groups), [&](const OncallGroup& each) {
            const auto globs = split(each.ids, ' ');
            return std::any_of(globs.begin(), globs.end(), [&](std::string_view glob) {
                return glob_match(std::string(glob), id);
            });
        });
    return found == std::end(oncall_groups) ? nullptr : found;
}

std::vector<std::string> required_ids() {
    std::vector<std::string> out;
    for (const auto& [id, profiles] : required_settings()) {
        out.push_back(id);
    }
    return out;
}

// Settings of the node come before variables of jobs.
std::vector<Block> oncall_blocks() {
    std::vector<Block> out;
    const auto all = required_settings();
    for (const bool variables : {false, true}) {
        for (const auto& [id, profiles] : all) {
            if (id.starts_with(variable_family) == variables) {
                add_row(id, profiles, out);
            }
        }
    }
    return out;
}

}  // namespace rocenv
