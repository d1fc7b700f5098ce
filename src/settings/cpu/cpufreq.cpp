// SPDX-License-Identifier: MIT
// Settings of cpufreq: cpu.governor, cpu.boost and cpu.energy_preference.
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "os/emulation/kernel_rules.h"
#include "os/redact/redact_words.h"
#include "rocenv/change.h"
#include "rocenv/setting.h"
#include "settings/cpu/clock_limits.h"
#include "settings/kernel/boot_blame.h"
#include "util/text.h"

namespace rocenv {

// cpufreq policies are the folders /sys/devices/system/cpu/cpufreq/policyN. cpuN/cpufreq is a link
// to one, and one policy may serve many CPUs. A policy whose CPUs are all offline returns `EBUSY`
// (linux drivers/cpufreq/cpufreq.c show). Without a driver, as in most guests, the folder is
// missing.

// A setting that is one word in a file of each policy.
struct PolicyFacts {
    std::string file;
    std::string offered;      // file with the accepted words
    std::string what;         // "governor's name"
    std::string command;      // command that sets the word WORD
    std::string not_offered;  // next step if the driver does not accept the word
    std::string without{};    // meaning of a missing file; empty: every driver has it
    std::string boot_word{};  // "cpufreq.default_governor="; empty: none
    // Findings about files that make the expected word ineffective; they are not targets of a
    // write.
    std::vector<Assessment> (*overridden)(const Fs& fs, const std::vector<std::uint32_t>& policies,
                                          const std::string& expected) = nullptr;
    // Returns the reason why the expected word cannot be present; empty if there is none.
    std::string (*obstacle)(const Fs& fs, const std::string& folder,
                            const std::string& expected) = nullptr;
};

namespace {

// The error of a policy whose CPUs are all offline: it keeps its folder, but every file returns
// `EBUSY` (linux drivers/cpufreq/cpufreq.c show: policy_is_inactive). It is not a target.
constexpr int is_inactive = EBUSY;

// Returns "/sys/devices/system/cpu/cpufreq", and ".../policyN" below.
const std::string& cpufreq_folder() {
    static const std::string folder = "/sys/devices/system/cpu/cpufreq";
    return folder;
}

std::string cpufreq_folder(std::uint32_t policy) {
    return concat({cpufreq_folder(), "/policy", number(policy)});
}

// Returns the sorted numbers of the policies; none without a driver.
Result<std::vector<std::uint32_t>> cpufreq_policies(const Fs& fs) {
    std::vector<std::uint32_t> numbers;
    const auto names = fs.list(cpufreq_folder());
    if (!names) {
        return names.is(ErrorKind::not_here) ? Result(std::move(numbers)) : names.error();
    }
    for (const auto& name : *names) {
        if (name.starts_with("policy")) {
            const auto value = parse_number(std::string_view(name).substr(6));
            if (value && *value <= UINT32_MAX) {
                numbers.push_back(static_cast<std::uint32_t>(*value));
            }
        }
    }
    std::sort(numbers.begin(),
              numbers.end());  // names are sorted by bytes: policy10 before policy2
    return numbers;
}

Assessment no_cpufreq() {
    return no_target(
        "the system has no cpufreq driver (it is a guest, or the firmware controls the clocks)");
}

// Returns the words on the kernel command line that prevent a CPU clock driver from starting (linux
// init/main.c initcall_blacklist, kernel/module/main.c module_blacklist,
// drivers/cpufreq/amd-pstate.c and intel_pstate.c, 6.12; modprobe.d(5)).
std::vector<std::string> words_against_drivers(const Machine& machine) {
    constexpr std::string_view lists[] = {"initcall_blacklist", "module_blacklist",
                                          "modprobe.blacklist"};
    const auto arguments = machine.kernel_arguments();
    std::vector<std::string> out;
    for (const auto& each : arguments ? *arguments : std::vector<KernelArgument>()) {
        const bool is_list =
            std::find(std::begin(lists), std::end(lists), each.name) != std::end(lists);
        const bool names_driver = each.value.find("cpufreq") != std::string::npos ||
                                  each.value.find("pstate") != std::string::npos;
        const bool is_driver = each.name == "amd_pstate" || each.name == "intel_pstate";
        if ((is_list && names_driver) || (is_driver && each.value == "disable")) {
            out.push_back(each.name + "=" + each.value);
        }
    }
    return out;
}

// Returns the row if a word on the kernel command line disabled the driver: cpufreq.off=1, or a
// blocklist.
Assessment no_cpufreq(const Context& context, std::string_view id, const std::string& expected) {
    Assessment row;
    row.outcome = Outcome::differs;
    row.expected = expected;
    blame_boot_words(context.machine, id, BlameStep::replace, row);
    const auto lists = words_against_drivers(context.machine);
    if (row.detail.empty() && !lists.empty()) {
        row.detail =
            "no driver controls the clocks of the CPUs; " + join(lists, " and ") +
            (lists.size() == 1 ? " on the kernel command line prevents the driver from starting"
                               : " on the kernel command line prevent the driver from starting");
        row.next_step = "remove " + join(lists, " and ") +
                        " from the kernel command line in the boot loader, then reboot";
    }
    return row.detail.empty() || context.machine.in_guest() ? no_cpufreq() : row;
}

std::string path_in(const PolicyFacts& facts, std::uint32_t policy) {
    return concat({cpufreq_folder(policy), "/", facts.file});
}

Result<std::string> word_in(const PolicyFacts& facts, std::uint32_t policy,
                            const std::string& text) {
    constexpr std::size_t longest = 64;  // CPUFREQ_NAME_LEN is 16
    const auto word = trim(text);
    if (word.size() > longest || words(word).size() != 1 || !is_plain(word)) {
        const auto why = "is not a valid " + facts.what + ": " + quoted_value(word);
        return garbled(path_in(facts, policy), why);
    }
    return std::string(word);
}

void explain_policy(const PolicyFacts& facts, const Fs& fs, const std::string& folder,
                    Assessment& row) {
    row.next_step = facts.command;
    row.next_step.replace(row.next_step.find("WORD"), 4, *row.expected);
    if (facts.obstacle != nullptr) {
        row.detail = facts.obstacle(fs, folder, *row.expected);
    }
    if (!row.detail.empty()) {
        row.change.reset();
    }
    const auto offered = fs.read(folder + "/" + facts.offered);
    if (row.detail.empty() && offered && !contains_word(trim(*offered), *row.expected)) {
        row.detail = "the driver offers only " + printable(trim(*offered), 80);
        row.next_step = facts.not_offered;
        row.change.reset();
    }
}

Assessment judge_policy(const PolicyFacts& facts, const Context& context, std::uint32_t policy,
                        const std::string& expected, const Result<std::string>& text) {
    const Target target{"policy", policy, ""};
    if (text.is(ErrorKind::not_here) && !facts.without.empty() &&
        exists(context.fs(), cpufreq_folder(policy))) {
        auto row = no_target(facts.without);
        row.target = target;
        return row;
    }
    const auto word = text ? word_in(facts, policy, *text) : text;
    if (!word) {
        return unreadable(target, word.error(), expected);
    }
    auto row = compared(target, expected, *word);
    row.change = context.only_asks ? Change{} : word_change({path_in(facts, policy)}, expected);
    if (row.outcome == Outcome::differs) {
        explain_policy(facts, context.fs(), cpufreq_folder(policy), row);
    }
    return row;
}

// Names the boot word that chose the present value, once for all policies with that value.
void blame_for_all(const Context& context, std::string_view id, std::vector<Assessment>& rows) {
    const auto first = std::find_if(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.outcome == Outcome::differs && row.detail.empty();
    });
    if (first == rows.end()) {
        return;
    }
    Assessment row = *first;
    blame_boot_words(context.machine, id, BlameStep::keep, row);
    for (auto& each : rows) {
        each.detail =
            each.outcome == Outcome::differs && each.have == row.have ? row.detail : each.detail;
    }
}

std::vector<Assessment> assess_policies(const Setting& setting, const Context& context,
                                        const Expectation& expectation) {
    const auto& facts = *setting.row.policy;
    const auto policies = cpufreq_policies(context.fs());
    if (!policies) {
        return {unreadable({}, policies.error(), *expectation.value.text())};
    }
    if (policies->empty()) {
        return {no_cpufreq(context, setting.info.id, *expectation.value.text())};
    }
    std::vector<Assessment> out;
    out.reserve(policies->size());
    bool all_without = true;
    for (const auto policy : *policies) {
        const auto text = context.fs().read(path_in(facts, policy));
        if (text || text.error().err != is_inactive) {
            out.push_back(judge_policy(facts, context, policy, *expectation.value.text(), text));
            all_without = all_without && out.back().outcome == Outcome::na;
        }
    }
    if (out.empty()) {
        return {no_target("every cpufreq policy is offline")};
    }
    if (all_without) {
        return {no_target(facts.without)};
    }
    if (facts.overridden != nullptr) {
        blame_for_all(context, setting.info.id, out);
        mind_preference(context.fs(), out);
        auto more = facts.overridden(context.fs(), *policies, *expectation.value.text());
        std::move(more.begin(), more.end(), std::back_inserter(out));
    }
    return out;
}

Keeping keeping_of_policies(const Setting& setting, const Expectation& expectation) {
    const auto& facts = *setting.row.policy;
    Keeping out;
    out.by_unit = true;
    if (!facts.boot_word.empty()) {
        out.boot_words = {facts.boot_word + *expectation.value.text()};
    }
    return out;
}

std::vector<Baseline> baseline_of_policies(const Setting& setting, const Context& context) {
    const auto& facts = *setting.row.policy;
    const auto policies = cpufreq_policies(context.fs());
    if (!policies) {
        return {{{}, "", policies.error()}};
    }
    std::vector<Baseline> out;
    for (const auto policy : *policies) {
        const Target target{"policy", policy, ""};
        const auto text = context.fs().read(path_in(facts, policy));
        const auto word = text ? word_in(facts, policy, *text) : text;
        if (word) {
            out.push_back({target, *word, text_back({path_in(facts, policy)}, *word, *text)});
        } else if (word.error().err != is_inactive && !word.is(ErrorKind::not_here)) {
            out.push_back({target, "", word.error()});
        }
    }
    return out;
}

// Returns a setting of this shape. `facts` must outlive it.
Setting policy_setting(Info info, const PolicyFacts& facts) {
    return {.info = std::move(info),
            .assess = assess_policies,
            .baseline = baseline_of_policies,
            .keeping = keeping_of_policies,
            .row = {.policy = &facts}};
}

}  // namespace

