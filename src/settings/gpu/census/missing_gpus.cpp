// SPDX-License-Identifier: MIT
#include "settings/gpu/census/missing_gpus.h"

#include <map>
#include <set>

#include "machine/pci/branches.h"
#include "machine/pci/pci_reader.h"
#include "machine/pci/slot_survey.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Lanes of ports by their PCI id.
using PortKinds = std::map<std::uint32_t, std::set<std::uint64_t>>;

std::uint32_t id_of(const PciFunction& function) {
    return function.vendor << 16 | function.device;
}

// 0: it is not known.
std::uint64_t lanes_of(const Machine& machine, const std::string& port) {
    if (machine.asleep(port)) {
        return 0;
    }
    const auto& link = machine.reader_of(port).link();
    return link ? link->most.width : 0;
}

PortKinds kinds_above_gpus(const Machine& machine) {
    PortKinds out;
    for (const auto& gpu : machine.gpus()) {
        const auto above = machine.bridges_above(gpu.bdf);
        for (const auto& port :
             is_for_compute(gpu) && above ? *above : std::vector<std::string>()) {
            if (const auto lanes = lanes_of(machine, port); lanes > 0) {
                out[id_of(machine.function(port))].insert(lanes);
            }
        }
    }
    return out;
}

std::string told(const std::vector<SlotFault>& faults) {
    std::vector<std::string> ports;
    ports.reserve(faults.size());
    for (const auto& [port, what] : faults) {
        ports.push_back(port + " (" + what + ")");
    }
    return join(ports, ", ");
}

}  // namespace

std::string where_to_look(const Machine& machine) {
    const auto& functions = machine.pci();
    const auto survey = functions ? survey_slots(machine, *functions) : SlotSurvey{};
    std::string out = !survey.faults.empty()    ? "; look at " + told(survey.faults)
                      : !survey.refused.empty() ? "; which ports hold something only root can ask"
                                                : "; no port tells of one";
    for (const auto& odd : find_odd_branches(machine, path_ends(machine)).of_gpus) {
        out += "; below " + odd.branch + " are " + number(odd.have) + ", below each like it " +
               number(odd.usual);
    }
    return out;
}

SlotEvidence slot_evidence(const Machine& machine) {
    const auto& functions = machine.pci();
    const auto kinds = kinds_above_gpus(machine);
    if (!functions || kinds.empty()) {
        return {};
    }
    const auto survey = survey_slots(machine, *functions, [&](const PciFunction& port) {
        const auto kind = kinds.find(id_of(port));
        return kind != kinds.end() && kind->second.contains(lanes_of(machine, port.bdf));
    });
    return {told(survey.faults), survey.faults.size(), !survey.refused.empty()};
}

}  // namespace rocenv
