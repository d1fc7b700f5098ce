// SPDX-License-Identifier: MIT
// The ROCm installations of this node, and the versions of ROCm and of the programs on it.
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

// The ROCm installations that files on this node show: location, kind, and the file with the
// version. The search starts no program and loads no library. All code that needs a file of ROCm
// gets its folder here.
//
// One installation is the default for programs, the first of:
//  1. the folder that ROCM_PATH names, if ROCm is in it;
//  2. the tree that /opt/rocm leads to or holds, then that of /opt/rocm/core;
//  3. the only tree /opt/rocm/core-X.Y, then the only tree /opt/rocm-X.Y.Z; if there are several,
//     none is the default, since no file names one;
//  4. AMD's Python wheels, or the libraries in PyTorch's folder, in the order of Python's folders;
//  5. the distribution's packages in /usr.
// If 1 and 2 hold no ROCm and one of their links leads nowhere, the default is missing.

// Kinds of ROCm installations.
enum class RocmKind {
    release,       // /opt/rocm-X.Y.Z, or a tree elsewhere that ROCM_PATH or /opt/rocm leads to
    core,          // /opt/rocm/core-X.Y, of ROCm 7.13 and later
    wheels,        // _rocm_sdk_core and the wheels beside it, among Python's packages
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

// One ROCm installation.
struct RocmLayout {
    RocmKind kind = RocmKind::release;
    std::string folder;  // its usual name: "/opt/rocm"; include, lib and share lie below
    std::string tree;    // the folder that its links lead to: "/opt/rocm-6.2.0"
    std::vector<std::string> libraries;           // folders of shared libraries, "/opt/rocm/lib"
    Result<std::string> version = std::string();  // "6.2.0-66"; not_here: no file states it
    std::string stated_by;                        // the file or name that states the version
};

// All ROCm installations of a node.
struct RocmLayouts {
    std::vector<RocmLayout> all;    // each tree once; the default first, if there is one
    std::optional<Error> why_none;  // set without a default: not_here; garbled: several
    // A link that leads nowhere, without 1 and 2: "/opt/rocm points to /opt/rocm-6.2.0, which does
    // not exist".
    std::string dangling;
    // The fault of ROCM_PATH: "ROCM_PATH is /opt/x, but this folder contains no ROCm"; empty: none.
    std::string misled;

    // Returns the default installation; nullptr if there is none.
    const RocmLayout* counting() const { return why_none ? nullptr : &all.front(); }
    // Returns the version of the default, or why there is none.
    Result<std::string> version() const;
};

// Finds all installations; `sites` are python_sites(), if already known.
RocmLayouts rocm_layouts(const Fs& fs, const Process& process,
                         const std::vector<std::string>& sites);
RocmLayouts rocm_layouts(const Fs& fs, const Process& process);

// The installed versions of ROCm and of the programs on it, found in files on first use; no program
// and no Python runs. If two folders disagree, the one that Python imports from first counts:
// PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, the user's own packages, the prefix of the first python in
// PATH, then /opt/venv, /opt/conda and the system's folders.
//
// A folder that this user may not read is skipped, as Python does. If the package is not found
// elsewhere, the error is not_permitted, not not_here.

// A version and its source.
struct FoundVersion {
    std::string version;  // "2.7.1+rocm6.3", "6.2.0-66"; "5.2" for a library without headers
    std::string build;    // build, if known: a commit, ROCm's ROCM_BUILD_INFO
    std::string where;    // the file that states it; "given" if the user did
};

// Fields of PyTorch's torch/version.py; empty if the file lacks them.
struct TorchBuild {
    std::string version;  // "2.7.1+rocm6.3"
    std::string hip;      // "6.3.42131-…": version of HIP in its build
    std::string rocm;     // "7.0.0": version of ROCm in its build; in releases of 2026
    std::string folder;   // folder of the package; empty if the user gave the version
};

// The versions of packages, searched on first use and kept.
class Versions {
   public:
    using Assumed = std::map<std::string, std::string, std::less<>>;

    // Parses "torch=2.8", "rocm=6.4,hip=6.4" of --assume; of a repeated package the last counts.
    // Fails with bad_input for an unknown package or an invalid version.
    static Result<Assumed> parse_assumed(const std::vector<std::string>& texts);

    // Returns the supported packages: rocm, torch, hip (PyTorch's build), triton, vllm, aiter,
    // hipblaslt, rocblas, miopen, rccl, nccl (only as given), accelerate, flash-attn,
    // transformer-engine, mori, mscclpp, ray, sglang.
    static const std::vector<std::string>& packages();

    // Keeps references to both; `assumed` overrides the files.
    Versions(const Machine& machine, const Process& process, Assumed assumed = {});

    // Returns the version of a package; for a ROCm library that of PyTorch's copy, if any, else
    // ROCm's. Fails with not_here (no trace of it), not_permitted, garbled (its files do not state
    // the version), or the error of reading a file.
    Result<FoundVersion> find(std::string_view package) const;

    // Returns find("rocm") with ROCm's own ROCM_BUILD_INFO, which needs one more file.
    Result<FoundVersion> rocm_with_build() const;

    // Returns the fields of the installed PyTorch; of a version that the user gave only that one.
    // Errors are those of find("torch"): not_here without one.
    Result<TorchBuild> torch() const;

    // Returns the library's file in PyTorch's own folder or in a wheel of libraries beside it;
    // std::nullopt if PyTorch does not include the library.
    std::optional<std::string> bundled(std::string_view package) const;

    // Returns the ROCm installations of this node; searched once.
    const RocmLayouts& layouts() const;

    // Returns the version of a package that the user gave; std::nullopt if none.
    std::optional<std::string> assumed(std::string_view package) const;

   private:
    // Searches the disk and ignores the user's versions. Errors: not_here, and those of reading.
    Result<FoundVersion> search(std::string_view package) const;
    Result<FoundVersion> rocm() const;
    Result<FoundVersion> library(std::string_view package) const;
    Result<FoundVersion> python_package(std::string_view package) const;
    const std::vector<std::string>& sites() const;  // searched once

    const Machine& machine_;
    const Process& process_;
    const Assumed assumed_;
    mutable std::optional<std::vector<std::string>> sites_;
    mutable std::optional<RocmLayouts> layouts_;
    mutable std::map<std::string, Result<FoundVersion>, std::less<>> found_;
};

// Returns the ROCm installations that `versions` found, or searches for them without `versions`.
RocmLayouts layouts_of(const Versions* versions, const Fs& fs, const Process& process);
// Returns the version of ROCm that the user gave; std::nullopt if none.
std::optional<std::string> assumed_rocm(const Versions* versions);

}  // namespace rocenv
