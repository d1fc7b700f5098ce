// SPDX-License-Identifier: MIT
// Computes how many waves of a kernel fit on a SIMD, the limiting resource, and how full a grid
// leaves the CUs. Pure arithmetic on plain data, without reading a machine or a file.
//
//     waves = min(most, those the registers allow,
//                 floor(min(work-groups that registers, LDS and barriers allow) x waves of a
//                 work-group / SIMDs))
//
// Sources: LLVM llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp (granules, most waves, SGPR steps,
// barriers), KFD's node properties (LDS, SIMDs, CUs), AMD's accelerator specifications (CUs).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/occupancy/assembly.h"
#include "print/style.h"
#include "rocenv/result.h"
#include "rocenv/words.h"

namespace rocenv {

class Machine;  // rocenv/machine.h

// A number and its source: this node's driver, or the table.
struct Fact {
    std::uint64_t value = 0;
    bool from_node = false;
};

// The resources of a GPU.
struct GpuLimits {
    std::string gfx;                // "gfx942"
    std::string part;               // the part whose CU count the table has, "MI300X"
    std::uint32_t registers = 0;    // vector registers of a SIMD lane, shared by its waves
    bool unified = false;           // AGPRs share these registers (gfx90a and later)
    std::uint32_t granule = 0;      // registers are allocated in multiples of this number
    std::uint32_t waves = 0;        // most waves on a SIMD
    std::uint32_t lds_granule = 0;  // bytes
    Fact lds_bytes;                 // for each CU
    Fact simds;                     // for each CU
    Fact compute_units;             // for the GPU, or for one partition
};

// Returns the table's row. `gfx` may have features ("gfx942:sramecc+:xnack-"). Fails with bad_input
// and the nearest name if the table has no such row.
Result<GpuLimits> gpu_limits(std::string_view gfx);

// Returns the row with the driver's values for this node's first GPU of that name, if there is one.
// Errors are those of gpu_limits().
Result<GpuLimits> gpu_limits_here(std::string_view gfx, const Machine& machine);

// Returns the gfx name of this node's GPUs. Fails with bad_input without a GPU, or if the names
// differ.
Result<std::string> gfx_here(const Machine& machine);

// The resources that a kernel needs. std::nullopt means unknown, not zero.
struct Demand {
    std::optional<std::uint64_t> vgprs;  // without AGPRs, unless counts_both
    std::optional<std::uint64_t> agprs;
    std::optional<std::uint64_t> sgprs;      // including VCC and the like, as .sgpr_count
    std::optional<std::uint64_t> lds_bytes;  // for each work-group, with LDS that the launch adds
    std::optional<std::uint64_t> waves;      // for each work-group
    // vgprs is .vgpr_count. LLVM includes the AGPRs if both share the registers (SIProgramInfo:
    // getTotalNumVGPRs), and leaves them out otherwise.
    bool counts_both = false;
};

// Returns the demand with vgprs and agprs separated. A .vgpr_count that is not larger than
// .agpr_count, as in hand-written metadata, cannot include both and stays unchanged.
Demand apart(const GpuLimits& gpu, const Demand& demand);

// Returns the registers of a lane that a wave needs, before rounding to the granule. If VGPRs and
// AGPRs share registers and there are AGPRs, this is VGPRs rounded up to 4 plus AGPRs, otherwise
// the larger of the two.
std::uint64_t registers_asked(const GpuLimits& gpu, std::uint64_t vgprs, std::uint64_t agprs);

// Returns the part of a demand that no kernel of this GPU can have, as text ("600 VGPRs, gfx942 has
// at most 512"), or std::nullopt if all is possible. Requires a demand from apart().
std::optional<std::string> impossible(const GpuLimits& gpu, const Demand& demand);

// The limiting resource.
enum class Limit { vgpr, sgpr, lds, barrier, max, unknown };
template <>
struct EnumWords<Limit> {
    static constexpr EnumWord<Limit> all[] = {
        {Limit::vgpr, "vgpr"},       {Limit::sgpr, "sgpr"}, {Limit::lds, "lds"},
        {Limit::barrier, "barrier"}, {Limit::max, "max"},   {Limit::unknown, "unknown"},
    };
};

// Work-groups that each resource allows on a CU; std::nullopt: the resource does not limit.
struct WorkgroupBounds {
    std::uint64_t max = 0;
    std::optional<std::uint64_t> vgpr;
    std::optional<std::uint64_t> sgpr;
    std::optional<std::uint64_t> lds;
    std::optional<std::uint64_t> barrier;
};

// Reductions that allow more waves.
struct NextStep {
    std::uint64_t waves_per_simd = 0;
    std::uint64_t vgprs = 0;
    std::uint64_t agprs = 0;
    std::uint64_t either = 0;  // registers of either kind, VGPRs or AGPRs, which share the file
    std::uint64_t sgprs = 0;
    std::uint64_t lds_bytes = 0;
};

// The number of waves and its reasons.
struct Occupancy {
    std::optional<std::uint64_t> waves_per_simd;  // std::nullopt: unknown, see at_most
    std::uint64_t at_most = 0;  // waves_per_simd if unknown resources are not used
    Limit limited_by = Limit::unknown;
    std::optional<std::uint64_t> workgroups_per_cu;
    WorkgroupBounds bounds;  // from the known resources
    std::optional<NextStep> next;
};

// Returns the occupancy of a demand for which impossible() returns std::nullopt. An unknown number
// makes the result unknown, unless its lowest and highest possible values give the same result;
// unknown waves always do.
Occupancy occupancy(const GpuLimits& gpu, const Demand& demand);

// Returns how full `grid` work-groups leave the CUs, from 0 to 1. Work-groups spread over all CUs
// before two share one, so a round is one work-group for each CU, for any workgroups_per_cu, and
//     fill = grid / (CUs x ceil(grid / CUs))
// which is the used share of CU time if all work-groups take equally long: 256 on 304 CUs give
// 0.842, and 1024 on 304 CUs, with 112 in the last of four rounds, give 0.842, too. Rounded to
// thousandths; 0 if one number is 0.
double grid_fill(std::uint64_t grid, std::uint64_t compute_units);

// The fewest work-groups that AMD's tuning guide of MI300X advises, for its 304 CUs.
constexpr std::uint64_t advised_of_mi300x = 1024;
// Returns the advice for another part or a partition: the same number for each CU, rounded up.
std::uint64_t advised_grid(std::uint64_t compute_units);

// Returns the most registers (VGPRs and AGPRs) of a lane with which one work-group of `waves` fits
// on a CU, a multiple of the granule.
std::uint64_t registers_possible(const GpuLimits& gpu, std::uint64_t waves);

// Removes `next` if it advises fewer registers and registers may already be spilled: more of them
// would help.
void heed_spills(const Scratch& scratch, Occupancy& answer);

// One kernel of a file, or the demand given by the options.
struct KernelDemand {
    std::string name;  // empty: options
    std::string file;
    std::optional<std::string> gfx;  // std::nullopt: not stated by the file
    Demand demand;
    Scratch scratch;
    std::optional<CodeCounts> counts;  // std::nullopt: no code in the file
    std::vector<std::string> notes;    // one sentence each
};

// The kernels of all files in their order, and the reasons for skipped ones ("FILE:LINE: WHAT").
class KernelFiles {
   public:
    std::vector<KernelDemand> kernels;
    std::vector<std::string> errors;

