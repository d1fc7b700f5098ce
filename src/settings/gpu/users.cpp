// SPDX-License-Identifier: MIT
// gpu.users: processes that have /dev/kfd open now, from KFD's own list. A KFD without such a list
// is old, not idle.
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<Assessment> assess_users(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const VersionRequirement requirement = version_requirement(expectation.value);
    const std::string& folder = kfd_process_folder();
    const auto names = context.fs().list(folder);
    if (names.is(ErrorKind::not_here) && !context.machine.kfd().present) {
        return {no_target("this node has no KFD, so no program can use an AMD GPU for compute")};
    }
    if (!names) {
        auto row = unreadable({}, names.error(), requirement.text);
        if (names.is(ErrorKind::not_here)) {
            row.detail = "this driver keeps no list of the processes that use a GPU";
            row.next_step = "sudo fuser -v /dev/kfd";
        }
        return {row};
    }
    for (const auto& name : *names) {
        if (!parse_number(name)) {
            const auto why = quoted_value(name) + " is not a valid process id";
            return {unreadable({}, garbled(folder, why), requirement.text)};
        }
    }
    auto row = compared({}, requirement.text, number(names->size()));
    row.outcome = requirement.accepts_count(names->size()) ? Outcome::ok : Outcome::differs;
    row.detail = processes_text(*names);
    return {row};
}

// Returns 0: present users are not a value to expect.
std::optional<std::vector<Value>> learn_users(const Setting&, const Context&) {
    return {{Value{std::int64_t{0}, {}}}};
}

}  // namespace

const Setting& gpu_users() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.users",
                .summary = "Number of processes that use a GPU now",
                .why = "Another job on the GPUs shares their clocks and bandwidth and makes "
                       "measurements worthless",
                .source = "linux drivers/gpu/drm/amd/amdkfd/kfd_process.c, 6.12 (2024-11); ROCm/"
                          "system-acceptance-docs docs/common/health-checks.md, 2026-07",
                .target = "system",
                .read_from = "/sys/class/kfd/kfd/proc",
                .set_by = "",
                .next_step = "on the host: ps -fp $(ls /sys/class/kfd/kfd/proc | paste -sd,)",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::at_least}},
            },
        .assess = assess_users,
        .learn = learn_users,
    };
    return setting;
}

}  // namespace rocenv
