// SPDX-License-Identifier: MIT
// kernel.nmi_watchdog: the detector of hard lockups, 0 or 1 (linux kernel/watchdog.c). A kernel
// built without it has no file, and no watchdog.
#include "settings/shapes/sysctl_setting.h"

namespace rocenv {

const Setting& kernel_nmi_watchdog() {
    static const SysctlSetting setting({
        .id = "kernel.nmi_watchdog",
        .summary = "The watchdog that interrupts every CPU to see whether it still answers",
        .why = "Each CPU is interrupted now and then, and one performance counter is taken",
        .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 "
                  "(optional); linux kernel/watchdog.c, 6.12",
        .boot_word = "nmi_watchdog=0",
        .risk_note = "a CPU that hangs with interrupts off is no longer noticed",
        .without = "this kernel is built without the lockup detector",
        .absent_is = "0",
    });
    return setting;
}

}  // namespace rocenv
