// SPDX-License-Identifier: MIT
// What rocminfo tells of the GPUs, from KFD's files alone: nothing opens /dev/kfd. One entry for
// each agent (partition). What cannot be known is nullopt, never a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

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
};

struct Topology {
    std::vector<Agent> gpus;  // by physical GPU, then partition
    std::size_t physical = 0;
    std::size_t hidden = 0;          // KFD nodes this container may not see
    std::vector<std::string> notes;  // what could not be read, one sentence each
};

Topology read_topology(const Machine& machine);

// rocenv.topo/1 (src/render/topo.schema.json).
std::string render_topology_json(const Topology& topology);

// One line for each GPU, 80 columns.
std::string render_topology_human(const Topology& topology);

}  // namespace rocenv
