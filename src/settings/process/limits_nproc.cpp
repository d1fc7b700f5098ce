// SPDX-License-Identifier: MIT
// limits.nproc: how many processes and threads the asking process' user may have (soft limit).
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_nproc(const Context& context) {
    return context.process.nproc;
}

}  // namespace

const Setting& limits_nproc() {
    static const LimitSetting setting({
        .id = "limits.nproc",
        .summary = "Processes and threads that the user may have",
        .why = "Ranks with many threads each cannot start them: fork fails with EAGAIN",
        .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_NPROC)",
        .next_step = "in the job's place: ulimit -u unlimited; raise the hard limit first",
        .persist =
            "nproc in /etc/security/limits.d, LimitNPROC= of the service, or --ulimit nproc=… "
            "of the container",
        .read = limit_of_nproc,
        .what = "RLIMIT_NPROC",
    });
    return setting;
}

}  // namespace rocenv
