// SPDX-License-Identifier: MIT
// net.arp_ignore: which questions for its addresses an interface answers: 0 those for any address
// of the node, 1 its own, 2 its own when asked from the same subnet, up to 8 (linux
// Documentation/networking/ip-sysctl.rst, 6.12).
#include "settings/shapes/interface_sysctl.h"

namespace rocenv {

const Setting& net_arp_ignore() {
    static const InterfaceSysctlSetting setting({
        .id = "net.arp_ignore",
        .file = "arp_ignore",
        .summary = "Which ARP questions RDMA interfaces answer",
        .why = "An interface that answers for another one draws that one's traffic to itself",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "who asks from another subnet gets no answer any more",
        .highest = 8,
    });
    return setting;
}

}  // namespace rocenv
