// SPDX-License-Identifier: MIT
// Which versions of ROCm and of what runs on it are installed: found from files on disk, lazily;
// nothing is started and no Python is asked. Where two places disagree the one counts that Python
// would import from first: PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, the user's own packages, the
// prefix of the first python in PATH, then /opt/venv, /opt/conda and the system's folders.
//
// A place that this user may not read is passed over, as Python passes it over; when nothing is
// found elsewhere, the answer is that it was not permitted, not that it is not here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/process.h"
#include "variables/releases/rocm_layouts.h"

namespace rocenv {

struct FoundVersion {
    std::string version;  // "2.7.1+rocm6.3", "6.2.0-66"; of a library without headers "5.2" only
    std::string build;    // what stands behind it, where known: a commit, ROCm's ROCM_BUILD_INFO
    std::string where;    // the file that says so; "given" when the user did
};

// What PyTorch says of itself in torch/version.py. Empty: it does not say.
struct TorchBuild {
    std::string version;  // "2.7.1+rocm6.3"
    std::string hip;      // "6.3.42131-…": HIP it was built with
    std::string rocm;     // "7.0.0": ROCm it was built with; in releases of 2026
    std::string folder;   // of the package; empty when the version is given
};

class Versions {
   public:
    using Assumed = std::map<std::string, std::string, std::less<>>;

    // "torch=2.8", "rocm=6.4" of --assume. Fails with bad_input: no such package, no version.
    static Result<Assumed> parse_assumed(const std::vector<std::string>& texts);

    // What can be asked for: rocm, torch, hip (what PyTorch was built with), triton, vllm, aiter,
    // hipblaslt, rocblas, miopen, rccl, nccl (only as given), accelerate, flash-attn,
    // transformer-engine, mori, mscclpp.
    static const std::vector<std::string>& packages();

    // `assumed` wins over what is found. Both must outlive this.
    Versions(const Machine& machine, const Process& process, Assumed assumed = {});

    // Of a ROCm library it is the one that PyTorch brings along, if it does, else ROCm's. Fails
    // with not_here (no sign of it), not_permitted, garbled (it is there and its version cannot be
    // read from its files), or what kept a file from being read.
    Result<FoundVersion> find(std::string_view package) const;

    // As find("rocm"), with ROCm's own ROCM_BUILD_INFO: one more file.
    Result<FoundVersion> rocm_with_build() const;

    // Returns what the installed PyTorch says of itself; not_here without one.
    Result<TorchBuild> torch() const;

    // The library's file in PyTorch's own folder or in a wheel of libraries beside it, when PyTorch
    // brings it along.
    std::optional<std::string> bundled(std::string_view package) const;

    // Returns every ROCm user space on this node; looked for once.
    const RocmLayouts& layouts() const;

    // Returns the version of a package that the user gave.
    std::optional<std::string> assumed(std::string_view package) const;

   private:
    // Looks on the disk, without what was assumed. Errors: not_here, and those of reading.
    Result<FoundVersion> look_for(std::string_view package) const;
    Result<FoundVersion> rocm() const;
    Result<FoundVersion> library(std::string_view package) const;
    Result<FoundVersion> python_package(std::string_view package) const;
    const std::vector<std::string>& sites() const;  // looked for once

    const Machine& machine_;
    const Process& process_;
    const Assumed assumed_;
    mutable std::optional<std::vector<std::string>> sites_;
    mutable std::optional<RocmLayouts> layouts_;
    mutable std::map<std::string, Result<FoundVersion>, std::less<>> found_;
};

// The ROCm user spaces that `versions` found; with none they are looked for.
RocmLayouts layouts_of(const Versions* versions, const Fs& fs, const Process& process);
// The version of ROCm that the user gave, if one did.
std::optional<std::string> assumed_rocm(const Versions* versions);

}  // namespace rocenv
