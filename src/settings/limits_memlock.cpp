// SPDX-License-Identifier: MIT
// limits.memlock: how many bytes the asking process may lock in memory (soft limit).
#include "settings/limits.h"

namespace rocenv {

namespace {

class Memlock final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.memlock",
            .summary = "Bytes a process may lock in memory",
            .why = "RDMA pins buffers; under a low limit registration fails with ENOMEM",
            .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
            .target = "process",
            .read_from = "getrlimit(RLIMIT_MEMLOCK)",
            .set_by = "",
            .next_step = "in the job's place: ulimit -l unlimited; raise the hard limit first",
            .persist =
                "memlock in /etc/security/limits.d, LimitMEMLOCK= of the service, or --ulimit "
                "memlock=-1 of the container",
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
        return {assess_limit(context.process.memlock, want.value, "RLIMIT_MEMLOCK")};
    }
};

}  // namespace

const Setting& limits_memlock() {
    static const Memlock setting;
    return setting;
}

}  // namespace rocenv
