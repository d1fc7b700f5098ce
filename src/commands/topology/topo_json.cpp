// SPDX-License-Identifier: MIT
#include "commands/topology/topology.h"
#include "json/writer.h"
#include "util/text.h"

namespace rocenv {

namespace {

void write_links_of(JsonWriter& json, const PciEnd& end) {
    json.text_or_null("link", end.link);
    json.text_or_null("link_max", end.link_max);
}

void write_agent(JsonWriter& json, const Topology& topology, const Agent& agent) {
    const PhysicalGpu& gpu = topology.physical[agent.physical];
    json.open_object();
    json.text("bdf", agent.bdf);
    json.text_or_null("gfx", agent.gfx);
    json.text_or_null("name", agent.name);
    json.text_or_null("device_id", agent.device_id);
    json.integer_or_null("compute_units", agent.compute_units);
    json.integer_or_null("simds_per_cu", agent.simds_per_cu);
    json.integer_or_null("wavefront_size", agent.wavefront_size);
    json.integer_or_null("max_waves_per_cu", agent.max_waves_per_cu);
    json.integer_or_null("lds_bytes_per_cu", agent.lds_bytes_per_cu);
    json.integer_or_null("xcc", agent.xcc);
    json.integer_or_null("vram_bytes", agent.vram_bytes);
    json.integer_or_null("max_clock_mhz", agent.max_clock_mhz);
    json.integer_or_null("numa_node", agent.numa_node);
    json.text_or_null("cpus", agent.cpus);
    json.text_or_null("render", agent.render);
    json.text_or_null("hive", agent.hive);
    json.text_or_null("unique_id", agent.unique_id);
    json.integer("physical", agent.physical);
    json.integer("partition", agent.partition);
    json.text_or_null("compute_partition", gpu.compute_partition);
    json.text_or_null("memory_partition", gpu.memory_partition);
    write_links_of(json, gpu.pci);
    json.integer_or_null("nic", gpu.near_nic);
    json.integer("node", agent.node);
    json.integer("rocr_index", agent.rocr_index);
    json.close_object();
}

void write_end(JsonWriter& json, const char* key, TopologyLink::End kind, std::uint64_t number) {
    if (kind == TopologyLink::End::gpu) {
        json.integer(key, number);
    } else {
        json.text(key, "cpu" + rocenv::number(number));
    }
}

void write_links(JsonWriter& json, const Topology& topology) {
    json.open_array("links");
    for (const auto& link : topology.links) {
        json.open_object();
        write_end(json, "from", link.from_kind, link.from);
        write_end(json, "to", link.to_kind, link.to);
        json.text("type", link.type);
        json.integer("weight", link.weight);
        json.integer_or_null("hops", link.hops);
        json.close_object();
    }
    json.close_array();
}

void write_nics(JsonWriter& json, const Topology& topology) {
    json.open_array("nics");
    for (std::size_t at = 0; at < topology.nics.size(); ++at) {
        const Nic& nic = topology.nics[at];
        json.open_object();
        json.text("bdf", nic.pci.bdf);
        json.text("name", nic.name);
        json.integer_or_null("numa_node", nic.pci.numa_node);
        json.text_or_null("cpus", nic.pci.cpus);
        write_links_of(json, nic.pci);
        json.open_array("ports");
        for (const auto& port : nic.ports) {
            json.open_object();
            json.text("name", port.name);
            json.text_or_null("state", port.state);
            json.text_or_null("rate", port.rate);
            json.close_object();
        }
        json.close_array();
        json.open_array("nearness");
        for (const auto& gpu : topology.physical) {
            const auto& near = gpu.nearest[at];
            json.text_or_null({}, near ? std::optional(std::string(word_of(*near))) : std::nullopt);
        }
        json.close_array();
        json.close_object();
    }
    json.close_array();
}

void write_cpus(JsonWriter& json, const CpuTopology& side) {
    json.open_object("cpus");
    json.text("source", side.source);
    json.text_or_null("model", side.model);
    json.integer("cores", side.cores);
    json.integer("threads", side.threads);
    json.integer_or_null("threads_per_core", side.threads_per_core());
    json.open_array("packages");
    for (const auto& package : side.packages) {
        json.open_object();
        json.integer("package", std::uint64_t{package.id});
        json.text("cpus", number_list(package.cpus));
        json.integer("cores", package.cores);
        json.close_object();
    }
    json.close_array();
    json.close_object();
}

void write_numa(JsonWriter& json, const CpuTopology& side) {
    for (const auto& node : side.numa) {
        json.open_object();
        json.integer("node", std::uint64_t{node.node});
        json.text("cpus", number_list(node.cpus));
        json.integer_or_null("memory_bytes", node.memory_bytes);
        json.integer_or_null("package", node.package);
        json.close_object();
    }
}

void write_missing(JsonWriter& json, const Topology& topology) {
    json.open_array("missing");
    for (const auto& gpu : topology.missing) {
        json.open_object();
        json.text("bdf", gpu.pci.bdf);
        json.text_or_null("slot", gpu.slot);
        json.text_or_null("name", gpu.name);
        json.text_or_null("device_id", gpu.device_id);
        json.integer_or_null("numa_node", gpu.pci.numa_node);
        json.text("code", gpu.code);
        json.text("why", gpu.why);
        json.close_object();
    }
    json.close_array();
}

}  // namespace

std::string render_topology_json(const Topology& topology) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.topo/1");
    json.text("version", ROCENV_VERSION);
    json.open_array("gpus");
    for (const auto& agent : topology.gpus) {
        write_agent(json, topology, agent);
    }
    json.close_array();
    write_links(json, topology);
    write_nics(json, topology);
    if (topology.cpu_topology) {
        write_cpus(json, *topology.cpu_topology);
    } else {
        json.null("cpus");
    }
    json.open_array("numa");
    if (topology.cpu_topology) {
        write_numa(json, *topology.cpu_topology);
    }
    json.close_array();
    json.integer("hidden", std::uint64_t{topology.hidden});
    write_missing(json, topology);
    json.open_array("notes");
    for (const auto& note : topology.notes) {
        json.text("", note);
    }
    json.close_array();
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
