// SPDX-License-Identifier: MIT
// limits.pids: how many processes and threads a control group gives the asking process.
#include "machine/host/cgroup.h"
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_pids(const Context& context) {
    return cgroup_limit(context.fs(),
                        {.controller = "pids", .old_file = "pids.max", .file = "pids.max"});
}

}  // namespace

const Setting& limits_pids() {
    static const LimitSetting setting({
        .id = "limits.pids",
        .summary = "Processes and threads that a control group lets the job have",
        .why = "Ranks with many threads each cannot start them: fork fails with EAGAIN",
        .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
        .read_from = "/proc/self/cgroup, pids.max of the groups it names (version 1: pids.max)",
        .next_step =
            "docker run --pids-limit, or podPidsLimit of the kubelet: raise it, or take the "
            "limit away",
        .persist = "TasksMax= of the service, --pids-limit of the container",
        .read = limit_of_pids,
        .what = "the control group",
        .none = "no control group hierarchy in use has the pids controller",
    });
    return setting;
}

}  // namespace rocenv
