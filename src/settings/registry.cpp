// SPDX-License-Identifier: MIT
#include "settings/registry.h"

#include <algorithm>

#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view family = "env.";

// The order is the order of reading, of the report and of writing: first what says whether the GPUs
// are there at all, then what concerns them, then the node, then the asking process.
const Setting* const ordered[] = {
    &gpu_driver(),
    &gpu_count(),
    &gpu_visible(),
    &gpu_users(),
    &gpu_compute_partition(),
    &gpu_memory_partition(),
    &gpu_determinism(),
    &gpu_soc_pstate(),
    &pci_link(),
    &pci_large_bar(),
    &pci_acs(),
    &rocm_version(),
    &kernel_numa_balancing(),
    &kernel_thp(),  // before what serves it: without huge pages defrag decides nothing
    &kernel_thp_defrag(),
    &kernel_compaction_proactiveness(),
    &kernel_nmi_watchdog(),
    &kernel_cmdline(),
    &kernel_iommu(),  // what became of iommu=pt
    &cpu_smt(),       // before cpu.online: it says why CPUs are missing
    &cpu_online(),
    &cpu_governor(),  // before cpu.energy_preference: governor performance forces that one
    &cpu_energy_preference(),
    &cpu_boost(),
    &cpu_idle(),
    &host_rivals(),
    &access_kfd(),
    &access_render(),
    &limits_memlock(),
    &limits_nofile(),
    &limits_shm(),
    &env_family(),
};

}  // namespace

std::span<const Setting* const> all_settings() {
    return ordered;
}

const Setting* find_setting(std::string_view id) {
    for (const Setting* setting : ordered) {
        const std::string_view known = setting->info().id;
        if (id == known ||
            (known == family && id.size() > family.size() && id.starts_with(family))) {
            return known == id && known == family ? nullptr : setting;
        }
    }
    return nullptr;
}

// None so far. One that goes from `ordered` moves its places here.
std::span<const Retired> retired_settings() {
    return {};
}

std::vector<std::string> known_ids() {
    std::vector<std::string> ids;
    for (const Setting* setting : ordered) {
        const std::string_view id = setting->info().id;
        ids.emplace_back(id == family ? "env.HIP_FORCE_DEV_KERNARG" : id);
    }
    return ids;
}

bool matches_any_setting(std::string_view pattern) {
    if (pattern.starts_with(family) && pattern.size() > family.size()) {
        return true;
    }
    const auto ids = known_ids();
    return std::any_of(ids.begin(), ids.end(),
                       [&](const std::string& id) { return glob_match(pattern, id); });
}

}  // namespace rocenv
