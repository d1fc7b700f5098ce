// SPDX-License-Identifier: MIT
// GPUs without an agent, as gpu.count finds them.
#include <algorithm>

#include "commands/topology/topology_parts.h"
#include "machine/pci/slots.h"
#include "settings/gpu/census.h"
#include "settings/have_codes.h"
#include "util/text.h"

namespace rocenv {

namespace {

const Gpu& gpu_at(const Machine& machine, const std::string& bdf) {
    return *std::find_if(machine.gpus().begin(), machine.gpus().end(),
                         [&](const Gpu& gpu) { return gpu.bdf == bdf; });
}

// Returns the clause of a fault without its subject.
std::string clause_of(const std::string& code, const GpuFault& fault) {
    return code.starts_with("driver-") ? "is bound to the " + fault.have
                                       : code_sentence(code, false).substr(3);  // behind "{} "
}

class MissingGpus {
   public:
    MissingGpus(const Machine& machine, Topology& topology)
        : machine_(machine), topology_(topology) {}

    void find() {
        const Census census = take_census(machine_);
        for (const auto& fault : census.faults) {
            const std::string code = have_code("gpu.count", fault.have);
            add(fault.bdf, code, clause_of(code, fault));
        }
        // A hidden or unread KFD node may belong to any of these.
        if (topology_.hidden == 0 && !machine_.kfd_uncertain()) {
            for (const auto& bdf : census.no_node) {
                add(bdf, "no-kfd-node", "has no KFD node");
            }
        }
        for (const auto& [bdf, error] : census.unread) {
            add(bdf, "unknown", "could not be read: " + error.text);
        }
        auto& missing = topology_.missing;
        std::sort(missing.begin(), missing.end(),
                  [](const MissingGpu& a, const MissingGpu& b) { return a.pci.bdf < b.pci.bdf; });
    }

   private:
    // Skips a GPU with an agent, because that GPU has an index.
    void add(const std::string& bdf, const std::string& code, std::string why) {
        const Gpu& gpu = gpu_at(machine_, bdf);
        if (!gpu.agents.empty()) {
            return;
        }
        if (!slots_) {
            slots_ = read_slot_names(machine_.fs());
        }
        MissingGpu& missing = topology_.missing.emplace_back();
        missing.pci = read_pci_place(machine_, bdf);
        missing.device_id = device_id_of(gpu);
        missing.name = model_name_of(gpu);
        missing.slot = slot_of(machine_, *slots_, bdf);
        missing.code = code;
        missing.why = std::move(why);
    }

    const Machine& machine_;
    Topology& topology_;
    std::optional<SlotNames> slots_;
};

}  // namespace

void read_missing(const Machine& machine, Topology& topology) {
    MissingGpus(machine, topology).find();
}

}  // namespace rocenv
