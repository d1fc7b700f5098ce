// SPDX-License-Identifier: MIT
// The settings there are, one function each, in the order of registry.cpp. A function is all that
// leaves a setting's file.
#pragma once

#include "rocenv/setting.h"

namespace rocenv {

const Setting& gpu_driver();
const Setting& gpu_count();
const Setting& gpu_visible();
const Setting& gpu_users();
const Setting& gpu_compute_partition();
const Setting& gpu_memory_partition();
const Setting& gpu_determinism();
const Setting& gpu_soc_pstate();
const Setting& pci_link();
const Setting& pci_large_bar();
const Setting& pci_acs();
const Setting& rocm_version();
const Setting& kernel_numa_balancing();
const Setting& kernel_thp();
const Setting& kernel_thp_defrag();
const Setting& kernel_compaction_proactiveness();
const Setting& kernel_nmi_watchdog();
const Setting& kernel_cmdline();
const Setting& kernel_iommu();
const Setting& cpu_smt();
const Setting& cpu_online();
const Setting& cpu_governor();
const Setting& cpu_energy_preference();
const Setting& cpu_boost();
const Setting& cpu_idle();
const Setting& host_rivals();
const Setting& access_kfd();
const Setting& access_render();
const Setting& limits_memlock();
const Setting& limits_nofile();
const Setting& limits_shm();
const Setting& env_family();

}  // namespace rocenv
