// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <algorithm>
#include <iterator>

#include "commands/occupancy/occupancy.h"
#include "rocenv/machine.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string occupancy_human(const std::vector<KernelOccupancy>& kernels, Detail detail,
                            Screen screen) {
    return render_occupancy_human(kernels, detail == Detail::everything, screen);
}

std::string occupancy_json(const std::vector<KernelOccupancy>& kernels) {
    return render_occupancy_json(kernels);
}

constexpr OccupancyFormat occupancy_formats[] = {
    {"human", ReadBy::person, occupancy_human},
    {"json", ReadBy::program, occupancy_json},
};

// Returns the demand of the options. Resources without an option are zero, and waves are one.
KernelFiles of_options(const OccupancyOptions& asked) {
    KernelFiles out;
    if (!asked.vgprs && !asked.agprs && !asked.sgprs && !asked.lds && !asked.waves && !asked.grid) {
        out.errors.emplace_back(
            "no kernel is given: expected --asm FILE, --triton DIR, or resources such as "
            "--vgprs, --lds and --waves");
        return out;
    }
    KernelDemand kernel;
    kernel.demand = {0, 0, 0, 0, 1, false};
    if (asked.lds && !asked.waves) {
        kernel.notes.emplace_back(
            "a work-group of 1 wave is assumed. Its size is set with --waves");
    }
    out.take(std::move(kernel));
    return out;
}

KernelFiles gather(const OccupancyOptions& asked, const Fs& files) {
    if (asked.assembly.empty() && asked.triton.empty()) {
        return of_options(asked);
    }
    KernelFiles out;
    for (const auto& file : asked.assembly) {
        out.take(read_assembly(files, file));
    }
    for (const auto& folder : asked.triton) {
        out.take(read_triton(files, folder));
    }
    return out;
}

void overlay(const OccupancyOptions& asked, Demand& demand) {
    const auto take = [](const auto& from, auto& into) { into = from ? from : into; };
    demand.counts_both = demand.counts_both && !asked.vgprs;
    take(asked.vgprs, demand.vgprs);
    take(asked.agprs, demand.agprs);
    take(asked.sgprs, demand.sgprs);
    take(asked.lds, demand.lds_bytes);
    take(asked.waves, demand.waves);
}

std::string label(const KernelDemand& kernel) {
    return kernel.file.empty()
               ? std::string()
               : printable(kernel.file) + ": kernel " + printable(kernel.name, 80) + ": ";
}

class Answers {
   public:
    Answers(const OccupancyOptions& asked, const Fs& machine) : asked_(asked), machine_(machine) {}

    Output run(KernelFiles files, const Process& process) {
        errors_ = std::move(files.errors);
        timed_out_ = files.timed_out;
        for (auto& kernel : files.kernels) {
            answer(std::move(kernel));
        }
        Output output;
        output.err = error_lines(asked_.print.quiet ? std::vector<std::string>() : notes_) +
                     error_lines(errors_);
        output.exit_code = status();
        if (!asked_.print.quiet && !answers_.empty()) {
            output.out = formatted(asked_.print, answers_, process);
        }
        return output;
    }

   private:
    int status() const {
        const bool known = std::any_of(answers_.begin(), answers_.end(), [](const auto& kernel) {
            return kernel.answer.waves_per_simd.has_value();
        });
        if (timed_out_ || !errors_.empty() || answers_.empty()) {
            return exit_of_unread(timed_out_);
        }
        return known ? exit_ok : exit_unknown;
    }

    // Returns the GPU of the kernel's file, else of --arch, else of this node.
    Result<std::string> gfx_of(const KernelDemand& kernel) const {
        if (kernel.gfx) {
            return *kernel.gfx;
        }
        return asked_.arch ? Result<std::string>(*asked_.arch) : gfx_here(machine_);
    }

    // Returns whether --arch is for another GPU. In a Triton cache it selects kernels; for a file
    // that is an error.
    bool other_gpu(const KernelDemand& kernel, const std::string& gfx) {
        const auto base = [](const std::string& name) { return name.substr(0, name.find(':')); };
        if (!asked_.arch || base(*asked_.arch) == base(gfx)) {
            return false;
        }
        if (asked_.triton.empty()) {
            errors_.push_back(label(kernel) + "compiled for " + printable(base(gfx), 40) +
                              ", and --arch is " + printable(*asked_.arch, 40));
        }
        return true;
    }

    void answer(KernelDemand kernel) {
        const auto gfx = gfx_of(kernel);
        const bool other = gfx && other_gpu(kernel, *gfx);
        if (other) {
            return;
        }
        const auto gpu = gfx ? gpu_limits_here(*gfx, machine_) : gfx.error();
        if (!gpu) {
            auto& lines = kernel.file.ends_with(".amdgcn") && kernel.gfx ? notes_ : errors_;
            lines.push_back(label(kernel) + gpu.error().text);
            return;
        }
        overlay(asked_, kernel.demand);
        kernel.demand = apart(*gpu, kernel.demand);
        if (const auto wrong = impossible(*gpu, kernel.demand)) {
            errors_.push_back(label(kernel) + *wrong);
            return;
        }
        KernelOccupancy out{std::move(kernel), *gpu, {}, asked_.grid, {}};
        out.answer = occupancy(*gpu, out.kernel.demand);
        heed_spills(out.kernel.scratch, out.answer);
        if (out.grid && out.answer.workgroups_per_cu != 0) {
            out.fill = grid_fill(*out.grid, gpu->compute_units.value);
        }
        answers_.push_back(std::move(out));
    }

    const OccupancyOptions& asked_;
    const Machine machine_;
    std::vector<KernelOccupancy> answers_;
    std::vector<std::string> errors_;
    bool timed_out_ = false;
    std::vector<std::string> notes_;  // kernels for GPUs that are not in the table
};

}  // namespace

template <>
std::span<const OccupancyFormat> formats() {
    return occupancy_formats;
}

Output run_occupancy(const OccupancyOptions& options, const Fs& machine, const Fs& files,
                     const Process& process) {
    if (options.grid == 0) {
        return misused("occupancy", "invalid value '0' for --grid: expected 1 or more");
    }
    return Answers(options, machine).run(gather(options, files), process);
}

}  // namespace rocenv
