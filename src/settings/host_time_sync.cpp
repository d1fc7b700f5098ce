// SPDX-License-Identifier: MIT
// host.time_sync: whether something keeps the node's clock. systemd-timesyncd leaves a file once it
// has synchronised (systemd-timesyncd.service(8), systemd 256); of other daemons files tell only
// that they run, as a unit's control group or a process. Whether the clock is in step the kernel
// tells by adjtimex(2) alone, which is no file.
#include <algorithm>
#include <array>
#include <cerrno>

#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The kernel cuts names of processes to 15 bytes.
constexpr std::array<std::string_view, 6> clock_daemons{"chronyd", "ntpd",    "systemd-timesyn",
                                                        "ntpd-rs", "phc2sys", "ptp4l"};
constexpr std::array<std::string_view, 9> clock_units{"chronyd", "chrony", "ntpd",
                                                      "ntp",     "ntpsec", "ntpd-rs",
                                                      "phc2sys", "ptp4l",  "systemd-timesyncd"};
constexpr std::array<const char*, 3> clock_slices{"/sys/fs/cgroup/system.slice",
                                                  "/sys/fs/cgroup/systemd/system.slice",
                                                  "/sys/fs/cgroup/unified/system.slice"};

struct Clock {
    std::string keeper;  // the daemon that runs
    std::optional<Error> uncertain;
};

// False where systemd keeps no control groups.
bool find_unit(const Fs& fs, Clock& clock) {
    bool any = false;
    for (const char* slice : clock_slices) {
        const auto names = fs.list(slice);
        any = any || names.ok();
        if (!names && !names.is(ErrorKind::not_here)) {
            clock.uncertain = names.error();
        }
        for (const auto unit : clock_units) {
            const std::string file = std::string(unit) + ".service";
            if (names && std::find(names->begin(), names->end(), file) != names->end()) {
                clock.keeper = unit;
            }
        }
    }
    return any;
}

void find_process(const Fs& fs, Clock& clock) {
    const auto names = fs.list("/proc");
    if (!names) {
        clock.uncertain = names.error();
        return;
    }
    for (const auto& name : *names) {
        if (!parse_number(name)) {
            continue;
        }
        const auto comm = fs.read("/proc/" + name + "/comm");
        const bool ended = !comm && (comm.is(ErrorKind::not_here) || comm.error().err == ESRCH);
        if (!comm && !ended) {
            clock.uncertain = comm.error();
        } else if (comm && std::find(clock_daemons.begin(), clock_daemons.end(), trim(*comm)) !=
                               clock_daemons.end()) {
            clock.keeper = trim(*comm);
        }
    }
    if (std::find(names->begin(), names->end(), "1") == names->end()) {
        clock.uncertain = Error{ErrorKind::not_permitted, 0, "/proc",
                                "/proc does not show every process to this user"};
    }
}

class TimeSync final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "host.time_sync",
            .summary = "Whether something keeps the node's clock",
            .why =
                "With clocks apart logs cannot be compared, tickets expire and rendezvous time out",
            .source =
                "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; "
                "systemd-timesyncd.service(8), systemd 256 (2024-06)",
            .target = "system",
            .read_from =
                "/run/systemd/timesync/synchronized, /sys/fs/cgroup/system.slice; without systemd "
                "/proc/*/comm",
            .set_by = "",
            .next_step = "timedatectl; sudo systemctl enable --now chronyd",
            .persist = "is persistent: enabled units start at boot",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"synced"}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        const Fs& fs = context.fs();
        if (fs.is_real() && context.machine.facts().container) {
            return {no_target("a container has its host's clock")};
        }
        const auto mark = fs.size("/run/systemd/timesync/synchronized");
        if (mark) {
            return {compared({}, "synced", "synced")};
        }
        Clock clock;
        if (!find_unit(fs, clock)) {
            find_process(fs, clock);
        }
        return {judge(fs, clock)};
    }

   private:
    static Assessment judge(const Fs& fs, const Clock& clock) {
        if (!clock.keeper.empty()) {
            auto row = compared({}, "synced", clock.keeper + " runs");
            row.outcome = Outcome::ok;
            row.detail = "no file tells whether the clock is in step";
            return row;
        }
        if (!fs.is_real()) {
            return no_target("nothing tells of another machine's clock");
        }
        if (clock.uncertain) {
            return unreadable({}, *clock.uncertain, "synced");
        }
        auto row = compared({}, "synced", "nobody");
        row.detail = "no daemon that keeps the clock runs";
        return row;
    }
};

}  // namespace

const Setting& host_time_sync() {
    static const TimeSync setting;
    return setting;
}

}  // namespace rocenv
