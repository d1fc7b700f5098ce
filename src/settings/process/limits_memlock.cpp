// SPDX-License-Identifier: MIT
// limits.memlock: how many bytes the asking process may lock in memory (soft limit).
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_memlock(const Context& context) {
    return context.process.memlock;
}

}  // namespace

const Setting& limits_memlock() {
    static const LimitSetting setting({
        .id = "limits.memlock",
        .summary = "Bytes a process may lock in memory",
        .why = "RDMA pins buffers; under a low limit registration fails with ENOMEM",
        .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_MEMLOCK)",
        .next_step = "in the job's place: ulimit -l unlimited; raise the hard limit first",
        .persist = "memlock in /etc/security/limits.d, LimitMEMLOCK= of the service, or --ulimit "
                   "memlock=-1 of the container",
        .read = limit_of_memlock,
        .what = "RLIMIT_MEMLOCK",
    });
    return setting;
}

}  // namespace rocenv
