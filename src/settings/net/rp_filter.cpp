// SPDX-License-Identifier: MIT
// net.rp_filter: whether a packet is taken only from the interface that answers would leave by: 0
// no, 1 strictly, 2 from any that leads there (linux Documentation/networking/ip-sysctl.rst, 6.12).
// With several NICs in one subnet strict is wrong; not at all is loose enough, too.
#include "settings/shapes/interface_sysctl.h"

namespace rocenv {

const Setting& net_rp_filter() {
    static const InterfaceSysctlSetting setting({
        .id = "net.rp_filter",
        .file = "rp_filter",
        .summary = "Whether RDMA interfaces refuse packets whose answers would leave by another",
        .why = "With several NICs in one subnet strict filtering drops what comes to all but one",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "packets with a forged sender are refused later, or not at all",
        .does_as_well = [](std::uint64_t want,
                           std::uint64_t have) { return want == 2 && have == 0; },
    });
    return setting;
}

}  // namespace rocenv
