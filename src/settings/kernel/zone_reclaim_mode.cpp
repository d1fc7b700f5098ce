// SPDX-License-Identifier: MIT
// kernel.zone_reclaim_mode: whether a full NUMA node reclaims its own pages before it asks another
// one, a mask of three bits (linux mm/vmscan.c node_reclaim_mode). A kernel without NUMA has none.
#include "settings/shapes/sysctl_setting.h"

namespace rocenv {

const Setting& kernel_zone_reclaim_mode() {
    static const SysctlSetting setting({
        .id = "kernel.zone_reclaim_mode",
        .name = "vm.zone_reclaim_mode",
        .summary = "Whether a full NUMA node reclaims its own pages before it asks another",
        .why = "With it on, a program waits for pages to be reclaimed while other nodes have room",
        .source = "amd/node-scraper nodescraper/plugins/inband/sysctl, 2026-07; "
                  "linux Documentation/admin-guide/sysctl/vm.rst, 6.12",
        .highest = 7,
        .risk_note = "more pages come from the other socket once a node is full",
        .without = "this kernel is built without NUMA",
        .absent_is = "0",
    });
    return setting;
}

}  // namespace rocenv
