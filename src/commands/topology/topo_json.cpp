// SPDX-License-Identifier: MIT
#include "commands/topology/topology.h"
#include "json/out.h"
#include "json/schema.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* topo_hash = "^[0-9a-f]{16}$";
constexpr const char* topo_device = "^0x[0-9a-f]{4}$";
constexpr const char* topo_cpus = "^[0-9,-]+$";
constexpr const char* topo_address = "^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]$";

// "32.0 GT/s x16"
constexpr JsonNote pcie_note{
    .says = "slowest part of the path to the root, in GT/s and lanes; null: no link, or not known",
    .pattern = "^[0-9]+\\.[0-9] GT/s x[0-9]+$"};
constexpr JsonNote above_0{.at_least = 1};

// An index into gpus, or "cpu0".
using LinkEnd = std::variant<std::uint64_t, std::string>;
LinkEnd link_end(TopologyLink::End kind, std::uint64_t number_of) {
    return kind == TopologyLink::End::gpu ? LinkEnd(number_of) : "cpu" + number(number_of);
}

const PhysicalGpu& physical_of(const Agent& agent, const Topology& topology) {
    return topology.physical[agent.physical];
}

// To each physical GPU.
std::vector<std::optional<Nearness>> nearness_of(const Nic& nic, const Topology& topology) {
    std::vector<std::optional<Nearness>> out;
    const auto at = static_cast<std::size_t>(&nic - topology.nics.data());
    for (const auto& gpu : topology.physical) {
        out.push_back(gpu.nearest[at]);
    }
    return out;
}

}  // namespace

template <>
struct Described<Agent> {
    static void members(auto& at) {
        at.member("bdf", &Agent::bdf,
                  {.says = "of the physical function", .pattern = topo_address});
        at.member("gfx", &Agent::gfx, {.pattern = "^gfx[0-9a-f]+$"});
        at.member("name", &Agent::name, {.filled = true});
        at.member("device_id", &Agent::device_id, {.pattern = topo_device});
        at.member("compute_units", &Agent::compute_units, above_0);
        at.member("simds_per_cu", &Agent::simds_per_cu, above_0);
        at.member("wavefront_size", &Agent::wavefront_size, above_0);
        at.member("max_waves_per_cu", &Agent::max_waves_per_cu, above_0);
        at.member("lds_bytes_per_cu", &Agent::lds_bytes_per_cu, above_0);
        at.member("xcc", &Agent::xcc, above_0);
        at.member("vram_bytes", &Agent::vram_bytes);
        at.member("max_clock_mhz", &Agent::max_clock_mhz, above_0);
        at.member("numa_node", &Agent::numa_node);
        at.member("cpus", &Agent::cpus, {.pattern = topo_cpus});
        at.member("render", &Agent::render, {.pattern = "^renderD[0-9]+$"});
        at.member("hive", &Agent::hive, {.pattern = topo_hash});
        at.member("unique_id", &Agent::unique_id, {.pattern = topo_hash});
        at.member("physical", &Agent::physical, {.says = "index of the physical GPU"});
        at.member("partition", &Agent::partition);
        of_physical(at);
        at.member("node", &Agent::node, {.says = "node number of the driver (KFD)"});
        at.member("rocr_index", &Agent::rocr_index, {.says = "its index in ROCR_VISIBLE_DEVICES"});
    }

   private:
    static void of_physical(auto& at) {
        at.member("compute_partition",
                  [](const Agent& agent, const Topology& topology) {
                      return physical_of(agent, topology).compute_partition;
                  },
                  {.says = "SPX, CPX ...", .filled = true});
        at.member("memory_partition",
                  [](const Agent& agent, const Topology& topology) {
                      return physical_of(agent, topology).memory_partition;
                  },
                  {.says = "NPS1, NPS4 ...", .filled = true});
        at.member(
            "link",
            [](const Agent& agent, const Topology& topology) {
                return physical_of(agent, topology).pci.link;
            },
            pcie_note);
        at.member(
            "link_max",
            [](const Agent& agent, const Topology& topology) {
                return physical_of(agent, topology).pci.link_max;
            },
            pcie_note);
        at.member("nic",
                  [](const Agent& agent, const Topology& topology) {
                      return physical_of(agent, topology).near_nic;
                  },
                  {.says = "index in nics of the nearest NIC"});
    }
};

template <>
struct Described<TopologyLink> {
    static void members(auto& at) {
        constexpr JsonNote end{.says = "index in gpus, or a CPU node", .pattern = "^cpu[0-9]+$"};
        at.member(
            "from", [](const TopologyLink& link) { return link_end(link.from_kind, link.from); },
            end);
        at.member(
            "to", [](const TopologyLink& link) { return link_end(link.to_kind, link.to); }, end);
        at.member("type", &TopologyLink::type,
                  {.says = "xgmi, pcie, hypertransport, qpi, or type N with the driver's number",
                   .filled = true});
        at.member("weight", &TopologyLink::weight, {.says = "a cost, not a bandwidth"});
        at.member("hops", &TopologyLink::hops,
                  {.says = "of xGMI between GPUs, 0 within one GPU; null: not known"});
    }
};

