// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "render/json_writer.h"
#include "render/layout.h"
#include "rocenv/topology.h"
#include "util/text.h"

namespace rocenv {

namespace {

void write_agent(JsonWriter& json, const Agent& agent) {
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
    json.close_object();
}

using Row = std::array<std::string, 8>;

std::string or_dash(const std::optional<std::uint64_t>& value) {
    return value ? number(*value) : "-";
}

constexpr std::uint64_t half_gib = std::uint64_t{1} << 29;

Row row_of(std::size_t index, const Agent& agent) {
    const std::string name = agent.name.value_or(agent.device_id.value_or("-"));
    constexpr std::string_view maker = "AMD Instinct ";
    const auto vram =
        agent.vram_bytes ? number((*agent.vram_bytes + half_gib) >> 30) + " GiB" : "-";
    return {number(index),
            agent.bdf + (agent.partition == 0 ? "" : "/" + number(agent.partition)),
            name.starts_with(maker) ? name.substr(maker.size()) : name,
            agent.gfx.value_or("-"),
            or_dash(agent.compute_units),
            vram,
            agent.max_clock_mhz ? number(*agent.max_clock_mhz) + " MHz" : "-",
            or_dash(agent.numa_node)};
}

}  // namespace

std::string render_topology_json(const Topology& topology) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.topo/1");
    json.text("version", ROCENV_VERSION);
    json.open_array("gpus");
    for (const auto& agent : topology.gpus) {
        write_agent(json, agent);
    }
    json.close_array();
    json.integer("hidden", std::uint64_t{topology.hidden});
    json.open_array("notes");
    for (const auto& note : topology.notes) {
        json.text("", note);
    }
    json.close_array();
    json.close_object();
    return json.finish();
}

std::string render_topology_human(const Topology& topology) {
    std::vector<Row> rows{{"GPU", "address", "name", "gfx", "CUs", "memory", "clock", "NUMA"}};
    for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
        rows.push_back(row_of(at, topology.gpus[at]));
    }
    std::array<std::size_t, 8> widths{};
    for (const auto& row : rows) {
        for (std::size_t at = 0; at < row.size(); ++at) {
            widths[at] = std::max(widths[at], row[at].size());
        }
    }
    std::string out;
    for (const auto& row : topology.gpus.empty() ? std::vector<Row>() : rows) {
        std::string line;
        for (std::size_t at = 0; at < row.size(); ++at) {
            line += (at == 0 ? "" : "  ") + row[at] + std::string(widths[at] - row[at].size(), ' ');
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    out += (out.empty() ? "" : "\n") + counted(topology.gpus.size(), "agent") + " on " +
           counted(topology.physical, "physical GPU");
    out += topology.hidden == 0
               ? "\n"
               : ", " + counted(topology.hidden, "KFD node") + " hidden from this container\n";
    for (const auto& note : topology.notes) {
        out += wrapped("note: ", 6, note);
    }
    return out;
}

}  // namespace rocenv
