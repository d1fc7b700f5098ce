// SPDX-License-Identifier: MIT
// Reads files into the demands of their kernels.
#include <algorithm>
#include <array>
#include <iterator>

#include "commands/occupancy/assembly.h"
#include "commands/occupancy/occupancy.h"
#include "commands/occupancy/triton.h"
#include "os/fs/input_files.h"
#include "rocenv/fs.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_mib = 32;  // limit of one file
constexpr std::uint64_t work_items_of_wave = 64;
constexpr int deepest_folder = 4;          // folders below the one that is named
constexpr std::size_t most_files = 10000;  // .amdgcn files of one cache

Result<Assembly> assembly_of(const Fs& files, const std::string& path) {
    const auto text = read_in_pieces(files, path, most_mib);
    return text ? parse_assembly(path, *text) : text.error();
}

// Returns the demand of a kernel. LDS of 0 in the file is unknown if the kernel may use LDS,
// because the launch adds to it.
KernelDemand demand_of(const AssemblyKernel& kernel, const std::string& path,
                       const std::string& gfx) {
    KernelDemand out;
    out.name = kernel.name;
    out.file = path;
    out.gfx = gfx.empty() ? std::nullopt : std::optional(gfx);
    out.demand.counts_both = true;
    out.demand.vgprs = kernel.vgprs;
    out.demand.agprs = kernel.agprs;
    out.demand.sgprs = kernel.sgprs;
    out.scratch = kernel.scratch;
    out.counts = kernel.counts;
    if (kernel.work_items) {
        out.demand.waves = *kernel.work_items / work_items_of_wave +
                           static_cast<std::uint64_t>(*kernel.work_items % work_items_of_wave != 0);
    }
    if (kernel.lds_bytes.value_or(0) > 0 || !kernel.may_use_lds) {
        out.demand.lds_bytes = kernel.lds_bytes;
    }
    return out;
}

// Returns Triton's facts about NAME.amdgcn: those of NAME.json, completed from the IR.
Result<TritonFacts> facts_beside(const Fs& files, const std::string& stem,
                                 const std::vector<std::string>& names) {
    TritonFacts facts;
    const auto beside = [&](const char* extension) {
        const auto name = stem.substr(stem.rfind('/') + 1) + extension;
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (beside(".json")) {
        const auto text = read_in_pieces(files, stem + ".json", most_mib);
        auto from_json = text ? triton_json(stem + ".json", *text) : text.error();
        if (!from_json) {
            return from_json;
        }
        facts = std::move(from_json).value();
    }
    for (const char* extension : {".llir", ".ttgir"}) {
        if ((facts.shared && facts.num_warps) || !beside(extension)) {
            continue;
        }
        const auto text = read_in_pieces(files, stem + extension, most_mib);
        if (!text) {
            return text.error();
        }
        const auto from_ir = triton_ir(*text);
        facts.shared = facts.shared ? facts.shared : from_ir.shared;
        facts.num_warps = facts.num_warps ? facts.num_warps : from_ir.num_warps;
        facts.gfx = facts.gfx.empty() ? from_ir.gfx : facts.gfx;
    }
    return facts;
}

// Adds the values of the launch to those of the assembly.
void launch(const TritonFacts& facts, const AssemblyKernel& kernel, KernelDemand& into) {
    constexpr auto most = ~std::uint64_t{0};
    if (facts.shared) {
        const auto fixed = kernel.lds_bytes.value_or(0);
        into.demand.lds_bytes = *facts.shared > most - fixed ? most : *facts.shared + fixed;
    }
    if (facts.num_warps) {
        into.demand.waves = facts.num_warps;
    }
    if (!into.scratch.vgpr_spills && !into.scratch.sgpr_spills) {
        into.scratch.vgpr_spills = facts.spills;
    }
    if (!into.gfx && !facts.gfx.empty()) {
        into.gfx = facts.gfx;
    }
}

class TritonReader {
   public:
    explicit TritonReader(const Fs& files) : files_(files) {}

    KernelFiles read(const std::string& folder) {
        walk(folder, 0);
        if (out_.kernels.empty() && out_.errors.empty()) {
            out_.errors.push_back(printable(folder) +
                                  ": no .amdgcn file in it: no kernel that Triton built for an "
                                  "AMD GPU");
        }
        return std::move(out_);
    }

   private:
    // A cache entry or a dump is a folder named by a hash, without a dot.
    void walk(const std::string& folder, int depth) {
        const auto names = files_.list(folder);
        if (!names) {
            if (depth == 0 || names.error().err != not_a_folder) {
                out_.fail(names.error());
            }
            return;
        }
        for (const auto& name : *names) {
            if (name.ends_with(".amdgcn")) {
                take(folder + "/" + name, *names);
            } else if (name.find('.') == std::string::npos && depth < deepest_folder) {
                walk(folder + "/" + name, depth + 1);
            }
        }
    }

    void take(const std::string& path, const std::vector<std::string>& names) {
        if (found_++ >= most_files) {
            if (found_ == most_files + 1) {
                out_.errors.push_back("more than " + number(most_files) +
                                      " .amdgcn files: the rest is left out");
            }
            return;
        }
        const auto assembly = assembly_of(files_, path);
        if (!assembly) {
            out_.fail(assembly.error());
            return;
        }
        const auto facts = facts_beside(
            files_, path.substr(0, path.size() - std::string_view(".amdgcn").size()), names);
        if (!facts) {
            out_.fail(facts.error());
            return;
        }
        for (const auto& kernel : assembly->kernels) {
            auto demand = demand_of(kernel, path, assembly->gfx);
            launch(*facts, kernel, demand);
            out_.take(std::move(demand));
        }
    }

    static constexpr int not_a_folder = 20;  // ENOTDIR

    const Fs& files_;
    KernelFiles out_;
    std::size_t found_ = 0;
};

}  // namespace

void KernelFiles::take(KernelDemand kernel) {
    constexpr std::size_t most_kernels = 10000;
    constexpr std::size_t most_text_mib = 4;
    bytes_ += kernel.name.size() + kernel.file.size();
    if (!full_ && (kernels.size() == most_kernels || bytes_ > most_text_mib << 20)) {
        full_ = true;
        errors.push_back(printable(kernel.file) + ": more than " + number(most_kernels) +
                         " kernels, or " + number(most_text_mib) +
                         " MiB of their names and paths: the rest is left out");
    }
    if (!full_) {
        kernels.push_back(std::move(kernel));
    }
}

void KernelFiles::take(KernelFiles&& other) {
    for (auto& kernel : other.kernels) {
        take(std::move(kernel));
    }
    std::move(other.errors.begin(), other.errors.end(), std::back_inserter(errors));
    timed_out = timed_out || other.timed_out;
}

void KernelFiles::fail(const Error& error) {
    errors.push_back(error.text);
    timed_out = timed_out || error.kind == ErrorKind::timed_out;
}

KernelFiles read_assembly(const Fs& files, const std::string& path) {
    KernelFiles out;
    const auto assembly = assembly_of(files, path);
    if (!assembly) {
        out.fail(assembly.error());
        return out;
    }
    for (const auto& kernel : assembly->kernels) {
        out.take(demand_of(kernel, path, assembly->gfx));
    }
    return out;
}

KernelFiles read_triton(const Fs& files, const std::string& folder) {
    return TritonReader(files).read(folder);
}

}  // namespace rocenv
