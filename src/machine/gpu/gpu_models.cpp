// SPDX-License-Identifier: MIT
// Names by PCI id and revision: libdrm's data/amdgpu.ids (gitlab.freedesktop.org/mesa/drm, state of
// 2026, version 1.0.0 of the list), which ROCm prints; those without a revision are pci.ids' of
// 2026-05-24 alone. What else a model is: its row's source.
#include "machine/gpu/gpu_models.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr GpuId mi25[] = {
    {0x6860, 0x00, "AMD Radeon Instinct MI25"},
    {0x6860, 0x01, "AMD Radeon Instinct MI25"},
    {0x6860, 0x02, "AMD Radeon Instinct MI25"},
};
constexpr GpuId mi50[] = {
    {0x66a0, {}, "AMD Instinct MI50"},
    {0x66a1, 0x02, "AMD Instinct MI60 / MI50"},
};
constexpr GpuId mi100[] = {
    {0x738c, 0x01, "AMD Instinct MI100"},
    {0x738e, {}, "AMD Instinct MI100"},
};
constexpr GpuId mi210[] = {
    {0x740f, 0x02, "AMD Instinct MI210"},
    {0x7410, {}, "AMD Instinct MI210 VF"},
};
constexpr GpuId mi250[] = {
    {0x740c, 0x01, "AMD Instinct MI250X / MI250"},
};
constexpr GpuId mi250x[] = {
    {0x7408, 0x00, "AMD Instinct MI250X"},
};
constexpr GpuId mi300a[] = {
    {0x74a0, 0x00, "AMD Instinct MI300A"},
};
constexpr GpuId mi300x[] = {
    {0x74a1, 0x00, "AMD Instinct MI300X"},
    {0x74a9, 0x00, "AMD Instinct MI300X HF"},
    {0x74b5, 0x00, "AMD Instinct MI300X VF"},
    {0x74bd, 0x00, "AMD Instinct MI300X HF"},
};
constexpr GpuId mi308x[] = {
    {0x74a2, 0x00, "AMD Instinct MI308X"},
    {0x74a8, 0x00, "AMD Instinct MI308X HF"},
    {0x74b6, 0x00, "AMD Instinct MI308X"},
};
constexpr GpuId mi325x[] = {
    {0x74a5, 0x00, "AMD Instinct MI325X"},
    {0x74b9, {}, "AMD Instinct MI325X VF"},
};
constexpr GpuId mi350x[] = {
    {0x75a0, 0x00, "AMD Instinct MI350X"},
    {0x75b0, 0x00, "AMD Instinct MI350X VF"},
};
constexpr GpuId mi355x[] = {
    {0x75a3, 0x00, "AMD Instinct MI355X"},
    {0x75b3, 0x00, "AMD Instinct MI355X VF"},
};

constexpr std::string_view acceptance =
    "ROCm/system-acceptance-docs docs/gpus, 2026-07; ROCm/ROCm docs/reference/gpu-arch-specs.rst, "
    "2025-03";

// Power caps: MI300X rocm-smi -a of 4 GPUs (github.com/thamada/nvidia-smi, 2024), MI350X
// ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07. Modules of MI250, MI250X and
// MI300A are sold with several. Compute units of MI355X: rocm.docs.amd.com reference/gpu-specs,
// 7.13.
//
// Host memory: ROCm/system-acceptance-docs docs/common/health-checks.md and prerequisites.md,
// 2026-07. Of MI300X its model's page asks for 1.5 T only. MI250X is left out: AMD's page has 1 T,
// and Frontier's nodes 512 GiB.
constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

