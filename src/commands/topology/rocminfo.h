// SPDX-License-Identifier: MIT
// What the program rocminfo prints, as far as the kernel's files decide it: same labels, units,
// columns and order. What only the runtime knows (XNACK and with it the ISA's name, timestamps,
// versions, DMAbuf, VMM, APU flag, memory properties) is left out.
#pragma once

#include "commands/topology/topology.h"

namespace rocenv {

struct HsaAgent {
    const KfdNode* node = nullptr;  // of Machine::kfd()
    bool gpu = false;
    std::string name;  // "gfx942"; of a CPU its model
    std::optional<std::string> marketing_name;
    std::vector<KfdCache> caches;  // of a GPU
    std::optional<std::uint64_t> memory_bytes;
};

struct HsaSystem {
    bool driver_loaded = false;
    std::optional<std::string> driver_version;  // of AMD's own driver packages
    std::vector<HsaAgent> agents;               // by node
    std::vector<std::string> notes;
};

// `machine` must outlive what it returns.
HsaSystem read_hsa_system(const Machine& machine);

// Returns the text that ROCm's rocminfo prints, as far as the kernel's files tell it.
std::string render_rocminfo(const HsaSystem& system);

}  // namespace rocenv
