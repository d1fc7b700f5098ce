// SPDX-License-Identifier: MIT
// kernel.thp_defrag: what a fault does when no huge page is free, "always defer defer+madvise
// [madvise] never" (linux mm/huge_memory.c). Without huge pages there is nothing to decide;
// kernel.thp tells that.
#include "settings/shapes/file_setting.h"

namespace rocenv {

namespace {

constexpr WrittenPlace places[] = {
    {"/sys/kernel/mm/transparent_hugepage/defrag", Codec::choice,
     "always|defer|defer+madvise|madvise|never"},
};

}  // namespace

const Setting& kernel_thp_defrag() {
    static const FileSetting setting(
        {
            .id = "kernel.thp_defrag",
            .summary = "Whether a page fault waits until memory is compacted for a huge page",
            .why = "With always, a program stops in the fault while the kernel moves pages about",
            .source = "linux Documentation/admin-guide/mm/transhuge.rst, 6.12 (2024-11)",
            .target = "system",
            .read_from = "/sys/kernel/mm/transparent_hugepage/defrag",
            .set_by = "writes the word to /sys/kernel/mm/transparent_hugepage/defrag",
            .next_step = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/defrag",
            .persist = "lost at reboot; keep it with a w line in a file under /etc/tmpfiles.d",
            .risk_note = "with never or defer fewer allocations get huge pages at once",
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::any_word}},
            .places = places,
        },
        {
            .path = "/sys/kernel/mm/transparent_hugepage/defrag",
            .shape = FileShape::choice,
            .folder = "/sys/kernel/mm",
            .without = "this kernel is built without transparent huge pages",
        });
    return setting;
}

}  // namespace rocenv
