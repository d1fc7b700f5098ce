// SPDX-License-Identifier: MIT
// kernel.nmi_watchdog: the detector of hard lockups, 0 or 1 (linux kernel/watchdog.c). A kernel
// built without it has no file, and no watchdog.
#include "settings/file_setting.h"
#include "settings/settings.h"

namespace rocenv {

namespace {

constexpr WrittenPlace places[] = {
    {"/proc/sys/kernel/nmi_watchdog", Codec::line, "<0-1>"},
};

}  // namespace

const Setting& kernel_nmi_watchdog() {
    static const FileSetting setting(
        {
            .id = "kernel.nmi_watchdog",
            .summary = "The watchdog that interrupts every CPU to see whether it still answers",
            .why = "Each CPU is interrupted now and then, and one performance counter is taken",
            .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 "
                      "(optional); linux kernel/watchdog.c, 6.12",
            .target = "system",
            .read_from = "/proc/sys/kernel/nmi_watchdog",
            .set_by = "writes the number to /proc/sys/kernel/nmi_watchdog",
            .next_step = "echo 0 | sudo tee /proc/sys/kernel/nmi_watchdog",
            .persist = "lost at reboot; keep it with kernel.nmi_watchdog = 0 in a file under "
                       "/etc/sysctl.d, or nmi_watchdog=0 on the kernel command line",
            .risk_note = "a CPU that hangs with interrupts off is no longer noticed",
            .risk = Risk::low,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1}},
            .places = places,
        },
        {
            .path = "/proc/sys/kernel/nmi_watchdog",
            .shape = FileShape::number,
            .folder = "/proc/sys/kernel",
            .without = "this kernel is built without the lockup detector",
            .absent_is = "0",
        });
    return setting;
}

}  // namespace rocenv
