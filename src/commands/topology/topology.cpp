// SPDX-License-Identifier: MIT
#include "commands/topology/topology.h"
#include "machine/gpu/gpu_models.h"

#include <algorithm>

#include "commands/topology/topology_parts.h"
#include "machine/gpu/driver.h"
#include "machine/pci/pcie_path.h"
#include "util/text.h"

namespace rocenv {

std::optional<std::string> device_id_of(const Gpu& gpu) {
    return gpu.device == 0 ? std::nullopt : std::optional(hex(gpu.device, 4));
}

std::optional<std::string> model_name_of(const Gpu& gpu) {
    const auto name = gpu_name(gpu.device);
    return name.empty() ? std::nullopt : std::optional(std::string(name));
}

namespace {

// A property that is there and is not 0: KFD writes 0 for what it does not know.
std::optional<std::uint64_t> known(const KfdNode& node, const char* key) {
    const auto value = node.get(key);
    return value == 0 ? std::nullopt : std::optional(value);
}

std::optional<std::string> identity(const KfdNode& node, const char* key) {
    const auto value = known(node, key);
    return value ? std::optional(bare_hex(*value, 16)) : std::nullopt;
}

// Compute units are active SIMDs by SIMDs per CU; products of the geometry count fused-off ones.
std::optional<std::uint64_t> compute_units(const KfdNode& node) {
    const auto per_cu = node.get("simd_per_cu");
    return per_cu == 0 ? std::nullopt : std::optional(node.get("simd_count") / per_cu);
}

void take_kfd(const KfdNode& node, Agent& agent) {
    const auto gfx = gfx_name(node.get("gfx_target_version"));
    agent.gfx = gfx.empty() ? std::nullopt : std::optional(gfx);
    agent.compute_units = compute_units(node);
    agent.simds_per_cu = known(node, "simd_per_cu");
    agent.wavefront_size = known(node, "wave_front_size");
    const auto waves = node.get("simd_per_cu") * node.get("max_waves_per_simd");
    agent.max_waves_per_cu = waves == 0 ? std::nullopt : std::optional(waves);
    const auto lds = known(node, "lds_size_in_kb");
    agent.lds_bytes_per_cu = lds ? std::optional(*lds * 1024) : std::nullopt;
    agent.xcc = known(node, "num_xcc");
    const auto clock = known(node, "max_engine_clk_fcompute");
    agent.max_clock_mhz = clock == clock_unknown ? std::nullopt : clock;
    const auto minor = known(node, "drm_render_minor");
    agent.render = minor ? std::optional("renderD" + number(*minor)) : std::nullopt;
    agent.hive = identity(node, "hive_id");
    agent.unique_id = identity(node, "unique_id");
    agent.node = node.index;
}

void take_memory(const Machine& machine, const KfdNode& node, Agent& agent, Topology& topology) {
    const auto vram = machine.bank_bytes(node, {heap_vram_public, heap_vram_private});
    if (vram) {
        agent.vram_bytes = *vram;
    } else {
        topology.notes.push_back(vram.error().text);
    }
}

void note_missing(const Machine& machine, Topology& topology) {
    const Kfd& kfd = machine.kfd();
    if (!kfd.present) {
        topology.notes.emplace_back(machine.gpus().empty()
                                        ? "no AMD GPU on PCI"
                                        : "no /sys/class/kfd: the amdgpu driver is not loaded");
    }
    if (kfd.error) {
        topology.notes.push_back(kfd.error->text);
    }
    for (const auto& node : kfd.nodes) {
        if (node.error) {
            topology.notes.push_back(node.error->text);
        }
    }
}

void take_gpu(const Machine& machine, const Gpu& gpu, Topology& topology) {
    PhysicalGpu physical;
    physical.pci = read_pci_end(machine, gpu.bdf, topology.notes);
    if (!machine.asleep(gpu.bdf)) {
        physical.compute_partition = compute_partition(machine.fs(), gpu.bdf);
        physical.memory_partition = memory_partition(machine.fs(), gpu.bdf);
    }
    Agent shared;
    shared.bdf = gpu.bdf;
    shared.device_id = device_id_of(gpu);
    shared.name = model_name_of(gpu);
    shared.numa_node = physical.pci.numa_node;
    shared.cpus = physical.pci.cpus;
    shared.physical = topology.physical.size();
    for (const auto at : gpu.agents) {
        const KfdNode& node = machine.kfd().nodes[at];
        Agent agent = shared;
        take_kfd(node, agent);
        take_memory(machine, node, agent, topology);
        const auto partition = kfd_address(node).partition;
        agent.partition = partition == 0 ? physical.agents.size() : partition;
        physical.agents.push_back(topology.gpus.size());
        topology.gpus.push_back(std::move(agent));
    }
    topology.physical.push_back(std::move(physical));
}

// ROCr counts the GPU nodes that it may open in the order of their nodes.
void number_for_rocr(Topology& topology) {
    std::vector<Agent*> agents;
    for (auto& agent : topology.gpus) {
        agents.push_back(&agent);
    }
    std::sort(agents.begin(), agents.end(),
              [](const Agent* a, const Agent* b) { return a->node < b->node; });
    for (std::size_t at = 0; at < agents.size(); ++at) {
        agents[at]->rocr_index = at;
    }
}

}  // namespace

PciEnd read_pci_place(const Machine& machine, const std::string& bdf) {
    const Fs& fs = machine.fs();
    PciEnd end;
    end.bdf = bdf;
    if (const auto node = fs.read(pci_path(bdf, "/numa_node"))) {
        end.numa_node = parse_number(trim(*node));  // -1: the firmware did not say
    }
    if (const auto cpus = fs.read(pci_path(bdf, "/local_cpulist"))) {
        const auto list = parse_number_list(trim(*cpus));
        end.cpus = list && !list->empty() ? std::optional(number_list(*list)) : std::nullopt;
    }
    if (auto place = machine.place_of(bdf)) {
        end.root = place->root.empty() ? std::nullopt : std::optional(place->root);
        end.bridges = std::move(place.value().bridges);
    }
    return end;
}

PciEnd read_pci_end(const Machine& machine, const std::string& bdf,
                    std::vector<std::string>& notes) {
    PciEnd end = read_pci_place(machine, bdf);
    const auto path = read_pcie_path(machine, bdf);
    if (path && path->known()) {
        end.link = link_text(path->current);
        end.link_max = link_text(path->most);
    }
    if (path && path->error && path->error->kind != ErrorKind::not_here) {
        notes.push_back("link of " + bdf + ": " + path->error->text);
    }
    return end;
}

Topology read_topology(const Machine& machine, TopologyParts parts) {
    Topology topology;
    note_missing(machine, topology);
    topology.hidden = machine.kfd().hidden();
    for (const auto& gpu : machine.gpus()) {
        if (!gpu.agents.empty()) {
            take_gpu(machine, gpu, topology);
        }
    }
    number_for_rocr(topology);
    if (parts.links) {
        read_links(machine, topology);
    }
    if (parts.nics) {
        read_nics(machine, topology);
    }
    if (parts.missing) {
        read_missing(machine, topology);
    }
    return topology;
}

}  // namespace rocenv
