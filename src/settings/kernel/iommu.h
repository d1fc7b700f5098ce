// SPDX-License-Identifier: MIT
// The treatment of one device by the IOMMU, by the type of its group (linux drivers/iommu/iommu.c
// iommu_group_show_type).
#pragma once

#include <string>

#include "rocenv/machine.h"

namespace rocenv {

// "/sys/kernel/iommu_groups"
const std::string& iommu_groups_folder();

// Returns "passthrough", "translated", "off" or the kernel's word for another type.
Result<std::string> iommu_treatment(const Fs& fs, const std::string& bdf);

// Returns whether every GPU and RDMA NIC is passed through: the effect of iommu=pt, whatever made
// the kernel do it. False if one cannot be read.
bool passes_all_through(const Machine& machine);

}  // namespace rocenv
