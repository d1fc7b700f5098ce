// SPDX-License-Identifier: MIT
// cpu.governor: what chooses each CPU's clock.
#include "os/emulation/kernel_rules.h"
#include "settings/shapes/cpufreq.h"

namespace rocenv {

namespace {

// A name of a governor, of which anybody's module may bring another; CPUFREQ_NAME_LEN is 16.
constexpr WrittenPlace places[] = {
    {"/sys/devices/system/cpu/cpufreq/policy<n>/scaling_governor",
     Codec::line,
     "<word>",
     {},
     emulate_governor},
};

}  // namespace

const Setting& cpu_governor() {
    static const PolicyFacts facts{
        .file = "scaling_governor",
        .offered = "scaling_available_governors",
        .what = "governor's name",
        .command = "sudo cpupower frequency-set -g WORD",
        .not_offered = "load the governor's module, or want one of those",
        .boot_word = "cpufreq.default_governor=",
    };
    static const auto setting = policy_setting(
        {
            .id = "cpu.governor",
            .summary = "The cpufreq governor of each policy",
            .why = "Other governors take milliseconds to raise the clock of a CPU that feeds a GPU",
            .source = "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                      "linux drivers/cpufreq/cpufreq.c, 6.12",
            .target = "cpufreq policy",
            .read_from = "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
            .set_by = "writes the word to each policy's scaling_governor",
            .next_step = "sudo cpupower frequency-set -g performance",
            .persist = "lost at reboot; keep it with cpufreq.default_governor=performance on the "
                       "kernel command line, or a unit that runs rocenv at boot",
            .risk_note = "more power when idle; forces the energy preference to performance",
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::any_word}},
            .places = places,
        },
        facts);
    return setting;
}

}  // namespace rocenv
