// SPDX-License-Identifier: MIT
// host.rivals: services that set governors and idle states themselves, now or at the next boot.
// Known by files alone: a running unit has a control group below system.slice; an enabled one has a
// link in a .wants folder. Without systemd the names of the running processes tell (the kernel cuts
// them to 15 bytes). A unit of type oneshot, like cpupower's, is enabled without ever running long.
#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct Rival {
    std::string_view name;     // as it is reported
    std::string_view unit;     // without ".service"
    std::string_view process;  // /proc/PID/comm
};

constexpr std::array<Rival, 3> rivals{
    {{"tuned", "tuned", "tuned"},
     {"power-profiles-daemon", "power-profiles-daemon", "power-profiles-"},
     {"cpupower.service", "cpupower", "cpupower"}}};

// Control groups of version 2, of version 1, and of both side by side.
constexpr std::array<const char*, 3> slices{"/sys/fs/cgroup/system.slice",
                                            "/sys/fs/cgroup/systemd/system.slice",
                                            "/sys/fs/cgroup/unified/system.slice"};
const std::string units = "/etc/systemd/system";

// What was found: by rival, "running" or "enabled at boot".
struct Findings {
    std::map<std::string, std::string> states;
    std::optional<Error> uncertain;

    void add(const Rival& rival, const std::string& state) {
        auto& known = states[std::string(rival.name)];
        if (known.find(state) == std::string::npos) {
            known += (known.empty() ? "" : " and ") + state;
        }
    }
};

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// False where systemd keeps no control groups.
bool look_at_units(const Fs& fs, Findings& found) {
    bool any = false;
    for (const char* slice : slices) {
        const auto names = fs.list(slice);
        if (!names && !names.is(ErrorKind::not_here)) {
            found.uncertain = names.error();
        }
        for (const auto& rival : rivals) {
            if (names && has(*names, std::string(rival.unit) + ".service")) {
                found.add(rival, "running");
            }
        }
        any = any || names.ok();
    }
    return any;
}

void look_at_processes(const Fs& fs, Findings& found) {
    const auto names = fs.list("/proc");
    if (!names) {
        found.uncertain = found.uncertain ? found.uncertain : names.error();
        return;
    }
    if (!has(*names, "1") && !found.uncertain) {  // mounted with hidepid, or no processes recorded
        found.uncertain = Error{ErrorKind::not_permitted, 0, "/proc",
                                "/proc does not show every process to this user"};
    }
    for (const auto& name : *names) {
        const auto comm = parse_number(name) ? fs.read("/proc/" + name + "/comm")
                                             : Result(std::string());  // no process
        const bool ended = !comm && (comm.is(ErrorKind::not_here) || comm.error().err == ESRCH);
        if (!comm && !ended) {
            found.uncertain = comm.error();
        }
        for (const auto& rival : rivals) {
            if (comm && trim(*comm) == rival.process) {
                found.add(rival, "running");
            }
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
    for (const auto& rival : rivals) {
        const std::string unit = std::string(rival.unit) + ".service";
        const auto mask = fs.link(units + "/" + unit);
        if (has(*names, unit) && !(mask && *mask == "/dev/null")) {
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

class Rivals final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "host.rivals",
            .summary = "Services that would undo a setting: tuned, power-profiles-daemon, cpupower",
            .why = "They set governors and idle states again, at boot or when a profile changes",
            .source =
                "tuned-adm(8), tuned 2.24 (2024-09); linux tools/power/cpupower/cpupower.service, "
                "6.16 (2025-07)",
            .target = "system",
            .read_from =
                "/sys/fs/cgroup/system.slice, /etc/systemd/system/*.wants; without systemd "
                "/proc/*/comm",
            .set_by = "",
            .next_step = "sudo systemctl disable --now UNIT, or put the setting into its profile",
            .persist = "is persistent: enabled units start at boot",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"none"}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        if (context.fs().is_real() && context.machine.facts().container) {
            Assessment row;
            row.outcome = Outcome::hidden;
            row.want = "none";
            row.detail = "the host's services cannot be seen from a container";
            return {row};
        }
        Findings found;
        if (!look_at_units(context.fs(), found)) {
            look_at_processes(context.fs(), found);
        }
        look_at_boot(context.fs(), found);
        // A rival that was found is one, whatever else could not be read.
        return {found.states.empty() && found.uncertain ? unreadable({}, *found.uncertain, "none")
                                                        : judge(found)};
    }

   private:
    static Assessment judge(const Findings& found) {
        std::string names;
        std::string detail;
        for (const auto& [name, state] : found.states) {
            names += (names.empty() ? "" : ", ") + name;
            detail += (detail.empty() ? "" : "; ") + name + " is " + state;
        }
        auto row = compared({}, "none", names.empty() ? "none" : names);
        row.detail = detail;
        if (!names.empty()) {
            row.next_step = "sudo systemctl disable --now";
            for (const auto& rival : rivals) {
                if (found.states.contains(std::string(rival.name))) {
                    row.next_step += " " + std::string(rival.unit);
                }
            }
        }
        return row;
    }
};

}  // namespace

const Setting& host_rivals() {
    static const Rivals setting;
    return setting;
}

}  // namespace rocenv
