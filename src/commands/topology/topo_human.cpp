// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "commands/topology/topo_kinds.h"
#include "print/document.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_note = 1000;

std::string or_dash(const std::optional<std::uint64_t>& value) {
    return value ? number(*value) : "-";
}

// Agents of one physical GPU that have everything in common but their number.
struct Fold {
    std::vector<std::size_t> agents;
    std::string kind;
};

std::string kind_of(const Topology& topology, const Agent& agent) {
    const std::string modes = mode_text(topology, agent);
    const std::string facts = agent_facts(agent);
    return agent_name(agent) + (modes.empty() ? "" : " (" + modes + ")") +
           (facts.empty() ? "" : "\n" + facts);
}

std::vector<Fold> folds_of(const Topology& topology) {
    std::vector<Fold> folds;
    for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
        const Agent& agent = topology.gpus[at];
        std::string kind = kind_of(topology, agent);
        const bool same = !folds.empty() && folds.back().kind == kind &&
                          topology.gpus[folds.back().agents[0]].physical == agent.physical;
        if (!same) {
            folds.push_back({{}, std::move(kind)});
        }
        folds.back().agents.push_back(at);
    }
    return folds;
}

TextRow row_of(const Topology& topology, const Fold& fold, bool partitions) {
    const Agent& first = topology.gpus[fold.agents[0]];
    const PhysicalGpu& gpu = topology.physical[first.physical];
    std::vector<std::uint32_t> parts;
    for (const auto at : fold.agents) {
        parts.push_back(static_cast<std::uint32_t>(topology.gpus[at].partition));
    }
    TextRow row{agents_text(topology, fold.agents), gpu.pci.bdf};
    if (partitions) {
        row.push_back(range_text(std::move(parts)));
    }
    row.insert(row.end(),
               {or_dash(gpu.pci.numa_node), gpu.near_nic ? topology.nics[*gpu.near_nic].name : "-",
                link_short(gpu.pci), gpu.pci.cpus.value_or("-")});
    return row;
}

// "64 partitions of 8 x AMD Instinct MI300X (gfx942, CPX)", and what each has.
std::string heading(const Topology& topology, const std::vector<Fold>& folds,
                    const std::string& kind) {
    std::size_t agents = 0;
    std::size_t physical = 0;
    const Agent* first = nullptr;
    for (const auto& fold : folds) {
        if (fold.kind == kind) {
            agents += fold.agents.size();
            ++physical;
            first = &topology.gpus[fold.agents[0]];
        }
    }
    const auto end = std::min(kind.find('\n'), kind.size());
    return physical_text(*first, agents, physical, kind.substr(0, end)) + kind.substr(end);
}

TextRow row_of(const MissingGpu& gpu, bool partitions) {
    TextRow row{"-", gpu.pci.bdf};
    if (partitions) {
        row.emplace_back("-");
    }
    row.insert(row.end(), {or_dash(gpu.pci.numa_node), "-", "-", gpu.pci.cpus.value_or("-")});
    return row;
}

// Adds the name of a kind, and on the next line what is the same for all of it.
void add_heading(const std::string& kind, std::size_t missing, Document& out) {
    const auto end = std::min(kind.find('\n'), kind.size());
    out.heading(kind.substr(0, end) +
                (missing == 0 ? "" : ", and " + number(missing) + " without an agent"));
    if (end < kind.size()) {
        out.paragraph(kind.substr(end + 1));
    }
}

// One table for each kind of GPU. Those without an agent stand between their neighbours by address,
// or in a table of their own.
class GpuTables {
   public:
    GpuTables(const Topology& topology, Document& out)
        : topology_(topology),
          folds_(folds_of(topology)),
          partitions_(topology.gpus.size() > topology.physical.size()),
          out_(out) {}

    void add() {
        std::vector<std::string> kinds;
        for (const auto& fold : folds_) {
            if (std::find(kinds.begin(), kinds.end(), fold.kind) == kinds.end()) {
                kinds.push_back(fold.kind);
                add_kind(fold.kind);
            }
        }
        std::vector<AddressedRow> rest;
        for (const auto& gpu : topology_.missing) {
            if (!in_a_table_.contains(gpu.pci.bdf)) {
                rest.emplace_back(gpu.pci.bdf, row_of(gpu, partitions_));
            }
        }
        if (!rest.empty()) {
            out_.blank();
            out_.heading(counted(rest.size(), "GPU") + " without an agent");
            add_rows(std::move(rest));
        }
        for (const auto& sentence : missing_sentences(topology_)) {
            out_.paragraph(sentence);
        }
    }

