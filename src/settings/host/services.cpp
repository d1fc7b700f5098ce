// SPDX-License-Identifier: MIT
// Services of the node: host.rivals and host.time_sync.
#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host/boot_words.h"
#include "os/redact/known_services.h"
#include "rocenv/fs.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

// The running services, from files only: a running unit has a control group below system.slice.
// Without systemd's control groups, the names of running processes are used.

namespace {

struct RunningServices {
    std::vector<std::string> units;      // "tuned.service"
    std::vector<std::string> processes;  // names in /proc/PID/comm; none with control groups
    std::optional<Error> uncertain;      // reason why further services may run

    bool runs_unit(const KnownService& service) const;
    bool runs(const KnownService& service) const;  // as a unit or a process
};

// The profile of tuned, and its effect on CPU clocks (tuned-adm(8); the shipped profiles of
// redhat-performance/tuned 2.24, read 2026-11).

struct TunedProfile {
    std::string names;          // "hpc-compute"; several separated by blanks; empty: none is active
    bool keeps_clocks = false;  // governor performance, or no governor
};

// The slices of control groups of version 2, of version 1, and of both together.
constexpr std::array<const char*, 3> service_slices{"/sys/fs/cgroup/system.slice",
                                                    "/sys/fs/cgroup/systemd/system.slice",
                                                    "/sys/fs/cgroup/unified/system.slice"};

bool is_among(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Adds the running units. Returns false if systemd keeps no control groups.
bool find_units(const Fs& fs, RunningServices& out) {
    bool any = false;
    for (const char* slice : service_slices) {
        const auto names = fs.list(slice);
        if (names) {
            out.units.insert(out.units.end(), names->begin(), names->end());
        } else if (!names.is(ErrorKind::not_here)) {
            out.uncertain = names.error();
        }
        any = any || names.ok();
    }
    return any;
}

void find_processes(const Fs& fs, RunningServices& out) {
    const auto names = fs.list("/proc");
    if (!names) {
        out.uncertain = out.uncertain ? out.uncertain : names.error();
        return;
    }
    if (!is_among(*names, "1") && !out.uncertain) {  // hidepid, or a recording without processes
        out.uncertain = Error{ErrorKind::not_permitted, 0, "/proc",
                              "/proc does not show every process to this user"};
    }
    for (const auto& name : *names) {
        if (!parse_number(name)) {
            continue;
        }
        const auto comm = fs.read("/proc/" + name + "/comm");
        const bool ended = !comm && (comm.is(ErrorKind::not_here) || comm.error().err == ESRCH);
        if (comm) {
            out.processes.emplace_back(trim(*comm));
        } else if (!ended) {
            out.uncertain = comm.error();
        }
    }
}

bool RunningServices::runs_unit(const KnownService& service) const {
    return is_among(units, service.unit_file());
}

bool RunningServices::runs(const KnownService& service) const {
    return runs_unit(service) || is_among(processes, service.process);
}

RunningServices running_services(const Fs& fs) {
    RunningServices out;
    if (!find_units(fs, out)) {
        find_processes(fs, out);
    }
    return out;
}

// Profiles that set the governor performance, directly or by an included profile.
constexpr std::string_view performance_profiles[] = {
#include "facts/tuned_performance.inc"
};

constexpr int most_includes = 8;

bool is_performance(std::string_view name) {
    return std::find(std::begin(performance_profiles), std::end(performance_profiles), name) !=
           std::end(performance_profiles);
}

// Returns the value of "key=value" or "key = value"; empty if there is none.
std::string_view value_in(std::string_view line, std::string_view key) {
    const auto equals = line.find('=');
    return equals != line.npos && trim(line.substr(0, equals)) == key
               ? trim(line.substr(equals + 1))
               : std::string_view();
}

// Returns true if a profile of the site sets performance. An included profile counts if it names no
// governor itself.
bool own_is_performance(const Fs& fs, std::string_view name, int left) {
    std::string_view governor;
    std::string_view include;
    for (const char* folder : {"/etc/tuned/profiles/", "/etc/tuned/"}) {
        const auto text = name.find('/') == name.npos
                              ? fs.read(folder + std::string(name) + "/tuned.conf")
                              : Result<std::string>(std::string());
        for (const auto line : split(text ? std::string_view(*text) : "", '\n')) {
            governor = value_in(line, "governor").empty() ? governor : value_in(line, "governor");
            include = value_in(line, "include").empty() ? include : value_in(line, "include");
        }
        if (!governor.empty()) {
            return governor == "performance";
        }
        if (!include.empty()) {
            return is_performance(include) ||
                   (left > 0 && own_is_performance(fs, include, left - 1));
        }
    }
    return false;
}

// Returns the active profile; std::nullopt if tuned recorded none.
std::optional<TunedProfile> tuned_profile(const Fs& fs) {
    const auto text = fs.read("/etc/tuned/active_profile");
    if (!text) {
        return std::nullopt;
    }
    const auto names = words(*text);
    TunedProfile out{.names = printable(trim(*text), 60)};
    out.keeps_clocks = std::all_of(names.begin(), names.end(), [&](std::string_view name) {
        return is_performance(name) || own_is_performance(fs, name, most_includes);
    });
    return out;
}

}  // namespace

// host.rivals: services that set governors and idle states, now or at the next boot, or that move
// processes and interrupts. tuned is judged by its active profile. irqbalance is part of most
// distributions; it is a rival only if irqaffinity= on the kernel command line chose CPUs for
// interrupts, which it ignores (irqbalance 1.9, cputree.c setup_banned_cpus: it respects isolated
// and nohz_full CPUs). Services are detected by files only: a running unit has a control group
// below system.slice, an enabled one has a link in a .wants folder. Without systemd the names of
// running processes are used (the kernel cuts them to 15 bytes). A oneshot unit such as cpupower's
// is enabled without running for long.

namespace {

const std::string units = "/etc/systemd/system";

// Returns the name in reports.
std::string rival_name(const KnownService& rival) {
    return rival.unit == "cpupower" ? rival.unit_file() : std::string(rival.unit);
}

// The states by rival: "running" or "enabled at boot".
struct Findings {
    std::map<std::string, std::string> states;
    std::string remark{};  // remark on an accepted service
    std::optional<Error> uncertain;

