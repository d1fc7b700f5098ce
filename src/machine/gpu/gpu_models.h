// SPDX-License-Identifier: MIT
// The GPU models of profiles/facts/gpu_models.toml, one row each: all static facts about a model.
// All code that judges by model reads this table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/process.h"

namespace rocenv {

// A PCI device id of a model, with AMD's name. Virtual functions have their own ids.
struct GpuId {
    std::uint32_t device = 0;
    std::optional<std::uint32_t> revision{};  // std::nullopt: any
    std::string_view name;                    // "AMD Instinct MI300X VF"
};

// The xGMI topology of the GPUs of a node.
enum class Mesh {
    unknown,
    none,
    full,  // each GPU is linked to each other one of its hive
    hops,  // one hive, with up to three links between two GPUs
};

// The facts of one model; 0 or empty is unknown and never used for judgement.
struct GpuModel {
    std::string_view name;          // "MI300X"
    std::span<const GpuId> ids;     // the usual id first
    std::string_view gfx;           // "gfx942"
    std::uint32_t gpus_a_node = 0;  // physical GPUs; dies of MI250 and MI250X, as in the kernel
    std::uint32_t devices = 1;      // devices of one module; a die of MI250 and MI250X is a device
    std::uint32_t board_gpus = 0;   // GPUs on every board; 0: boards differ
    std::uint32_t gpus_a_hive = 0;  // GPUs joined by xGMI
    Mesh mesh = Mesh::unknown;
    std::uint32_t compute_units =
        0;                         // units of one device in mode SPX; one die of MI250 and MI250X
    std::uint32_t dies = 0;        // XCCs of one device
    std::uint32_t memory_gib = 0;  // nominal; drivers show up to 3 % less
    std::string_view link_speed;   // "32.0", in GT/s
    std::uint32_t link_width = 0;  // lanes
    std::uint32_t nic_gbps = 0;    // speed of an RDMA NIC port in AMD's reference node
    std::uint32_t determinism_mhz = 0;  // AMD's figure for perf_determinism
    std::string_view no_determinism;  // AMD's reason why the model rejects it; empty: none is known
    std::uint32_t watts = 0;          // default power cap of a device; 0: modules differ
    std::uint32_t host_memory_gib = 0;  // AMD's requirement for the node
    std::string_view first_rocm;        // "6.3.2"
    std::string_view first_driver;      // version of amdgpu, "6.3"; sources: profile of the model
    std::string_view first_kernel;      // first kernel whose own driver supports it, "5.18"
    std::string_view source;            // document and date
    std::string_view unverified;        // fields without a source, separated by blanks
    // Returns true if a source states the field: `unverified` does not name it.
    bool states(std::string_view field) const;
};

// Returns all models.
std::span<const GpuModel> gpu_models();

// Returns the model with this PCI device id, of any revision; nullptr if it is unknown.
const GpuModel* gpu_model(std::uint32_t device);

// Returns true for a part of an APU (MI300A): the host's memory is its HBM, without DIMMs.
bool is_apu(std::uint32_t device);

// Facts of LLVM's register allocation about an architecture.
struct GpuArchitecture {
    std::string_view gfx;
    std::string_view part;          // model whose CUs represent it if no node is present
    std::uint32_t registers = 0;    // vector registers of a SIMD lane, shared by its waves
    bool unified = false;           // AGPRs share these registers
    std::uint32_t granule = 0;      // allocation unit of registers
    std::uint32_t waves = 0;        // maximum on a SIMD
    std::uint32_t lds_granule = 0;  // allocation unit in bytes
    std::uint64_t lds_bytes = 0;    // bytes of a CU
};

// Returns all architectures.
std::span<const GpuArchitecture> gpu_architectures();

// Returns the model's name by the kernel's id: "AMD Instinct MI300X"; empty if it is not a known
// accelerator.
std::string_view gpu_name(std::uint32_t device);

// Returns a number of devices as text: "8 x AMD Instinct MI300X". For two dies in a module: "4 x
// AMD Instinct MI250X, 8 dies", or "7 dies of AMD Instinct MI250X" if their number is odd.
std::string devices_text(std::size_t count, std::uint32_t device, const std::string& name);

// Returns AMD's name as printed by ROCm, also for consumer cards; empty if there is none, or if
// several match without the revision.
std::string_view marketing_name(std::uint32_t device, std::optional<std::uint32_t> revision);

// A GPU's architecture as HIP names it (hipDeviceProp_t::gcnArchName): "gfx942:sramecc+:xnack-".

// The architecture of one agent.
struct GcnArch {
    std::string gfx;              // "gfx942"
    std::optional<bool> sramecc;  // setting, if known; std::nullopt without has_sramecc
    std::optional<bool> xnack;
    bool has_sramecc = false;  // supported by the architecture, so part of its name
    bool has_xnack = false;

    // Returns the whole name; std::nullopt if a required feature is unknown.
    std::optional<std::string> name() const;
    bool operator==(const GcnArch& other) const = default;
};

// Returns the architecture of an agent: from gfx_target_version and capability of its KFD node, the
// parameter noretry of amdgpu (-1 to 1; std::nullopt: unknown) and the value of HSA_XNACK.
GcnArch gcn_arch(std::uint64_t target_version, std::uint64_t capability, std::optional<int> noretry,
                 const std::optional<std::string>& hsa_xnack);

// Returns the distinct architectures of this node's agents, sorted by gfx. Fails with `garbled` if
// HSA_OVERRIDE_GFX_VERSION replaces them, else with kfd_uncertain(), else with `not_here` without a
// GPU.
Result<std::vector<GcnArch>> gcn_arches(const Machine& machine, const Process& process);

// Returns "9.4.2" of KFD's gfx_target_version 90402: the form of HSA_OVERRIDE_GFX_VERSION.
std::string gfx_version_text(std::uint64_t target_version);

}  // namespace rocenv
