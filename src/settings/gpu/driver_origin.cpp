// SPDX-License-Identifier: MIT
// gpu.driver_origin: whose amdgpu is loaded. AMD's own package builds it outside of the kernel's
// tree: its module has a version and taints the kernel with O; the kernel's own has neither (linux
// kernel/module/main.c taint, version).
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<Assessment> assess_driver_origin(const Setting&, const Context& context,
                                             const Want& want) {
    const std::string folder = "/sys/module/amdgpu";
    const std::string& wanted = *want.value.text();
    if (!exists(context.fs(), folder)) {
        return {no_target("the amdgpu module is not loaded")};
    }
    const auto taint = context.fs().read(folder + "/taint");
    if (!taint) {
        return {unreadable({}, taint.error(), wanted)};
    }
    const auto letters = trim(*taint);
    const bool are_letters =
        letters.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == letters.npos;
    if (letters.size() > 26 || !are_letters) {
        return {
            unreadable({}, garbled(folder + "/taint", "is not a valid list of letters"), wanted)};
    }
    const bool outside = letters.find('O') != letters.npos;
    const bool versioned = exists(context.fs(), folder + "/version");
    auto row = compared({}, wanted, outside || versioned ? "dkms" : "kernel");
    row.detail = letters.empty() ? "" : "the kernel reports taint flags " + std::string(letters);
    return {row};
}

}  // namespace

const Setting& gpu_driver_origin() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.driver_origin",
                .summary =
                    "Whether the amdgpu driver comes from AMD's package (dkms) or from the kernel",
                .why = "An incomplete update leaves a node with another driver than its peers, so "
                       "jobs across nodes mix driver versions",
                .source = "amd/node-scraper nodescraper/plugins/inband/dkms, 2026-07; linux "
                          "kernel/module/main.c, 6.12",
                .target = "system",
                .read_from = "/sys/module/amdgpu/taint and version",
                .set_by = "",
                .next_step = "dkms status amdgpu; modinfo -n amdgpu; if the update is incomplete, "
                             "install the package again and reboot",
                .persist = "persistent (installed on the node)",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"dkms", "kernel"}}},
            },
        .assess = assess_driver_origin,
    };
    return setting;
}

}  // namespace rocenv