// cpu.governor: the algorithm that selects the clock of each CPU.

namespace {

// Governor names: any module may add one; CPUFREQ_NAME_LEN is 16.
constexpr WrittenPlace governor_places[] = {
    {"/sys/devices/system/cpu/cpufreq/policy<n>/scaling_governor",
     Codec::line,
     "<word>",
     {},
     emulate_governor},
};

// Finds lower limits: the governor performance requests the highest clock, but other files can
// lower it.
std::vector<Assessment> performance_overridden(const Fs& fs,
                                               const std::vector<std::uint32_t>& policies,
                                               const std::string& expected) {
    return expected == "performance" ? clock_limits(fs, policies) : std::vector<Assessment>();
}

}  // namespace

const Setting& cpu_governor() {
    static const PolicyFacts facts{
        .file = "scaling_governor",
        .offered = "scaling_available_governors",
        .what = "governor name",
        .command = "sudo cpupower frequency-set -g WORD",
        .not_offered =
            "expect one of the governors that the driver offers, or load the governor's module",
        .boot_word = "cpufreq.default_governor=",
        .overridden = performance_overridden,
    };
    static const auto setting = policy_setting(
        {
            .id = "cpu.governor",
            .summary = "The cpufreq governor of each policy",
            .why =
                "Other governors take milliseconds to raise the clock, so the CPU delays its GPU",
            .source = "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                      "linux drivers/cpufreq/cpufreq.c, 6.12",
            .target = "cpufreq policy, file of a limit",
            .read_from = "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor; "
                         "{scaling_max_freq,cpuinfo_max_freq,bios_limit,"
                         "scaling_available_frequencies} of 8 policies, intel_pstate/max_perf_pct; "
                         "energy_performance_preference where the governor is powersave; "
                         "/proc/cmdline where they "
                         "are not as expected",
            .set_by = "writes the word to each policy's scaling_governor",
            .next_step = "sudo cpupower frequency-set -g performance",
            .persist = "lost at reboot; to keep it, add cpufreq.default_governor=performance to "
                       "the kernel command line, or use a unit that runs rocenv at boot",
            .risk_note =
                "idle CPUs use more power; the driver forces the energy preference to performance",
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::any_word}},
            .grades = clock_limit_grades(),
            .places = governor_places,
        },
        facts);
    return setting;
}

