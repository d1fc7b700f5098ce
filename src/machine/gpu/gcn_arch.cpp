// SPDX-License-Identifier: MIT
// Sources, read 2026-11:
//  - which architectures have the features: LLVM docs/AMDGPUUsage.rst, "Target Features";
//  - sramecc is KFD's capability bit 26: ROCR-Runtime runtime/hsa-runtime/core/runtime/
//    amd_gpu_agent.cpp, linux drivers/gpu/drm/amd/amdkfd/kfd_topology.h HSA_CAP_SRAM_EDCSUPPORTED;
//  - xnack is HSA_XNACK, else what the driver was loaded with: ROCR-Runtime flag.h, linux
//    kfd_process.c kfd_process_xnack_mode, amdgpu_gmc.c amdgpu_gmc_noretry_set.
#include "machine/gpu/gcn_arch.h"

#include <algorithm>
#include <array>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::array<std::string_view, 7> with_sramecc{"gfx906", "gfx908", "gfx90a", "gfx940",
                                                       "gfx941", "gfx942", "gfx950"};
constexpr std::array<std::string_view, 5> with_xnack_only{"gfx900", "gfx902", "gfx904", "gfx909",
                                                          "gfx90c"};
// HSA_XNACK=1 takes effect in each process on its own.
constexpr std::array<std::string_view, 5> with_xnack_per_process{"gfx90a", "gfx940", "gfx941",
                                                                 "gfx942", "gfx950"};
constexpr std::uint64_t sram_edc_supported = std::uint64_t{1} << 26;

bool is_in(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The driver's parameter says 1, or -1 on an architecture where that means 1.
std::optional<bool> default_xnack(const std::string& gfx, std::optional<int> noretry) {
    if (gfx.starts_with("gfx101")) {
        return false;  // KFD turns it off for all after gfx9
    }
    if (!noretry) {
        return std::nullopt;
    }
    if (*noretry != -1) {
        return *noretry == 0;
    }
    const bool settled = is_in(with_sramecc, gfx) || gfx == "gfx900";
    return settled ? std::optional(false) : std::nullopt;
}

std::optional<bool> xnack_of(const std::string& gfx, std::optional<int> noretry,
                             const std::optional<std::string>& wish) {
    if (wish == "0") {
        return false;
    }
    if (wish == "1") {
        return is_in(with_xnack_per_process, gfx) ? std::optional(true) : std::nullopt;
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
    arch.has_sramecc = is_in(with_sramecc, arch.gfx);
    arch.has_xnack =
        arch.has_sramecc || is_in(with_xnack_only, arch.gfx) || arch.gfx.starts_with("gfx101");
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

// Returns whether "9.4.2" is the version of each GPU here.
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
    const auto wish = process.variable("HSA_XNACK");
    std::vector<GcnArch> out;
    for (const auto& node : machine.kfd().nodes) {
        if (!node.is_gpu()) {
            continue;
        }
        auto arch = gcn_arch(node.get("gfx_target_version"), node.get("capability"), noretry, wish);
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
