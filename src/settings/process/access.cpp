// SPDX-License-Identifier: MIT
// Device files that the process may open: access.kfd and access.render.

#include "settings/shapes/device_access.h"
#include "util/text.h"

namespace rocenv {

// access.kfd: this process may open /dev/kfd; checked with faccessat(2) and never by opening.

namespace {

Assessment without_driver(const Machine& machine, const Expectation& expectation) {
    if (lacks_kfd(machine)) {
        return access_row(
            expectation,
            {{"/dev/kfd", "the driver is not loaded or has no KFD", "sudo modprobe amdgpu"}},
            std::nullopt);
    }
    if (const auto uncertain = machine.gpus_uncertain()) {
        return access_row(expectation, {}, uncertain);
    }
    auto row = no_target("this node has no AMD GPU for compute");
    row.target.base = "process";
    return row;
}

std::vector<Assessment> assess_access_kfd(const Setting&, const Context& context,
                                          const Expectation& expectation) {
    if (auto elsewhere = not_asked_here(context)) {
        return {*std::move(elsewhere)};
    }
    const auto denied = ask_access(context.machine, "/dev/kfd");
    if (!denied) {
        return {access_row(expectation, {}, denied.error())};
    }
    if (!*denied) {
        return {access_row(expectation, {}, std::nullopt)};
    }
    if (!exists(context.fs(), "/dev/kfd") && !context.machine.kfd().present) {
        return {without_driver(context.machine, expectation)};
    }
    return {access_row(expectation, {**denied}, std::nullopt)};
}

// Returns true: missing access is not a value to expect.
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

// access.render: this process may open the render node of every GPU that KFD shows to it. KFD's
// drm_render_minor names these nodes: a GPU with partition support has seven more.

namespace {

Assessment none(const Machine& machine, const Expectation& expectation) {
    Assessment row;
    if (const auto hidden = machine.kfd().hidden(); hidden > 0) {
        row.outcome = Outcome::hidden;
        row.detail = counted_are(hidden, "KFD node") + " hidden from this container";
    } else if (lacks_kfd(machine)) {
        return access_row(expectation,
                          {{"/dev/dri", "no GPU has a KFD node", "sudo dmesg | grep amdgpu"}},
                          std::nullopt);
    } else if (const auto uncertain = machine.gpus_uncertain()) {
        return access_row(expectation, {}, uncertain);
    } else {
        row = no_target("this node has no AMD GPU for compute");
    }
    row.target.base = "process";
    return row;
}

std::vector<Assessment> assess_access_render(const Setting&, const Context& context,
                                             const Expectation& expectation) {
    if (auto elsewhere = not_asked_here(context)) {
        return {*std::move(elsewhere)};
    }
    const auto nodes = ask_render_nodes(context.machine);
    if (nodes.nodes == 0 && !nodes.uncertain) {
        return {none(context.machine, expectation)};
    }
    return {access_row(expectation, nodes.denied, nodes.uncertain)};
}

// Returns true: missing access is not a value to expect.
std::optional<std::vector<Value>> learn_access_render(const Setting&, const Context&) {
    return {{Value{true, {}}}};
}

}  // namespace

const Setting& access_render() {
    static const Setting setting{
        .info =
            {
                .id = "access.render",
                .summary = "Whether this process may open the render nodes of the GPUs",
                .why = "The runtime ignores a GPU whose render node cannot be opened",
                .source = "ROCm/ROCm docs/install prerequisites (rocm.docs.amd.com, 2025-09); "
                          "faccessat(2)",
                .target = "process",
                .read_from =
                    "faccessat of /dev/dri/renderD* (never opened), by KFD's drm_render_minor; "
                    "/etc/group for the group's name",
                .set_by = "",
                .next_step = "sudo usermod -aG render,video $USER; log in again afterwards",
                .persist =
                    "persistent (group membership, or --device and --group-add of containers)",
                .risk_note = "",
                .scope = Scope::process,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::boolean}},
            },
        .assess = assess_access_render,
        .learn = learn_access_render,
    };
    return setting;
}

}  // namespace rocenv
