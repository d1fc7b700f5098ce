// SPDX-License-Identifier: MIT
#include "commands/topology/topology.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "machine/gpu/driver.h"
#include "machine/gpu/gpu_models.h"
#include "machine/pci/pcie_path.h"
#include "machine/pci/slots.h"
#include "machine/rdma/rdma.h"
#include "settings/gpu/census.h"
#include "settings/have_codes.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::optional<std::string> device_id_of(const Gpu& gpu) {
    return gpu.device == 0 ? std::nullopt : std::optional(hex(gpu.device, 4));
}

std::optional<std::string> model_name_of(const Gpu& gpu) {
    const auto name = gpu_name(gpu.device);
    return name.empty() ? std::nullopt : std::optional(std::string(name));
}

// Returns a property that exists and is not 0, since KFD writes 0 for unknown values.
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

// Returns where a function is, without its link.
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

// Adds what could not be read to `notes`. Does not read the link of a suspended function.
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

constexpr std::uint64_t weight_hop = 15;     // KFD_CRAT_XGMI_WEIGHT, for each hop
constexpr std::uint64_t weight_inside = 13;  // KFD_CRAT_INTRA_SOCKET_WEIGHT, within one GPU

// linux include/uapi/linux/kfd_sysfs.h
std::string type_word(std::uint32_t type) {
    constexpr std::uint32_t qpi = 5;
    switch (type) {
        case link_hypertransport:
            return "hypertransport";
        case link_pcie:
            return "pcie";
        case qpi:
            return "qpi";
        case link_xgmi:
            return "xgmi";
        default:
            return "type " + number(type);
    }
}

// Between GPUs that are not partitioned a hop weighs 15; a partition weighs 13 at either end
// (kfd_fill_gpu_xgmi_link_to_gpu).
std::optional<std::uint64_t> hops_of(std::uint64_t weight) {
    if (weight == weight_inside) {
        return 0;
    }
    if (weight == 2 * weight_inside + weight_hop) {
        return 1;
    }
    return weight != 0 && weight % weight_hop == 0 ? std::optional(weight / weight_hop)
                                                   : std::nullopt;
}

// The GPUs and CPU nodes behind the numbers in KFD's files.
class Ends {
   public:
    Ends(const Machine& machine, const Topology& topology) {
        for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
            gpus_.emplace(topology.gpus[at].node, at);
        }
        for (const auto& node : machine.kfd().nodes) {
            if (node.hidden || node.error || node.is_gpu()) {
                unseen_.push_back(node.index);
            }
        }
    }

    // False: a node that is hidden or could not be read. A missing node is one of CPUs, to which
    // GPUs' links are written with Linux's NUMA number (kfd_fill_gpu_direct_io_link_to_cpu).
    bool find(std::uint32_t node, TopologyLink::End& kind, std::uint64_t& number) const {
        if (const auto gpu = gpus_.find(node); gpu != gpus_.end()) {
            kind = TopologyLink::End::gpu;
            number = gpu->second;
            return true;
        }
        kind = TopologyLink::End::cpu;
        number = node;
        return std::find(unseen_.begin(), unseen_.end(), node) == unseen_.end();
    }

   private:
    std::map<std::uint64_t, std::size_t> gpus_;  // by node
    std::vector<std::uint32_t> unseen_;          // nodes that are no CPUs, or not known
};

// Fills `links` from KFD: between GPUs, between GPUs and CPUs, between CPUs.
void read_links(const Machine& machine, Topology& topology) {
    using End = TopologyLink::End;
    const Ends ends(machine, topology);
    for (const auto& node : machine.kfd().nodes) {
        if (node.hidden || node.error) {
            continue;
        }
        const auto links = machine.links_of(node);
        if (!links) {
            topology.notes.push_back(links.error().text);
            continue;
        }
        for (const auto& link : *links) {
            TopologyLink found;
            if (!ends.find(link.from, found.from_kind, found.from) ||
                !ends.find(link.to, found.to_kind, found.to)) {
                continue;
            }
            const bool between = found.from_kind == End::gpu && found.to_kind == End::gpu;
            found.type = type_word(link.type);
            found.weight = link.weight;
            found.hops = between && link.type == link_xgmi ? hops_of(link.weight) : std::nullopt;
            topology.links.push_back(std::move(found));
        }
    }
    std::stable_sort(topology.links.begin(), topology.links.end(),
                     [](const TopologyLink& a, const TopologyLink& b) {
                         return std::tie(a.from_kind, a.from, a.to_kind, a.to) <
                                std::tie(b.from_kind, b.from, b.to_kind, b.to);
                     });
}

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

