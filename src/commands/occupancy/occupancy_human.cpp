// SPDX-License-Identifier: MIT
#include <array>

#include "commands/occupancy/occupancy.h"
#include "print/document.h"
#include "util/decimal.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string count_or_unknown(const std::optional<std::uint64_t>& count, const char* noun) {
    return count ? counted(*count, noun) : std::string(noun) + "s unknown";
}

std::string limit_text(Limit limit) {
    constexpr std::array<std::string_view, 6> texts = {"limited by VGPRs", "limited by SGPRs",
                                                       "limited by LDS",   "limited by barriers",
                                                       "the maximum",      ""};
    return std::string(texts.at(static_cast<std::size_t>(limit)));
}

std::string groups_text(const KernelOccupancy& kernel) {
    const auto waves = counted(kernel.kernel.demand.waves.value_or(0), "wave");
    const auto groups = kernel.answer.workgroups_per_cu.value_or(0);
    return groups == 0 ? "a work-group of " + waves + " does not fit on a CU"
                       : counted(groups, "work-group") + " of " + waves + " on a CU";
}

std::string answer_text(const KernelOccupancy& kernel) {
    const auto& answer = kernel.answer;
    if (!answer.waves_per_simd) {
        return "waves per SIMD: unknown, " + number(answer.at_most) + " at most";
    }
    return counted(*answer.waves_per_simd, "wave") + " per SIMD, " + limit_text(answer.limited_by) +
           ": " + groups_text(kernel);
}

std::string next_text(const NextStep& next) {
    std::vector<std::string> parts;
    const auto add = [&](std::uint64_t count, std::string_view noun) {
        if (count > 0) {
            parts.push_back(number(count) + " fewer " + std::string(noun) +
                            (count == 1 ? "" : "s"));
        }
    };
    add(next.vgprs, "VGPR");
    add(next.agprs, "AGPR");
    if (next.either > 0) {
        parts.push_back(number(next.either) + " fewer VGPRs or AGPRs");
    }
    add(next.sgprs, "SGPR");
    if (next.lds_bytes > 0) {
        parts.push_back(number(next.lds_bytes) + " fewer bytes of LDS");
    }
    const bool one = parts.size() == 1 && parts[0].starts_with("1 ");
    return join(parts, " and ") + (one ? " gives " : " give ") +
           counted(next.waves_per_simd, "wave");
}

// Returns the demand as text. Registers and LDS are allocated in granules; a larger allocation is
// stated, too.
std::string demand_text(const KernelOccupancy& kernel) {
    const auto& demand = kernel.kernel.demand;
    const auto& gpu = kernel.gpu;
    std::string out =
        count_or_unknown(demand.vgprs, "VGPR") + ", " + count_or_unknown(demand.agprs, "AGPR");
    if (demand.vgprs) {
        const auto asked = registers_asked(gpu, *demand.vgprs, demand.agprs.value_or(0));
        const auto given = (asked + gpu.granule - 1) / gpu.granule * gpu.granule;
        out += given == *demand.vgprs ? "" : " (" + number(given) + " registers given)";
    }
    out += ", " + count_or_unknown(demand.sgprs, "SGPR") + ", " +
           count_or_unknown(demand.waves, "wave");
    if (demand.lds_bytes) {
        const auto given =
            (*demand.lds_bytes + gpu.lds_granule - 1) / gpu.lds_granule * gpu.lds_granule;
        out += ", " + counted(*demand.lds_bytes, "byte") + " of LDS" +
               (given == *demand.lds_bytes ? "" : " (" + number(given) + " given)");
    }
    return out;
}

std::string source_text(const GpuLimits& gpu) {
    const std::array facts = {gpu.compute_units, gpu.simds, gpu.lds_bytes};
    constexpr std::array<std::string_view, 3> names = {"CUs", "SIMDs", "LDS"};
    std::vector<std::string> of_node;
    std::vector<std::string> of_table;
    for (std::size_t at = 0; at < facts.size(); ++at) {
        (facts.at(at).from_node ? of_node : of_table).emplace_back(names.at(at));
    }
    const std::string table = "table, " + gpu.part;
    return of_table.empty() ? "this node"
           : of_node.empty()
               ? table
               : join(of_node, " and ") + ": this node; " + join(of_table, " and ") + ": " + table;
}

std::string gpu_text(const GpuLimits& gpu) {
    return gpu.gfx + ", " + counted(gpu.compute_units.value, "CU") + " of " +
           counted(gpu.simds.value, "SIMD") + " and " + counted(gpu.lds_bytes.value, "byte") +
           " of LDS (" + source_text(gpu) + ")";
}

std::string bounds_text(const KernelOccupancy& kernel) {
    const auto& bounds = kernel.answer.bounds;
    const auto bound = [](const std::optional<std::uint64_t>& value) {
        return value ? number(*value) : "any";
    };
    const auto& demand = kernel.kernel.demand;
    return "VGPRs " + (demand.vgprs ? bound(bounds.vgpr) : "unknown") + ", SGPRs " +
           (demand.sgprs ? bound(bounds.sgpr) : "unknown") + ", LDS " +
           (demand.lds_bytes ? bound(bounds.lds) : "unknown") + ", barriers " +
           bound(bounds.barrier) + ", waves " + number(bounds.max);
}

