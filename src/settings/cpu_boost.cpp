// SPDX-License-Identifier: MIT
// cpu.boost: clocks above the nominal one. The switch is cpufreq/boost for all CPUs, or
// intel_pstate/no_turbo, which means the opposite; newer kernels add policyN/boost, and a CPU
// boosts only when both say so (linux drivers/cpufreq/cpufreq.c, intel_pstate.c). Where both are
// there, each is judged. no_turbo answers EAGAIN while that driver is switched off.
#include "settings/cpufreq.h"
#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int eagain = 11;
constexpr int ebusy = 16;

struct Switch {
    Target target;
    std::string path;
    std::string all;       // the paths of its kind, for a command
    int silent = 0;        // this errno says that there is no such switch now
    bool inverse = false;  // 1 is off
};

std::string shown(bool value) {
    return value ? "true" : "false";
}

class Boost final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "cpu.boost",
            .summary = "Whether CPUs may run above their nominal clock",
            .why = "Boost helps the CPU that feeds a GPU; without it times vary less",
            .source =
                "linux Documentation/admin-guide/pm/cpufreq.rst and intel_pstate.rst, 6.12 "
                "(2024-11)",
            .target = "system, cpufreq policy",
            .read_from =
                "/sys/devices/system/cpu/cpufreq/{boost,policy*/boost}, "
                "/sys/devices/system/cpu/intel_pstate/no_turbo",
            .set_by = "writes 1 or 0 to those files, the opposite to no_turbo",
            .next_step = "echo 1 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
            .persist = "lost at reboot; keep it with a unit that runs rocenv at boot, or the BIOS",
            .risk_note = "without boost single-threaded work is slower; with it more power is used",
            .risk = Risk::low,
            .forms = {{.kind = FormKind::boolean}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const Fs& fs = context.fs();
        const bool wanted = *want.value.boolean();
        const auto policies = cpufreq_policies(fs);
        if (!policies) {
            return {unreadable({}, policies.error(), shown(wanted))};
        }
        const std::string intel = "/sys/devices/system/cpu/intel_pstate/no_turbo";
        std::vector<Assessment> out;
        if (!judge(fs, {{}, cpufreq_folder() + "/boost", ""}, wanted, out)) {
            judge(fs, {{}, intel, "", eagain, true}, wanted, out);
        }
        for (const auto policy : *policies) {
            judge(fs,
                  {{"policy", policy, ""},
                   cpufreq_folder(policy) + "/boost",
                   cpufreq_folder() + "/policy*/boost",
                   ebusy},
                  wanted, out);
        }
        if (out.empty()) {
            return {policies->empty() ? no_cpufreq()
                                      : no_target("the cpufreq driver has no switch for boost")};
        }
        return out;
    }

   private:
    // False when there is no such switch.
    static bool judge(const Fs& fs, const Switch& which, bool wanted,
                      std::vector<Assessment>& out) {
        const auto text = fs.read(which.path);
        if (text.is(ErrorKind::not_here) ||
            (!text && text.error().err == which.silent && which.silent != 0)) {
            return false;
        }
        const auto value = text ? trim(*text) : std::string_view();
        if (value != "0" && value != "1") {
            const auto why = "is neither 0 nor 1: \"" + printable(value, 40) + "\"";
            out.push_back(unreadable(which.target, text ? garbled(which.path, why) : text.error(),
                                     shown(wanted)));
            return true;
        }
        auto row = compared(which.target, shown(wanted), shown((value == "1") != which.inverse));
        if (row.outcome == Outcome::differs) {
            row.next_step = std::string("echo ") + (wanted != which.inverse ? "1" : "0") +
                            " | sudo tee " + (which.all.empty() ? which.path : which.all);
        }
        out.push_back(std::move(row));
        return true;
    }
};

}  // namespace

const Setting& cpu_boost() {
    static const Boost setting;
    return setting;
}

}  // namespace rocenv
