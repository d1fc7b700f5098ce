// SPDX-License-Identifier: MIT
// kernel.health: what the kernel remembers of its own faults since it started: bits of the taint
// mask (linux Documentation/admin-guide/tainted-kernels.rst, 6.12) and the counters of oopses and
// warnings (since 6.2; Documentation/ABI/testing/sysfs-kernel-oops_count). Modules from outside
// (bits 0, 12, 13) are how AMD's driver comes, and no fault.
#include "machine/host/number_files.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"warning", Level::recommended, "drivers warn under load, and go on"},
    {"report", Level::info, "the kernel runs where nobody tested it, and may run well"},
};

struct Taint {
    unsigned bit;
    const char* target;
    const char* means;
    const Grade* grade;
};

constexpr Taint taints[] = {
    {4, "machine_check", "the CPU reported a hardware fault", nullptr},
    {5, "bad_page", "a page's bookkeeping was found broken", nullptr},
    {7, "oops", "the kernel itself failed", nullptr},
    {14, "soft_lockup", "a CPU did not get out of the kernel for long", nullptr},
    {9, "warning", "the kernel warned of something that must not be", &grades[0]},
    {2, "out_of_spec", "the hardware is used outside of what it is specified for", &grades[1]},
};

constexpr std::uint64_t foreign_modules = 1U << 0U | 1U << 12U | 1U << 13U;
const std::string taint_path = "/proc/sys/kernel/tainted";

Assessment fault(const Taint& taint, const std::string& have) {
    auto row = compared({taint.target, std::nullopt, ""}, "clean", have);
    row.detail = taint.means;
    row.grade = taint.grade;
    return row;
}

// A counter of the same as a taint, which may be told already; kernels before 6.2 have none.
void add_count(const Fs& fs, const std::string& name, const Taint& taint,
               std::vector<Assessment>& rows) {
    const auto count = count_of_file(fs, "/sys/kernel/" + name);
    const bool none = count ? *count == 0 : count.is(ErrorKind::not_here);
    if (none) {
        return;
    }
    for (auto& row : rows) {
        if (row.target.base == taint.target) {
            *row.have += count ? ", " + name + " " + number(*count) : std::string();
            return;
        }
    }
    if (count) {
        rows.push_back(fault(taint, name + " " + number(*count)));
        return;
    }
    rows.push_back(unreadable({taint.target, std::nullopt, ""}, count.error(), "clean"));
    rows.back().grade = taint.grade;
}

std::vector<Assessment> assess_health(const Setting&, const Context& context, const Want& want) {
    const Fs& fs = context.fs();
    std::vector<Assessment> rows;
    const auto mask = count_of_file(fs, taint_path);
    if (!mask) {
        rows.push_back(unreadable({}, mask.error(), *want.value.text()));
    }
    for (const auto& taint : taints) {
        if (mask && (*mask >> taint.bit & 1U) != 0) {
            rows.push_back(fault(taint, "taint bit " + number(taint.bit)));
        }
    }
    add_count(fs, "oops_count", taints[2], rows);
    add_count(fs, "warn_count", taints[4], rows);
    if (rows.empty()) {
        rows.push_back(compared({}, *want.value.text(), "clean"));
    }
    return rows;
}

// The whole mask, as a number, but for modules from outside.
std::vector<ClusterFact> facts_of_health(const Setting&, const Context& context) {
    std::vector<ClusterFact> out;
    const auto mask = count_of_file(context.fs(), taint_path);
    add_fact({"system", std::nullopt, "/taint"},
             mask ? Result(number(*mask & ~foreign_modules)) : mask.error(), out);
    return out;
}

}  // namespace

const Setting& kernel_health() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.health",
                .summary = "Whether the kernel failed, locked up or warned since it started",
                .why = "What an oops left behind hangs or breaks later jobs until the node is "
                       "rebooted",
                .source = "linux Documentation/admin-guide/tainted-kernels.rst, 6.12 (2024-11); "
                          "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08",
                .target = "system",
                .read_from = "/proc/sys/kernel/tainted, /sys/kernel/{oops_count,warn_count}",
                .set_by = "",
                .next_step =
                    "sudo dmesg | grep -i -e oops -e bug: -e warning: -e mce; then reboot the node",
                .persist = "until the next reboot",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"clean"}}},
                .grades = grades,
            },
        .assess = assess_health,
        .facts = facts_of_health,
    };
    return setting;
}

}  // namespace rocenv