std::string grid_text(const KernelOccupancy& kernel) {
    const auto units = kernel.gpu.compute_units.value;
    const auto grid = *kernel.grid;
    std::string out = counted(grid, "work-group") + " on " + counted(units, "CU");
    if (kernel.fill) {
        // Down, not to the nearest: 100 % is none left over.
        constexpr double thousandths = 1000;
        out += ": " + number(nearest_integer(*kernel.fill * thousandths) / 10) + " % full";
        const auto last = (grid - 1) % units + 1;
        if (grid > units && last != units) {
            out += ", the last round has " + number(last);
        }
    }
    const auto advised = advised_grid(units);
    if (grid >= advised) {
        return out;
    }
    return out + (advised == advised_of_mi300x
                      ? "; the tuning guide of MI300X advises 1024 or more"
                      : "; the 1024 or more that the tuning guide of MI300X advises are " +
                            number(advised) + " for so many CUs");
}

std::string scratch_text(const Scratch& scratch) {
    const bool unbounded = scratch.dynamic_stack.value_or(false);
    if (scratch.bytes.value_or(0) == 0 && unbounded) {
        return "a stack for each work-item of a size known at run time only";
    }
    return counted(scratch.bytes.value_or(0), "byte") + " of memory for each work-item" +
           (unbounded ? " and a stack of a size known at run time only" : "");
}

std::string spills_text(const Scratch& scratch) {
    std::vector<std::string> parts;
    const auto add = [&](const std::optional<std::uint64_t>& count, const char* noun) {
        if (count.value_or(0) > 0) {
            parts.push_back(counted(*count, noun));
        }
    };
    add(scratch.vgpr_spills, "VGPR");
    add(scratch.sgpr_spills, "SGPR");
    if (parts.empty()) {
        parts.push_back("registers, by " + counted(scratch.spill_instructions, "instruction"));
    }
    return join(parts, " and ") + (scratch.bytes ? ", " + scratch_text(scratch) : std::string());
}

// Returns an advice that has priority over more waves while registers are spilled.
std::string more_registers_text(const KernelOccupancy& kernel) {
    const auto& demand = kernel.kernel.demand;
    std::string out = "no spills, before more waves: ";
    if (kernel.kernel.scratch.vgpr_spills.value_or(1) == 0) {
        return out + "fewer values at a time that all work-items share; SGPRs do not become more";
    }
    if (!demand.waves || !demand.vgprs) {
        return out + "a smaller tile, or a lower waves_per_eu";
    }
    const auto most = registers_possible(kernel.gpu, *demand.waves);
    const auto asked = registers_asked(kernel.gpu, *demand.vgprs, demand.agprs.value_or(0));
    const auto group = "a work-group of " + counted(*demand.waves, "wave");
    return asked + kernel.gpu.granule <= most
               ? out + number(most) + " registers are possible for " + group +
                     " (a lower waves_per_eu, the true size in __launch_bounds__)"
               : out + "there are no more registers for " + group +
                     "; a smaller tile needs fewer, and __launch_bounds__ with the true size frees "
                     "some where no work-group is that large";
}

std::string code_text(const CodeCounts& counts) {
    return counted(counts.loads, "load") + " (" + number(counts.wide_loads) + " of 16 bytes), " +
           counted(counts.lds_reads, "read") + " of LDS (" + number(counts.wide_lds_reads) +
           " of 16 bytes), " + counted(counts.waits, "wait") + ", " + number(counts.mfma) + " MFMA";
}

void add_scratch(const KernelOccupancy& kernel, Document& out) {
    const auto& scratch = kernel.kernel.scratch;
    if (scratch.spills()) {
        out.field("spills", spills_text(scratch));
        out.field("next", more_registers_text(kernel));
        return;
    }
    const std::string spilled = !scratch.none_of_its_own() ? ", spilled registers perhaps"
                                : scratch.calls ? ", perhaps spilled registers of what it calls"
                                                : ", no register of its own is spilled";
    if (scratch.bytes.value_or(0) > 0 || scratch.dynamic_stack.value_or(false)) {
        out.field("scratch", scratch_text(scratch) + spilled);
    }
}

void add_kernel(const KernelOccupancy& kernel, bool everything, Document& out) {
    const bool of_file = !kernel.kernel.file.empty();
    out.title(of_file ? kernel.kernel.name : kernel.gpu.gfx,
              of_file ? "(" + kernel.kernel.file + ")" : "");
    out.under(answer_text(kernel));
    if (!kernel.kernel.demand.lds_bytes) {
        out.field("LDS", "unknown: the file states none, and a launch may add to it (--lds)");
    }
    add_scratch(kernel, out);
    if (kernel.answer.next) {
        out.field("next", next_text(*kernel.answer.next));
    }
    out.field("uses", demand_text(kernel));
    if (kernel.kernel.counts) {
        out.field("code", code_text(*kernel.kernel.counts));
    }
    if (everything) {
        out.field("limits", "work-groups that fit by " + bounds_text(kernel));
    }
    out.field("GPU", gpu_text(kernel.gpu));
    if (kernel.grid) {
        out.field("grid", grid_text(kernel));
    }
    for (const auto& note : kernel.kernel.notes) {
        out.field("note", note);
    }
}

}  // namespace

std::string render_occupancy_human(std::span<const KernelOccupancy> kernels, bool everything,
                                   Screen screen) {
    Document out;
    for (const auto& kernel : kernels) {
        out.blank();
        add_kernel(kernel, everything, out);
    }
    return out.text(screen);
}

}  // namespace rocenv
