// SPDX-License-Identifier: MIT
// limits.nofile: how many files the asking process may have open (soft limit).
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_nofile(const Context& context) {
    return context.process.nofile;
}

}  // namespace

const Setting& limits_nofile() {
    static const LimitSetting setting({
        .id = "limits.nofile",
        .summary = "Files a process may have open",
        .why = "Many ranks with many connections and buffers run out of descriptors at 1024",
        .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_NOFILE)",
        .next_step = "in the job's place: ulimit -n 1048576; raise the hard limit first",
        .persist = "nofile in /etc/security/limits.d, LimitNOFILE= of the service, or --ulimit "
                   "nofile=… of the container",
        .read = limit_of_nofile,
        .what = "RLIMIT_NOFILE",
    });
    return setting;
}

}  // namespace rocenv
