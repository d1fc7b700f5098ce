// SPDX-License-Identifier: MIT
// kernel.compaction_proactiveness: how hard the kernel works in the background to keep free memory
// in large pieces, 0 (off) to 100 (linux mm/compaction.c, since 5.9).
#include "settings/file_setting.h"
#include "settings/settings.h"

namespace rocenv {

namespace {

constexpr WrittenPlace places[] = {
    {"/proc/sys/vm/compaction_proactiveness", Codec::line, "<0-100>"},
};

}  // namespace

const Setting& kernel_compaction_proactiveness() {
    static const FileSetting setting(
        {
            .id = "kernel.compaction_proactiveness",
            .summary = "How hard the kernel keeps free memory in large pieces (0 to 100)",
            .why = "On an APU the GPU allocates from the same memory: without large free pieces it "
                   "gets small pages",
            .source = "ROCm/ROCm docs/how-to/system-optimization/mi300a.rst, 2025-09; "
                      "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
            .target = "system",
            .read_from = "/proc/sys/vm/compaction_proactiveness",
            .set_by = "writes the number to /proc/sys/vm/compaction_proactiveness",
            .next_step = "echo 20 | sudo tee /proc/sys/vm/compaction_proactiveness",
            .persist =
                "lost at reboot; keep it with vm.compaction_proactiveness = 20 in a file under "
                "/etc/sysctl.d",
            .risk_note = "high values move pages all the time and cost latency",
            .risk = Risk::low,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 100}},
            .places = places,
        },
        {
            .path = "/proc/sys/vm/compaction_proactiveness",
            .shape = FileShape::number,
            .folder = "/proc/sys/vm",
            .without = "this kernel has no proactive compaction (older than 5.9, or built without)",
            .absent_is = "0",
        });
    return setting;
}

}  // namespace rocenv
