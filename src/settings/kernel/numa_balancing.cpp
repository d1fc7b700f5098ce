// SPDX-License-Identifier: MIT
// kernel.numa_balancing: a bit mask, 1 normal, 2 memory tiering (linux kernel/sched/core.c
// sysctl_numa_balancing; kernel 6.12 takes 0 to 4). Any bit runs the scanner, so only 0 is off. A
// kernel built without it has no file, and nothing to switch off.
#include "settings/shapes/sysctl_setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string explain(const Assessment& row) {
    const auto mask = parse_number(*row.have).value_or(0);
    if (*row.want != "0" || mask == 0) {
        return {};
    }
    return (mask & 2) != 0 ? "memory tiering is on, the scanner runs" : "the scanner runs";
}

}  // namespace

const Setting& kernel_numa_balancing() {
    static const SysctlSetting setting({
        .id = "kernel.numa_balancing",
        .summary = "Whether the kernel moves memory between NUMA nodes by itself (a bit mask)",
        .why = "The scanner unmaps pages to see who touches them; GPU work stalls on the faults",
        .source = "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                  "linux kernel/sched/core.c, 6.12",
        .highest = 3,
        .kernel_highest = 4,
        .boot_word = "numa_balancing=disable",
        .risk_note = "programs that rely on automatic placement may run slower",
        .without = "this kernel is built without NUMA balancing",
        .explain = explain,
    });
    return setting;
}

}  // namespace rocenv
