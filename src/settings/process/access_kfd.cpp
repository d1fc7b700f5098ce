// SPDX-License-Identifier: MIT
// access.kfd: whether this process may open /dev/kfd, asked with faccessat(2) and never by opening.
#include "settings/shapes/device_access.h"

namespace rocenv {

namespace {

Assessment without_driver(const Machine& machine, const Want& want) {
    if (lacks_kfd(machine)) {
        return access_row(
            want, {{"/dev/kfd", "the driver is not loaded or has no KFD", "sudo modprobe amdgpu"}},
            std::nullopt);
    }
    if (const auto uncertain = machine.gpus_uncertain()) {
        return access_row(want, {}, uncertain);
    }
    auto row = no_target("this node has no AMD GPU for compute");
    row.target.base = "process";
    return row;
}

std::vector<Assessment> assess_access_kfd(const Setting&, const Context& context,
                                          const Want& want) {
    if (auto elsewhere = not_asked_here(context)) {
        return {*std::move(elsewhere)};
    }
    const auto denied = ask_access(context.machine, "/dev/kfd");
    if (!denied) {
        return {access_row(want, {}, denied.error())};
    }
    if (!*denied) {
        return {access_row(want, {}, std::nullopt)};
    }
    if (!exists(context.fs(), "/dev/kfd") && !context.machine.kfd().present) {
        return {without_driver(context.machine, want)};
    }
    return {access_row(want, {**denied}, std::nullopt)};
}

// That it is not so is nothing to want.
std::optional<std::vector<Value>> learn_access_kfd(const Setting&, const Context&) {
    return {{Value{true, {}}}};
}

}  // namespace

const Setting& access_kfd() {
    static const Setting setting{
        .info =
            {
                .id = "access.kfd",
                .summary = "Whether this process may open /dev/kfd",
                .why = "Without access to /dev/kfd, the runtime finds no GPU, and many programs "
                       "use the CPU instead",
                .source = "ROCm/ROCm docs/install prerequisites (rocm.docs.amd.com, 2025-09); "
                          "faccessat(2)",
                .target = "process",
                .read_from =
                    "faccessat of /dev/kfd (never opened); /etc/group for the group's name",
                .set_by = "",
                .next_step = "sudo usermod -aG render,video $USER; log in again afterwards",
                .persist =
                    "persistent (group membership, or --device and --group-add of containers)",
                .risk_note = "",
                .scope = Scope::process,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::boolean}},
            },
        .assess = assess_access_kfd,
        .learn = learn_access_kfd,
    };
    return setting;
}

}  // namespace rocenv
