// SPDX-License-Identifier: MIT
// kernel.compaction_proactiveness: how hard the kernel works in the background to keep free memory
// in large pieces, 0 (off) to 100 (linux mm/compaction.c, since 5.9).
#include "settings/shapes/sysctl_setting.h"

namespace rocenv {

const Setting& kernel_compaction_proactiveness() {
    static const SysctlSetting setting({
        .id = "kernel.compaction_proactiveness",
        .name = "vm.compaction_proactiveness",
        .summary = "How hard the kernel keeps free memory in large pieces (0 to 100)",
        .why = "On an APU the GPU allocates from the same memory: without large free pieces it "
               "gets small pages",
        .source = "ROCm/ROCm docs/how-to/system-optimization/mi300a.rst, 2025-09; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .highest = 100,
        .usual = "20",
        .risk_note = "high values move pages all the time and cost latency",
        .without = "this kernel has no proactive compaction (older than 5.9, or built without)",
        .absent_is = "0",
    });
    return setting;
}

}  // namespace rocenv
