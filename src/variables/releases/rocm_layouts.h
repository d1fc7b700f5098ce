// SPDX-License-Identifier: MIT
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
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

enum class RocmKind {
    release,       // /opt/rocm-X.Y.Z, or a tree elsewhere that ROCM_PATH or /opt/rocm leads to
    core,          // /opt/rocm/core-X.Y, of ROCm 7.13 and later
    wheels,        // _rocm_sdk_core and what lies beside it, among Python's packages
    torch,         // inside PyTorch's own folder
    distribution,  // /usr
};
// Returns "release", "core tree", "Python wheels", "PyTorch's own" or "the distribution's".
std::string_view rocm_kind_word(RocmKind kind);

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

}  // namespace rocenv
