// SPDX-License-Identifier: MIT
// kernel.compact_unevictable_allowed: whether compaction may move pages that are locked in memory,
// 0 or 1 (linux mm/compaction.c). A kernel without compaction has no file, and moves none.
#include "settings/shapes/sysctl_setting.h"

namespace rocenv {

const Setting& kernel_compact_unevictable_allowed() {
    static const SysctlSetting setting({
        .id = "kernel.compact_unevictable_allowed",
        .name = "vm.compact_unevictable_allowed",
        .summary = "Whether the kernel may move locked pages to keep memory in large pieces",
        .why = "On an APU the GPU's pages are locked ones: where they stay, no large piece is left",
        .source = "ROCm/system-acceptance-docs docs/gpus/mi300a.md, 2026-07; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .usual = "1",
        .risk_note = "a program that counts on locked pages may wait while one is moved",
        .without = "this kernel is built without compaction",
        .absent_is = "0",
    });
    return setting;
}

}  // namespace rocenv
