// SPDX-License-Identifier: MIT
// The CPU topology of a machine as hwloc tells it. The library is loaded at run time, in a forked
// child: its loading, its environment variables and its faults stay there. Vendor plug-ins (rsmi,
// cuda, nvml, levelzero, opencl) would load GPU runtimes, which write, so none is loaded: neither
// by name nor by looking for plug-ins at all. HWLOC_* variables of the caller's are not heeded. I/O
// devices are not asked for: hwloc would read the config space of every PCI function.
//
// A child that does not end in time is killed: timed_out; one that crashes is an io error; without
// the library: not_here. Every error's text begins with "hwloc".
#pragma once

#include <optional>
#include <string>

#include "rocenv/cpu_topology.h"
#include "rocenv/result.h"

namespace rocenv {

// Of this machine, or of what lstopo wrote into `xml_file`.
Result<CpuTopology> hwloc_cpu_topology(const std::optional<std::string>& xml_file, double seconds);

}  // namespace rocenv
