// SPDX-License-Identifier: MIT
// limits.nproc: how many processes and threads the asking process' user may have (soft limit).
#include "settings/limits.h"

namespace rocenv {

namespace {

class LimitNproc final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.nproc",
            .summary = "Processes and threads that the user may have",
            .why = "Ranks with many threads each cannot start them: fork fails with EAGAIN",
            .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
            .target = "process",
            .read_from = "getrlimit(RLIMIT_NPROC)",
            .set_by = "",
            .next_step = "in the job's place: ulimit -u unlimited; raise the hard limit first",
            .persist =
                "nproc in /etc/security/limits.d, LimitNPROC= of the service, or --ulimit nproc=… "
                "of the container",
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
        return {assess_limit(context.process.nproc, want.value, "RLIMIT_NPROC")};
    }
};

}  // namespace

const Setting& limits_nproc() {
    static const LimitNproc setting;
    return setting;
}

}  // namespace rocenv
