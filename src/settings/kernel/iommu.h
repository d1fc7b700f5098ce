// SPDX-License-Identifier: MIT
// The treatment of one device by the IOMMU, by the type of its group (linux drivers/iommu/iommu.c
// iommu_group_show_type).
#pragma once

#include <string>

#include "rocenv/machine.h"

namespace rocenv {

// Returns "/sys/kernel/iommu_groups".
const std::string& iommu_groups_folder();

// Returns "passthrough", "translated", "off" for a device without a group, or the kernel's word
// "blocked" or "unmanaged". Fails with `garbled` for another type, or with the errors of read().
Result<std::string> iommu_treatment(const Fs& fs, const std::string& bdf);

// Returns true if every GPU and RDMA NIC is in passthrough, which is the effect of iommu=pt; false
// if one cannot be read or there is none.
bool passes_all_through(const Machine& machine);

}  // namespace rocenv
