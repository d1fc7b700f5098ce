// SPDX-License-Identifier: MIT
// host.time_sync: whether something keeps the node's clock. systemd-timesyncd leaves a file once it
// has synchronised (systemd-timesyncd.service(8), systemd 256); of other daemons files tell only
// that they run, as a unit's control group or a process. Whether the clock is in step the kernel
// tells by adjtimex(2) alone, which is no file.
#include <algorithm>

#include "machine/host/running_services.h"
#include "rocenv/setting.h"

namespace rocenv {

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
        if (std::any_of(clock_services.begin(), clock_services.end(),
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
        row.detail = "no file tells whether the clock is in step";
        return row;
    }
    if (!fs.is_real()) {
        return no_target("nothing tells of another machine's clock");
    }
    if (running.uncertain) {
        return unreadable({}, *running.uncertain, "synced");
    }
    auto row = compared({}, "synced", "nobody");
    row.detail = "no daemon that keeps the clock runs";
    return row;
}

std::vector<Assessment> assess_time_sync(const Setting&, const Context& context, const Want&) {
    const Fs& fs = context.fs();
    if (fs.is_real() && context.machine.facts().container) {
        return {no_target("a container has its host's clock")};
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
                .summary = "Whether something keeps the node's clock",
                .why = "With clocks apart logs cannot be compared, tickets expire and rendezvous "
                       "time out",
                .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; "
                          "systemd-timesyncd.service(8), systemd 256 (2024-06)",
                .target = "system",
                .read_from = "/run/systemd/timesync/synchronized, /sys/fs/cgroup/system.slice; "
                             "without systemd "
                             "/proc/*/comm",
                .set_by = "",
                .next_step = "timedatectl; sudo systemctl enable --now chronyd",
                .persist = "is persistent: enabled units start at boot",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"synced"}}},
            },
        .assess = assess_time_sync,
    };
    return setting;
}

}  // namespace rocenv
