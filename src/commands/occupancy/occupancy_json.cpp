// SPDX-License-Identifier: MIT
#include "commands/occupancy/occupancy.h"
#include "json/out.h"
#include "json/schema.h"

namespace rocenv {

namespace {

constexpr JsonNote count_note{.says = "null: not known"};

}  // namespace

template <>
struct Described<Fact> {
    static void members(auto& at) {
        at.member("value", &Fact::value, {.at_least = 1});
        at.member("from", [](const Fact& fact) { return fact.from_node ? "node" : "table"; },
                  {.says = "this node's driver, or the table of parts", .words = "node|table"});
    }
};

// The resources to reduce.
struct FewerResources {
    const NextStep& next;
};
template <>
struct Described<FewerResources> {
    using Fewer = FewerResources;
    static void members(auto& at) {
        at.member("vgprs", [](const Fewer& fewer) { return fewer.next.vgprs; });
        at.member("agprs", [](const Fewer& fewer) { return fewer.next.agprs; });
        at.member("vgprs_or_agprs", [](const Fewer& fewer) { return fewer.next.either; });
        at.member("sgprs", [](const Fewer& fewer) { return fewer.next.sgprs; });
        at.member("lds_bytes", [](const Fewer& fewer) { return fewer.next.lds_bytes; });
    }
};

template <>
struct Described<NextStep> {
    static void members(auto& at) {
        at.member("waves_per_simd", &NextStep::waves_per_simd, {.at_least = 1});
        at.member("fewer", [](const NextStep& next) { return FewerResources{next}; });
    }
};

template <>
struct Described<Scratch> {
    static void members(auto& at) {
        at.member("vgprs", &Scratch::vgpr_spills, count_note);
        at.member("sgprs", &Scratch::sgpr_spills, count_note);
    }
};

template <>
struct Described<CodeCounts> {
    static void members(auto& at) {
        at.member("loads", &CodeCounts::loads, {.says = "global, buffer, flat"});
        at.member("wide_loads", &CodeCounts::wide_loads, {.says = "dwordx4, b128"});
        at.member("lds_reads", &CodeCounts::lds_reads);
        at.member("wide_lds_reads", &CodeCounts::wide_lds_reads, {.says = "b128, two of b64"});
        at.member("waits", &CodeCounts::waits, {.says = "s_waitcnt and the like"});
        at.member("mfma", &CodeCounts::mfma);
        at.member("spills", &CodeCounts::spills,
                  {.says = "spills and reloads by the remarks of LLVM"});
        at.member("calls", &CodeCounts::calls, {.says = "function calls"});
    }
};

template <>
struct Described<GpuLimits> {
    static void members(auto& at) {
        at.member("compute_units", &GpuLimits::compute_units);
        at.member("simds_per_cu", &GpuLimits::simds);
        at.member("lds_bytes_per_cu", &GpuLimits::lds_bytes);
    }
};

template <>
struct Described<KernelOccupancy> {
    using Of = KernelOccupancy;
    static void members(auto& at) {
        at.or_null("kernel", [](const Of& of) { return of.kernel.name; },
                   {.says = "null: from the options alone"});
        at.or_null("file", [](const Of& of) { return of.kernel.file; }, {.filled = true});
        at.member("arch", [](const Of& of) { return of.gpu.gfx; }, {.pattern = "^gfx[0-9a-f]+$"});
        at.member(
            "waves_per_simd", [](const Of& of) { return of.answer.waves_per_simd; }, count_note);
        at.member("waves_per_simd_at_most", [](const Of& of) { return of.answer.at_most; },
                  {.says = "waves_per_simd if the unknown resources take nothing"});
        at.member("limited_by", [](const Of& of) { return of.answer.limited_by; });
        at.member(
            "workgroups_per_cu", [](const Of& of) { return of.answer.workgroups_per_cu; },
            count_note);
        at.member("next", [](const Of& of) { return of.answer.next; },
                  {.says = "the least reduction for more waves; null: there is none, or registers "
                           "would have to be fewer although some are spilled"});
        of_demand(at);
        of_scratch(at);
        at.member("code", [](const Of& of) { return of.kernel.counts; },
                  {.says = "number of instructions in the code of the kernel; null: no code"});
        at.member("grid", &Of::grid, {.says = "number of work-groups; null: not requested"});
        at.member("grid_fill", &Of::fill,
                  {.says = "grid / (CUs x ceil(grid / CUs)), three decimals, 0 to 1; null: not "
                           "requested, or no work-group fits"});
        at.member("gpu", &Of::gpu);
        at.member("notes", [](const Of& of) { return of.kernel.notes; }, {.each_filled = true});
    }

   private:
    static void of_demand(auto& at) {
        at.member(
            "vgprs", [](const Of& of) { return of.kernel.demand.vgprs; }, count_note);
        at.member(
            "agprs", [](const Of& of) { return of.kernel.demand.agprs; }, count_note);
        at.member(
            "sgprs", [](const Of& of) { return of.kernel.demand.sgprs; }, count_note);
        at.member(
            "lds_bytes", [](const Of& of) { return of.kernel.demand.lds_bytes; }, count_note);
        at.member(
            "waves_per_workgroup", [](const Of& of) { return of.kernel.demand.waves; }, count_note);
    }
    static void of_scratch(auto& at) {
        at.member("spills", [](const Of& of) { return of.kernel.scratch; },
                  {.says = "registers that the compiler keeps in memory"});
        at.member("scratch_bytes", [](const Of& of) { return of.kernel.scratch.bytes; },
                  {.says = "bytes of private memory for each work-item"});
        at.member("dynamic_stack", [](const Of& of) { return of.kernel.scratch.dynamic_stack; },
                  {.says = "the stack can grow beyond scratch_bytes; null: not known"});
        at.member("registers_possible",
                  [](const Of& of) {
                      const auto& waves = of.kernel.demand.waves;
                      return waves ? std::optional(registers_possible(of.gpu, *waves))
                                   : std::nullopt;
                  },
                  {.says = "most VGPRs and AGPRs that let one work-group fit on a CU"});
    }
};

std::string render_occupancy_json(std::span<const KernelOccupancy> kernels) {
    return json_list_of(kernels);
}

std::string occupancy_schema() {
    return json_list_schema_of<KernelOccupancy>(
        "Waves per SIMD of kernels, from rocenv occupancy --format json");
}

}  // namespace rocenv
