// SPDX-License-Identifier: MIT
// memory.corrupted: pages that the kernel took out of use since their content was lost (linux
// fs/proc/meminfo.c HardwareCorrupted, with CONFIG_MEMORY_FAILURE).
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<Assessment> assess_corrupted(const Setting&, const Context& context, const Want& want) {
    const std::string wanted = number(*want.value.integer());
    const auto lost = meminfo_kib(context.fs(), "/proc/meminfo", "HardwareCorrupted");
    if (!lost) {
        return {unreadable({}, lost.error(), wanted)};
    }
    if (!*lost) {
        return {no_target("this kernel is built without handling of broken memory")};
    }
    auto row = compared({}, wanted, number(**lost));
    row.outcome = **lost <= *parse_number(wanted) ? Outcome::ok : Outcome::differs;
    std::vector<Assessment> rows{row};
    mind_stacked_memory(context.machine,
                        "sudo dmesg | grep -i -e memory.failure -e mce; then have the APU "
                        "replaced that the HBM stack is part of",
                        rows);
    return rows;
}

std::optional<std::vector<Value>> learn_corrupted(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{0}, {}}};
}

}  // namespace

const Setting& memory_corrupted() {
    static const Setting setting{
        .info =
            {
                .id = "memory.corrupted",
                .summary = "Kilobytes of memory that the kernel took out of use as broken",
                .why = "Their content was lost, and the part that it is in will lose more",
                .source = "linux fs/proc/meminfo.c and mm/memory-failure.c, 6.12 (2024-11)",
                .target = "system",
                .read_from = "/proc/meminfo",
                .set_by = "",
                .next_step =
                    "sudo dmesg | grep -i -e memory.failure -e mce; replace the DIMM that is named "
                    "there, then reboot",
                .persist = "counted since the node started",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
            },
        .assess = assess_corrupted,
        .learn = learn_corrupted,
    };
    return setting;
}

}  // namespace rocenv
