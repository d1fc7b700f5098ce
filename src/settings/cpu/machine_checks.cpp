// SPDX-License-Identifier: MIT
// cpu.machine_checks: hardware faults that the CPUs reported since the kernel started: taint bit 4
// and row MCE of /proc/interrupts. Corrected and deferred faults interrupt in rows THR and DFR
// (linux arch/x86/kernel/irq.c arch_show_interrupts, 6.12). Row MCP is the poller. With hundreds of
// CPUs the file exceeds the read limit. Then only the taint bit reports exceptions, and the row
// states that other faults were not read.
#include <cerrno>

#include "machine/host/boot_words.h"
#include "machine/kernel_attribute.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade machine_checks_grades[] = {
    {"corrected", Level::recommended,
     "The hardware corrected or contained the error, and the node kept running"},
    {"unseen", Level::info, "The taint mask reports exceptions as well"},
};

// Returns true if machine checks are disabled (linux arch/x86/kernel/cpu/mce/core.c mcheck_enable,
// 6.12); the counts then stay 0.
Result<bool> are_off(const Machine& machine) {
    const auto arguments = machine.kernel_arguments();
    if (!arguments) {
        return arguments.is(ErrorKind::not_here) ? Result(false) : arguments.error();
    }
    return has_any_boot_word(*arguments, "mce=off|nomce");
}

Assessment none_checked() {
    Assessment out;
    out.outcome = Outcome::unknown;
    out.expected = "0";
    out.detail = "the kernel was booted with mce=off and checks for no hardware fault";
    out.next_step = "remove mce=off from the kernel command line in the boot loader, then reboot";
    return out;
}

const std::string interrupts_path = "/proc/interrupts";

struct CheckCounts {
    std::optional<std::uint64_t> exceptions{};  // std::nullopt: not counted by this kernel
    std::uint64_t threshold = 0;
    std::uint64_t deferred = 0;
};

// Returns the sum of a row; std::nullopt if all are 0 and there is not one for each CPU.
std::optional<std::uint64_t> sum_of_row(std::string_view row, std::size_t cpus) {
    std::uint64_t sum = 0;
    std::size_t found = 0;
    for (const auto field : words(row)) {
        const auto count = parse_number(field);
        if (count && *count <= UINT32_MAX) {
            sum += *count;
            ++found;
        }
    }
    return sum > 0 || found == cpus ? std::optional(sum) : std::nullopt;
}

Result<CheckCounts> check_counts(const Fs& fs) {
    const auto text = fs.read(interrupts_path);
    if (!text) {
        return text.error();
    }
    const auto lines = split(*text, '\n');
    const auto head = words(lines.front());
    if (head.empty() || !head.front().starts_with("CPU")) {
        return garbled(interrupts_path, "is not a valid table of interrupts");
    }
    CheckCounts out;
    for (const auto line : lines) {
        const auto label = trim(line.substr(0, line.find(':')));
        if (label != "MCE" && label != "THR" && label != "DFR") {
            continue;
        }
        const auto sum = sum_of_row(line, head.size());
        if (!sum) {
            return garbled(interrupts_path,
                           "does not have one number for each CPU in row " + std::string(label));
        }
        if (label == "MCE") {
            out.exceptions = *sum;
        } else {
            (label == "THR" ? out.threshold : out.deferred) += *sum;
        }
    }
    return out;
}

bool is_too_long(const Error& error) {
    return error.err == EFBIG;
}

void add_corrected(const Result<CheckCounts>& counts, std::vector<Assessment>& rows) {
    const Target target{"corrected", std::nullopt, ""};
    if (!counts) {
        rows.push_back(unreadable(target, counts.error(), "0"));
        rows.back().grade = &machine_checks_grades[is_too_long(counts.error()) ? 1 : 0];
    } else if (counts->threshold + counts->deferred > 0) {
        rows.push_back(compared(target, "0", number(counts->threshold + counts->deferred)));
        rows.back().detail =
            number(counts->threshold) + " by threshold, " + number(counts->deferred) + " deferred";
        rows.back().grade = &machine_checks_grades[0];
    }
}

std::vector<Assessment> assess_machine_checks(const Setting&, const Context& context,
                                              const Expectation&) {
    constexpr std::uint64_t machine_check_bit = 16;
    const auto mask = count_of_file(context.fs(), "/proc/sys/kernel/tainted");
    const auto counts = check_counts(context.fs());
    const bool tainted = mask && (*mask & machine_check_bit) != 0;
    const auto exceptions = counts ? counts->exceptions.value_or(0) : 0;
    if (tainted || exceptions > 0) {
        std::vector<Assessment> rows{
            compared({}, "0", exceptions > 0 ? number(exceptions) : "some")};
        rows.back().detail = tainted ? "bit 4 of the kernel's taint mask is set" : "";
        add_corrected(counts, rows);
        return rows;
    }
    const auto off = are_off(context.machine);
    if (off && *off) {
        return {none_checked()};
    }
    if (!off) {
        return {unreadable({}, off.error(), "0")};
    }
    if (!mask || (!counts && !is_too_long(counts.error()))) {
        return {unreadable({}, mask ? counts.error() : mask.error(), "0")};
    }
    std::vector<Assessment> rows{compared({}, "0", "0")};
    if (counts && !counts->exceptions) {
        rows = {no_target("this kernel counts no machine checks")};
    }
    add_corrected(counts, rows);
    return rows;
}

}  // namespace

const Setting& cpu_machine_checks() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.machine_checks",
                .summary = "Hardware faults that the CPUs reported since boot",
                .why = "A failing CPU, memory or fabric ends jobs or corrupts their results",
                .source = "amd/node-scraper nodescraper/plugins/inband/dmesg, 2026-07; linux "
                          "arch/x86/kernel/irq.c, 6.12",
                .target = "system",
                .read_from = "/proc/sys/kernel/tainted, /proc/interrupts, /proc/cmdline",
                .set_by = "",
                .next_step =
                    "sudo dmesg | grep -i -e mce -e hardware.error; sudo ras-mc-ctl --errors",
                .persist = "counted since boot",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 0}},
                .grades = machine_checks_grades,
            },
        .assess = assess_machine_checks,
    };
    return setting;
}

}  // namespace rocenv