   private:
    using AddressedRow = std::pair<std::string, TextRow>;

    void add_kind(const std::string& kind) {
        std::vector<AddressedRow> rows;
        std::optional<std::string> name;
        for (const auto& fold : folds_) {
            if (fold.kind == kind) {
                const Agent& agent = topology_.gpus[fold.agents[0]];
                name = agent.name;
                rows.emplace_back(agent.bdf, row_of(topology_, fold, partitions_));
            }
        }
        std::size_t missing = 0;
        for (const auto& gpu : topology_.missing) {
            if (gpu.name && gpu.name == name && in_a_table_.insert(gpu.pci.bdf).second) {
                rows.emplace_back(gpu.pci.bdf, row_of(gpu, partitions_));
                ++missing;
            }
        }
        out_.blank();
        add_heading(heading(topology_, folds_, kind), missing, out_);
        add_rows(std::move(rows));
    }

    void add_rows(std::vector<AddressedRow> rows) {
        std::stable_sort(
            rows.begin(), rows.end(),
            [](const AddressedRow& a, const AddressedRow& b) { return a.first < b.first; });
        TextRow titles{"GPU", "address", "NUMA", "near NIC", "PCIe GT/s", "near CPUs"};
        if (partitions_) {
            titles.insert(titles.begin() + 2, "part");
        }
        std::vector<TextRow> table{std::move(titles)};
        for (auto& [bdf, row] : rows) {
            table.push_back(std::move(row));
        }
        out_.table(std::move(table));
    }

    const Topology& topology_;
    const std::vector<Fold> folds_;
    const bool partitions_;
    Document& out_;
    std::set<std::string> in_a_table_;  // addresses of GPUs without an agent
};

// "X1:15": xGMI, one hop, weight 15.
std::string link_cell(const std::optional<LinkKind>& link, bool itself) {
    if (!link) {
        return itself ? "-" : ".";
    }
    const std::string letter = link->type == "xgmi" ? "X" : link->type == "pcie" ? "P" : link->type;
    return letter + (link->hops ? number(*link->hops) : "") + ":" + number(link->weight) +
           (link->mixed ? "+" : "");
}

// Adds the meaning of the cells that occur, by the cheapest links of each kind.
void add_link_legend(const std::vector<LinkKind>& links, bool missing, Document& out) {
    std::map<std::string, std::string> letters;
    std::uint64_t least = ~std::uint64_t{0};
    bool mixed = false;
    for (const auto& link : links) {
        const bool xgmi = link.type == "xgmi";
        const std::string hops = link.hops ? number(*link.hops) : "";
        if (xgmi || link.type == "pcie") {
            letters[(xgmi ? "X" : "P") + hops] =
                (xgmi ? "xGMI" : "PCIe") +
                (link.hops ? " with " + counted(*link.hops, "hop") : std::string());
        }
        least = std::min(least, link.weight);
        mixed = mixed || link.mixed;
    }
    std::vector<std::string> parts;
    parts.reserve(letters.size() + 2);
    for (const auto& [letter, meaning] : letters) {
        parts.push_back(letter + " " + meaning);
    }
    parts.push_back(":" + number(least) + " the driver's weight (a cost)");
    if (missing) {
        parts.emplace_back(". no link listed");
    }
    out.paragraph(join(parts, ", "));
    if (mixed) {
        out.paragraph("+ some links between these GPUs cost more");
    }
}

void add_links(const Topology& topology, Document& out) {
    std::vector<TextRow> rows{{"links"}};
    std::vector<LinkKind> links;
    bool missing = false;
    for (const auto& gpu : topology.physical) {
        rows[0].push_back(agents_text(topology, gpu.agents));
    }
    for (std::size_t from = 0; from < topology.physical.size(); ++from) {
        TextRow row{agents_text(topology, topology.physical[from].agents)};
        for (std::size_t to = 0; to < topology.physical.size(); ++to) {
            const auto link = link_between(topology, from, to);
            if (link) {
                links.push_back(*link);
            }
            missing = missing || (!link && from != to);
            row.push_back(link_cell(link, from == to));
        }
        rows.push_back(std::move(row));
    }
    if (!links.empty()) {
        out.blank();
        out.matrix(std::move(rows));
        add_link_legend(links, missing, out);
    } else if (topology.physical.size() > 1) {
        out.blank();
        out.paragraph("links: the driver lists none between GPUs");
    }
}

