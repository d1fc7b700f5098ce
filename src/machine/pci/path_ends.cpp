// SPDX-License-Identifier: MIT
#include "machine/pci/path_ends.h"

namespace rocenv {

PathEnds path_ends(const Machine& machine) {
    PathEnds ends;
    ends.uncertain = machine.gpus_uncertain();
    const auto nics = machine.rdma_nics();
    if (nics) {
        ends.functions = *nics;
    } else {
        ends.uncertain = nics.error();
    }
    for (const auto& gpu : machine.gpus()) {
        if (gpu.on_pci && (gpu.accelerator || !gpu.agents.empty())) {
            ends.functions.push_back(gpu.bdf);
        }
    }
    return ends;
}

}  // namespace rocenv
