// SPDX-License-Identifier: MIT
// net.arp_announce: which of the node's addresses an interface names as its own when it asks: 0
// any, 1 one of the asked subnet if it can, 2 always the best one (linux
// Documentation/networking/ip-sysctl.rst, 6.12). 2 does what 1 does, and more.
#include "settings/shapes/interface_sysctl.h"

namespace rocenv {

const Setting& net_arp_announce() {
    static const InterfaceSysctlSetting setting({
        .id = "net.arp_announce",
        .file = "arp_announce",
        .summary = "Which address RDMA interfaces name as their own in ARP questions",
        .why = "An interface that names another one's address sends that one's answers astray",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "peers that know the node by another address may ask anew",
        .does_as_well = [](std::uint64_t want,
                           std::uint64_t have) { return want == 1 && have == 2; },
    });
    return setting;
}

}  // namespace rocenv