    // Adds a kernel, up to 10,000 kernels with 4 MiB of names and paths. The first kernel beyond is
    // an error, and further ones are left out.
    void take(KernelDemand kernel);
    // Adds the kernels and errors of other files.
    void take(KernelFiles&& other);
    // Adds the error of a file that could not be read.
    void fail(const Error& error);

    bool timed_out = false;  // reading a file timed out; its contents may be valid

   private:
    std::size_t bytes_ = 0;
    bool full_ = false;
};

class Fs;  // rocenv/fs.h

// Reads every kernel of an AMDGCN assembly file, or of the YAML metadata of one, of at most 32 MiB.
// Never fails: see KernelFiles::errors.
KernelFiles read_assembly(const Fs& files, const std::string& path);

// Reads every .amdgcn in a Triton cache entry, a dump, or a folder of them, up to four folders deep
// and without folders with a dot in their names. LDS and waves come from the .json beside it,
// otherwise from the IR. Never fails; a folder without such a file is an error, too.
KernelFiles read_triton(const Fs& files, const std::string& folder);

// A kernel with its occupancy.
struct KernelOccupancy {
    KernelDemand kernel;
    GpuLimits gpu;
    Occupancy answer;
    std::optional<std::uint64_t> grid;
    std::optional<double> fill;
};

// Returns an entry for each kernel. `everything` adds the number of work-groups that each resource
// allows.
std::string render_occupancy_human(std::span<const KernelOccupancy> kernels, bool everything,
                                   Screen screen);

// Returns an array with one entry for each kernel in the order of the files.
std::string render_occupancy_json(std::span<const KernelOccupancy> kernels);
// Returns the JSON Schema of that array.
std::string occupancy_schema();

// A demand without unknown numbers.
struct KnownDemand {
    std::uint64_t vgprs = 0;
    std::uint64_t agprs = 0;
    std::uint64_t sgprs = 0;
    std::uint64_t lds_bytes = 0;
    std::uint64_t waves = 1;
};

// Returns the lowest multiple of `granule` that is at least `value`.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
    return (value + granule - 1) / granule * granule;
}

// Returns the highest multiple of `granule` that is at most `value`.
constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t granule) {
    return value / granule * granule;
}

// Returns the most SGPRs with which `waves` waves fit on a SIMD of gfx9; 0 if `waves` is above 10.
std::uint64_t most_sgprs(std::uint64_t waves);

// Returns the work-groups that each resource allows on a CU. Requires 1 wave or more, as the
// functions below do.
WorkgroupBounds workgroup_bounds(const GpuLimits& gpu, const KnownDemand& demand);

// Returns the work-groups that fit on a CU: the lowest bound.
std::uint64_t workgroups(const WorkgroupBounds& bounds);

// Returns the waves that fit on a SIMD.
std::uint64_t waves_per_simd(const GpuLimits& gpu, const KnownDemand& demand);

// Returns the smallest reduction that gives another wave, or std::nullopt if no reduction does.
std::optional<NextStep> next_step(const GpuLimits& gpu, const KnownDemand& demand);

}  // namespace rocenv
