// SPDX-License-Identifier: MIT
// limits.memory: how much memory a control group gives the asking process: bytes, or no limit.
#include "settings/cgroup.h"
#include "settings/limits.h"

namespace rocenv {

namespace {

class LimitMemory final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.memory",
            .summary = "Bytes of memory that a control group lets the process have",
            .why = "A container with less than its job needs is killed in the middle of it",
            .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
            .target = "process",
            .read_from =
                "/proc/self/cgroup, memory.max of the groups it names (version 1: "
                "memory.limit_in_bytes)",
            .set_by = "",
            .next_step =
                "docker run --memory, or memory of the pod: ask for more, or take the limit away",
            .persist =
                "MemoryMax= of the service, --memory of the container, the batch system's request",
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
            context.fs(),
            {.controller = "memory", .old_file = "memory.limit_in_bytes", .file = "memory.max"});
        if (!limit) {
            return {unreadable({"process", std::nullopt, ""}, limit.error())};
        }
        return {assess_limit(*limit, want.value, "the control group")};
    }
};

}  // namespace

const Setting& limits_memory() {
    static const LimitMemory setting;
    return setting;
}

}  // namespace rocenv
