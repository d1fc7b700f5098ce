// SPDX-License-Identifier: MIT
// limits.nofile: how many files the asking process may have open (soft limit).
#include "settings/limits.h"

namespace rocenv {

namespace {

class Nofile final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.nofile",
            .summary = "Files a process may have open",
            .why = "Many ranks with many connections and buffers run out of descriptors at 1024",
            .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
            .target = "process",
            .read_from = "getrlimit(RLIMIT_NOFILE)",
            .set_by = "",
            .next_step = "in the job's place: ulimit -n 1048576; raise the hard limit first",
            .persist =
                "nofile in /etc/security/limits.d, LimitNOFILE= of the service, or --ulimit "
                "nofile=… of the container",
            .risk_note = "",
            .scope = Scope::process,
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::size_limit}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        if (auto other = not_this_process(context)) {
            return {*std::move(other)};
        }
        return {assess_limit(context.process.nofile, want.value, "RLIMIT_NOFILE")};
    }
};

}  // namespace

const Setting& limits_nofile() {
    static const Nofile setting;
    return setting;
}

}  // namespace rocenv
