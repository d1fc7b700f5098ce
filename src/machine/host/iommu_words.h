// SPDX-License-Identifier: MIT
// Words on the kernel command line about the IOMMU (linux
// Documentation/admin-guide/kernel-parameters.txt, 6.12), and whose IOMMU a machine has.
#pragma once

#include <string>
#include <string_view>

#include "rocenv/fs.h"

namespace rocenv {

enum class CpuMaker { unknown, amd, intel };
// Returns who made the CPUs, by vendor_id of the first one in /proc/cpuinfo.
CpuMaker cpu_maker(const Fs& fs);

// Returns whether a word is about the IOMMU: "iommu=pt", "intel_iommu=on|amd_iommu=on".
bool is_iommu_word(std::string_view word);

// Returns whether a word is about the IOMMU of another maker, so that it changes nothing here.
bool is_of_other_maker(std::string_view word, CpuMaker maker);

// Returns whether the IOMMU is Intel's and nothing uses it: unlike AMD's it may have to be asked
// for (CONFIG_INTEL_IOMMU_DEFAULT_ON).
bool has_idle_intel_iommu(const Fs& fs);

// Returns what a kernel line needs for pass-through, and to do without the IOMMU: "iommu=pt",
// "intel_iommu=on iommu=pt"; "amd_iommu=off".
std::string words_for_pass_through(const Fs& fs);
std::string word_for_no_iommu(const Fs& fs);

}  // namespace rocenv
