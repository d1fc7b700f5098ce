// SPDX-License-Identifier: MIT
// gpu.drm_devices: how many graphics devices the node has. Beyond 64 some kernels crash or hide
// GPUs: eight MI300X with their partitions' devices and the BMC's display are 65 (ROCm issue 4589).
// Which kernels carry the fix is unverified, so this is worth no more than a line.
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<Assessment> assess_drm_devices(const Setting&, const Context& context,
                                           const Want& want) {
    const std::string wanted = number(*want.value.integer());
    const auto names = context.fs().list("/sys/class/drm");
    if (names.is(ErrorKind::not_here)) {
        return {no_target("this kernel has no DRM devices")};
    }
    if (!names) {
        return {unreadable({}, names.error(), wanted)};
    }
    std::int64_t cards = 0;
    for (const auto& name : *names) {
        const bool card = name.starts_with("card") && parse_number(name.substr(4));
        cards += card ? 1 : 0;
    }
    auto row = compared({}, wanted, number(cards));
    row.outcome = cards <= *want.value.integer() ? Outcome::ok : Outcome::differs;
    return {row};
}

}  // namespace

const Setting& gpu_drm_devices() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.drm_devices",
                .summary = "Number of graphics (DRM) devices of the node",
                .why = "With more than 64 graphics devices, some kernels crash or hide GPUs",
                .source = "github.com/ROCm/ROCm issue 4589, 2025-04",
                .target = "system",
                .read_from = "/sys/class/drm",
                .set_by = "",
                .next_step = "add modprobe.blacklist=ast,mgag200 to the kernel command line, so "
                             "that the BMC's display driver does not load",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 4096}},
            },
        .assess = assess_drm_devices,
    };
    return setting;
}

}  // namespace rocenv
