// SPDX-License-Identifier: MIT
// How many waves of a kernel fit on a SIMD at once, what limits that, and how full a grid leaves
// the CUs. Pure arithmetic on plain data; nothing here reads a machine or a file.
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

// A number and whether this node's driver said it; else it is from the table.
struct Fact {
    std::uint64_t value = 0;
    bool from_node = false;
};

struct GpuLimits {
    std::string gfx;                // "gfx942"
    std::string part;               // the part whose CU count the table has, "MI300X"
    std::uint32_t registers = 0;    // vector registers of a SIMD lane, shared by its waves
    bool unified = false;           // AGPRs come out of the same registers (gfx90a and later)
    std::uint32_t granule = 0;      // registers are given in multiples of this
    std::uint32_t waves = 0;        // most waves on a SIMD
    std::uint32_t lds_granule = 0;  // bytes
    Fact lds_bytes;                 // of a CU
    Fact simds;                     // of a CU
    Fact compute_units;             // of the GPU, or of a partition of it
};

// The table's entry. `gfx` may carry features ("gfx942:sramecc+:xnack-"). bad_input for a name that
// is not in the table, with the nearest one.
Result<GpuLimits> gpu_limits(std::string_view gfx);

// The same with what this node's driver says about its first GPU of that name, if it has one.
Result<GpuLimits> gpu_limits_here(std::string_view gfx, const Machine& machine);

// The gfx name of this node's GPUs. bad_input when there is none or more than one.
Result<std::string> gfx_here(const Machine& machine);

// What a kernel asks for. nullopt: not known, which is not the same as none.
struct Demand {
    std::optional<std::uint64_t> vgprs;  // without AGPRs, unless counts_both
    std::optional<std::uint64_t> agprs;
    std::optional<std::uint64_t> sgprs;      // with VCC and the like, as .sgpr_count
    std::optional<std::uint64_t> lds_bytes;  // of a work-group, with what the launch adds
    std::optional<std::uint64_t> waves;      // of a work-group
    // vgprs is .vgpr_count, which LLVM writes with the AGPRs where both share the file
    // (SIProgramInfo: getTotalNumVGPRs) and without them where they do not.
    bool counts_both = false;
};

// The demand with vgprs and agprs apart. A .vgpr_count that is not larger than .agpr_count cannot
// count both, as hand-written metadata: it is taken as it is.
Demand apart(const GpuLimits& gpu, const Demand& demand);

// Registers of a lane that a wave asks for, before the granule: VGPRs rounded up to 4 plus AGPRs
// where both share the file, else the larger of the two.
std::uint64_t registers_asked(const GpuLimits& gpu, std::uint64_t vgprs, std::uint64_t agprs);

// What of a demand no kernel of this GPU can have; nothing when all is possible.
std::optional<std::string> impossible(const GpuLimits& gpu, const Demand& demand);

enum class Limit { vgpr, sgpr, lds, barrier, max, unknown };
template <>
struct EnumWords<Limit> {
    static constexpr EnumWord<Limit> all[] = {
        {Limit::vgpr, "vgpr"},       {Limit::sgpr, "sgpr"}, {Limit::lds, "lds"},
        {Limit::barrier, "barrier"}, {Limit::max, "max"},   {Limit::unknown, "unknown"},
    };
};

// Work-groups that each resource allows on a CU; nothing: it does not limit.
struct WorkgroupBounds {
    std::uint64_t max = 0;
    std::optional<std::uint64_t> vgpr;
    std::optional<std::uint64_t> sgpr;
    std::optional<std::uint64_t> lds;
    std::optional<std::uint64_t> barrier;
};

// What to do with less of, to have more waves.
struct NextStep {
    std::uint64_t waves_per_simd = 0;
    std::uint64_t vgprs = 0;
    std::uint64_t agprs = 0;
    std::uint64_t either = 0;  // registers, VGPRs or AGPRs: they share the file
    std::uint64_t sgprs = 0;
    std::uint64_t lds_bytes = 0;
};

struct Occupancy {
    std::optional<std::uint64_t> waves_per_simd;  // nothing: not known, see at_most
    std::uint64_t at_most = 0;                    // waves_per_simd if the unknown asks for nothing
    Limit limited_by = Limit::unknown;
    std::optional<std::uint64_t> workgroups_per_cu;
    WorkgroupBounds bounds;  // of what is known
    std::optional<NextStep> next;
};