// Fills `missing`. Reads no more than the start of a GPU's configuration space.
void read_missing(const Machine& machine, Topology& topology) {
    MissingGpus(machine, topology).find();
}

// Returns how near a NIC is to a GPU. Below one root port there is one link, so two functions there
// share a switch. Functions without a path (a folder that is not a link) prove nothing about
// switches.
std::optional<Nearness> nearness(const PciEnd& gpu, const PciEnd& nic) {
    if (!gpu.bridges.empty() && !nic.bridges.empty() &&
        gpu.bridges.front() == nic.bridges.front()) {
        return Nearness::same_switch;
    }
    if (gpu.root && gpu.root == nic.root) {
        return Nearness::same_root;
    }
    if (!gpu.numa_node || !nic.numa_node) {
        return std::nullopt;
    }
    return gpu.numa_node == nic.numa_node ? Nearness::same_numa : Nearness::far;
}

// Bridges that both paths have.
std::size_t shared_bridges(const PciEnd& gpu, const PciEnd& nic) {
    const auto [end, other] = std::mismatch(gpu.bridges.begin(), gpu.bridges.end(),
                                            nic.bridges.begin(), nic.bridges.end());
    return static_cast<std::size_t>(end - gpu.bridges.begin());
}

// Assigns to each GPU in order its nearest NIC; deeper in the same switch is nearer. If several are
// equally near, the NIC with the fewest GPUs so far is chosen.
void choose_nics(Topology& topology) {
    std::vector<std::size_t> taken(topology.nics.size());
    for (auto& gpu : topology.physical) {
        for (std::size_t at = 0; at < topology.nics.size(); ++at) {
            const auto rank = [&](std::size_t nic) {
                return std::tuple(
                    *gpu.nearest[nic],
                    -static_cast<long>(shared_bridges(gpu.pci, topology.nics[nic].pci)),
                    taken[nic]);
            };
            if (gpu.nearest[at] && *gpu.nearest[at] != Nearness::far &&
                (!gpu.near_nic || rank(at) < rank(*gpu.near_nic))) {
                gpu.near_nic = at;
            }
        }
        if (gpu.near_nic) {
            ++taken[*gpu.near_nic];
        }
    }
}

// Returns one of two words. The physical state of a link that is not up is more specific than the
// state of its port.
std::optional<std::string> state_of_port(const Fs& fs, const RdmaPort& port) {
    const auto phys = port_phys_state(fs, port);
    if (phys && phys->number != phys_link_up) {
        return phys->word;
    }
    const auto state = port_state(fs, port);
    return state ? std::optional(state->word) : std::nullopt;
}

void read_ports(const Machine& machine, const RdmaDevice& device, Topology& topology) {
    const auto nic = std::find_if(topology.nics.begin(), topology.nics.end(),
                                  [&](const Nic& each) { return each.pci.bdf == device.bdf; });
    if (nic == topology.nics.end() || machine.asleep(device.bdf)) {
        return;
    }
    if (!device.ports) {
        topology.notes.push_back(device.ports.error().text);
        return;
    }
    for (const auto& port : *device.ports) {
        const auto rate = port_rate(machine.fs(), port);
        nic->ports.push_back({port.name(), state_of_port(machine.fs(), port),
                              rate ? std::optional(*rate + " Gb/s") : std::nullopt});
    }
}

// Fills `nics`, and for each GPU how near they are.
void read_nics(const Machine& machine, Topology& topology) {
    const auto nics = machine.named_rdma_nics();
    if (!nics) {
        topology.notes.push_back(nics.error().text);
        return;
    }
    for (const auto& nic : *nics) {
        topology.nics.push_back({read_pci_end(machine, nic.bdf, topology.notes), nic.name});
    }
    const auto devices = rdma_devices(machine);
    for (const auto& device : devices ? *devices : std::vector<RdmaDevice>()) {
        read_ports(machine, device, topology);
    }
    for (auto& gpu : topology.physical) {
        for (const auto& nic : topology.nics) {
            gpu.nearest.push_back(nearness(gpu.pci, nic.pci));
        }
    }
    choose_nics(topology);
}

}  // namespace

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
