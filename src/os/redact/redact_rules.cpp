// SPDX-License-Identifier: MIT
#include "os/redact/redact_rules.h"

#include <algorithm>
#include <array>

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The first rule that fits counts.
struct Rule {
    std::string_view start;   // of the path
    std::string_view inside;  // of what follows; empty: anything
    std::string_view names;   // of the file; empty: any
    Keep keep;
};

constexpr std::string_view numbers_and_words =
    "active aer_dev_correctable aer_dev_fatal aer_dev_nonfatal aer_rootport_total_err_cor "
    "aer_rootport_total_err_fatal aer_rootport_total_err_nonfatal available_clocksource bios_limit "
    "block_size_bytes boost carrier carrier_changes carrier_down_count carrier_up_count ce_count "
    "class "
    "control core_siblings_list cpuinfo_max_freq cpulist current_clocksource "
    "current_compute_partition "
    "current_link_speed current_link_width current_memory_partition default_status defrag dev_port "
    "dimm_ce_count dimm_mem_type dimm_ue_count disable duplex enabled "
    "energy_performance_available_preferences energy_performance_preference event_state features "
    "generation_id gpu_id gpu_vram_bad_pages initstate isolated latency link_layer local_cpulist "
    "lockdown "
    "level max_link_speed max_link_width max_perf_pct mem_info_vis_vram_total mem_info_vram_total "
    "mem_info_vram_used "
    "mtu netns_mode no_turbo nr_hugepages numa_node online oops_count operstate package_cpus_list "
    "page_pool_size pages_limit phys_state physical_package_id possible power1_cap "
    "power1_cap_default power1_cap_max power_dpm_force_performance_level power_state "
    "pp_od_clk_voltage present rate resource revision runtime_status rx_crc_errors "
    "scaling_available_frequencies scaling_available_governors scaling_governor "
    "scaling_max_freq seconds_since_reset shared_cpu_list "
    "shared_cpu_map size "
    "soc_pstate speed "
    "sriov_numvfs state taint thread_siblings_list type ue_count warn_count xgmi_num_hops "
    "xgmi_num_links device vendor subsystem_device subsystem_vendor synchronized";

constexpr auto rules = std::to_array<Rule>({
    {"/proc/cmdline", "", "cmdline", Keep::command_line},
    {"/proc/cpuinfo", "", "cpuinfo", Keep::cpu_names},
    {"/proc/meminfo", "", "meminfo", Keep::total_memory},
    {"/proc/interrupts", "", "interrupts", Keep::interrupt_counts},
    {"/proc/swaps", "", "swaps", Keep::swap_areas},
    {"/proc/kallsyms", "", "kallsyms", Keep::symbols},
    {"/proc/", "", "comm", Keep::process},
    {"/proc/sys/kernel/random/", "", "boot_id", Keep::boot_id},
    {"/proc/sys/kernel/", "", "hostname", Keep::nothing},
    {"/proc/sys/kernel/", "", "osrelease", Keep::release},
    {"/proc/sys/", "", "", Keep::kernel_words},
    {"/etc/tuned/", "", "active_profile", Keep::kernel_words},
    {"/etc/os-release", "", "os-release", Keep::distribution},
    {"/boot/config-", "", "", Keep::kernel_options},
    {"/sys/class/kfd/", "/nodes/", "properties", Keep::kfd_properties},
    {"/sys/class/dmi/id/", "", "bios_date bios_vendor bios_version", Keep::version},
    {"/sys/class/dmi/id/", "", "board_name product_name", Keep::text},
    {"/sys/bus/pci/slots/", "", "address", Keep::kernel_words},
    {"/sys/module/amdgpu/parameters/", "", "", Keep::kernel_words},
    {"/sys/module/", "", "version", Keep::release},
    {"/sys/devices/system/cpu/", "/microcode/", "version", Keep::kernel_words},
    {"/sys/devices/system/cpu/", "/cpuidle/", "name", Keep::kernel_words},
    {"/sys/devices/system/node/", "", "meminfo", Keep::total_memory},
    {"/sys/", "/gids/", "", Keep::gid},
    {"/sys/", "/gid_attrs/ndevs/", "", Keep::name},
    {"/sys/", "/gid_attrs/types/", "", Keep::kernel_words},
    {"/sys/", "/counters/", "", Keep::kernel_words},
    {"/sys/", "/hw_counters/", "", Keep::kernel_words},
    {"/sys/", "/fw_version/", "", Keep::kernel_words},
    {"/sys/", "/hugepages/", "", Keep::kernel_words},
    {"/sys/", "", "unique_id xgmi_device_id", Keep::identity},
    {"/sys/", "", "xgmi_hive_id", Keep::hive},
    {"/sys/", "", "modalias", Keep::modalias},
    {"/sys/", "", "phys_port_name", Keep::name},
    {"/sys/", "", "board_id fw_ver vbios_version", Keep::version},
    {"/sys/", "", numbers_and_words, Keep::kernel_words},
    {"/", "/.info/", "version", Keep::release},
    {"/", "-packages/", "__init__.py version.py _version.py", Keep::python_versions},
});

}  // namespace

Keep keep_of(std::string_view path) {
    const auto slash = path.rfind('/');
    const auto name = path.substr(slash + 1);
    const bool option = path.starts_with("/sys/module/amdgpu/parameters/");
    if (option && !is_amdgpu_parameter(name)) {
        return Keep::nothing;
    }
    const auto* const found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
        return path.starts_with(rule.start) && path.find(rule.inside) != std::string_view::npos &&
               (rule.names.empty() || contains_word(rule.names, name));
    });
    return found == rules.end() ? Keep::nothing : found->keep;
}

}  // namespace rocenv
