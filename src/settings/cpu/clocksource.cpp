// SPDX-License-Identifier: MIT
// cpu.clocksource: the time source of the kernel (linux kernel/time/clocksource.c
// current_clocksource). "tsc" accepts the host's clock in a guest; a CPU without a TSC cannot use
// it.
#include <algorithm>
#include <array>

#include "rocenv/setting.h"
#include "settings/kernel/boot_blame.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string clock_folder = "/sys/devices/system/clocksource/clocksource0";

// The clocks of guests: linux arch/x86/kernel/kvmclock.c, drivers/clocksource/hyperv_timer.c,
// arch/x86/xen/time.c, 6.12.
constexpr std::array<std::string_view, 4> clocks_of_guests{
    "kvm-clock", "hyperv_clocksource_tsc_page", "hyperv_clocksource_msr", "xen"};

bool is_of_guest(std::string_view clock) {
    return std::find(clocks_of_guests.begin(), clocks_of_guests.end(), clock) !=
           clocks_of_guests.end();
}

Assessment without_tsc(const Fs& fs, Assessment row) {
    const auto cpu = fs.read("/proc/cpuinfo");
    const auto holds = [&](const char* word) { return cpu && cpu->find(word) != cpu->npos; };
    if (holds("processor") && !holds("vendor_id") && !holds("flags")) {
        return no_target("CPUs of this architecture have no TSC");
    }
    const auto available = fs.read(clock_folder + "/available_clocksource");
    const auto offered = words(available ? std::string_view(*available) : std::string_view());
    if (std::find(offered.begin(), offered.end(), "tsc") == offered.end()) {
        row.detail = "the kernel marked the TSC as unstable, or does not offer it";
    } else {
        row.detail = "the TSC is available";
        row.next_step = "echo tsc | sudo tee " + clock_folder +
                        "/current_clocksource; remove clocksource= from the kernel command line";
    }
    return row;
}

std::vector<Assessment> assess_clocksource(const Setting&, const Context& context,
                                           const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    const auto clock = read_line(context.fs(), clock_folder + "/current_clocksource");
    if (!clock) {
        return {unreadable({}, clock.error(), expected)};
    }
    auto row = compared({}, expected, *clock);
    if (row.outcome == Outcome::ok || expected != "tsc") {
        return {row};
    }
    if (is_of_guest(*clock) && is_guest(context.fs())) {
        row.outcome = Outcome::ok;
        row.detail = "the host provides this clock to the guest";
        return {row};
    }
    auto out = without_tsc(context.fs(), std::move(row));
    blame_boot_words(context.machine, "cpu.clocksource", BlameStep::replace, out);
    return {out};
}

}  // namespace

const Setting& cpu_clocksource() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.clocksource",
                .summary = "Clock source that the kernel reads the time from",
                .why = "Without the TSC, each read of the time takes about twenty times as long",
                .source =
                    "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07; linux "
                    "kernel/time/clocksource.c, 6.12",
                .target = "system",
                .read_from = "/sys/devices/system/clocksource/clocksource0/{current_clocksource,"
                             "available_clocksource}; /proc/cpuinfo and /proc/cmdline where it is "
                             "not as expected",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i -e tsc -e clocksource; if the TSC is unstable, "
                             "update the BIOS and reboot",
                .persist =
                    "chosen at boot; clocksource= on the kernel command line selects another",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::any_word}},
            },
        .assess = assess_clocksource,
    };
    return setting;
}

}  // namespace rocenv
