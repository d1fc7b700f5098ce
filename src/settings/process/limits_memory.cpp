// SPDX-License-Identifier: MIT
// limits.memory: how much memory a control group gives the asking process: bytes, or no limit.
#include "machine/host/cgroup.h"
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_memory(const Context& context) {
    return cgroup_limit(
        context.fs(),
        {.controller = "memory", .old_file = "memory.limit_in_bytes", .file = "memory.max"});
}

}  // namespace

const Setting& limits_memory() {
    static const LimitSetting setting({
        .id = "limits.memory",
        .summary = "Bytes of memory that a control group lets the process have",
        .why = "A container with less than its job needs is killed in the middle of it",
        .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
        .read_from = "/proc/self/cgroup, memory.max of the groups it names (version 1: "
                     "memory.limit_in_bytes)",
        .next_step =
            "docker run --memory, or memory of the pod: ask for more, or take the limit away",
        .persist =
            "MemoryMax= of the service, --memory of the container, the batch system's request",
        .read = limit_of_memory,
        .what = "the control group",
        .none = "no control group hierarchy in use has the memory controller",
    });
    return setting;
}

}  // namespace rocenv
