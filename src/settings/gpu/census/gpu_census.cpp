// SPDX-License-Identifier: MIT
#include "settings/gpu/census/gpu_census.h"

#include <algorithm>

#include "machine/gpu/gpu_models.h"
#include "os/redact/redact_words.h"
#include "settings/gpu/census/fallen.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view for_guests = "vfio-pci";

// In KFD, and what the list of PCI functions has at its address is no GPU of AMD's, or nothing. One
// that could not be read may be it.
bool is_gone(const Machine& machine, const std::string& bdf) {
    const auto& functions = machine.pci();
    return functions.ok() &&
           std::none_of(functions->begin(), functions->end(), [&](const auto& function) {
               return function.bdf == bdf && function.error;
           });
}

// What is wrong with its driver; nothing: it is amdgpu's.
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

// What KFD says of a GPU that it has a node of: one it could not set up keeps the id 0, and
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

// A function that a GPU makes for a guest, and no GPU of this node; the guest does not see the
// link.
bool is_virtual(const Machine& machine, const Gpu& gpu) {
    return exists(machine.fs(), pci_path(gpu.bdf, "/physfn"));
}

}  // namespace

Census take_census(const Machine& machine) {
    Census census;
    for (const auto& gpu : machine.gpus()) {
        const bool display = !gpu.accelerator && gpu.agents.empty();
        if (display || is_virtual(machine, gpu)) {
            continue;
        }
        census.all.insert(gpu.bdf);
        count(machine, gpu, census);
        const GpuModel* model = gpu_model(gpu.device);
        if (gpu.on_pci && model != nullptr && model->board_gpus > 0) {
            census.board_gpus = std::max(census.board_gpus, model->board_gpus);
            ++census.on_board;
        }
        census.dies += gpu.on_pci && model != nullptr && model->devices == 2 ? 1U : 0U;
    }
    return census;
}

}  // namespace rocenv
