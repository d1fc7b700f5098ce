// SPDX-License-Identifier: MIT
// cpu.idle: idle states with a long exit latency. States are selected by latency and never by
// index: index 1 is C1 on EPYC and C1E on other machines, and may be the only state of a guest.
// `disable` is the user's switch (linux drivers/cpuidle/sysfs.c); a state that the driver disables
// by default reads 1 from boot. Names and latencies belong to the driver and are read once, on the
// first online CPU; then one file for each CPU and state.
#include <algorithm>
#include <set>

#include "os/emulation/kernel_rules.h"
#include "rocenv/change.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The kernel accepts any number; a restore writes the one that was read.
constexpr WrittenPlace idle_places[] = {
    {"/sys/devices/system/cpu/cpu<n>/cpuidle/state<n>/disable",
     Codec::line,
     "<0-18446744073709551615>",
     {},
     emulate_idle_switch},
};

struct IdleState {
    std::uint32_t index = 0;
    std::string name;
    std::uint64_t latency_us = 0;
};

const std::string cpu_folder = "/sys/devices/system/cpu/cpu";

std::string state_folder(std::uint32_t cpu, std::uint32_t state) {
    return concat({cpu_folder, number(cpu), "/cpuidle/state", number(state)});
}

// Returns a name for the target: the driver's word, or "stateN" if that is not a plain word.
std::string state_name(const Fs& fs, std::uint32_t cpu, std::uint32_t state) {
    const auto text = fs.read(state_folder(cpu, state) + "/name");
    const auto word = text ? trim(*text) : std::string_view();
    const bool usable = !word.empty() && word.size() <= 32 && is_plain(word) &&
                        word.find(' ') == std::string_view::npos;
    return usable ? std::string(word) : "state" + number(state);
}

struct Layout {
    std::vector<std::uint32_t> cpus;                                  // online CPUs, not empty
    std::vector<std::pair<std::uint32_t, Result<IdleState>>> states;  // by index
};

Result<std::vector<std::uint32_t>> state_indices(const Fs& fs, std::uint32_t cpu) {
    const auto names = fs.list(cpu_folder + number(cpu) + "/cpuidle");
    std::vector<std::uint32_t> indices;
    if (!names) {
        // A CPU that went offline meanwhile has no folder; that is different from no idle states.
        const bool none = names.is(ErrorKind::not_here) && exists(fs, cpu_folder + number(cpu));
        return none ? Result(std::move(indices)) : names.error();
    }
    for (const auto& entry : *names) {
        const auto index = entry.starts_with("state")
                               ? parse_number(std::string_view(entry).substr(5))
                               : std::nullopt;
        if (index && *index < 1000) {
            indices.push_back(static_cast<std::uint32_t>(*index));
        }
    }
    std::sort(indices.begin(), indices.end());
    return indices;
}

// Reads a state; if its name is in `names`, it gets another one.
Result<IdleState> read_state(const Fs& fs, std::uint32_t cpu, std::uint32_t index,
                             std::set<std::string>& names) {
    const std::string path = state_folder(cpu, index) + "/latency";
    const auto text = fs.read(path);
    const auto latency = text ? parse_number(trim(*text)) : std::nullopt;
    if (!latency) {
        return text ? garbled(path, "is not a valid number") : text.error();
    }
    std::string name = state_name(fs, cpu, index);
    while (!names.insert(name).second) {
        name += "." + number(index);
    }
    return IdleState{index, name, *latency};
}

Result<Layout> read_layout(const Context& context) {
    const auto cpus = context.machine.online_cpus();
    if (!cpus) {
        return cpus.error();
    }
    const auto indices = state_indices(context.fs(), cpus->front());
    if (!indices) {
        return indices.error();
    }
    Layout out{*cpus, {}};
    std::set<std::string> names;
    for (const auto index : *indices) {
        out.states.emplace_back(index, read_state(context.fs(), cpus->front(), index, names));
    }
    return out;
}

Target unnamed(const Layout& layout, std::uint32_t index) {
    return {"cpu", layout.cpus.front(), "/state" + number(index)};
}

