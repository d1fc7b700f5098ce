// SPDX-License-Identifier: MIT
// Reasons not to change a device: jobs, guests and isolation between devices. Each is one sentence,
// or std::nullopt. A missing or unreadable file is not a reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/host/cpus.h"  // is_guest() for users of this header
#include "rocenv/machine.h"

namespace rocenv {

// Returns KFD's folder of the processes that have /dev/kfd open. It has one folder for each, named
// by the process id of the host (linux drivers/gpu/drm/amd/amdkfd/kfd_process.c
// kfd_create_process_sysfs).
const std::string& kfd_process_folder();

// Returns "process ids on the host: 4711, 4712", with at most 16 ids; empty for none.
std::string processes_text(const std::vector<std::string>& ids);

// Returns the reason if processes use the GPUs.
std::optional<std::string> gpu_in_use(const Machine& machine);

// Returns the reason if the function needs its present access control: in a guest, with a device
// for guests on the node, or if the function or one below is external, not trusted, has virtual
// functions or is in an IOMMU group that translates.
std::optional<std::string> isolation_needed(const Machine& machine, const std::string& bdf);

}  // namespace rocenv
