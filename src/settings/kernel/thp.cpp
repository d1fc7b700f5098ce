// SPDX-License-Identifier: MIT
// kernel.thp: who gets transparent huge pages, "always [madvise] never" (linux mm/huge_memory.c). A
// kernel without them has no folder, which is as good as never.
#include "settings/shapes/file_setting.h"

namespace rocenv {

namespace {

constexpr WrittenPlace places[] = {
    {"/sys/kernel/mm/transparent_hugepage/enabled", Codec::choice, "always|madvise|never"},
};

}  // namespace

const Setting& kernel_thp() {
    static const FileSetting setting(
        {
            .id = "kernel.thp",
            .summary = "Transparent huge pages: who gets pages of 2 MiB without asking",
            .why = "Larger pages mean fewer translations; the GPUs of an APU live in that memory",
            .source =
                "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 (needed on "
                "MI300A, else optional); linux Documentation/admin-guide/mm/transhuge.rst, 6.12",
            .target = "system",
            .read_from = "/sys/kernel/mm/transparent_hugepage/enabled",
            .set_by = "writes the word to /sys/kernel/mm/transparent_hugepage/enabled",
            .next_step = "echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
            .persist =
                "lost at reboot; keep it with transparent_hugepage=always on the kernel command "
                "line, or a w line in a file under /etc/tmpfiles.d",
            .risk_note = "always takes more memory, and faults may take longer",
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::any_word}},
            .places = places,
        },
        {
            .path = "/sys/kernel/mm/transparent_hugepage/enabled",
            .shape = FileShape::choice,
            .folder = "/sys/kernel/mm",
            .without = "this kernel is built without transparent huge pages",
            .absent_is = "never",
        });
    return setting;
}

}  // namespace rocenv
