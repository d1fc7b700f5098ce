// SPDX-License-Identifier: MIT
// The contents of rocminfo, rocm-smi --showtopo and lstopo for a node, from the kernel's files.
// /dev/kfd is never opened. Each partition of a GPU is one agent. Unknown values are std::nullopt,
// never guesses; `notes` has the reasons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "print/style.h"
#include "rocenv/cpu_topology.h"
#include "rocenv/machine.h"
#include "rocenv/words.h"

namespace rocenv {

// The nearest part that a GPU and a NIC share: a PCIe switch, a host bridge, a NUMA node, or none.
enum class Nearness { same_switch, same_root, same_numa, far };
template <>
struct EnumWords<Nearness> {
    static constexpr EnumWord<Nearness> all[] = {
        {Nearness::same_switch, "switch"},
        {Nearness::same_root, "root"},
        {Nearness::same_numa, "numa"},
        {Nearness::far, "far"},
    };
};

// A PCI function at the end of a path.
struct PciEnd {
    std::string bdf;
    std::optional<std::string> root;   // host bridge, "pci0000:00"
    std::vector<std::string> bridges;  // root first
    std::optional<std::string> link;   // slowest link on the path to the root: "32.0 GT/s x16"
    std::optional<std::string> link_max;
    std::optional<std::uint64_t> numa_node;
    std::optional<std::string> cpus;  // "0-95,192-287"

    // Returns whether the link is known to be below its maximum.
    bool slow() const { return link && link_max && *link != *link_max; }
};

// A port of a NIC. Unread values are std::nullopt.
struct NicPort {
    std::string name;                  // "mlx5_0:1"
    std::optional<std::string> state;  // "ACTIVE"; "Polling" without a link
    std::optional<std::string> rate;   // "400 Gb/s"
};

// An RDMA or Slingshot NIC.
struct Nic {
    PciEnd pci;
    std::string name;            // "mlx5_0"
    std::vector<NicPort> ports;  // empty for a Slingshot NIC, or a suspended one
};

// A GPU with its agents and the NICs near it.
struct PhysicalGpu {
    PciEnd pci;
    std::vector<std::size_t> agents;               // indices into Topology::gpus
    std::vector<std::optional<Nearness>> nearest;  // to each of Topology::nics; nullopt: unknown
    // The nearest; of equally near ones that of the fewest GPUs before. std::nullopt: none is near.
    std::optional<std::size_t> near_nic;
    std::optional<std::string> compute_partition;  // "SPX"
    std::optional<std::string> memory_partition;   // "NPS1"
};

// A GPU, or one of its partitions, as the runtime lists it.
struct Agent {
    std::string bdf;  // address of the physical function
    std::optional<std::string> gfx;
    std::optional<std::string> name;
    std::optional<std::string> device_id;  // "0x74a1"
    std::optional<std::uint64_t> compute_units;
    std::optional<std::uint64_t> simds_per_cu;
    std::optional<std::uint64_t> wavefront_size;
    std::optional<std::uint64_t> max_waves_per_cu;
    std::optional<std::uint64_t> lds_bytes_per_cu;
    std::optional<std::uint64_t> xcc;
    std::optional<std::uint64_t> vram_bytes;
    std::optional<std::uint64_t> max_clock_mhz;
    std::optional<std::uint64_t> numa_node;
    std::optional<std::string> cpus;    // "0-95,192-287"
    std::optional<std::string> render;  // "renderD128"
    std::optional<std::string> hive;    // 16 hex digits
    std::optional<std::string> unique_id;
    std::uint64_t physical = 0;
    std::uint64_t partition = 0;
    std::uint64_t node = 0;  // KFD node
    // Number in ROCR_VISIBLE_DEVICES: the order of KFD nodes without hidden ones.
    std::uint64_t rocr_index = 0;
};

// One direction of a link that KFD lists.
struct TopologyLink {
    enum class End { gpu, cpu };
    End from_kind = End::gpu;
    End to_kind = End::gpu;
    // Index into Topology::gpus, or KFD's number of a CPU node. That number is Linux's NUMA node,
    // unless a node without CPUs exists, which KFD leaves out.
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::string type;  // "xgmi", "pcie", "hypertransport", "qpi"; else "type N"
    std::uint64_t weight = 0;
    std::optional<std::uint64_t> hops;  // xGMI between GPUs only; 0 within one GPU
};

// A GPU without an agent, and therefore without an index.
struct MissingGpu {
    PciEnd pci;
    std::optional<std::string> slot;  // "21", name on the chassis
    std::optional<std::string> name;
    std::optional<std::string> device_id;
    std::string code;  // code of gpu.count ("fallen"), or "unknown"
    std::string why;   // predicate: "has fallen off the PCIe bus"
};

// The topology of a node.
struct Topology {
    std::vector<Agent> gpus;            // by physical GPU, then partition
    std::vector<MissingGpu> missing;    // by address
    std::vector<PhysicalGpu> physical;  // those with an agent
    std::vector<Nic> nics;
    std::vector<TopologyLink> links;  // by from, then to
    std::optional<CpuTopology> cpu_topology;
    std::size_t hidden = 0;          // KFD nodes not visible to this container
    std::vector<std::string> notes;  // reasons for unread values, one sentence each
};

// The parts to read; other parts stay empty.
struct TopologyParts {
    bool links = true;
    bool nics = true;
    bool missing = true;
};

// Reads the topology. Never fails: `notes` has the reasons for unread values. `cpu_topology` stays
// empty: it comes from hwloc or read_cpu_topology (machine/host/cpus.h).
Topology read_topology(const Machine& machine, TopologyParts parts = {});

// A value by its key, "gpu.0.compute_units", in the text form of the JSON report. std::nullopt:
// unknown.
struct TopologyValue {
    std::string key;
    std::optional<std::string> value;
};
// Returns every value that --get accepts, with its key, of the parts that were read: counts, GPUs,
// NICs, CPUs, links.
std::vector<TopologyValue> topology_values(const Topology& topology);

// Returns rocenv.topo/1.
std::string render_topology_json(const Topology& topology);
// Returns the JSON Schema of rocenv.topo/1.
std::string topology_schema();

// Returns tables and sentences, laid out for the screen.
std::string render_topology_human(const Topology& topology, Screen screen);

// Returns a picture: SVG 1.1 with CSS, light and dark by prefers-color-scheme, text as text.
std::string render_topology_svg(const Topology& topology);

}  // namespace rocenv
