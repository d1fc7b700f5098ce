// SPDX-License-Identifier: MIT
// cpu.energy_preference: what the processor is told to weigh more, clock or energy. Drivers that
// leave the clock to the processor have it (amd-pstate-epp, intel_pstate), others have no such
// file. Governor performance forces it to performance and refuses any other word with EBUSY (linux
// drivers/cpufreq/amd-pstate.c), so it is read and written after the governor.
#include "os/emulation/kernel_rules.h"
#include "settings/shapes/cpufreq.h"
#include "util/text.h"

namespace rocenv {

namespace {

// A word, or the register's own number (intel_pstate.c, amd-pstate.c).
constexpr WrittenPlace places[] = {
    {"/sys/devices/system/cpu/cpufreq/policy<n>/energy_performance_preference",
     Codec::line,
     "default|performance|balance_performance|balance_power|power|<0-255>",
     {},
     emulate_preference},
};

std::string obstacle(const Fs& fs, const std::string& folder, const std::string& want) {
    const auto governor = fs.read(folder + "/scaling_governor");
    return governor && trim(*governor) == "performance" && want != "performance"
               ? "governor performance takes no other preference"
               : "";
}

}  // namespace

const Setting& cpu_energy_preference() {
    static const PolicyFacts facts{
        .file = "energy_performance_preference",
        .offered = "energy_performance_available_preferences",
        .what = "energy preference",
        .command =
            "echo WORD | sudo tee "
            "/sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference",
        .not_offered = "want one of those",
        .without = "the cpufreq driver has no energy preference",
        .obstacle = obstacle,
    };
    static const auto setting = policy_setting(
        {
            .id = "cpu.energy_preference",
            .summary = "The energy preference of each policy, where the processor sets its clock",
            .why = "With balance or power the processor is slow to raise the clock by itself",
            .source =
                "linux Documentation/admin-guide/pm/amd-pstate.rst and intel_pstate.rst, 6.12 "
                "(2024-11)",
            .target = "cpufreq policy",
            .read_from = "/sys/devices/system/cpu/cpufreq/policy*/{energy_performance_preference,"
                         "energy_performance_available_preferences,scaling_governor}",
            .set_by = "writes the word to each policy's energy_performance_preference",
            .next_step = "echo performance | sudo tee "
                         "/sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference",
            .persist = "lost at reboot; keep it with a unit that runs rocenv at boot",
            .risk_note = "performance takes more power when idle",
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::any_word}},
            .places = places,
        },
        facts);
    return setting;
}

}  // namespace rocenv
