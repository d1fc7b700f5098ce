// SPDX-License-Identifier: MIT
#include "settings/gpu/census.h"

#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "machine/pci/pci.h"
#include "machine/pci/pcie_path.h"
#include "machine/pci/slots.h"
#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view for_guests = "vfio-pci";

// Returns true if KFD has the GPU, but the PCI list has no AMD GPU at its address. An unreadable
// function may be the GPU.
bool is_gone(const Machine& machine, const std::string& bdf) {
    const auto& functions = machine.pci();
    return functions.ok() &&
           std::none_of(functions->begin(), functions->end(), [&](const auto& function) {
               return function.bdf == bdf && function.error;
           });
}

// Returns the fault of its driver; std::nullopt if it is bound to amdgpu.
std::optional<GpuFault> driver_fault(const Gpu& gpu) {
    if (!gpu.on_pci || gpu.driver == "amdgpu") {
        return std::nullopt;
    }
    if (gpu.driver.empty()) {
        return GpuFault{gpu.bdf, "no driver", "no driver is bound to the GPU"};
    }
    const std::string driver = printable(gpu.driver, 30);
    return gpu.driver == for_guests
               ? GpuFault{gpu.bdf, "given away to " + driver,
                          "the GPU is bound to vfio-pci, so a guest may be using it", true}
               : GpuFault{gpu.bdf, "driver " + driver,
                          "the GPU is bound to a driver other than amdgpu"};
}

// Returns the fault in the KFD node of a GPU. A GPU that KFD could not set up keeps the id 0, and
// programs open a GPU by its render node (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c). Older
// recordings lack the id, older kernels the render node's number.
Result<std::optional<GpuFault>> node_fault(const Machine& machine, const Gpu& gpu) {
    const auto& node = machine.kfd().nodes[gpu.agents.front()];
    const std::string path = "/sys/class/kfd/kfd/topology/nodes/" + number(node.index) + "/gpu_id";
    const auto text = machine.fs().read(path);
    const auto id = text ? parse_number(trim(*text)) : std::nullopt;
    if (text ? !id : !text.is(ErrorKind::not_here)) {
        return text ? garbled(path, "is not a valid number: " + quoted_value(trim(*text)))
                    : text.error();
    }
    std::optional<GpuFault> fault;
    if (id == 0) {
        fault = GpuFault{gpu.bdf, "KFD id 0", "KFD did not initialize the GPU"};
    } else if (node.properties.contains("drm_render_minor") && node.get("drm_render_minor") == 0) {
        fault = GpuFault{gpu.bdf, "no render node",
                         "programs cannot open the GPU, because it has no render node"};
    }
    return fault;
}

void count_node(const Machine& machine, const Gpu& gpu, Census& census) {
    const auto fault = node_fault(machine, gpu);
    if (!fault) {
        census.unread.push_back({gpu.bdf, fault.error()});
    } else if (*fault) {
        census.faults.push_back(**fault);
    } else {
        census.usable.push_back(gpu.bdf);
    }
}

void count(const Machine& machine, const Gpu& gpu, Census& census) {
    const auto fallen = gpu.on_pci ? has_fallen(machine, gpu.bdf) : Result(false);
    const auto driver = driver_fault(gpu);
    if (!gpu.on_pci && is_gone(machine, gpu.bdf)) {
        census.faults.push_back({gpu.bdf, "not on PCI", "KFD still lists the GPU"});
    } else if (fallen && *fallen) {
        census.faults.push_back(
            {gpu.bdf, "fallen off the bus",
             "the GPU returns all ones to every read of its PCI configuration"});
    } else if (gpu.driver_unread) {
        census.unread.push_back({gpu.bdf, *gpu.driver_unread});
    } else if (driver) {
        census.faults.push_back(*driver);
    } else if (!fallen) {
        census.unread.push_back({gpu.bdf, fallen.error()});
    } else if (gpu.agents.empty()) {
        census.no_node.push_back(gpu.bdf);
    } else {
        count_node(machine, gpu, census);
    }
}

// Returns whether a GPU is a virtual function, which serves a guest of this node; the guest has no
// such link. Fails if the link cannot be read.
Result<bool> is_virtual(const Machine& machine, const Gpu& gpu) {
    const auto found = machine.fs().size(pci_path(gpu.bdf, "/physfn"));
    return found.ok() || found.is(ErrorKind::not_here) ? Result(found.ok()) : found.error();
}

}  // namespace

Census take_census(const Machine& machine) {
    Census census;
    for (const auto& gpu : machine.gpus()) {
        const bool display = !gpu.accelerator && gpu.agents.empty();
        const auto is_guest = is_virtual(machine, gpu);
        if (display || (is_guest && *is_guest)) {
            continue;
        }
        census.all.insert(gpu.bdf);
        if (is_guest) {
            count(machine, gpu, census);
        } else {
            census.unread.push_back({gpu.bdf, is_guest.error()});
        }
        const GpuModel* model = gpu_model(gpu.device);
        if (gpu.on_pci && model != nullptr && model->board_gpus > 0) {
            census.board_gpus = std::max(census.board_gpus, model->board_gpus);
            ++census.on_board;
        }
        census.dies += gpu.on_pci && model != nullptr && model->devices == 2 ? 1U : 0U;
    }
    return census;
}

Result<bool> has_fallen(const Machine& machine, const std::string& bdf) {
    if (machine.asleep(bdf)) {
        return false;
    }
    const auto identity = machine.reader_of(bdf).config().raw_word(0);
    if (!identity) {
        return identity.is(ErrorKind::not_here) ? Result(false) : identity.error();
    }
    return *identity == UINT32_MAX;
}

