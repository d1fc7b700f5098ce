// SPDX-License-Identifier: MIT
// A topology as keys and values, for topo --get.
#include "commands/topology/topology.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Text = std::optional<std::string>;
using Number = std::optional<std::uint64_t>;

class Values {
   public:
    explicit Values(std::vector<TopologyValue>& out) : out_(out) {}

    void under(const std::string& prefix) { prefix_ = prefix; }
    void text(const char* key, const Text& value) { out_.push_back({prefix_ + key, value}); }
    void count(const char* key, const Number& value) {
        text(key, value ? Text(number(*value)) : std::nullopt);
    }

   private:
    std::vector<TopologyValue>& out_;
    std::string prefix_;
};

void add_agent(Values& values, const Topology& topology, const Agent& agent) {
    const PhysicalGpu& gpu = topology.physical[agent.physical];
    values.text("bdf", agent.bdf);
    values.text("gfx", agent.gfx);
    values.text("name", agent.name);
    values.text("device_id", agent.device_id);
    values.count("compute_units", agent.compute_units);
    values.count("simds_per_cu", agent.simds_per_cu);
    values.count("wavefront_size", agent.wavefront_size);
    values.count("max_waves_per_cu", agent.max_waves_per_cu);
    values.count("lds_bytes_per_cu", agent.lds_bytes_per_cu);
    values.count("xcc", agent.xcc);
    values.count("vram_bytes", agent.vram_bytes);
    values.count("max_clock_mhz", agent.max_clock_mhz);
    values.count("numa_node", agent.numa_node);
    values.text("cpus", agent.cpus);
    values.text("render", agent.render);
    values.text("hive", agent.hive);
    values.text("unique_id", agent.unique_id);
    values.count("physical", agent.physical);
    values.count("partition", agent.partition);
    values.text("compute_partition", gpu.compute_partition);
    values.text("memory_partition", gpu.memory_partition);
    values.text("link", gpu.pci.link);
    values.text("link_max", gpu.pci.link_max);
    values.text("nic", gpu.near_nic ? Text(topology.nics[*gpu.near_nic].name) : std::nullopt);
    values.count("node", agent.node);
    values.count("rocr_index", agent.rocr_index);
}

void add_nics(Values& values, const Topology& topology) {
    for (std::size_t at = 0; at < topology.nics.size(); ++at) {
        const Nic& nic = topology.nics[at];
        values.under("nic." + number(at) + ".");
        values.text("bdf", nic.pci.bdf);
        values.text("name", nic.name);
        values.count("numa_node", nic.pci.numa_node);
        values.text("cpus", nic.pci.cpus);
        values.text("link", nic.pci.link);
        values.text("link_max", nic.pci.link_max);
    }
}

void add_cpus(Values& values, const CpuTopology& side) {
    values.under("cpus.");
    values.text("model", side.model);
    values.count("packages", side.packages.size());
    values.count("cores", side.cores);
    values.count("threads", side.threads);
    values.count("threads_per_core", side.threads_per_core());
    for (const auto& node : side.numa) {
        values.under("numa." + number(node.node) + ".");
        values.text("cpus", number_list(node.cpus));
        values.count("memory_bytes", node.memory_bytes);
        values.count("package", node.package);
    }
}

void add_links(Values& values, const Topology& topology) {
    for (const auto& link : topology.links) {
        if (link.from_kind == TopologyLink::End::gpu && link.to_kind == TopologyLink::End::gpu) {
            values.under("gpu." + number(link.from) + ".to." + number(link.to) + ".");
            values.text("type", link.type);
            values.count("hops", link.hops);
            values.count("weight", link.weight);
        }
    }
}

}  // namespace

std::vector<TopologyValue> topology_values(const Topology& topology) {
    std::vector<TopologyValue> out;
    Values values(out);
    values.count("gpus", topology.gpus.size());
    values.count("physical", topology.physical.size());
    values.count("nics", topology.nics.size());
    values.count("hidden", topology.hidden);
    for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
        values.under("gpu." + number(at) + ".");
        add_agent(values, topology, topology.gpus[at]);
    }
    add_nics(values, topology);
    if (topology.cpu_topology) {
        add_cpus(values, *topology.cpu_topology);
    }
    add_links(values, topology);
    return out;
}

}  // namespace rocenv
