// SPDX-License-Identifier: MIT
// limits.pids: how many processes and threads a control group gives the asking process.
#include "settings/cgroup.h"
#include "settings/limits.h"

namespace rocenv {

namespace {

class LimitPids final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.pids",
            .summary = "Processes and threads that a control group lets the job have",
            .why = "Ranks with many threads each cannot start them: fork fails with EAGAIN",
            .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
            .target = "process",
            .read_from = "/proc/self/cgroup, pids.max of the groups it names (version 1: pids.max)",
            .set_by = "",
            .next_step =
                "docker run --pids-limit, or podPidsLimit of the kubelet: raise it, or take the "
                "limit away",
            .persist = "TasksMax= of the service, --pids-limit of the container",
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
        const auto limit = cgroup_limit(
            context.fs(), {.controller = "pids", .old_file = "pids.max", .file = "pids.max"});
        if (!limit) {
            return {unreadable({"process", std::nullopt, ""}, limit.error())};
        }
        return {assess_limit(*limit, want.value, "the control group")};
    }
};

}  // namespace

const Setting& limits_pids() {
    static const LimitPids setting;
    return setting;
}

}  // namespace rocenv
