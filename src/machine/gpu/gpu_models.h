// SPDX-License-Identifier: MIT
// The GPU models of profiles/facts/gpu_models.toml, one row each: all that rocenv knows of a model
// before it reads one. All code that judges by model reads this table.
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

// A PCI device id of a model, with AMD's name for it. Virtual functions have ids of their own.
struct GpuId {
    std::uint32_t device = 0;
    std::optional<std::uint32_t> revision{};  // nothing: any
    std::string_view name;                    // "AMD Instinct MI300X VF"
};

// How the GPUs of a node reach each other over xGMI.
enum class Mesh {
    unknown,
    none,
    full,  // each GPU has a link to each other of its hive
    hops,  // they are one hive, with up to three links in between
};

// What is 0 or empty is not known, and never judged by.
struct GpuModel {
    std::string_view name;          // "MI300X"
    std::span<const GpuId> ids;     // the first is the usual one
    std::string_view gfx;           // "gfx942"
    std::uint32_t gpus_a_node = 0;  // physical GPUs; of MI250 and MI250X dies, as the kernel counts
    std::uint32_t devices = 1;      // of one module: a die of MI250 and MI250X is a device
    std::uint32_t board_gpus = 0;   // GPUs on every board of the model; 0: boards differ
    std::uint32_t gpus_a_hive = 0;  // that xGMI joins
    Mesh mesh = Mesh::unknown;
    std::uint32_t compute_units = 0;    // of one device in mode SPX; of MI250 and MI250X, one die
    std::uint32_t dies = 0;             // XCCs of one device
    std::uint32_t memory_gib = 0;       // nominal; drivers show up to 3 % less
    std::string_view link_speed;        // "32.0", in GT/s
    std::uint32_t link_width = 0;       // lanes
    std::uint32_t nic_gbps = 0;         // a port of the RDMA NICs in AMD's reference node
    std::uint32_t determinism_mhz = 0;  // AMD's figure for perf_determinism
    std::string_view no_determinism;  // why the model rejects it, by AMD; empty: it is not known to
    std::uint32_t watts = 0;          // default power cap of one device; 0: modules differ
    std::uint32_t host_memory_gib = 0;  // of the node, that AMD asks for
    std::string_view first_rocm;        // "6.3.2"
    std::string_view first_driver;      // amdgpu's own version, "6.3"; sources: the model's profile
    std::string_view first_kernel;      // whose own driver knew it first, "5.18"
    std::string_view source;            // document and date
    std::string_view unverified;        // fields that no source states, parted by blanks
    // Returns whether a source states the field.
    bool states(std::string_view field) const;
};

std::span<const GpuModel> gpu_models();

// The model with this PCI device id; nullptr: none that is known.
const GpuModel* gpu_model(std::uint32_t device);

// Whether the device is a part of an APU: the host's memory is its HBM, and there is no DIMM.
bool is_apu(std::uint32_t device);

// What LLVM's register allocation knows of an architecture.
struct GpuArchitecture {
    std::string_view gfx;
    std::string_view part;          // the model whose CUs stand for it where there is no node
    std::uint32_t registers = 0;    // vector registers of a SIMD lane, shared by its waves
    bool unified = false;           // AGPRs come out of the same registers
    std::uint32_t granule = 0;      // registers are given in multiples of this
    std::uint32_t waves = 0;        // most waves on a SIMD
    std::uint32_t lds_granule = 0;  // bytes
    std::uint64_t lds_bytes = 0;    // of a CU
};

std::span<const GpuArchitecture> gpu_architectures();

// The model's name by the kernel's id, for people: "AMD Instinct MI300X"; empty: no accelerator
// that is known.
std::string_view gpu_name(std::uint32_t device);

// So many devices of this model, by the name that is given, for people: "8 x AMD Instinct MI300X";
// of one with two dies a module "4 x AMD Instinct MI250X, 8 dies", of an odd number of dies those.
std::string devices_told(std::size_t count, std::uint32_t device, const std::string& name);

// AMD's name as ROCm prints it, of consumer cards too; empty: none, or more than one without the
// revision.
std::string_view marketing_name(std::uint32_t device, std::optional<std::uint32_t> revision);

// A GPU's architecture as HIP names it (hipDeviceProp_t::gcnArchName): "gfx942:sramecc+:xnack-".

struct GcnArch {
    std::string gfx;              // "gfx942"
    std::optional<bool> sramecc;  // on or off, as far as known; nothing where it has_none
    std::optional<bool> xnack;
    bool has_sramecc = false;  // the architecture has it, so its name tells
    bool has_xnack = false;

    // The whole name; nothing when a feature it must tell is not known.
    std::optional<std::string> name() const;
    bool operator==(const GcnArch& other) const = default;
};

// What KFD and the driver's parameters tell of an agent in this process' environment.
GcnArch gcn_arch(std::uint64_t target_version, std::uint64_t capability, std::optional<int> noretry,
                 const std::optional<std::string>& hsa_xnack);

// The different ones among this node's agents, sorted by gfx. Fails when KFD cannot be read whole,
// with not_here when there is no GPU, with garbled when HSA_OVERRIDE_GFX_VERSION replaces them.
Result<std::vector<GcnArch>> gcn_arches(const Machine& machine, const Process& process);

// Returns "9.4.2" of KFD's gfx_target_version 90402: the form of HSA_OVERRIDE_GFX_VERSION.
std::string gfx_version_text(std::uint64_t target_version);

}  // namespace rocenv