constexpr GpuModel models[] = {
    {.name = "MI25", .ids = mi25, .gfx = "gfx900", .source = "libdrm data/amdgpu.ids, 2026"},
    {.name = "MI50", .ids = mi50, .gfx = "gfx906", .source = "libdrm data/amdgpu.ids, 2026"},
    {.name = "MI100",
     .ids = mi100,
     .gfx = "gfx908",
     .gpus_a_node = 4,
     .gpus_a_hive = 4,
     .mesh = Mesh::full,
     .compute_units = 120,
     .memory_gib = 32,
     .link_speed = "16.0",
     .link_width = 16,
     .nic_gbps = 200,
     .host_memory = 256 * gib,
     .first_driver = "5.4",
     .first_kernel = "5.4",  // AMDGPU patches for Arcturus, phoronix.com, 2019-07-15
     .source = acceptance,
     .unverified = "gpus_a_node"},
    {.name = "MI210",
     .ids = mi210,
     .gfx = "gfx90a",
     .gpus_a_node = 4,
     .compute_units = 104,
     .memory_gib = 64,
     .link_speed = "16.0",
     .link_width = 16,
     .nic_gbps = 200,
     .watts = 300,
     .host_memory = 512 * gib,
     .first_driver = "5.11",
     .source = acceptance,
     .unverified = "gpus_a_hive mesh watts"},
    {.name = "MI250",
     .ids = mi250,
     .gfx = "gfx90a",
     .gpus_a_node = 8,
     .devices = 2,
     .gpus_a_hive = 8,
     .mesh = Mesh::hops,
     .compute_units = 104,
     .memory_gib = 64,
     .link_speed = "16.0",
     .link_width = 16,
     .nic_gbps = 200,
     .host_memory = 1024 * gib,
     .first_driver = "5.11",
     .source = acceptance},
    {.name = "MI250X",
     .ids = mi250x,
     .gfx = "gfx90a",
     .gpus_a_node = 8,
     .devices = 2,
     .gpus_a_hive = 8,
     .mesh = Mesh::hops,
     .compute_units = 110,
     .memory_gib = 64,
     .nic_gbps = 200,
     .first_driver = "5.11",
     .source = acceptance,
     .unverified = "link_speed link_width"},
    {.name = "MI300A",
     .ids = mi300a,
     .gfx = "gfx942",
     .gpus_a_node = 4,
     .gpus_a_hive = 4,
     .mesh = Mesh::full,
     .compute_units = 228,
     .dies = 6,
     .memory_gib = 128,
     .link_speed = "32.0",
     .link_width = 16,
     .host_memory = 512 * gib,
     .first_driver = "6.3",
     .first_kernel = "5.18",  // ROCm/system-acceptance-docs docs/gpus/mi300a.md, 2026-07
     .source = acceptance,
     .unverified = "first_rocm"},
    {.name = "MI300X",
     .ids = mi300x,
     .gfx = "gfx942",
     .gpus_a_node = 8,
     .board_gpus = 8,
     .gpus_a_hive = 8,
     .mesh = Mesh::full,
     .compute_units = 304,
     .dies = 8,
     .memory_gib = 192,
     .link_speed = "32.0",
     .link_width = 16,
     .nic_gbps = 400,
     .determinism_mhz = 1900,
     .watts = 750,
     .host_memory = 2048 * gib,
     .first_rocm = "6.0",
     .first_driver = "6.3",
     .source = acceptance},
    {.name = "MI308X",
     .ids = mi308x,
     .gfx = "gfx942",
     .gpus_a_node = 8,
     .board_gpus = 8,
     .gpus_a_hive = 8,
     .mesh = Mesh::full,
     .compute_units = 80,
     .dies = 4,
     .memory_gib = 192,
     .link_speed = "32.0",
     .link_width = 16,
     .nic_gbps = 400,
     .host_memory = 2048 * gib,
     .source = acceptance,
     .unverified = "first_rocm first_driver"},
    {.name = "MI325X",
     .ids = mi325x,
     .gfx = "gfx942",
     .gpus_a_node = 8,
     .board_gpus = 8,
     .gpus_a_hive = 8,
     .mesh = Mesh::full,
     .compute_units = 304,
     .dies = 8,
     .memory_gib = 256,
     .link_speed = "32.0",
     .link_width = 16,
     .nic_gbps = 400,
     .watts = 1000,
     .host_memory = 2560 * gib,
     .first_rocm = "6.3.2",
     .first_driver = "6.10",
     .source = acceptance,
     .unverified = "watts"},
    {.name = "MI350X",
     .ids = mi350x,
     .gfx = "gfx950",
     .gpus_a_node = 8,
     .board_gpus = 8,
     .gpus_a_hive = 8,
     .mesh = Mesh::full,
     .compute_units = 256,
     .dies = 8,
     .memory_gib = 288,
     .link_speed = "32.0",
     .link_width = 16,
     .nic_gbps = 400,
     .watts = 1000,
     .host_memory = 3072 * gib,
     .first_rocm = "7.0.1",
     .first_driver = "6.14",
     .source = acceptance},
    {.name = "MI355X",
     .ids = mi355x,
     .gfx = "gfx950",
     .gpus_a_node = 8,
     .board_gpus = 8,
     .gpus_a_hive = 8,
     .mesh = Mesh::full,
     .compute_units = 256,
     .dies = 8,
     .memory_gib = 288,
     .link_speed = "32.0",
     .link_width = 16,
     .nic_gbps = 400,
     .watts = 1400,
     .host_memory = 3072 * gib,
     .first_rocm = "7.0.1",
     .first_driver = "6.14",
     .source = acceptance,
     .unverified = "watts"},
};

