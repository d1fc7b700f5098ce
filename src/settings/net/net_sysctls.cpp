// SPDX-License-Identifier: MIT
// Settings that are one number of /proc/sys/net/ipv4/conf/IF.
#include "settings/shapes/interface_sysctl.h"

namespace rocenv {

namespace {

constexpr InterfaceSysctl sysctls[] = {
    // net.rp_filter: whether a packet is taken only from the interface that answers would leave by:
    // 0 no, 1 strictly, 2 from any that leads there (linux Documentation/networking/ip-sysctl.rst,
    // 6.12). With several NICs in one subnet strict is wrong; not at all is loose enough, too.
    {
        .id = "net.rp_filter",
        .file = "rp_filter",
        .summary = "Whether RDMA interfaces refuse packets whose answers would leave by another",
        .why = "With several NICs in one subnet strict filtering drops what comes to all but one",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "packets with a forged sender are refused later, or not at all",
        .does_as_well = [](std::uint64_t want,
                           std::uint64_t have) { return want == 2 && have == 0; },
    },
    // net.arp_ignore: which questions for its addresses an interface answers: 0 those for any
    // address of the node, 1 its own, 2 its own when asked from the same subnet, up to 8 (linux
    // Documentation/networking/ip-sysctl.rst, 6.12).
    {
        .id = "net.arp_ignore",
        .file = "arp_ignore",
        .summary = "Which ARP questions RDMA interfaces answer",
        .why = "An interface that answers for another one draws that one's traffic to itself",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "who asks from another subnet gets no answer any more",
        .highest = 8,
    },
    // net.arp_announce: which of the node's addresses an interface names as its own when it asks: 0
    // any, 1 one of the asked subnet if it can, 2 always the best one (linux
    // Documentation/networking/ip-sysctl.rst, 6.12). 2 does what 1 does, and more.
    {
        .id = "net.arp_announce",
        .file = "arp_announce",
        .summary = "Which address RDMA interfaces name as their own in ARP questions",
        .why = "An interface that names another one's address sends that one's answers astray",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "peers that know the node by another address may ask anew",
        .does_as_well = [](std::uint64_t want,
                           std::uint64_t have) { return want == 1 && have == 2; },
    },
};

}  // namespace

std::span<const Setting> net_sysctls() {
    static const InterfaceTable table(sysctls);
    return table.settings();
}

}  // namespace rocenv