// `demand` is possible. Where something is not known the answer is, unless it cannot matter: the
// least and the most that it could be give the same.
Occupancy occupancy(const GpuLimits& gpu, const Demand& demand);

// How full `grid` work-groups leave the CUs, 0 to 1. Work-groups spread over all CUs before two
// share one, so a round is one work-group for each CU, whatever workgroups_per_cu is, and
//     fill = grid / (CUs x ceil(grid / CUs))
// which is the share of CU time that is used when all work-groups take equally long: 256 on 304
// CUs 0.842, and 1024 on 304 CUs, the last of four rounds with 112, 0.842 too.
double grid_fill(std::uint64_t grid, std::uint64_t compute_units);

// The least work-groups that AMD's tuning guide of MI300X advises, for its 304 CUs.
constexpr std::uint64_t advised_of_mi300x = 1024;
// Of a partition or another part as many for each CU.
std::uint64_t advised_grid(std::uint64_t compute_units);

// Most registers (VGPRs and AGPRs) of a lane with which one work-group of `waves` fits on a CU.
std::uint64_t registers_possible(const GpuLimits& gpu, std::uint64_t waves);

// Takes back the advice to have fewer registers where there are some that are spilled already: then
// it is more that are wanted.
void heed_spills(const Scratch& scratch, Occupancy& answer);

// One kernel of a file, or what the options say.
struct KernelDemand {
    std::string name;  // empty: options
    std::string file;
    std::optional<std::string> gfx;  // nothing: the file does not say
    Demand demand;
    Scratch scratch;
    std::optional<CodeCounts> counts;  // nothing: its code is not there
    std::vector<std::string> notes;    // one sentence each
};

// What the files hold: kernels in their order, and why others were left out ("FILE:LINE: WHAT").
class KernelFiles {
   public:
    std::vector<KernelDemand> kernels;
    std::vector<std::string> errors;

    // Adds a kernel, as long as all of them are at most 10,000 with 4 MiB of names and paths; the
    // first beyond that is an error, the rest is left out.
    void take(KernelDemand kernel);
    // Adds what other files hold.
    void take(KernelFiles&& other);
    // Adds why a file could not be read.
    void fail(const Error& error);

    bool timed_out = false;  // a file did not answer: nothing is known to be wrong with it

   private:
    std::size_t bytes_ = 0;
    bool full_ = false;
};

class Fs;  // rocenv/fs.h

// Every kernel of an AMDGCN assembly file, or of the YAML metadata of one. At most 32 MiB.
KernelFiles read_assembly(const Fs& files, const std::string& path);

// Every .amdgcn in a Triton cache entry, a dump, or a folder of them; LDS and waves from the .json
// beside it, else from the IR.
KernelFiles read_triton(const Fs& files, const std::string& folder);

// A kernel with its answer.
struct KernelOccupancy {
    KernelDemand kernel;
    GpuLimits gpu;
    Occupancy answer;
    std::optional<std::uint64_t> grid;
    std::optional<double> fill;
};

// An entry for each kernel. `everything` adds how many work-groups each resource allows.
std::string render_occupancy_human(std::span<const KernelOccupancy> kernels, bool everything,
                                   Screen screen);

// An array, one entry for each kernel in the order of the files; and its JSON Schema.
std::string render_occupancy_json(std::span<const KernelOccupancy> kernels);
std::string occupancy_schema();

// A demand without unknown numbers.
struct KnownDemand {
    std::uint64_t vgprs = 0;
    std::uint64_t agprs = 0;
    std::uint64_t sgprs = 0;
    std::uint64_t lds_bytes = 0;
    std::uint64_t waves = 1;
};

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
    return (value + granule - 1) / granule * granule;
}

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t granule) {
    return value / granule * granule;
}

// Most SGPRs with which `waves` waves fit on a SIMD of gfx9.
std::uint64_t most_sgprs(std::uint64_t waves);

WorkgroupBounds workgroup_bounds(const GpuLimits& gpu, const KnownDemand& demand);

std::uint64_t workgroups(const WorkgroupBounds& bounds);

std::uint64_t waves_per_simd(const GpuLimits& gpu, const KnownDemand& demand);

// The least reduction that gives another wave; nothing when none of the demand's resources can.
std::optional<NextStep> next_step(const GpuLimits& gpu, const KnownDemand& demand);

}  // namespace rocenv