// "ACTIVE 400 Gb/s"; of several with their numbers: "1 ACTIVE 400 Gb/s, 2 Polling 10 Gb/s".
std::string ports_text(const Nic& nic) {
    std::vector<std::string> parts;
    for (const auto& port : nic.ports) {
        const auto colon = port.name.rfind(':') + 1;
        parts.push_back((nic.ports.size() > 1 ? port.name.substr(colon) + " " : std::string()) +
                        printable(port.state.value_or("?")) + " " + port.rate.value_or("?"));
    }
    return parts.empty() ? "-" : join(parts, ", ");
}

void add_nics(const Topology& topology, Document& out) {
    out.blank();
    if (topology.nics.empty()) {
        out.paragraph("NICs: no RDMA NIC");
        return;
    }
    std::vector<TextRow> list{{"NIC", "name", "address", "NUMA", "PCIe GT/s", "ports"}};
    std::vector<TextRow> rows{{"GPU"}};
    for (std::size_t at = 0; at < topology.nics.size(); ++at) {
        const Nic& nic = topology.nics[at];
        const std::string label = "N" + number(at);
        rows[0].push_back(label);
        list.push_back({label, nic.name, nic.pci.bdf, or_dash(nic.pci.numa_node),
                        link_short(nic.pci), ports_text(nic)});
    }
    for (const auto& gpu : topology.physical) {
        TextRow row{agents_text(topology, gpu.agents)};
        for (const auto& near : gpu.nearest) {
            row.push_back(near ? std::string(word_of(*near)) : "?");
        }
        rows.push_back(std::move(row));
    }
    out.table(std::move(list));
    if (!topology.physical.empty()) {
        out.blank();
        out.matrix(std::move(rows));
        out.paragraph(
            "what a GPU and a NIC share: a PCIe switch, a root (host bridge), a NUMA node; far: "
            "nothing");
    }
}

std::string smt_text(const CpuTopology& side) {
    const auto threads = side.threads_per_core();
    return threads == 1 ? "SMT off" : threads ? "SMT " + number(*threads) : "SMT in part";
}

void add_cpus(const CpuTopology& side, Document& out) {
    out.blank();
    if (side.model) {
        out.heading(*side.model);
    }
    out.paragraph(counted(side.packages.size(), "package") + ", " + counted(side.cores, "core") +
                  ", " + counted(side.threads, "thread") + " (" + smt_text(side) + ")");
    std::vector<TextRow> rows{{"NUMA", "package", "memory", "CPUs"}};
    for (const auto& node : side.numa) {
        rows.push_back({number(node.node), node.package ? number(*node.package) : "-",
                        node.memory_bytes ? gib_text(*node.memory_bytes) : "-",
                        node.cpus.empty() ? "-" : number_list(node.cpus)});
    }
    out.table(std::move(rows));
}

std::string summary(const Topology& topology) {
    return counted(topology.gpus.size(), "agent") + " on " + physical_count(topology) +
           (topology.missing.empty()
                ? ""
                : ", " + counted(topology.missing.size(), "GPU") + " without an agent") +
           (topology.hidden == 0
                ? ""
                : ", " + counted(topology.hidden, "KFD node") + " hidden from this container");
}

}  // namespace

std::string render_topology_human(const Topology& topology, Screen screen) {
    Document out;
    GpuTables(topology, out).add();
    if (!topology.gpus.empty()) {
        add_links(topology, out);
    }
    if (!topology.gpus.empty() || !topology.nics.empty()) {
        add_nics(topology, out);
    }
    if (topology.cpu_topology) {
        add_cpus(*topology.cpu_topology, out);
    }
    out.blank();
    out.paragraph(summary(topology));
    for (const auto& note : topology.notes) {
        out.paragraph("note: " + printable(note, longest_note));
    }
    return out.text(screen);
}

}  // namespace rocenv