// cpu.boost: clocks above the nominal one. The switch is cpufreq/boost for all CPUs, or the inverse
// intel_pstate/no_turbo. Newer kernels add policyN/boost, and a CPU boosts only if both are on
// (linux drivers/cpufreq/cpufreq.c, intel_pstate.c); both are judged. no_turbo returns `EAGAIN`
// while that driver is off.

namespace {

constexpr int eagain = 11;
constexpr int ebusy = 16;

constexpr WrittenPlace boost_places[] = {
    {"/sys/devices/system/cpu/cpufreq/boost", Codec::line, "<0-1>"},
    {"/sys/devices/system/cpu/cpufreq/policy<n>/boost", Codec::line, "<0-1>"},
    {"/sys/devices/system/cpu/intel_pstate/no_turbo", Codec::line, "<0-1>"},
};

struct Switch {
    Target target;
    std::string path;
    std::string all;       // paths of its kind, for a command
    int silent = 0;        // errno of a switch that is not present now
    bool inverse = false;  // 1 is off
};

struct Found {
    Switch which;
    Result<std::string> text;  // garbled if neither 0 nor 1
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
    const bool invalid = text && value != "0" && value != "1";
    const auto why = "is neither 0 nor 1: " + quoted_value(value);
    out.push_back({which, invalid ? garbled(which.path, why) : text});
}

// Returns true if policies have their own switch. One driver serves all, so of many policies only
// the first and the last are checked.
bool has_policy_boost(const Fs& fs, const std::vector<std::uint32_t>& policies) {
    constexpr std::size_t few = 8;
    return policies.size() <= few || exists(fs, cpufreq_folder(policies.front()) + "/boost") ||
           exists(fs, cpufreq_folder(policies.back()) + "/boost");
}

std::vector<Found> switches(const Fs& fs, const std::vector<std::uint32_t>& policies) {
    std::vector<Found> out;
    find(fs, {{}, cpufreq_folder() + "/boost", ""}, out);
    if (out.empty()) {
        const std::string intel = "/sys/devices/system/cpu/intel_pstate/no_turbo";
        find(fs, {{}, intel, "", eagain, true}, out);
    }
    for (const auto policy :
         has_policy_boost(fs, policies) ? policies : std::vector<std::uint32_t>()) {
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

Assessment judge(const Found& found, bool expected) {
    const Switch& which = found.which;
    if (!found.text) {
        return unreadable(which.target, found.text.error(), shown(expected));
    }
    auto row = compared(which.target, shown(expected), shown(is_on(which, *found.text)));
    const std::string digit = expected != which.inverse ? "1" : "0";
    row.change = word_change({which.path}, digit);
    if (row.outcome == Outcome::differs) {
        row.next_step =
            "echo " + digit + " | sudo tee " + (which.all.empty() ? which.path : which.all);
    }
    return row;
}

std::vector<Assessment> assess_boost(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const Fs& fs = context.fs();
    const bool expected = *expectation.value.boolean();
    const auto policies = cpufreq_policies(fs);
    if (!policies) {
        return {unreadable({}, policies.error(), shown(expected))};
    }
    const auto found = switches(fs, *policies);
    if (found.empty()) {
        return {policies->empty() ? no_cpufreq()
                                  : no_target("the cpufreq driver has no boost switch")};
    }
    std::vector<Assessment> out;
    std::transform(found.begin(), found.end(), std::back_inserter(out),
                   [&](const Found& each) { return judge(each, expected); });
    return out;
}

// Returns tmpfiles lines; "w" skips missing files.
Keeping keeping_of_boost(const Setting&, const Expectation& expectation) {
    const bool on = *expectation.value.boolean();
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
                .why =
                    "Boost speeds up the CPU that feeds a GPU; without boost, run times vary less",
                .source =
                    "linux Documentation/admin-guide/pm/cpufreq.rst and intel_pstate.rst, 6.12 "
                    "(2024-11)",
                .target = "system, cpufreq policy",
                .read_from = "/sys/devices/system/cpu/cpufreq/{boost,policy*/boost}, "
                             "/sys/devices/system/cpu/intel_pstate/no_turbo",
                .set_by = "writes 1 or 0 to those files, the opposite to no_turbo",
                .next_step = "echo 1 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
                .persist =
                    "lost at reboot; to keep it, use a unit that runs rocenv at boot, or the BIOS",
                .risk_note = "single-threaded work is slower without boost; boost uses more power",
                .risk = Risk::low,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::boolean}},
                .places = boost_places,
            },
        .assess = assess_boost,
        .baseline = baseline_of_boost,
        .keeping = keeping_of_boost,
    };
    return setting;
}

