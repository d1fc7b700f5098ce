// SPDX-License-Identifier: MIT
#include "rocenv/topology.h"

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t heap_vram_public = 1;  // linux include/uapi/linux/kfd_sysfs.h
constexpr std::uint64_t heap_vram_private = 2;
constexpr std::uint64_t clock_unknown = 100;  // clock management is off

// A property that is there and is not 0: KFD writes 0 for what it does not know.
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
}

void take_pci(const Fs& fs, const std::string& bdf, Agent& agent) {
    if (const auto node = fs.read(pci_path(bdf) + "/numa_node")) {
        agent.numa_node = parse_number(trim(*node));  // -1: the firmware did not say
    }
    if (const auto cpus = fs.read(pci_path(bdf) + "/local_cpulist")) {
        const auto list = parse_number_list(trim(*cpus));
        agent.cpus = list && !list->empty() ? std::optional(number_list(*list)) : std::nullopt;
    }
}

}  // namespace

Topology read_topology(const Machine& machine) {
    Topology topology;
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
    topology.hidden = kfd.hidden();
    for (const auto& gpu : machine.gpus()) {
        if (gpu.agents.empty()) {
            continue;
        }
        Agent shared;
        shared.bdf = gpu.bdf;
        shared.device_id = gpu.device == 0 ? std::nullopt : std::optional(hex(gpu.device, 4));
        const auto name = gpu_name(gpu.device);
        shared.name = name.empty() ? std::nullopt : std::optional(std::string(name));
        shared.physical = topology.physical++;
        take_pci(machine.fs(), gpu.bdf, shared);
        std::uint64_t position = 0;
        for (const auto at : gpu.agents) {
            Agent agent = shared;
            take_kfd(kfd.nodes[at], agent);
            const auto vram =
                machine.bank_bytes(kfd.nodes[at], {heap_vram_public, heap_vram_private});
            if (vram) {
                agent.vram_bytes = *vram;
            } else {
                topology.notes.push_back(vram.error().text);
            }
            const auto partition = kfd_address(kfd.nodes[at]).partition;
            agent.partition = partition == 0 ? position : partition;
            ++position;
            topology.gpus.push_back(std::move(agent));
        }
    }
    return topology;
}

}  // namespace rocenv
