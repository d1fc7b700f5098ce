// SPDX-License-Identifier: MIT
#include "settings/registry.h"

#include <algorithm>

#include "os/emulation/kernel_rules.h"
#include "util/text.h"

namespace rocenv {

// The order of reading, reporting and writing: first the settings that show whether the GPUs exist,
// then GPU settings, then the node, then the calling process. Each name is the function of one
// value or one table and has no other declaration.
#define ROCENV_SETTINGS(SETTING, TABLE)                                                            \
    SETTING(gpu_driver)                                                                            \
    SETTING(gpu_driver_origin)                                                                     \
    SETTING(gpu_parameters)                                                                        \
    SETTING(gpu_count)                                                                             \
    SETTING(gpu_model)                                                                             \
    SETTING(gpu_visible)                                                                           \
    SETTING(gpu_users)                                                                             \
    SETTING(gpu_compute_units)                                                                     \
    SETTING(gpu_vram)                                                                              \
    SETTING(gpu_vram_used)                                                                         \
    SETTING(gpu_xgmi)                                                                              \
    SETTING(gpu_atomics)                                                                           \
    SETTING(gpu_xgmi_links)                                                                        \
    SETTING(gpu_compute_partition)                                                                 \
    SETTING(gpu_memory_partition)                                                                  \
    SETTING(gpu_firmware)                                                                          \
    SETTING(gpu_vbios)                                                                             \
    SETTING(gpu_unique_id)                                                                         \
    SETTING(gpu_numa)                                                                              \
    SETTING(gpu_vfs)                                                                               \
    SETTING(gpu_runtime_pm)                                                                        \
    SETTING(gpu_drm_devices)                                                                       \
    SETTING(gpu_ras)                                                                               \
    SETTING(gpu_ras_events)                                                                        \
    SETTING(gpu_bad_pages)                                                                         \
    SETTING(gpu_power_cap)                                                                         \
    SETTING(gpu_determinism)                                                                       \
    SETTING(gpu_soc_pstate)                                                                        \
    SETTING(pci_slots)                                                                             \
    SETTING(pci_symmetry)                                                                          \
    SETTING(pci_function)                                                                          \
    SETTING(pci_link)                                                                              \
    SETTING(pci_aer)                                                                               \
    SETTING(pci_aer_status)                                                                        \
    SETTING(pci_device_status)                                                                     \
    SETTING(pci_lane_errors)                                                                       \
    SETTING(pci_dpc)                                                                               \
    SETTING(pci_max_payload)                                                                       \
    SETTING(pci_max_read_request)                                                                  \
    SETTING(pci_tags)                                                                              \
    SETTING(pci_relaxed_ordering)                                                                  \
    SETTING(pci_aspm)                                                                              \
    SETTING(pci_large_bar)                                                                         \
    SETTING(pci_acs)                                                                               \
    SETTING(rdma_count)                                                                            \
    SETTING(rdma_port)                                                                             \
    SETTING(rdma_rate)                                                                             \
    SETTING(rdma_gid)                                                                              \
    SETTING(rdma_firmware)                                                                         \
    SETTING(rdma_errors)                                                                           \
    SETTING(rdma_gpu_direct)                                                                       \
    SETTING(gpu_nic)                                                                               \
    SETTING(net_link)                                                                              \
    SETTING(net_mtu)                                                                               \
    SETTING(net_flaps)                                                                             \
    TABLE(net_sysctls)                                                                             \
    SETTING(rocm_version)                                                                          \
    SETTING(rocm_driver_match)                                                                     \
    SETTING(rocm_arch)                                                                             \
    TABLE(kernel_files)                                                                            \
    SETTING(kernel_cmdline)                                                                        \
    SETTING(kernel_iommu) /* what became of iommu=pt */                                            \
    SETTING(cpu_smt)      /* before cpu.online: it says why CPUs are missing */                    \
    SETTING(cpu_online)                                                                            \
    SETTING(cpu_governor) /* before cpu.energy_preference: governor performance forces that one */ \
    SETTING(cpu_energy_preference)                                                                 \
    SETTING(cpu_boost)                                                                             \
    SETTING(cpu_idle)                                                                              \
    SETTING(host_rivals)                                                                           \
    TABLE(kernel_later_files)                                                                      \
    SETTING(kernel_version)                                                                        \
    SETTING(kernel_health)                                                                         \
    SETTING(kernel_lockdown)                                                                       \
    SETTING(memory_total)                                                                          \
    SETTING(memory_balance)                                                                        \
    SETTING(memory_dimms)                                                                          \
    SETTING(memory_errors)                                                                         \
    SETTING(memory_corrupted)                                                                      \
    SETTING(memory_swap)                                                                           \
    SETTING(memory_hugepages)                                                                      \
    SETTING(memory_ttm_pages)                                                                      \
    SETTING(cpu_sockets)                                                                           \
    SETTING(cpu_cores)                                                                             \
    SETTING(cpu_nodes_per_socket)                                                                  \
    SETTING(cpu_microcode)                                                                         \
    SETTING(cpu_machine_checks)                                                                    \
    SETTING(cpu_clocksource)                                                                       \
    SETTING(os_release)                                                                            \
    SETTING(host_bios)                                                                             \
    SETTING(host_product)                                                                          \
    SETTING(host_nvme)                                                                             \
    SETTING(host_time_sync)                                                                        \
    SETTING(access_kfd)                                                                            \
    SETTING(access_render)                                                                         \
    TABLE(process_limits)                                                                          \
    SETTING(limits_cpus)                                                                           \
    TABLE(control_group_limits)                                                                    \
    SETTING(env_family)

#define ROCENV_DECLARE(name) const Setting& name();
#define ROCENV_DECLARE_TABLE(name) std::span<const Setting> name();
ROCENV_SETTINGS(ROCENV_DECLARE, ROCENV_DECLARE_TABLE)

namespace {

constexpr std::string_view family = "env.";

std::vector<const Setting*> in_order() {
    std::vector<const Setting*> out;
    const auto add = [&out](std::span<const Setting> settings) {
        for (const auto& setting : settings) {
            out.push_back(&setting);
        }
    };
#define ROCENV_ADD(name) add({&name(), 1});
#define ROCENV_ADD_TABLE(name) add(name());
    ROCENV_SETTINGS(ROCENV_ADD, ROCENV_ADD_TABLE)
    return out;
}

}  // namespace

std::span<const Setting* const> all_settings() {
    static const auto ordered = in_order();
    return ordered;
}

const Setting* find_setting(std::string_view id) {
    for (const Setting* setting : all_settings()) {
        const std::string_view known = setting->info.id;
        if (id == known ||
            (known == family && id.size() > family.size() && id.starts_with(family))) {
            return known == id && known == family ? nullptr : setting;
        }
    }
    return nullptr;
}

std::size_t rank_of(std::string_view id) {
    const auto all = all_settings();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), find_setting(id)) -
                                    all.begin());
}

// Returns an empty list so far. A setting removed from `ordered` moves its files here.
std::span<const Retired> retired_settings() {
    return {};
}

std::vector<std::string> known_ids() {
    std::vector<std::string> ids;
    for (const Setting* setting : all_settings()) {
        const std::string_view id = setting->info.id;
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

static std::vector<const WrittenPlace*> all_places() {
    std::vector<const WrittenPlace*> out;
    const auto add = [&](std::span<const WrittenPlace> places) {
        for (const auto& place : places) {
            out.push_back(&place);
        }
    };
    for (const Setting* setting : all_settings()) {
        add(setting->info.places);
    }
    for (const auto& retired : retired_settings()) {
        add(retired.places);
    }
    std::erase_if(out,
                  [](const WrittenPlace* place) { return place->bytes.empty(); });  // read only
    return out;
}

std::span<const WrittenPlace* const> emulated_places() {
    static const auto all = all_places();
    return all;
}

}  // namespace rocenv