template <>
struct Described<NicPort> {
    static void members(auto& at) {
        at.member("name", &NicPort::name, {.pattern = ":[0-9]+$"});
        at.member("state", &NicPort::state, {.says = "ACTIVE, or its state"});
        at.member("rate", &NicPort::rate, {.pattern = "^[0-9.]+ Gb/s$"});
    }
};

template <>
struct Described<Nic> {
    static void members(auto& at) {
        at.member("bdf", [](const Nic& nic) { return nic.pci.bdf; }, {.pattern = topo_address});
        at.member("name", &Nic::name, {.filled = true});
        at.member("numa_node", [](const Nic& nic) { return nic.pci.numa_node; });
        at.member("cpus", [](const Nic& nic) { return nic.pci.cpus; }, {.pattern = topo_cpus});
        at.member(
            "link", [](const Nic& nic) { return nic.pci.link; }, pcie_note);
        at.member(
            "link_max", [](const Nic& nic) { return nic.pci.link_max; }, pcie_note);
        at.member("ports", &Nic::ports,
                  {.says = "as the kernel reports them; empty for Slingshot NICs"});
        at.member("nearness", nearness_of,
                  {.says = "to each physical GPU: both are below one PCIe switch, one host bridge "
                           "(root), on one NUMA node, or far"});
    }
};

template <>
struct Described<CpuPackage> {
    static void members(auto& at) {
        at.member("package", &CpuPackage::id);
        at.member("cpus", [](const CpuPackage& package) { return number_list(package.cpus); },
                  {.pattern = "^[0-9,-]*$"});
        at.member("cores", &CpuPackage::cores);
    }
};

template <>
struct Described<CpuTopology> {
    static void members(auto& at) {
        at.member("source", &CpuTopology::source, {.pattern = "^(hwloc .+|kernel files)$"});
        at.member("model", &CpuTopology::model, {.filled = true});
        at.member("cores", &CpuTopology::cores);
        at.member("threads", &CpuTopology::threads);
        at.member("threads_per_core", [](const CpuTopology& of) { return of.threads_per_core(); },
                  {.says = "null: not the same for all", .at_least = 1});
        at.member("packages", &CpuTopology::packages);
    }
};

template <>
struct Described<NumaNode> {
    static void members(auto& at) {
        at.member("node", &NumaNode::node);
        at.member("cpus", [](const NumaNode& node) { return number_list(node.cpus); },
                  {.pattern = "^[0-9,-]*$"});
        at.member("memory_bytes", &NumaNode::memory_bytes);
        at.member("package", &NumaNode::package, {.says = "null: in none, or in several"});
    }
};

template <>
struct Described<MissingGpu> {
    static void members(auto& at) {
        at.member("bdf", [](const MissingGpu& gpu) { return gpu.pci.bdf; },
                  {.pattern = "^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]$"});
        at.member("slot", &MissingGpu::slot,
                  {.says = "as /sys/bus/pci/slots names it", .filled = true});
        at.member("name", &MissingGpu::name, {.filled = true});
        at.member("device_id", &MissingGpu::device_id, {.pattern = topo_device});
        at.member("numa_node", [](const MissingGpu& gpu) { return gpu.pci.numa_node; });
        at.member("code", &MissingGpu::code,
                  {.says = "the code of gpu.count: fallen, no-driver, vfio, driver-NAME, "
                           "no-kfd-node; else unknown",
                   .filled = true});
        at.member("why", &MissingGpu::why, {.says = "a clause without subject", .filled = true});
    }
};

template <>
struct Described<Topology> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.topo/1");
        at.member("version", [](const Topology&) { return ROCENV_VERSION; }, {.filled = true});
        at.member(
            "gpus", &Topology::gpus,
            {.says = "one entry for each agent (partition), by physical GPU; null: not known"});
        at.member("links", &Topology::links,
                  {.says = "one entry for each direction that the driver lists, sorted by "
                           "from and to"});
        at.member("nics", &Topology::nics, {.says = "RDMA NICs, by address"});
        at.member("cpus", &Topology::cpu_topology, {.says = "null: could not be read"});
        at.member("numa",
                  [](const Topology& topology) {
                      return topology.cpu_topology ? topology.cpu_topology->numa
                                                   : std::vector<NumaNode>();
                  },
                  {.says = "by Linux's node number"});
        at.member("hidden", &Topology::hidden,
                  {.says = "KFD nodes that are hidden from this container"});
        at.member("missing", &Topology::missing,
                  {.says = "GPUs without an agent, by address; they are in no other list"});
        at.member("notes", &Topology::notes, {.each_filled = true});
    }
};

std::string render_topology_json(const Topology& topology) {
    return json_text_of(topology, topology);
}

std::string topology_schema() {
    return json_schema_of<Topology, Topology>(
        "GPUs, NICs, CPUs and links of a node, from rocenv topo --format json");
}

}  // namespace rocenv
