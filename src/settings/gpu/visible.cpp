// SPDX-License-Identifier: MIT
// gpu.visible: how many physical GPUs this process may open. What a container or job was not given
// is not counted; root, too, opens only what the device cgroup allows.
#include <algorithm>

#include "settings/shapes/device_access.h"
#include "settings/shapes/wishes.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string explain(const Machine& machine, const RenderNodes& nodes) {
    if (!machine.kfd().present) {
        return "there is no KFD: no AMD GPU, or no driver for it";
    }
    std::string detail;
    if (!nodes.denied.empty()) {
        detail = nodes.denied.front().path + ": " + nodes.denied.front().why;
    }
    if (const auto hidden = machine.kfd().hidden(); hidden > 0) {
        detail += (detail.empty() ? "" : "; ") + number(hidden) +
                  " KFD nodes are hidden from this container or job";
    }
    return detail;
}

std::vector<Assessment> assess_visible(const Setting&, const Context& context, const Want& want) {
    if (!context.fs().is_real()) {
        return {*not_asked_here(context)};
    }
    const auto nodes = ask_render_nodes(context.machine);
    const VersionWish wish = version_wish(want.value);
    const bool good = wish.accepts_count(nodes.open_gpus);
    const Target target{"process", std::nullopt, ""};
    // More may turn up: that changes nothing for a minimum that is reached.
    if (nodes.uncertain && !(good && wish.minimum)) {
        return {unreadable(target, *nodes.uncertain, wish.text)};
    }
    auto row = compared(target, wish.text, number(nodes.open_gpus));
    row.outcome = good ? Outcome::ok : Outcome::differs;
    row.detail = explain(context.machine, nodes);
    return {row};
}

// That none is visible is nothing to want.
std::optional<std::vector<Value>> learn_visible(const Setting&, const Context& context) {
    const auto open = ask_render_nodes(context.machine).open_gpus;
    return {{Value{static_cast<std::int64_t>(std::max<std::size_t>(open, 1)), {}}}};
}

}  // namespace

const Setting& gpu_visible() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.visible",
                .summary = "How many physical GPUs this process may open",
                .why = "A job that sees fewer GPUs than it counts on fails, or runs on the CPU",
                .source =
                    "linux drivers/gpu/drm/amd/amdkfd/kfd_priv.h kfd_devcgroup_check_permission, "
                    "6.12 (2024-11); faccessat(2)",
                .target = "process",
                .read_from = "/sys/class/kfd/kfd/topology/nodes/*/properties, faccessat of "
                             "/dev/dri/renderD*",
                .set_by = "",
                .next_step =
                    "start the container with --device=/dev/kfd --device=/dev/dri, or ask the "
                    "scheduler for GPUs",
                .persist = "lasts as long as the container or job",
                .risk_note = "",
                .scope = Scope::process,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::at_least}},
            },
        .assess = assess_visible,
        .learn = learn_visible,
    };
    return setting;
}

}  // namespace rocenv