std::set<std::string> waived_and_gone(const Context& context) {
    const auto& functions = context.machine.pci();
    if (context.left_out == nullptr || !functions) {
        return {};
    }
    auto out = *context.left_out;
    for (const auto& function : *functions) {
        out.erase(function.bdf);
    }
    for (const auto& gpu : context.machine.gpus()) {
        out.erase(gpu.bdf);
    }
    return out;
}

namespace {

// The lanes of ports, by PCI id.
using PortKinds = std::map<std::uint32_t, std::set<std::uint64_t>>;

std::uint32_t id_of(const PciFunction& function) {
    return function.vendor << 16 | function.device;
}

// Returns the ports of the kinds above this node's GPUs without a function below. The bus number in
// their header is readable by every user.
std::vector<std::string> empty_ports(const Machine& machine) {
    constexpr std::uint16_t buses = 0x18;
    constexpr std::uint32_t class_bridge = 0x0604;
    std::set<std::uint32_t> kinds;
    for (const auto& gpu : machine.gpus()) {
        const auto above = machine.bridges_above(gpu.bdf);
        if (is_for_compute(gpu) && above && !above->empty()) {
            kinds.insert(id_of(machine.function(above->back())));
        }
    }
    const auto& functions = machine.pci();
    std::set<std::string> used;
    for (const auto& function : functions ? *functions : std::vector<PciFunction>()) {
        used.insert(function.bdf.substr(0, function.bdf.rfind(':')));
    }
    std::vector<std::string> out;
    for (const auto& function : functions ? *functions : std::vector<PciFunction>()) {
        const bool like =
            function.class_code >> 8 == class_bridge && kinds.contains(id_of(function));
        const auto below = like && !machine.asleep(function.bdf)
                               ? machine.reader_of(function.bdf).config().word(buses)
                               : Result(std::uint32_t{0});
        const auto bus = below ? *below >> 8 & 0xff : 0;
        const std::string domain = function.bdf.substr(0, function.bdf.find(':'));
        if (bus != 0 && !used.contains(domain + ":" + bare_hex(bus, 2))) {
            out.push_back(function.bdf);
        }
    }
    return out;
}

// Returns the number of lanes; 0 if unknown.
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

std::string faults_text(const std::vector<SlotFault>& faults) {
    std::vector<std::string> ports;
    ports.reserve(faults.size());
    for (const auto& [port, what] : faults) {
        ports.push_back(port + " (" + what + ")");
    }
    return join(ports, ", ");
}

constexpr std::uint32_t in_module =
    200000;  // MB/s between the dies of a module, see xgmi_links.cpp

// Returns the dies without a link of four to another one in KFD; empty if KFD states no such link,
// or if all have one.
std::vector<std::string> without_partner(const Machine& machine,
                                         const std::set<std::string>& dies) {
    std::vector<std::string> out;
    for (const auto& gpu : machine.gpus()) {
        if (!dies.contains(gpu.bdf) || gpu.agents.empty()) {
            continue;
        }
        const auto links = machine.links_of(machine.kfd().nodes[gpu.agents.front()]);
        const bool paired = links && std::any_of(links->begin(), links->end(), [](const auto& one) {
                                return one.type == link_xgmi && one.high >= in_module;
                            });
        if (!paired) {
            out.push_back(gpu.bdf);
        }
    }
    return out.size() == dies.size() ? std::vector<std::string>() : out;
}

// Returns the dies in NUMA nodes with an odd number of dies: both dies of a module are near the
// same node.
std::vector<std::string> incomplete_in_node(const Machine& machine,
                                            const std::set<std::string>& dies) {
    std::map<std::string, std::vector<std::string>> by_node;
    for (const auto& bdf : dies) {
        const auto node = read_line(machine.fs(), pci_path(bdf, "/numa_node"));
        by_node[node ? *node : ""].push_back(bdf);
    }
    std::vector<std::string> out;
    for (const auto& [node, members] : by_node) {
        if (members.size() % 2 == 1) {
            out.insert(out.end(), members.begin(), members.end());
        }
    }
    return out;
}

}  // namespace

std::string lone_die(const Context& context, const std::set<std::string>& dies) {
    auto lone = without_partner(context.machine, dies);
    lone = lone.empty() ? incomplete_in_node(context.machine, dies) : lone;
    return lone.size() == 1 ? "the other die of the module of " + lone.front() + " is missing"
                            : "the other die of one of " + join(lone, ", ") + " is missing";
}

std::string where_to_search(const Machine& machine) {
    const auto& functions = machine.pci();
    const auto survey = functions ? survey_slots(machine, *functions) : SlotSurvey{};
    std::string out = !survey.faults.empty()    ? "; check " + faults_text(survey.faults)
                      : !survey.refused.empty() ? "; only root can read which ports hold a device"
                                                : "";
    const auto empty = out.empty() ? empty_ports(machine) : std::vector<std::string>();
    if (out.empty()) {
        out = empty.empty() ? "; no port shows where the GPU is missing"
                            : "; no device responds below " + join(empty, ", ");
    }
    for (const auto& outlier : find_outlier_branches(machine, path_ends(machine)).of_gpus) {
        out += "; " + counted_are(outlier.have, "GPU") + " below " + outlier.branch + ", but " +
               number(outlier.usual) + " below each equal branch";
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
    return {faults_text(survey.faults), survey.faults.size(), !survey.refused.empty()};
}

}  // namespace rocenv
