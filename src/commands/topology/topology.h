// SPDX-License-Identifier: MIT
// What rocminfo, rocm-smi --showtopo and lstopo tell of a node, from the kernel's files: nothing
// opens /dev/kfd. One agent for each partition of a GPU. What cannot be known is nullopt, never a
// guess; why it is not known is in `notes`.
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

// How near a GPU is to a NIC: they share a PCIe switch, a host bridge, a NUMA node, or nothing.
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
    std::optional<std::string> link;   // of the whole path to the root: "32.0 GT/s x16"
    std::optional<std::string> link_max;
    std::optional<std::uint64_t> numa_node;
    std::optional<std::string> cpus;  // "0-95,192-287"

    bool slow() const { return link && link_max && *link != *link_max; }
};

// What could not be read is not there.
struct NicPort {
    std::string name;                  // "mlx5_0:1"
    std::optional<std::string> state;  // "ACTIVE"; of a port without a link "Polling"
    std::optional<std::string> rate;   // "400 Gb/s"
};

struct Nic {
    PciEnd pci;
    std::string name;            // "mlx5_0"
    std::vector<NicPort> ports;  // none of a Slingshot NIC, or where it sleeps
};

struct PhysicalGpu {
    PciEnd pci;
    std::vector<std::size_t> agents;               // indices into Topology::gpus
    std::vector<std::optional<Nearness>> nearest;  // to each of Topology::nics
    std::optional<std::size_t> near_nic;  // the nearest; of equally near ones the next free
    std::optional<std::string> compute_partition;  // "SPX"
    std::optional<std::string> memory_partition;   // "NPS1"
};

struct Agent {
    std::string bdf;  // of the physical function
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
    std::uint64_t node = 0;  // of KFD
    std::uint64_t rocr_index =
        0;  // what ROCR_VISIBLE_DEVICES calls it: by node, hidden ones left out
};

// One direction of a link that KFD lists.
struct TopologyLink {
    enum class End { gpu, cpu };
    End from_kind = End::gpu;
    End to_kind = End::gpu;
    // Index into Topology::gpus, or KFD's number of a CPU node: Linux's NUMA node, unless there is
    // one without CPUs, which KFD leaves out.
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::string type;  // "xgmi", "pcie", "hypertransport", "qpi"; else "type N"
    std::uint64_t weight = 0;
    std::optional<std::uint64_t> hops;  // of xGMI, between GPUs: 0 within one GPU
};

// A GPU without an agent, and so without an index.
struct MissingGpu {
    PciEnd pci;
    std::optional<std::string> slot;  // "21", as the chassis names it
    std::optional<std::string> name;
    std::optional<std::string> device_id;
    std::string code;  // of gpu.count ("fallen"), or "unknown"
    std::string why;   // without a subject: "has fallen off the PCIe bus"
};

struct Topology {
    std::vector<Agent> gpus;          // by physical GPU, then partition
    std::vector<MissingGpu> missing;  // by address
    std::vector<PhysicalGpu> physical;
    std::vector<Nic> nics;
    std::vector<TopologyLink> links;  // by from, then to
    std::optional<CpuTopology> cpu_topology;
    std::size_t hidden = 0;          // KFD nodes this container may not see
    std::vector<std::string> notes;  // what could not be read, one sentence each
};

// What of it is wanted; what is not is not read.
struct TopologyParts {
    bool links = true;
    bool nics = true;
    bool missing = true;
};

// `cpu_topology` is left empty: it comes from hwloc or read_cpu_topology (machine/host/cpus.h).
Topology read_topology(const Machine& machine, TopologyParts parts = {});

// Every value by its key, "gpu.0.compute_units", in the text forms of the JSON report; nothing: it
// cannot be known.
struct TopologyValue {
    std::string key;
    std::optional<std::string> value;
};
// Returns every value that --get can name, with its path.
std::vector<TopologyValue> topology_values(const Topology& topology);

// rocenv.topo/1, and its JSON Schema.
std::string render_topology_json(const Topology& topology);
std::string topology_schema();

// Tables and sentences, laid out for the screen.
std::string render_topology_human(const Topology& topology, Screen screen);

// A picture: SVG 1.1 with CSS, light and dark by prefers-color-scheme, text as text.
std::string render_topology_svg(const Topology& topology);

}  // namespace rocenv