// Registers, granules and waves: LLVM getTotalNumVGPRs, getVGPRAllocGranule, getMaxWavesPerEU,
// getLdsDwGranularity.
constexpr GpuArchitecture architectures[] = {
    {"gfx908", "MI100", 256, false, 4, 10, 512, 65536},
    {"gfx90a", "MI250X", 512, true, 8, 8, 512, 65536},
    {"gfx942", "MI300X", 512, true, 8, 8, 512, 65536},
    {"gfx950", "MI350X", 512, true, 8, 8, 1280, 163840},
};

// Of cards that are no accelerators: names alone.
constexpr GpuId others[] = {
    {0x66a1, 0x06, "AMD Radeon Pro VII"},
    {0x66af, 0xc1, "AMD Radeon VII"},
    {0x6860, 0x03, "AMD Radeon Pro V340"},
    {0x6860, 0x07, "AMD Radeon Pro V320"},
    {0x73a1, 0x00, "AMD Radeon Pro V620"},
    {0x73a3, 0x00, "AMD Radeon Pro W6800"},
    {0x73a5, 0xc0, "AMD Radeon RX 6950 XT"},
    {0x73bf, 0xc0, "AMD Radeon RX 6900 XT"},
    {0x73bf, 0xc1, "AMD Radeon RX 6800 XT"},
    {0x73bf, 0xc3, "AMD Radeon RX 6800"},
    {0x7448, 0x00, "AMD Radeon Pro W7900"},
    {0x7449, 0x00, "AMD Radeon Pro W7800 48GB"},
    {0x744a, 0x00, "AMD Radeon Pro W7900 Dual Slot"},
    {0x744b, 0x00, "AMD Radeon Pro W7900D"},
    {0x744c, 0xc8, "AMD Radeon RX 7900 XTX"},
    {0x744c, 0xcc, "AMD Radeon RX 7900 XT"},
    {0x744c, 0xce, "AMD Radeon RX 7900 GRE"},
    {0x745e, 0xcc, "AMD Radeon Pro W7800"},
    {0x7470, 0x00, "AMD Radeon Pro W7700"},
    {0x7550, 0xc0, "AMD Radeon RX 9070 XT"},
    {0x7550, 0xc2, "AMD Radeon RX 9070 GRE"},
    {0x7550, 0xc3, "AMD Radeon RX 9070"},
    {0x7551, 0xc0, "AMD Radeon AI PRO R9700"},
};

}  // namespace

std::span<const GpuModel> gpu_models() {
    return models;
}

std::span<const GpuArchitecture> gpu_architectures() {
    return architectures;
}

const GpuModel* gpu_model(std::uint32_t device) {
    for (const auto& model : models) {
        for (const auto& id : model.ids) {
            if (id.device == device) {
                return &model;
            }
        }
    }
    return nullptr;
}

bool GpuModel::states(std::string_view field) const {
    const auto fields = words(unverified);
    return std::find(fields.begin(), fields.end(), field) == fields.end();
}

bool is_apu(std::uint32_t device) {
    const GpuModel* model = gpu_model(device);
    return model != nullptr && model->name == "MI300A";
}

std::string_view gpu_name(std::uint32_t device) {
    const GpuModel* model = gpu_model(device);
    if (model == nullptr) {
        return {};
    }
    return std::find_if(model->ids.begin(), model->ids.end(),
                        [&](const GpuId& id) { return id.device == device; })
        ->name;
}

std::string devices_told(std::size_t count, std::uint32_t device, const std::string& name) {
    const GpuModel* model = gpu_model(device);
    const std::size_t dies = model == nullptr ? 1 : model->devices;
    if (dies == 1) {
        return number(count) + " x " + name;
    }
    const std::string told = counted(count, "die");
    return count % dies == 0 ? number(count / dies) + " x " + name + ", " + told
                             : told + " of " + name;
}

std::string_view marketing_name(std::uint32_t device, std::optional<std::uint32_t> revision) {
    std::string_view found;
    bool several = false;
    const auto look = [&](const GpuId& id) {
        if (id.device == device && id.revision && (!revision || *id.revision == *revision)) {
            several = several || (!found.empty() && found != id.name);
            found = id.name;
        }
    };
    for (const auto& model : models) {
        std::for_each(model.ids.begin(), model.ids.end(), look);
    }
    std::for_each(std::begin(others), std::end(others), look);
    return several ? std::string_view() : found;
}

}  // namespace rocenv