    void add(const KnownService& rival, const std::string& state) {
        auto& known = states[rival_name(rival)];
        if (known.find(state) == std::string::npos) {
            known += (known.empty() ? "" : " and ") + state;
        }
    }
};

void check_running(const Fs& fs, Findings& found) {
    const auto running = running_services(fs);
    found.uncertain = running.uncertain;
    for (const auto& rival : rival_services) {
        if (running.runs(rival)) {
            found.add(rival, "running");
        }
    }
}

// Adds the links of one .wants folder; a unit that links to /dev/null is masked and never starts.
void check_unit_links(const Fs& fs, const std::string& folder, Findings& found) {
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

void check_boot(const Fs& fs, Findings& found) {
    const auto names = fs.list(units);
    if (!names) {
        found.uncertain = names.is(ErrorKind::not_here) ? found.uncertain : names.error();
        return;
    }
    for (const auto& name : *names) {
        if (name.ends_with(".wants") || name.ends_with(".requires")) {
            check_unit_links(fs, units + "/" + name, found);
        }
    }
}

// Returns the effect of a service, for the detail.
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
    const std::string text =
        profile->names.empty() ? "no profile" : "the profile " + profile->names;
    if (profile->keeps_clocks) {
        found.remark =
            "tuned is " + state->second + " with " + text + ", which leaves CPU clocks high";
        found.states.erase(state);
    } else {
        state->second += " with " + text;
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

std::vector<Assessment> assess_rivals(const Setting&, const Context& context, const Expectation&) {
    if (context.fs().is_real() && context.machine.facts().container) {
        Assessment row;
        row.outcome = Outcome::hidden;
        row.expected = "none";
        row.detail = "the services of the host are not visible in a container";
        return {row};
    }
    Findings found;
    check_running(context.fs(), found);
    check_boot(context.fs(), found);
    judge_tuned(context.fs(), found);
    judge_irqbalance(context.machine, found);
    // A rival that was found counts, even if other files are unreadable.
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

// host.time_sync: a service synchronizes the node's clock. systemd-timesyncd writes a file after
// synchronization (systemd-timesyncd.service(8), systemd 256). Files of other daemons only show
// that they run, as a control group or a process. The state of the clock is available only by
// adjtimex(2), which is not a file.

namespace {

// Returns the daemon that synchronizes the clock, by unit or process; the last of several. Empty if
// there is none.
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

std::vector<Assessment> assess_time_sync(const Setting&, const Context& context,
                                         const Expectation&) {
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
