// SPDX-License-Identifier: MIT
// limits.stack: how large the asking process' stack may become (soft limit).
#include "settings/limits.h"

namespace rocenv {

namespace {

class LimitStack final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.stack",
            .summary = "Bytes a thread's stack may have",
            .why =
                "Programs with large frames end with SIGSEGV; libraries take their threads' size "
                "from it",
            .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
            .target = "process",
            .read_from = "getrlimit(RLIMIT_STACK)",
            .set_by = "",
            .next_step = "in the job's place: ulimit -s unlimited; raise the hard limit first",
            .persist =
                "stack in /etc/security/limits.d, LimitSTACK= of the service, or --ulimit stack=… "
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
        return {assess_limit(context.process.stack, want.value, "RLIMIT_STACK")};
    }
};

}  // namespace

const Setting& limits_stack() {
    static const LimitStack setting;
    return setting;
}

}  // namespace rocenv
