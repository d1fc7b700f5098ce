// SPDX-License-Identifier: MIT
// Services of the node: host.rivals and host.time_sync.
#include <algorithm>
#include <map>

#include "machine/host/boot_words.h"
#include "machine/host/services.h"
#include "rocenv/setting.h"

namespace rocenv {

// host.rivals: services that set governors and idle states themselves, now or at the next boot, or
// move processes and interrupts. tuned is judged by the profile that is active. irqbalance belongs
// to most distributions; it is a rival only where irqaffinity= on the kernel command line chose
// CPUs for interrupts, which it does not look at (irqbalance 1.9, cputree.c setup_banned_cpus: it
// leaves isolated and nohz_full CPUs alone). Known by files alone: a running unit has a control
// group below system.slice; an enabled one has a link in a .wants folder. Without systemd the names
// of the running processes tell (the kernel cuts them to 15 bytes). A unit of type oneshot, like
// cpupower's, is enabled without ever running long.

namespace {

const std::string units = "/etc/systemd/system";

// As it is reported.
std::string rival_name(const KnownService& rival) {
    return rival.unit == "cpupower" ? rival.unit_file() : std::string(rival.unit);
}

// What was found: by rival, "running" or "enabled at boot".
struct Findings {
    std::map<std::string, std::string> states;
    std::string remark{};  // about a service that is accepted
    std::optional<Error> uncertain;

