// SPDX-License-Identifier: MIT
// The settings there are, one function each, in the order of registry.cpp. A function is all that
// leaves a setting's file.
#pragma once

#include "rocenv/setting.h"

namespace rocenv {

const Setting& gpu_driver();
const Setting& gpu_count();
const Setting& gpu_determinism();
const Setting& kernel_numa_balancing();
const Setting& kernel_cmdline();
const Setting& pci_acs();
const Setting& cpu_governor();
const Setting& cpu_idle();
const Setting& limits_memlock();
const Setting& limits_nofile();
const Setting& limits_shm();
const Setting& env_family();

}  // namespace rocenv
