// SPDX-License-Identifier: MIT
// Every ROCm user space of this node, and the versions of ROCm and of what runs on it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/machine.h"
#include "rocenv/process.h"
#include "rocenv/words.h"

namespace rocenv {

// Every ROCm user space that files on this node show: where it lies, of what kind it is, and which
// file says its version. Nothing is started and no library is loaded. Whoever wants a file of ROCm
// asks here where it lies.
//
// One counts for programs that are not told otherwise, the first there is of:
//  1. the folder that ROCM_PATH names, when ROCm is in it;
//  2. what /opt/rocm leads to or holds, then what /opt/rocm/core leads to or holds;
//  3. the only tree /opt/rocm/core-X.Y, then the only tree /opt/rocm-X.Y.Z; of several of a kind
//     none counts, since no file says which is the default;
//  4. AMD's Python wheels, or the libraries that PyTorch brings along, in the order in which Python
//     asks its folders;
//  5. what the distribution packaged in /usr.
// When a link of 1 or 2 leads nowhere, nothing below it counts.

enum class RocmKind {
    release,       // /opt/rocm-X.Y.Z, or a tree elsewhere that ROCM_PATH or /opt/rocm leads to
    core,          // /opt/rocm/core-X.Y, of ROCm 7.13 and later
    wheels,        // _rocm_sdk_core and what lies beside it, among Python's packages
    torch,         // inside PyTorch's own folder
    distribution,  // /usr
};
template <>
struct EnumWords<RocmKind> {
    static constexpr EnumWord<RocmKind> all[] = {
        {RocmKind::release, "release"},
        {RocmKind::core, "core tree"},
        {RocmKind::wheels, "Python wheels"},
        {RocmKind::torch, "PyTorch's own"},
        {RocmKind::distribution, "the distribution's"},
    };
};

struct RocmLayout {
    RocmKind kind = RocmKind::release;
    std::string folder;  // the name it goes by: "/opt/rocm"; include, lib and share lie below
    std::string tree;    // what that leads to: "/opt/rocm-6.2.0"
    std::vector<std::string> libraries;           // folders of shared libraries, "/opt/rocm/lib"
    Result<std::string> version = std::string();  // "6.2.0-66"; not_here: no file tells it
    std::string told_by;                          // the file or name that says the version
};

struct RocmLayouts {
    std::vector<RocmLayout> all;    // each tree once; the one that counts first, if one does
    std::optional<Error> why_none;  // why none counts: not_here; garbled: several, no default
    // A default that leads nowhere: "/opt/rocm leads to rocm-6.2.0, which is not there".
    std::string dangling;
    // What ROCM_PATH names in vain: "ROCM_PATH names /opt/x, where no ROCm is"; empty: it is right.
    std::string misled;

    // Returns the one that counts; nullptr: none does.
    const RocmLayout* counting() const { return why_none ? nullptr : &all.front(); }
    // Returns the version of the one that counts, or why there is none.
    Result<std::string> version() const;
};

// Looks in every place; `sites` are python_sites(), where they are known already.
RocmLayouts rocm_layouts(const Fs& fs, const Process& process,
                         const std::vector<std::string>& sites);
RocmLayouts rocm_layouts(const Fs& fs, const Process& process);

// Which versions of ROCm and of what runs on it are installed: found from files on disk, lazily;
// nothing is started and no Python is asked. Where two places disagree the one counts that Python
// would import from first: PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, the user's own packages, the
// prefix of the first python in PATH, then /opt/venv, /opt/conda and the system's folders.
//
// A place that this user may not read is passed over, as Python passes it over; when nothing is
// found elsewhere, the answer is that it was not permitted, not that it is not here.

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
    // transformer-engine, mori, mscclpp, ray, sglang.
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
