// SPDX-License-Identifier: MIT
// GPUs without an agent, as gpu.count finds them.
#include <algorithm>

#include "commands/topology/topology_parts.h"
#include "machine/gpu/gpu_models.h"
#include "machine/pci/slot_names.h"
#include "settings/gpu/census/gpu_census.h"
#include "settings/have_codes.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct WhyMissing {
    std::string_view code;
    std::string_view clause;
};

constexpr WhyMissing whys_missing[] = {
    {"fallen", "has fallen off the PCIe bus"},
    {"no-driver", "has no driver"},
    {"no-kfd-node", "has no KFD node"},
    {"vfio", "is bound to vfio-pci"},
};

const Gpu& gpu_at(const Machine& machine, const std::string& bdf) {
    return *std::find_if(machine.gpus().begin(), machine.gpus().end(),
                         [&](const Gpu& gpu) { return gpu.bdf == bdf; });
}

std::string clause_of(const std::string& code, const Gpu& gpu) {
    const auto found = std::find_if(std::begin(whys_missing), std::end(whys_missing),
                                    [&](const WhyMissing& each) { return each.code == code; });
    return found != std::end(whys_missing) ? std::string(found->clause)
                                           : "is bound to the driver " + printable(gpu.driver, 30);
}

class MissingGpus {
   public:
    MissingGpus(const Machine& machine, Topology& topology)
        : machine_(machine), topology_(topology) {}

    void find() {
        const Census census = take_census(machine_);
        for (const auto& fault : census.faults) {
            const std::string code = have_code("gpu.count", fault.have);
            add(fault.bdf, code, clause_of(code, gpu_at(machine_, fault.bdf)));
        }
        // A hidden node may be any of these, and an unread one, too.
        if (topology_.hidden == 0 && !machine_.kfd_uncertain()) {
            for (const auto& bdf : census.no_node) {
                add(bdf, "no-kfd-node", clause_of("no-kfd-node", gpu_at(machine_, bdf)));
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
    // One with an agent has an index, whatever is wrong with it.
    void add(const std::string& bdf, const std::string& code, std::string why) {
        const Gpu& gpu = gpu_at(machine_, bdf);
        if (!gpu.agents.empty()) {
            return;
        }
        if (!slots_) {
            slots_ = read_slot_names(machine_.fs());
        }
        const auto name = gpu_name(gpu.device);
        MissingGpu& missing = topology_.missing.emplace_back();
        missing.pci = read_pci_place(machine_, bdf);
        missing.device_id = gpu.device == 0 ? std::nullopt : std::optional(hex(gpu.device, 4));
        missing.name = name.empty() ? std::nullopt : std::optional(std::string(name));
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
