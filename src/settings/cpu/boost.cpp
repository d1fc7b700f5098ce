// SPDX-License-Identifier: MIT
// cpu.boost: clocks above the nominal one. The switch is cpufreq/boost for all CPUs, or
// intel_pstate/no_turbo, which means the opposite; newer kernels add policyN/boost, and a CPU
// boosts only when both say so (linux drivers/cpufreq/cpufreq.c, intel_pstate.c). Where both are
// there, each is judged. no_turbo answers EAGAIN while that driver is switched off.
#include <algorithm>
#include <iterator>

#include "os/redact/redact_words.h"
#include "settings/shapes/cpufreq.h"
#include "settings/shapes/text_change.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int eagain = 11;
constexpr int ebusy = 16;

constexpr WrittenPlace places[] = {
    {"/sys/devices/system/cpu/cpufreq/boost", Codec::line, "<0-1>"},
    {"/sys/devices/system/cpu/cpufreq/policy<n>/boost", Codec::line, "<0-1>"},
    {"/sys/devices/system/cpu/intel_pstate/no_turbo", Codec::line, "<0-1>"},
};

struct Switch {
    Target target;
    std::string path;
    std::string all;       // the paths of its kind, for a command
    int silent = 0;        // this errno says that there is no such switch now
    bool inverse = false;  // 1 is off
};

struct Found {
    Switch which;
    Result<std::string> text;  // garbled when neither 0 nor 1
};

std::string shown(bool value) {
    return value ? "true" : "false";
}

void find(const Fs& fs, const Switch& which, std::vector<Found>& out) {
    const auto text = fs.read(which.path);
    if (text.is(ErrorKind::not_here) ||
        (!text && text.error().err == which.silent && which.silent != 0)) {
        return;
    }
    const auto value = text ? trim(*text) : std::string_view();
    const bool odd = text && value != "0" && value != "1";
    const auto why = "is neither 0 nor 1: " + quoted_value(value);
    out.push_back({which, odd ? garbled(which.path, why) : text});
}

std::vector<Found> switches(const Fs& fs, const std::vector<std::uint32_t>& policies) {
    std::vector<Found> out;
    find(fs, {{}, cpufreq_folder() + "/boost", ""}, out);
    if (out.empty()) {
        const std::string intel = "/sys/devices/system/cpu/intel_pstate/no_turbo";
        find(fs, {{}, intel, "", eagain, true}, out);
    }
    for (const auto policy : policies) {
        find(fs,
             {{"policy", policy, ""},
              cpufreq_folder(policy) + "/boost",
              cpufreq_folder() + "/policy*/boost",
              ebusy},
             out);
    }
    return out;
}

bool is_on(const Switch& which, const std::string& text) {
    return (trim(text) == "1") != which.inverse;
}

Assessment judge(const Found& found, bool wanted) {
    const Switch& which = found.which;
    if (!found.text) {
        return unreadable(which.target, found.text.error(), shown(wanted));
    }
    auto row = compared(which.target, shown(wanted), shown(is_on(which, *found.text)));
    const std::string digit = wanted != which.inverse ? "1" : "0";
    row.change = word_change({which.path}, digit);
    if (row.outcome == Outcome::differs) {
        row.next_step =
            "echo " + digit + " | sudo tee " + (which.all.empty() ? which.path : which.all);
    }
    return row;
}

std::vector<Assessment> assess_boost(const Setting&, const Context& context, const Want& want) {
    const Fs& fs = context.fs();
    const bool wanted = *want.value.boolean();
    const auto policies = cpufreq_policies(fs);
    if (!policies) {
        return {unreadable({}, policies.error(), shown(wanted))};
    }
    const auto found = switches(fs, *policies);
    if (found.empty()) {
        return {policies->empty() ? no_cpufreq()
                                  : no_target("the cpufreq driver has no switch for boost")};
    }
    std::vector<Assessment> out;
    std::transform(found.begin(), found.end(), std::back_inserter(out),
                   [&](const Found& each) { return judge(each, wanted); });
    return out;
}

// A line "w" leaves out what is not there.
Keeping keeping_of_boost(const Setting&, const Want& want) {
    const bool on = *want.value.boolean();
    return {.tmpfiles = {
                "w /sys/devices/system/cpu/cpufreq/boost - - - - " + std::string(on ? "1" : "0"),
                "w /sys/devices/system/cpu/intel_pstate/no_turbo - - - - " +
                    std::string(on ? "0" : "1")}};
}

std::vector<Baseline> baseline_of_boost(const Setting&, const Context& context) {
    const auto policies = cpufreq_policies(context.fs());
    if (!policies) {
        return {{{}, "", policies.error()}};
    }
    std::vector<Baseline> out;
    for (const auto& [which, text] : switches(context.fs(), *policies)) {
        if (text) {
            out.push_back({which.target, shown(is_on(which, *text)),
                           text_back({which.path}, std::string(trim(*text)), *text)});
        } else {
            out.push_back({which.target, "", text.error()});
        }
    }
    return out;
}

}  // namespace

const Setting& cpu_boost() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.boost",
                .summary = "Whether CPUs may run above their nominal clock",
                .why = "Boost helps the CPU that feeds a GPU; without it times vary less",
                .source =
                    "linux Documentation/admin-guide/pm/cpufreq.rst and intel_pstate.rst, 6.12 "
                    "(2024-11)",
                .target = "system, cpufreq policy",
                .read_from = "/sys/devices/system/cpu/cpufreq/{boost,policy*/boost}, "
                             "/sys/devices/system/cpu/intel_pstate/no_turbo",
                .set_by = "writes 1 or 0 to those files, the opposite to no_turbo",
                .next_step = "echo 1 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
                .persist =
                    "lost at reboot; keep it with a unit that runs rocenv at boot, or the BIOS",
                .risk_note =
                    "without boost single-threaded work is slower; with it more power is used",
                .risk = Risk::low,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::boolean}},
                .places = places,
            },
        .assess = assess_boost,
        .baseline = baseline_of_boost,
        .keeping = keeping_of_boost,
    };
    return setting;
}

}  // namespace rocenv
