// SPDX-License-Identifier: MIT
#include "commands/topology/topo_kinds.h"

#include <algorithm>
#include <map>

#include "machine/gpu/gpu_models.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t half_gib = std::uint64_t{1} << 29;
constexpr std::string_view unit = " GT/s";

std::string without_unit(std::string text) {
    const auto at = text.find(unit);
    return at == std::string::npos ? text : text.erase(at, unit.size());
}

// 0: not known.
std::uint32_t device_of(const Agent& agent) {
    const auto id = agent.device_id ? parse_number(agent.device_id->substr(2), 16) : std::nullopt;
    return static_cast<std::uint32_t>(id.value_or(0));
}

void add(std::string& list, const std::string& text) {
    list += (list.empty() ? "" : ", ") + text;
}

}  // namespace

std::string link_short(const PciEnd& end) {
    if (!end.link) {
        return "-";
    }
    return without_unit(*end.link) + (end.slow() ? " of " + without_unit(*end.link_max) : "");
}

std::string gib_text(std::uint64_t bytes) {
    const std::uint64_t rounded = (bytes + half_gib) >> 30;
    return rounded == 0 ? number(bytes >> 20) + " MiB" : number(rounded) + " GiB";
}

std::string agent_name(const Agent& agent) {
    return agent.name.value_or("GPU " + agent.device_id.value_or("of unknown id"));
}

std::string agent_facts(const Agent& agent) {
    std::string facts;
    if (agent.compute_units) {
        add(facts, number(*agent.compute_units) + " CUs" +
                       (agent.simds_per_cu ? " of " + number(*agent.simds_per_cu) + " SIMDs" : ""));
    }
    if (agent.wavefront_size) {
        add(facts, "wavefront " + number(*agent.wavefront_size));
    }
    if (agent.vram_bytes) {
        add(facts, gib_text(*agent.vram_bytes));
    }
    if (agent.max_clock_mhz) {
        add(facts, number(*agent.max_clock_mhz) + " MHz");
    }
    return facts;
}

std::string mode_text(const Topology& topology, const Agent& agent) {
    const PhysicalGpu& gpu = topology.physical[agent.physical];
    std::string text;
    for (const auto* part : {&agent.gfx, &gpu.compute_partition, &gpu.memory_partition}) {
        if (*part) {
            add(text, **part);
        }
    }
    return text;
}

std::string physical_text(const Agent& agent, std::size_t agents, std::size_t physical,
                          const std::string& name) {
    return (agents > physical ? number(agents) + " partitions of " : "") +
           devices_text(physical, device_of(agent), name);
}

std::string physical_count(const Topology& topology) {
    std::map<std::uint32_t, std::size_t> devices;
    for (const auto& gpu : topology.physical) {
        ++devices[gpu.agents.empty() ? 0 : device_of(topology.gpus[gpu.agents[0]])];
    }
    std::size_t dies = 0;
    std::size_t modules = 0;
    for (const auto& [device, count] : devices) {
        const GpuModel* model = gpu_model(device);
        const std::size_t each = model == nullptr ? 1 : model->devices;
        dies += each == 1 ? 0 : count;
        modules += (count + each - 1) / each;
    }
    return (dies == 0 ? "" : counted(dies, "die") + " of ") + counted(modules, "physical GPU");
}

std::string range_text(std::vector<std::uint32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return number_list(numbers);
}

std::string agents_text(const Topology& topology, const std::vector<std::size_t>& agents) {
    std::vector<std::uint32_t> indices;
    indices.reserve(agents.size());
    for (const auto at : agents) {
        indices.push_back(static_cast<std::uint32_t>(topology.gpus[at].rocr_index));
    }
    return range_text(std::move(indices));
}

namespace {

std::string name_of(const MissingGpu& gpu) {
    return gpu.pci.bdf + (gpu.slot ? " (slot " + *gpu.slot + ")" : "");
}

// "have no driver" of "has no driver".
std::string plural_clause(const std::string& why) {
    return why.starts_with("has ")  ? "have " + why.substr(4)
           : why.starts_with("is ") ? "are " + why.substr(3)
                                    : why;
}

// Returns how many agents a physical GPU has; std::nullopt if they differ.
std::optional<std::size_t> agents_of_each(const Topology& topology) {
    std::optional<std::size_t> each;
    for (const auto& gpu : topology.physical) {
        if (each && *each != gpu.agents.size()) {
            return std::nullopt;
        }
        each = gpu.agents.size();
    }
    return each;
}

std::string range(std::size_t first, std::size_t last) {
    return number(first) + (first == last ? "" : "-" + number(last));
}

// "4-6 would be 5-7"; empty if none moved, or if the driver does not count by address.
std::string moved_indices(const Topology& topology) {
    const auto each = agents_of_each(topology);
    if (!each) {
        return "";
    }
    std::vector<std::string> parts;
    std::size_t first = 0;  // first of the agents that moved by the same number
    std::size_t moved_by = 0;
    const auto end_at = [&](std::size_t end) {
        if (moved_by > 0) {
            parts.push_back(range(first, end - 1) + " would be " +
                            range(first + moved_by, end - 1 + moved_by));
        }
    };
    for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
        const Agent& agent = topology.gpus[at];
        if (agent.rocr_index != at) {
            return "";
        }
        const auto before =
            std::count_if(topology.missing.begin(), topology.missing.end(),
                          [&](const MissingGpu& gpu) { return gpu.pci.bdf < agent.bdf; });
        const std::size_t by = static_cast<std::size_t>(before) * *each;
        if (by != moved_by) {
            end_at(at);
            first = at;
            moved_by = by;
        }
    }
    end_at(topology.gpus.size());
    return join(parts, ", ");
}

}  // namespace

std::vector<std::string> missing_sentences(const Topology& topology) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (const auto& gpu : topology.missing) {
        auto reason = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& each) { return each.first == gpu.why; });
        if (reason == reasons.end()) {
            reason = reasons.insert(reason, {gpu.why, {}});
        }
        reason->second.push_back(name_of(gpu));
    }
    std::vector<std::string> out;
    for (const auto& [why, names] : reasons) {
        const bool of_all = names.size() == topology.missing.size();
        out.push_back(names.size() == 1 ? "The GPU at " + names.front() + " " + why + "."
                      : of_all ? "The " + number(names.size()) + " GPUs without an agent " +
                                     plural_clause(why) + "."
                               : number(names.size()) + " GPUs " + plural_clause(why) + ": " +
                                     join(names, ", "));
    }
    const std::string moved = moved_indices(topology);
    if (!moved.empty()) {
        out.push_back("Indices moved: with " +
                      std::string(topology.missing.size() == 1 ? "it" : "them") + ", " + moved +
                      ".");
    }
    return out;
}

std::optional<LinkKind> link_between(const Topology& topology, std::size_t from, std::size_t to) {
    const auto of = [&](std::uint64_t agent) { return topology.gpus[agent].physical; };
    std::optional<LinkKind> found;
    for (const auto& link : topology.links) {
        if (link.from_kind != TopologyLink::End::gpu || link.to_kind != TopologyLink::End::gpu ||
            of(link.from) != from || of(link.to) != to) {
            continue;
        }
        if (!found) {
            found = LinkKind{link.type, link.hops, link.weight, false};
        } else if (found->type != link.type || found->weight != link.weight) {
            if (link.weight < found->weight) {
                found = LinkKind{link.type, link.hops, link.weight, true};
            }
            found->mixed = true;
        }
    }
    return found;
}

}  // namespace rocenv
