// SPDX-License-Identifier: MIT
// The CPU topology of a machine by hwloc. The library is loaded at run time in a forked child, so
// its loading, environment variables and faults do not affect rocenv. Vendor plug-ins (rsmi, cuda,
// nvml, levelzero, opencl) would load GPU runtimes, which write, so plug-ins are disabled. HWLOC_*
// variables of the caller are ignored. I/O devices are not read: hwloc would read the config space
// of every PCI function.
//
// A child that does not end in time is killed (`timed_out`); a crash is an `io` error; a missing
// library is `not_here`. The text of each of these errors begins with "hwloc".
#pragma once

#include <optional>
#include <string>

#include "rocenv/cpu_topology.h"
#include "rocenv/result.h"

namespace rocenv {

// Returns the topology of this machine, or of the lstopo output in `xml_file`, within `seconds`.
// Fails with `bad_input` if the XML file cannot be read, has more than 4 MiB or is not one of
// hwloc; that text names the file.
Result<CpuTopology> hwloc_cpu_topology(const std::optional<std::string>& xml_file, double seconds);

}  // namespace rocenv
