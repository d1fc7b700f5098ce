// SPDX-License-Identifier: MIT
// Settings of the kernel that are one value in one file. Their order is that of registry.cpp.
#include "settings/shapes/file_table.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string explain_numa_balancing(const Assessment& row) {
    const auto mask = parse_number(*row.have).value_or(0);
    if (*row.want != "0" || mask == 0) {
        return {};
    }
    return (mask & 2) != 0 ? "memory tiering is on, the scanner runs" : "the scanner runs";
}

constexpr FileRow files[] = {
    // kernel.numa_balancing: a bit mask, 1 normal, 2 memory tiering (linux kernel/sched/core.c
    // sysctl_numa_balancing; kernel 6.12 takes 0 to 4). Any bit runs the scanner, so only 0 is off.
    // A kernel built without it has no file, and nothing to switch off.
    {
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
        .explain = explain_numa_balancing,
    },
    // kernel.thp: who gets transparent huge pages, "always [madvise] never" (linux
    // mm/huge_memory.c). A
    // kernel without them has no folder, which is as good as never.
    {
        .id = "kernel.thp",
        .path = "/sys/kernel/mm/transparent_hugepage/enabled",
        .folder = "/sys/kernel/mm",
        .summary = "Transparent huge pages: who gets pages of 2 MiB without asking",
        .why = "Larger pages mean fewer translations; the GPUs of an APU live in that memory",
        .source =
            "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 (needed on "
            "MI300A, else optional); linux Documentation/admin-guide/mm/transhuge.rst, 6.12",
        .choices = "always|madvise|never",
        .usual = "always",
        .boot_word = "transparent_hugepage=always",
        .risk_note = "always takes more memory, and faults may take longer",
        .without = "this kernel is built without transparent huge pages",
        .absent_is = "never",
    },
    // kernel.thp_defrag: what a fault does when no huge page is free, "always defer defer+madvise
    // [madvise] never" (linux mm/huge_memory.c). Without huge pages there is nothing to decide;
    // kernel.thp tells that.
    {
        .id = "kernel.thp_defrag",
        .path = "/sys/kernel/mm/transparent_hugepage/defrag",
        .folder = "/sys/kernel/mm",
        .summary = "Whether a page fault waits until memory is compacted for a huge page",
        .why = "With always, a program stops in the fault while the kernel moves pages about",
        .source = "linux Documentation/admin-guide/mm/transhuge.rst, 6.12 (2024-11)",
        .choices = "always|defer|defer+madvise|madvise|never",
        .usual = "madvise",
        .risk_note = "with never or defer fewer allocations get huge pages at once",
        .without = "this kernel is built without transparent huge pages",
    },
    // kernel.compaction_proactiveness: how hard the kernel works in the background to keep free
    // memory in large pieces, 0 (off) to 100 (linux mm/compaction.c, since 5.9).
    {
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
    },
    // kernel.nmi_watchdog: the detector of hard lockups, 0 or 1 (linux kernel/watchdog.c). A kernel
    // built without it has no file, and no watchdog.
    {
        .id = "kernel.nmi_watchdog",
        .summary = "The watchdog that interrupts every CPU to see whether it still answers",
        .why = "Each CPU is interrupted now and then, and one performance counter is taken",
        .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07 "
                  "(optional); linux kernel/watchdog.c, 6.12",
        .boot_word = "nmi_watchdog=0",
        .risk_note = "a CPU that hangs with interrupts off is no longer noticed",
        .without = "this kernel is built without the lockup detector",
        .absent_is = "0",
    },
};

// Those that come after host.rivals.
constexpr FileRow later_files[] = {
    // kernel.compact_unevictable_allowed: whether compaction may move pages that are locked in
    // memory, 0 or 1 (linux mm/compaction.c). A kernel without compaction has no file, and moves
    // none.
    {
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
    },
    // kernel.zone_reclaim_mode: whether a full NUMA node reclaims its own pages before it asks
    // another one, a mask of three bits (linux mm/vmscan.c node_reclaim_mode). A kernel without
    // NUMA has none.
    {
        .id = "kernel.zone_reclaim_mode",
        .name = "vm.zone_reclaim_mode",
        .summary = "Whether a full NUMA node reclaims its own pages before it asks another",
        .why = "With it on, a program waits for pages to be reclaimed while other nodes have room",
        .source = "amd/node-scraper nodescraper/plugins/inband/sysctl, 2026-07; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .highest = 7,
        .risk_note = "more pages come from the other socket once a node is full",
        .without = "this kernel is built without NUMA",
        .absent_is = "0",
    },
};

}  // namespace

std::span<const Setting> kernel_files() {
    static const FileTable table(files);
    return table.settings();
}

std::span<const Setting> kernel_later_files() {
    static const FileTable table(later_files);
    return table.settings();
}

}  // namespace rocenv