    void add(const KnownService& rival, const std::string& state) {
        auto& known = states[rival_name(rival)];
        if (known.find(state) == std::string::npos) {
            known += (known.empty() ? "" : " and ") + state;
        }
    }
};

void look_at_running(const Fs& fs, Findings& found) {
    const auto running = running_services(fs);
    found.uncertain = running.uncertain;
    for (const auto& rival : rival_services) {
        if (running.runs(rival)) {
            found.add(rival, "running");
        }
    }
}

// Links of one .wants folder; a unit that leads to /dev/null is masked and never starts.
void look_at_wants(const Fs& fs, const std::string& folder, Findings& found) {
    const auto names = fs.list(folder);
    if (!names) {
        found.uncertain = names.is(ErrorKind::not_here) ? found.uncertain : names.error();
        return;
    }
    for (const auto& rival : rival_services) {
        const std::string unit = rival.unit_file();
        if (std::find(names->begin(), names->end(), unit) == names->end()) {
            continue;
        }
        const auto mask = fs.link(units + "/" + unit);
        if (!(mask && *mask == "/dev/null")) {
            found.add(rival, "enabled at boot");
        }
    }
}

void look_at_boot(const Fs& fs, Findings& found) {
    const auto names = fs.list(units);
    if (!names) {
        found.uncertain = names.is(ErrorKind::not_here) ? found.uncertain : names.error();
        return;
    }
    for (const auto& name : *names) {
        if (name.ends_with(".wants") || name.ends_with(".requires")) {
            look_at_wants(fs, units + "/" + name, found);
        }
    }
}

// The effect of a service, for the detail.
std::string effect_of(const std::string& name) {
    return name == "numad" ? "; numad moves processes and their memory between NUMA nodes"
           : name == "irqbalance"
               ? "; irqbalance moves interrupts away from the CPUs that irqaffinity= selects"
               : "";
}

void judge_tuned(const Fs& fs, Findings& found) {
    const auto state = found.states.find("tuned");
    const auto profile = state == found.states.end() ? std::nullopt : tuned_profile(fs);
    if (!profile) {
        return;
    }
    const std::string told =
        profile->names.empty() ? "no profile" : "the profile " + profile->names;
    if (profile->keeps_clocks) {
        found.remark =
            "tuned is " + state->second + " with " + told + ", which leaves CPU clocks high";
        found.states.erase(state);
    } else {
        state->second += " with " + told;
    }
}

void judge_irqbalance(const Machine& machine, Findings& found) {
    if (!found.states.contains("irqbalance")) {
        return;
    }
    const auto arguments = machine.kernel_arguments();
    if (!arguments || !has_any_boot_word(*arguments, "irqaffinity")) {
        found.states.erase("irqbalance");
    }
}

Assessment judge(const Findings& found) {
    std::string names;
    std::string detail;
    for (const auto& [name, state] : found.states) {
        names += (names.empty() ? "" : ", ") + name;
        detail += (detail.empty() ? "" : "; ") + name + " is " + state + effect_of(name);
    }
    detail += (detail.empty() || found.remark.empty() ? "" : "; ") + found.remark;
    auto row = compared({}, "none", names.empty() ? "none" : names);
    row.detail = detail;
    if (!names.empty()) {
        row.next_step = "sudo systemctl disable --now";
        for (const auto& rival : rival_services) {
            if (found.states.contains(rival_name(rival))) {
                row.next_step += " " + std::string(rival.unit);
            }
        }
    }
    return row;
}

std::vector<Assessment> assess_rivals(const Setting&, const Context& context, const Want&) {
    if (context.fs().is_real() && context.machine.facts().container) {
        Assessment row;
        row.outcome = Outcome::hidden;
        row.want = "none";
        row.detail = "the services of the host are not visible in a container";
        return {row};
    }
    Findings found;
    look_at_running(context.fs(), found);
    look_at_boot(context.fs(), found);
    judge_tuned(context.fs(), found);
    judge_irqbalance(context.machine, found);
    // A rival that was found is one, whatever else could not be read.
    return {found.states.empty() && found.uncertain ? unreadable({}, *found.uncertain, "none")
                                                    : judge(found)};
}

}  // namespace

const Setting& host_rivals() {
    static const Setting setting{
        .info =
            {
                .id = "host.rivals",
                .summary =
                    "Services that undo a setting: tuned, power-profiles-daemon, cpupower, numad",
                .why = "These services change governors and idle states again, or move processes, "
                       "while a job runs",
                .source = "tuned-adm(8), tuned 2.24 (2024-09); numad(8); tlp(8); linux "
                          "tools/power/cpupower/cpupower.service, "
                          "6.16 (2025-07)",
                .target = "system",
                .read_from =
                    "/sys/fs/cgroup/system.slice, /etc/systemd/system/*.wants; without systemd "
                    "/proc/*/comm; with tuned /etc/tuned/{active_profile,*/tuned.conf}; with "
                    "irqbalance /proc/cmdline",
                .set_by = "",
                .next_step = "sudo systemctl disable --now UNIT; if the service should stay, put "
                             "the setting into its profile",
                .persist = "persistent (enabled units start at boot)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"none"}}},
            },
        .assess = assess_rivals,
    };
    return setting;
}

// host.time_sync: whether something keeps the node's clock. systemd-timesyncd leaves a file once it
// has synchronised (systemd-timesyncd.service(8), systemd 256); of other daemons files tell only
// that they run, as a unit's control group or a process. Whether the clock is in step the kernel
// tells by adjtimex(2) alone, which is no file.

namespace {

// The daemon that keeps the clock, by its unit or its process; of several the last. Empty: none.
std::string clock_keeper(const RunningServices& running) {
    std::string keeper;
    for (const auto& service : clock_services) {
        if (running.runs_unit(service)) {
            keeper = service.unit;
        }
    }
    for (const auto& process : running.processes) {
        if (std::any_of(std::begin(clock_services), std::end(clock_services),
                        [&](const KnownService& each) { return each.process == process; })) {
            keeper = process;
        }
    }
    return keeper;
}

Assessment judge(const Fs& fs, const RunningServices& running) {
    const std::string keeper = clock_keeper(running);
    if (!keeper.empty()) {
        auto row = compared({}, "synced", keeper + " runs");
        row.outcome = Outcome::ok;
        row.detail = "no file reports whether the clock is synchronized";
        return row;
    }
    if (!fs.is_real()) {
        return no_target("the clock of another machine cannot be read");
    }
    if (running.uncertain) {
        return unreadable({}, *running.uncertain, "synced");
    }
    auto row = compared({}, "synced", "nobody");
    row.detail = "no time synchronization daemon is running";
    return row;
}

std::vector<Assessment> assess_time_sync(const Setting&, const Context& context, const Want&) {
    const Fs& fs = context.fs();
    if (fs.is_real() && context.machine.facts().container) {
        return {no_target("a container uses the clock of its host")};
    }
    const auto mark = fs.size("/run/systemd/timesync/synchronized");
    if (mark) {
        return {compared({}, "synced", "synced")};
    }
    return {judge(fs, running_services(fs))};
}

}  // namespace

const Setting& host_time_sync() {
    static const Setting setting{
        .info =
            {
                .id = "host.time_sync",
                .summary = "Whether a daemon keeps the node's clock synchronized",
                .why = "Wrong clocks make tickets expire, rendezvous time out and logs impossible "
                       "to compare",
                .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; "
                          "systemd-timesyncd.service(8), systemd 256 (2024-06)",
                .target = "system",
                .read_from = "/run/systemd/timesync/synchronized, /sys/fs/cgroup/system.slice; "
                             "without systemd "
                             "/proc/*/comm",
                .set_by = "",
                .next_step = "timedatectl; sudo systemctl enable --now chronyd",
                .persist = "persistent (enabled units start at boot)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"synced"}}},
            },
        .assess = assess_time_sync,
    };
    return setting;
}

}  // namespace rocenv
