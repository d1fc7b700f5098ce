// SPDX-License-Identifier: MIT
// limits.stack: how large the asking process' stack may become (soft limit).
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_stack(const Context& context) {
    return context.process.stack;
}

}  // namespace

const Setting& limits_stack() {
    static const LimitSetting setting({
        .id = "limits.stack",
        .summary = "Bytes a thread's stack may have",
        .why = "Programs with large frames end with SIGSEGV; libraries take their threads' size "
               "from it",
        .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_STACK)",
        .next_step = "in the job's place: ulimit -s unlimited; raise the hard limit first",
        .persist =
            "stack in /etc/security/limits.d, LimitSTACK= of the service, or --ulimit stack=… "
            "of the container",
        .read = limit_of_stack,
        .what = "RLIMIT_STACK",
    });
    return setting;
}

}  // namespace rocenv
