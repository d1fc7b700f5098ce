// SPDX-License-Identifier: MIT
#include "machine/gpu/gpu_models.h"

#include <algorithm>
#include <iterator>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr GpuId gpu_ids[] = {
#include "facts/gpu_ids.inc"
};
constexpr GpuModel models[] = {
#include "facts/gpu_models.inc"
};
constexpr GpuArchitecture architectures[] = {
#include "facts/gpu_architectures.inc"
};
constexpr GpuId others[] = {
#include "facts/other_cards.inc"
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

std::string devices_text(std::size_t count, std::uint32_t device, const std::string& name) {
    const GpuModel* model = gpu_model(device);
    const std::size_t dies = model == nullptr ? 1 : model->devices;
    if (dies == 1) {
        return number(count) + " x " + name;
    }
    const std::string dies_text = counted(count, "die");
    return count % dies == 0 ? number(count / dies) + " x " + name + ", " + dies_text
                             : dies_text + " of " + name;
}

std::string_view marketing_name(std::uint32_t device, std::optional<std::uint32_t> revision) {
    std::string_view found;
    bool several = false;
    const auto compare_id = [&](const GpuId& id) {
        if (id.device == device && id.revision && (!revision || *id.revision == *revision)) {
            several = several || (!found.empty() && found != id.name);
            found = id.name;
        }
    };
    for (const auto& model : models) {
        std::for_each(model.ids.begin(), model.ids.end(), compare_id);
    }
    std::for_each(std::begin(others), std::end(others), compare_id);
    return several ? std::string_view() : found;
}

// Sources, read 2026-11:
//  - which architectures have the features: profiles/facts/architectures.toml;
//  - sramecc is KFD's capability bit 26: ROCR-Runtime runtime/hsa-runtime/core/runtime/
//    amd_gpu_agent.cpp, linux drivers/gpu/drm/amd/amdkfd/kfd_topology.h HSA_CAP_SRAM_EDCSUPPORTED;
//  - xnack is HSA_XNACK, else what the driver was loaded with: ROCR-Runtime flag.h, linux
//    kfd_process.c kfd_process_xnack_mode, amdgpu_gmc.c amdgpu_gmc_noretry_set.

namespace {

// An architecture before gfx10 that has xnack.
struct GfxTarget {
    std::string_view gfx;
    bool sramecc = false;
    bool xnack_per_process = false;  // each process can use HSA_XNACK=1 independently
};
constexpr GfxTarget gfx_targets[] = {
#include "facts/gfx_targets.inc"
};
constexpr std::uint64_t sram_edc_supported = std::uint64_t{1} << 26;

// Returns nullptr for an architecture that is not listed.
const GfxTarget* gfx_target(std::string_view gfx) {
    const auto* const found = std::find_if(std::begin(gfx_targets), std::end(gfx_targets),
                                           [&](const GfxTarget& each) { return each.gfx == gfx; });
    return found == std::end(gfx_targets) ? nullptr : found;
}

// Returns the driver's default of xnack: off if noretry is 1, or -1 on an architecture where that
// means 1; std::nullopt if unknown.
std::optional<bool> default_xnack(const std::string& gfx, std::optional<int> noretry) {
    if (gfx.starts_with("gfx101")) {
        return false;  // KFD disables it for all after gfx9
    }
    if (!noretry) {
        return std::nullopt;
    }
    if (*noretry != -1) {
        return *noretry == 0;
    }
    const auto* const target = gfx_target(gfx);
    const bool decided = gfx == "gfx900" || (target != nullptr && target->sramecc);
    return decided ? std::optional(false) : std::nullopt;
}

std::optional<bool> xnack_of(const std::string& gfx, std::optional<int> noretry,
                             const std::optional<std::string>& requested) {
    if (requested == "0") {
        return false;
    }
    if (requested == "1") {
        const auto* const target = gfx_target(gfx);
        return target != nullptr && target->xnack_per_process ? std::optional(true) : std::nullopt;
    }
    return default_xnack(gfx, noretry);
}

std::optional<int> noretry_parameter(const Fs& fs) {
    const auto text = fs.read("/sys/module/amdgpu/parameters/noretry");
    const auto value = text ? parse_signed(trim(*text)) : std::nullopt;
    return value && *value >= -1 && *value <= 1 ? std::optional(static_cast<int>(*value))
                                                : std::nullopt;
}

std::string feature_text(const char* name, bool on) {
    return std::string(":") + name + (on ? "+" : "-");
}

}  // namespace

std::optional<std::string> GcnArch::name() const {
    if ((has_sramecc && !sramecc) || (has_xnack && !xnack)) {
        return std::nullopt;
    }
    return gfx + (has_sramecc ? feature_text("sramecc", *sramecc) : "") +
           (has_xnack ? feature_text("xnack", *xnack) : "");
}

GcnArch gcn_arch(std::uint64_t target_version, std::uint64_t capability, std::optional<int> noretry,
                 const std::optional<std::string>& hsa_xnack) {
    GcnArch arch;
    arch.gfx = gfx_name(target_version);
    const auto* const target = gfx_target(arch.gfx);
    arch.has_sramecc = target != nullptr && target->sramecc;
    arch.has_xnack = target != nullptr || arch.gfx.starts_with("gfx101");
    if (arch.has_sramecc) {
        arch.sramecc = (capability & sram_edc_supported) != 0;
    }
    if (arch.has_xnack) {
        arch.xnack = xnack_of(arch.gfx, noretry, hsa_xnack);
    }
    return arch;
}

std::string gfx_version_text(std::uint64_t target_version) {
    return number(target_version / 10000) + "." + number(target_version / 100 % 100) + "." +
           number(target_version % 100);
}

// Returns true if "9.4.2" is the version of every GPU of this node.
static bool names_these_gpus(const std::string& text, const Machine& machine) {
    const auto& nodes = machine.kfd().nodes;
    return std::all_of(nodes.begin(), nodes.end(), [&](const KfdNode& node) {
        return !node.is_gpu() || text == gfx_version_text(node.get("gfx_target_version"));
    });
}

Result<std::vector<GcnArch>> gcn_arches(const Machine& machine, const Process& process) {
    const auto override = process.variable("HSA_OVERRIDE_GFX_VERSION");
    if (override && !names_these_gpus(*override, machine)) {
        return Error{ErrorKind::garbled, 0, "", "HSA_OVERRIDE_GFX_VERSION selects another GPU"};
    }
    if (const auto error = machine.kfd_uncertain()) {
        return *error;
    }
    const auto noretry = noretry_parameter(machine.fs());
    const auto requested = process.variable("HSA_XNACK");
    std::vector<GcnArch> out;
    for (const auto& node : machine.kfd().nodes) {
        if (!node.is_gpu()) {
            continue;
        }
        auto arch =
            gcn_arch(node.get("gfx_target_version"), node.get("capability"), noretry, requested);
        if (!arch.gfx.empty() && std::find(out.begin(), out.end(), arch) == out.end()) {
            out.push_back(std::move(arch));
        }
    }
    std::sort(out.begin(), out.end(),
              [](const GcnArch& a, const GcnArch& b) { return a.gfx < b.gfx; });
    if (out.empty()) {
        return Error{ErrorKind::not_here, 0, "", "KFD lists no GPU here"};
    }
    return out;
}

}  // namespace rocenv
