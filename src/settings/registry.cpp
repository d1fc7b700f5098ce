// SPDX-License-Identifier: MIT
#include "settings/registry.h"

#include <algorithm>

#include "os/emulation/kernel_rules.h"
#include "util/text.h"

namespace rocenv {

// The order is the order of reading, of the report and of writing: first what says whether the GPUs
// are there at all, then what concerns them, then the node, then the asking process. Each name is
// the function of one file, which nothing else declares.
#define ROCENV_SETTINGS(SETTING)                                                                   \
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
    SETTING(net_rp_filter)                                                                         \
    SETTING(net_arp_ignore)                                                                        \
    SETTING(net_arp_announce)                                                                      \
    SETTING(rocm_version)                                                                          \
    SETTING(rocm_driver_match)                                                                     \
    SETTING(rocm_arch)                                                                             \
    SETTING(kernel_numa_balancing)                                                                 \
    SETTING(kernel_thp) /* before what serves it: without huge pages defrag decides nothing */     \
    SETTING(kernel_thp_defrag)                                                                     \
    SETTING(kernel_compaction_proactiveness)                                                       \
    SETTING(kernel_nmi_watchdog)                                                                   \
    SETTING(kernel_cmdline)                                                                        \
    SETTING(kernel_iommu) /* what became of iommu=pt */                                            \
    SETTING(cpu_smt)      /* before cpu.online: it says why CPUs are missing */                    \
    SETTING(cpu_online)                                                                            \
    SETTING(cpu_governor) /* before cpu.energy_preference: governor performance forces that one */ \
    SETTING(cpu_energy_preference)                                                                 \
    SETTING(cpu_boost)                                                                             \
    SETTING(cpu_idle)                                                                              \
    SETTING(host_rivals)                                                                           \
    SETTING(kernel_compact_unevictable_allowed)                                                    \
    SETTING(kernel_zone_reclaim_mode)                                                              \
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
    SETTING(limits_memlock)                                                                        \
    SETTING(limits_nofile)                                                                         \
    SETTING(limits_shm)                                                                            \
    SETTING(limits_nproc)                                                                          \
    SETTING(limits_stack)                                                                          \
    SETTING(limits_cpus)                                                                           \
    SETTING(limits_memory)                                                                         \
    SETTING(limits_pids)                                                                           \
    SETTING(env_family)

#define ROCENV_DECLARE(name) const Setting& name();
ROCENV_SETTINGS(ROCENV_DECLARE)

namespace {

constexpr std::string_view family = "env.";

#define ROCENV_LIST(name) &name(),
const Setting* const ordered[] = {ROCENV_SETTINGS(ROCENV_LIST)};

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

std::size_t rank_of(std::string_view id) {
    const auto all = all_settings();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), find_setting(id)) -
                                    all.begin());
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

static std::vector<const WrittenPlace*> all_places() {
    std::vector<const WrittenPlace*> out;
    const auto add = [&](std::span<const WrittenPlace> places) {
        for (const auto& place : places) {
            out.push_back(&place);
        }
    };
    for (const Setting* setting : ordered) {
        add(setting->info().places);
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