std::uint64_t limit_of(const Expectation& expectation) {
    return static_cast<std::uint64_t>(*expectation.value.table()->at("max_latency_us").integer());
}

std::string switch_path(std::uint32_t cpu, const IdleState& state) {
    return state_folder(cpu, state.index) + "/disable";
}

// Returns the text of a switch, a number; any value but 0 means disabled.
Result<std::string> read_switch(const Fs& fs, const std::string& path) {
    auto text = fs.read(path);
    return text && !parse_number(trim(*text)) ? garbled(path, "is not a valid number") : text;
}

std::string shown(const std::string& text) {
    return parse_number(trim(text)) == 0 ? "enabled" : "disabled";
}

Change put_back(const std::string& path, const std::string& text) {
    return text_back({path}, std::string(trim(text)), text);
}

void judge_all(const Context& context, const std::vector<std::uint32_t>& cpus,
               const IdleState& state, const std::string& expected, std::vector<Assessment>& out) {
    out.reserve(out.size() + cpus.size());
    const std::string suffix = "/" + state.name;
    const auto detail = "a CPU takes " + number(state.latency_us) + " us to leave " + state.name;
    const std::string digit = expected == "disabled" ? "1" : "0";
    const auto command = std::string("sudo cpupower idle-set ") +
                         (expected == "disabled" ? "-d " : "-e ") + number(state.index);
    for (const auto cpu : cpus) {
        const Target target{"cpu", cpu, suffix};
        const std::string path = switch_path(cpu, state);
        const auto text = read_switch(context.fs(), path);
        if (!text) {
            out.push_back(unreadable(target, text.error(), expected));
            continue;
        }
        auto row = compared(target, expected, shown(*text));
        row.detail = detail;
        row.next_step = command;
        row.change = context.only_asks            ? Change{}
                     : row.outcome == Outcome::ok ? put_back(path, *text)
                                                  : word_change({path}, digit);
        out.push_back(std::move(row));
    }
}

std::vector<Assessment> assess_idle(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const auto layout = read_layout(context);
    if (!layout) {
        return {unreadable({}, layout.error(), "disabled")};
    }
    if (layout->states.empty()) {
        return {no_target("the system has no idle states (idle=poll, or no cpuidle driver)")};
    }
    const bool all = expectation.value.table() == nullptr;
    const std::uint64_t limit = all ? 0 : limit_of(expectation);
    std::vector<Assessment> out;
    for (const auto& [index, state] : layout->states) {
        if (!state) {
            out.push_back(unreadable(unnamed(*layout, index), state.error(), "disabled"));
        } else if (index > 0 && (all || state->latency_us > limit)) {
            judge_all(context, layout->cpus, *state, "disabled", out);
        }
    }
    if (out.empty()) {
        Assessment row;
        row.outcome = Outcome::ok;
        row.detail = all ? "the CPUs have only the first idle state"
                         : "no idle state takes longer than " + number(limit) + " us to leave";
        return {row};
    }
    return out;
}

// Returns "enabled" or "disabled"; empty if CPUs differ or one could not be read.
std::string state_everywhere(const Fs& fs, const std::vector<std::uint32_t>& cpus,
                             const IdleState& state) {
    std::set<std::string> found;
    for (const auto cpu : cpus) {
        const auto text = read_switch(fs, switch_path(cpu, state));
        found.insert(text ? shown(*text) : "");
    }
    return found.size() == 1 ? *found.begin() : "";
}

// Returns the longest latency of states that are enabled on every CPU; none if CPUs differ or a
// state could not be read.
std::optional<std::vector<Value>> learn_idle(const Setting&, const Context& context) {
    const auto layout = read_layout(context);
    std::uint64_t longest = 0;
    if (!layout || layout->states.empty()) {
        return std::nullopt;
    }
    for (const auto& [index, state] : layout->states) {
        const auto word = state ? state_everywhere(context.fs(), layout->cpus, *state) : "";
        if (word.empty()) {
            return std::nullopt;
        }
        longest = word == "enabled" ? std::max(longest, state->latency_us) : longest;
    }
    const ValueTable limit{{"max_latency_us", {static_cast<std::int64_t>(longest), {}}}};
    return {{Value{limit, {}}}};
}

