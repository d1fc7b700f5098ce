// SPDX-License-Identifier: MIT
// cpu.cores: how many cores each processor has, of those that are online: a number, or the same on
// all of them.
#include "machine/host/packages.h"
#include "rocenv/setting.h"
#include "settings/shapes/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<Assessment> assess_cores(const Setting&, const Context& context, const Want& want) {
    const auto packages = read_packages_of(context.machine);
    if (!packages) {
        return {unreadable({}, packages.error(), plain_text(want.value))};
    }
    LikeDevices all;
    all.nobody = "there is no processor";
    for (const auto& package : *packages) {
        const auto cores = cores_of(context.fs(), package);
        all.values.push_back(
            {.device = package.name(),
             .kind = "",
             .value = cores ? Result(number(*cores)) : Result<std::string>(cores.error())});
    }
    return judge_alike(all, plain_text(want.value), {});
}

}  // namespace

const Setting& cpu_cores() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.cores",
                .summary = "How many cores each processor has",
                .why = "Cores that the BIOS or somebody switched off are missing near half of the "
                       "GPUs",
                .source = "Azure/azurehpc-health-checks customTests, 2026-05; linux "
                          "Documentation/admin-guide/cputopology.rst, 6.12",
                .target = "processor",
                .read_from = "/sys/devices/system/cpu/online, cpu*/topology/{physical_package_id,"
                             "core_siblings_list,thread_siblings_list}",
                .set_by = "",
                .next_step = "lscpu | grep -e Core -e On-line; look for downcoring in the BIOS",
                .persist = "is persistent: the BIOS's choice",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
            },
        .assess = assess_cores,
    };
    return setting;
}

}  // namespace rocenv
