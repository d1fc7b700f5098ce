// SPDX-License-Identifier: MIT
// cpu.machine_checks: hardware faults that the CPUs reported since the kernel started: taint bit 4
// and the row MCE of /proc/interrupts; corrected and deferred ones interrupt in rows THR and DFR
// (linux arch/x86/kernel/irq.c arch_show_interrupts, 6.12). Row MCP is the poller and no fault.
// With hundreds of CPUs that file is longer than what is read of any file: then the taint bit alone
// tells of exceptions, and of the others it is said that they were not seen.
#include "rocenv/setting.h"
#include "settings/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"corrected", Level::recommended,
     "what the hardware corrected or contained did not end the node"},
    {"unseen", Level::info, "exceptions are told by the taint mask as well"},
};

const std::string interrupts_path = "/proc/interrupts";

struct CheckCounts {
    std::uint64_t exceptions = 0;
    std::uint64_t threshold = 0;
    std::uint64_t deferred = 0;
};

// The sum of what stands behind the label; nothing: there is no number.
std::optional<std::uint64_t> sum_of_row(std::string_view row) {
    std::optional<std::uint64_t> sum;
    const auto fields = words(row);
    for (std::size_t at = 1; at < fields.size(); ++at) {
        const auto count = parse_number(fields[at]);
        if (!count || *count > UINT32_MAX) {
            break;
        }
        sum = sum.value_or(0) + *count;
    }
    return sum;
}

Result<CheckCounts> check_counts(const Fs& fs) {
    const auto text = fs.read(interrupts_path);
    if (!text) {
        return text.error();
    }
    const auto lines = split(*text, '\n');
    const auto head = words(lines.front());
    if (head.empty() || !head.front().starts_with("CPU")) {
        return garbled(interrupts_path, "is no table of interrupts");
    }
    CheckCounts out;
    for (const auto line : lines) {
        const auto label = trim(line.substr(0, line.find(':')));
        std::uint64_t* count = label == "MCE"   ? &out.exceptions
                               : label == "THR" ? &out.threshold
                               : label == "DFR" ? &out.deferred
                                                : nullptr;
        const auto sum = count != nullptr ? sum_of_row(line) : std::nullopt;
        if (count != nullptr && !sum) {
            return garbled(interrupts_path, "has no number in row " + std::string(label));
        }
        if (sum) {
            *count += *sum;
        }
    }
    return out;
}

class MachineChecks final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "cpu.machine_checks",
            .summary = "Hardware faults that the CPUs reported since the kernel started",
            .why = "A CPU, its memory or its fabric is failing, and jobs end or compute wrong",
            .source =
                "amd/node-scraper nodescraper/plugins/inband/dmesg, 2026-07; linux "
                "arch/x86/kernel/irq.c, 6.12",
            .target = "system",
            .read_from = "/proc/sys/kernel/tainted, /proc/interrupts",
            .set_by = "",
            .next_step = "sudo dmesg | grep -i -e mce -e hardware.error; sudo ras-mc-ctl --errors",
            .persist = "counted since the node started",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 0}},
            .grades = grades,
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        constexpr std::uint64_t machine_check_bit = 16;
        const auto mask = count_of_file(context.fs(), "/proc/sys/kernel/tainted");
        const auto counts = check_counts(context.fs());
        const bool tainted = mask && (*mask & machine_check_bit) != 0;
        const auto exceptions = counts ? counts->exceptions : 0;
        std::vector<Assessment> rows;
        if (tainted || exceptions > 0) {
            rows.push_back(compared({}, "0", exceptions > 0 ? number(exceptions) : "some"));
            rows.back().detail = tainted ? "the kernel's taint mask has bit 4" : "";
        } else if (!mask) {
            rows.push_back(unreadable({}, mask.error(), "0"));
        }
        add_corrected(counts, rows);
        if (rows.empty() || (rows.front().target.base != "system" && mask)) {
            rows.insert(rows.begin(), compared({}, "0", "0"));
        }
        return rows;
    }

   private:
    static void add_corrected(const Result<CheckCounts>& counts, std::vector<Assessment>& rows) {
        const Target target{"corrected", std::nullopt, ""};
        if (!counts) {
            rows.push_back(unreadable(target, counts.error(), "0"));
            const bool too_long = counts.error().text.find("larger") != std::string::npos;
            rows.back().grade = &grades[too_long ? 1 : 0];
        } else if (counts->threshold + counts->deferred > 0) {
            rows.push_back(compared(target, "0", number(counts->threshold + counts->deferred)));
            rows.back().detail = number(counts->threshold) + " by threshold, " +
                                 number(counts->deferred) + " deferred";
            rows.back().grade = &grades[0];
        }
    }
};

}  // namespace

const Setting& cpu_machine_checks() {
    static const MachineChecks setting;
    return setting;
}

}  // namespace rocenv