// Exit latencies: C1 about 1 us, C2 at least 30 us.
Keeping keeping_of_idle(const Setting&, const Expectation& expectation) {
    constexpr std::int64_t c1_us = 1;
    constexpr std::int64_t c2_us = 30;
    const auto* table = expectation.value.table();
    const auto* limit = table == nullptr ? nullptr : table->at("max_latency_us").integer();
    Keeping out{.by_unit = true};
    if (limit != nullptr && *limit >= c1_us && *limit < c2_us) {
        out.boot_words = {"processor.max_cstate=1"};
    }
    return out;
}

void keep_all(const Fs& fs, const std::vector<std::uint32_t>& cpus, const IdleState& state,
              std::vector<Baseline>& out) {
    for (const auto cpu : cpus) {
        const Target target{"cpu", cpu, "/" + state.name};
        const std::string path = switch_path(cpu, state);
        const auto text = read_switch(fs, path);
        if (text) {
            out.push_back({target, shown(*text), put_back(path, *text)});
        } else if (!text.is(ErrorKind::not_here)) {
            out.push_back({target, "", text.error()});
        }
    }
}

std::vector<Baseline> baseline_of_idle(const Setting&, const Context& context) {
    const auto layout = read_layout(context);
    if (!layout) {
        return {{{}, "", layout.error()}};
    }
    std::vector<Baseline> out;
    for (const auto& [index, state] : layout->states) {
        if (index > 0 && !state) {
            out.push_back({unnamed(*layout, index), "", state.error()});
        } else if (index > 0) {
            keep_all(context.fs(), layout->cpus, *state, out);
        }
    }
    return out;
}

// Returns the defaults: default_status is the driver's choice at boot, equal on all CPUs.
std::vector<Assessment> defaults_of_idle(const Setting&, const Context& context) {
    const auto layout = read_layout(context);
    if (!layout) {
        return {unreadable({}, layout.error())};
    }
    std::vector<Assessment> out;
    for (const auto& [index, state] : layout->states) {
        if (index == 0 || !state) {
            continue;
        }
        const std::string path = state_folder(layout->cpus.front(), index) + "/default_status";
        const auto text = context.fs().read(path);
        const auto word = text ? std::string(trim(*text)) : std::string();
        if (word == "enabled" || word == "disabled") {
            judge_all(context, layout->cpus, *state, word, out);
        }
    }
    return out;
}

}  // namespace

const Setting& cpu_idle() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.idle",
                .summary = "Idle states with a long exit latency",
                .why = "A CPU in a deep idle state wakes 30 to 400 us late and delays the GPU that "
                       "waits for it",
                .source = "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                          "linux drivers/cpuidle/sysfs.c, 6.12",
                .target = "CPU and state",
                .read_from = "/sys/devices/system/cpu/cpu*/cpuidle/state*/{name,latency,disable}",
                .set_by = "writes 1 to the disable file of each such state on each CPU",
                .next_step = "sudo cpupower idle-set -D 11",
                .persist = "lost at reboot; to keep it, add processor.max_cstate=1 to the kernel "
                           "command line, or use a unit that runs rocenv at boot",
                .risk_note = "idle CPUs use more power; boost clocks of busy cores may be lower",
                .risk = Risk::low,
                .over_cluster = OverCluster::equal,
                .forms =
                    {{.kind = FormKind::word, .words = {"all"}},
                     {.kind = FormKind::table,
                      .fields = {{"max_latency_us",
                                  {.kind = FormKind::integer, .lowest = 0, .highest = 1000000}}}}},
                .places = idle_places,
            },
        .assess = assess_idle,
        .baseline = baseline_of_idle,
        .keeping = keeping_of_idle,
        .learn = learn_idle,
        .defaults = defaults_of_idle,
    };
    return setting;
}

}  // namespace rocenv
