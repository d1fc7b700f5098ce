// SPDX-License-Identifier: MIT
// The output of the program rocminfo, as far as the kernel's files contain it, with the same
// labels, units, columns and order. Data of the runtime (XNACK and with it the ISA's name,
// timestamps, versions, DMAbuf, VMM, APU flag, memory properties) is left out.
#pragma once

#include "commands/topology/topology.h"

namespace rocenv {

// A CPU or GPU in rocminfo.
struct HsaAgent {
    const KfdNode* node = nullptr;  // in Machine::kfd()
    bool gpu = false;
    std::string name;  // "gfx942"; model of a CPU
    std::optional<std::string> marketing_name;
    std::vector<KfdCache> caches;  // GPU only
    std::optional<std::uint64_t> memory_bytes;
};

// All agents of a node.
struct HsaSystem {
    bool driver_loaded = false;
    std::optional<std::string> driver_version;  // version of AMD's own driver packages
    std::vector<HsaAgent> agents;               // sorted by node
    std::vector<std::string> notes;
};

// Reads the agents, without hidden and unreadable ones. Values that could not be read are missing
// or 0, with the reason in `notes`. `machine` must outlive the result.
HsaSystem read_hsa_system(const Machine& machine);

// Returns the text in the form of ROCm's rocminfo, as far as the kernel's files contain it.
std::string render_rocminfo(const HsaSystem& system);

}  // namespace rocenv
