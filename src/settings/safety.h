// SPDX-License-Identifier: MIT
// Reasons to leave a device as it is: jobs, guests and isolation between devices. Each is one
// sentence, or nothing. A file that is missing or cannot be read is no reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/host/cpus.h"  // is_guest() is asked by most who ask these
#include "rocenv/machine.h"

namespace rocenv {

// KFD's list of the processes that have /dev/kfd open: one folder each, named after the process id
// in the host's numbering (linux drivers/gpu/drm/amd/amdkfd/kfd_process.c
// kfd_create_process_sysfs).
const std::string& kfd_process_folder();

// "process ids on the host: 4711, 4712"; of many the first ones. Empty for none.
std::string told_processes(const std::vector<std::string>& ids);

std::optional<std::string> gpu_in_use(const Machine& machine);

// Why this function's access control is needed as it is.
std::optional<std::string> isolation_needed(const Machine& machine, const std::string& bdf);

}  // namespace rocenv