// cpu.energy_preference: the weight of clock and energy in the processor. Drivers that leave the
// clock to the processor have the file (amd-pstate-epp, intel_pstate). Governor performance forces
// it to performance and rejects other words with `EBUSY` (linux drivers/cpufreq/amd-pstate.c), so
// it is read and written after the governor.

namespace {

// A word, or the number of the register (intel_pstate.c, amd-pstate.c).
constexpr WrittenPlace energy_preference_places[] = {
    {"/sys/devices/system/cpu/cpufreq/policy<n>/energy_performance_preference",
     Codec::line,
     "default|performance|balance_performance|balance_power|power|<0-255>",
     {},
     emulate_preference},
};

std::string obstacle(const Fs& fs, const std::string& folder, const std::string& expected) {
    const auto governor = fs.read(folder + "/scaling_governor");
    return governor && trim(*governor) == "performance" && expected != "performance"
               ? "the governor performance accepts no other energy preference"
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
        .not_offered = "expect one of the preferences that the driver offers",
        .without = "the cpufreq driver has no energy preference",
        .obstacle = obstacle,
    };
    static const auto setting = policy_setting(
        {
            .id = "cpu.energy_preference",
            .summary = "Energy preference of each policy, if the processor sets its clock itself",
            .why =
                "With a preference other than performance, the processor raises its clock slowly",
            .source =
                "linux Documentation/admin-guide/pm/amd-pstate.rst and intel_pstate.rst, 6.12 "
                "(2024-11)",
            .target = "cpufreq policy",
            .read_from = "/sys/devices/system/cpu/cpufreq/policy*/{energy_performance_preference,"
                         "energy_performance_available_preferences,scaling_governor}",
            .set_by = "writes the word to each policy's energy_performance_preference",
            .next_step = "echo performance | sudo tee "
                         "/sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference",
            .persist = "lost at reboot; to keep it, use a unit that runs rocenv at boot",
            .risk_note = "the preference performance uses more power on idle CPUs",
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::any_word}},
            .places = energy_preference_places,
        },
        facts);
    return setting;
}

}  // namespace rocenv
