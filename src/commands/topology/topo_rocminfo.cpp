// SPDX-License-Identifier: MIT
// Labels, columns and order as in rocm-systems projects/rocminfo/rocminfo.cc; which file each value
// comes from: projects/rocr-runtime libhsakmt/src/topology.c and core/runtime/amd_gpu_agent.cpp
// (2025-08). tests/captures/rocminfo.md explains where real output of some version differs.
#include <array>

#include "commands/topology/rocminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t label_width = 25;
constexpr std::size_t value_width = 35;
constexpr std::uint64_t work_items = 1024;  // in a work-group, and in each of its dimensions
constexpr std::uint64_t default_line_bytes = 64;

std::string padded(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

// "304(0x130)", as most counts are printed.
std::string both(std::uint64_t value) {
    return number(value) + "(" + hex(value, 1) + ")";
}

std::string true_false(bool value) {
    return value ? "TRUE" : "FALSE";
}

class Page {
   public:
    void line(const std::string& text) { out_ += text + "\n"; }
    void title(std::string_view text) { line(padded(text, label_width)); }
    void label(std::size_t level, std::string_view text) {
        line(std::string(2 * level, ' ') + padded(text, label_width));
    }
    void value(std::size_t level, std::string_view text, std::string_view value) {
        line(std::string(2 * level, ' ') + padded(text, label_width) + padded(value, value_width));
    }
    // Three lines whose values are the same.
    void dimensions(std::size_t level, std::string_view text, std::uint64_t each) {
        label(level, text);
        for (const char* axis : {"x", "y", "z"}) {
            value(level + 1, axis, both(each));
        }
    }
    std::string finish() { return std::move(out_); }

   private:
    std::string out_;
};

std::uint64_t bits(std::uint64_t value, unsigned low, unsigned count) {
    return value >> low & ((std::uint64_t{1} << count) - 1);
}

std::string uuid(const HsaAgent& agent) {
    const auto id = agent.node->get("unique_id");
    if (!agent.gpu) {
        return "CPU-XX";
    }
    return id == 0 ? "GPU-XX" : "GPU-" + bare_hex(id, 16);
}

void head(Page& page, const HsaAgent& agent) {
    if (!agent.name.empty()) {
        page.value(1, "Name:", agent.name);
    }
    page.value(1, "Uuid:", uuid(agent));
    if (agent.marketing_name) {
        page.value(1, "Marketing Name:", *agent.marketing_name);
    }
    page.value(1, "Vendor Name:", agent.gpu ? "AMD" : "CPU");
    page.value(1, "Feature:", agent.gpu ? "KERNEL_DISPATCH" : "None specified");
    page.value(1, "Profile:", agent.gpu ? "BASE_PROFILE" : "FULL_PROFILE");
    page.value(1, "Float Round Mode:", "NEAR");
    page.value(1, "Max Queue Number:", both(agent.gpu ? 128 : 0));
    page.value(1, "Queue Min Size:", both(agent.gpu ? 64 : 0));
    page.value(1, "Queue Max Size:", both(agent.gpu ? 131072 : 0));
    page.value(1, "Queue Type:", "MULTI");
    page.value(1, "Node:", number(agent.node->index));
    page.value(1, "Device Type:", agent.gpu ? "GPU" : "CPU");
}

// The first cache of each level.
void cache_sizes(Page& page, const HsaAgent& agent) {
    page.label(1, "Cache Info:");
    for (std::uint64_t level = 1; level <= 4; ++level) {
        for (const auto& cache : agent.caches) {
            if (cache.level == level && cache.bytes != 0) {
                page.value(2, "L" + number(level) + ":", both(cache.bytes / 1024) + " KB");
                break;
            }
        }
    }
}

std::uint64_t line_bytes(const HsaAgent& agent) {
    constexpr std::uint64_t second_level = 2;
    for (const auto& cache : agent.caches) {
        if (cache.level == second_level && cache.line_bytes != 0) {
            return cache.line_bytes;
        }
    }
    return default_line_bytes;
}

void geometry(Page& page, const HsaAgent& agent) {
    const KfdNode& node = *agent.node;
    const auto capability = node.get("capability");
    const auto per_cu = node.get("simd_per_cu");
    const auto arrays = node.get("simd_arrays_per_engine");
    const auto clock = node.get(agent.gpu ? "max_engine_clk_fcompute" : "max_engine_clk_ccompute");
    page.value(1, "Chip ID:", both(node.get("device_id")));
    page.value(1, "ASIC Revision:", both(bits(capability, 22, 4)));
    page.value(1, "Cacheline Size:", both(line_bytes(agent)));
    page.value(1, "Max Clock Freq. (MHz):", number(clock));
    page.value(1, "BDFID:", number(node.get("location_id")));
    page.value(1, "Internal Node ID:", number(node.index));
    page.value(1, "Compute Unit:",
               number(!agent.gpu    ? node.get("cpu_cores_count")
                      : per_cu == 0 ? 0
                                    : node.get("simd_count") / per_cu));
    page.value(1, "SIMDs per CU:", number(per_cu));
    page.value(1, "Shader Engines:", number(arrays == 0 ? 0 : node.get("array_count") / arrays));
    page.value(1, "Shader Arrs. per Eng.:", number(arrays));
    page.value(1, "WatchPts on Addr. Ranges:", number(std::uint64_t{1} << bits(capability, 8, 4)));
    if (agent.gpu) {
        page.value(1, "Coherent Host Access:", true_false(bits(capability, 28, 1) == 1));
    }
    page.line("  " + padded("Features:", label_width) + (agent.gpu ? "KERNEL_DISPATCH " : "None"));
}

void limits(Page& page, const HsaAgent& agent) {
    const KfdNode& node = *agent.node;
    const auto lanes = node.get("wave_front_size");
    const auto waves = node.get("simd_per_cu") * node.get("max_waves_per_simd");
    page.value(1, "Fast F16 Operation:", "TRUE");
    page.value(1, "Wavefront Size:", both(lanes));
    page.value(1, "Workgroup Max Size:", both(work_items));
    page.dimensions(1, "Workgroup Max Size per Dimension:", work_items);
    page.value(1, "Max Waves Per CU:", both(waves));
    page.value(1, "Max Work-item Per CU:", both(lanes * waves));
    page.value(1, "Grid Max Size:", both(UINT32_MAX));
    page.value(1, "Max fbarriers/Workgrp:", "32");
    page.value(1, "Packet Processor uCode::", number(bits(node.get("fw_version"), 0, 10)));
    page.value(1, "SDMA engine uCode::", number(bits(node.get("sdma_fw_version"), 0, 10)));
    if (bits(node.get("capability"), 1, 1) == 0) {  // no ATS, so no IOMMU of version 2
        page.value(1, "IOMMU Support::", "None");
    }
}

void pool(Page& page, const std::string& name, const std::string& segment, std::uint64_t bytes,
          bool global, bool for_all) {
    page.label(2, name);
    page.value(3, "Segment:", segment);
    page.value(3, "Size:", both(bytes / 1024) + " KB");
    page.value(3, "Allocatable:", true_false(global));
    page.value(3, "Alloc Granule:", global ? "4KB" : "0KB");
    page.value(3, "Alloc Alignment:", global ? "4KB" : "0KB");
    page.value(3, "Accessible by all:", true_false(for_all));
}

// Returns the number of the LDS pool, which follows the pools of memory that the runtime offers.
std::optional<std::string> group_pool(const std::string& gfx) {
    if (gfx == "gfx90a" || gfx == "gfx942" || gfx == "gfx950") {
        return "Pool 4";
    }
    return gfx == "gfx908" ? std::optional<std::string>("Pool 3") : std::nullopt;
}

void pools(Page& page, const HsaAgent& agent) {
    page.label(1, "Pool Info:");
    if (agent.memory_bytes && *agent.memory_bytes != 0) {
        pool(page, "Pool 1",
             agent.gpu ? "GLOBAL; FLAGS: COARSE GRAINED" : "GLOBAL; FLAGS: FINE GRAINED",
             *agent.memory_bytes, true, !agent.gpu);
    }
    const auto lds = agent.node->get("lds_size_in_kb") * 1024;
    if (const auto name = group_pool(agent.name); agent.gpu && name && lds != 0) {
        pool(page, *name, "GROUP", lds, false, false);
    }
}

void agent_page(Page& page, std::size_t at, const HsaAgent& agent) {
    const std::string rule = "*******";
    page.title(rule);
    page.title("Agent " + number(at + 1));
    page.title(rule);
    head(page, agent);
    if (agent.gpu) {
        cache_sizes(page, agent);
    }
    geometry(page, agent);
    if (agent.gpu) {
        limits(page, agent);
    }
    pools(page, agent);
}

}  // namespace

std::string render_rocminfo(const HsaSystem& system) {
    Page page;
    if (system.driver_loaded) {
        page.line(system.driver_version
                      ? "ROCk module version " + *system.driver_version + " is loaded"
                      : "ROCk module is loaded");
    }
    page.title("=====================");
    page.title("HSA System Attributes");
    page.title("=====================");
    page.value(0, "Machine Model:", "LARGE");
    page.value(0, "System Endianness:", "LITTLE");
    page.line("");
    page.title("==========");
    page.title("HSA Agents");
    page.title("==========");
    for (std::size_t at = 0; at < system.agents.size(); ++at) {
        agent_page(page, at, system.agents[at]);
    }
    page.title("*** Done ***");
    return page.finish();
}

}  // namespace rocenv
