// SPDX-License-Identifier: MIT
// The folders that Python packages are imported from, and the version of one package in one place:
// a Python package, a ROCm library or a file of versions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "variables/releases/versions.h"

namespace rocenv {

// The folders Python packages are imported from, in the order in which Python would ask them.

// Not all of them need to exist. Relative entries of the environment are left out.
std::vector<std::string> python_sites(const Fs& fs, const Process& process);

// The version of one package in one place: a Python package in a folder of packages, a ROCm library
// below a folder such as /opt/rocm.

struct PythonPackage {
    std::string_view name;                // as users write it
    std::string_view module{};            // its folder; empty: known by its metadata only
    std::string_view version_file{};      // in that folder, holds __version__ = '…'
    std::vector<std::string_view> dists;  // names its metadata may have, as wheels write them
};

struct RocmLibrary {
    std::string_view name;
    std::string_view header;    // below the root
    std::string_view macros;    // what MAJOR, MINOR and PATCH follow
    std::string_view file;      // below lib, without numbers
    bool numbers_tell = false;  // the numbers behind the file's name start with its version
};

const PythonPackage* python_package_named(std::string_view name);
const RocmLibrary* rocm_library_named(std::string_view name);

// Nothing when the folder holds no sign of it; garbled when it does and the version cannot be read.
Result<std::optional<FoundVersion>> version_in_site(const Fs& fs, const std::string& folder,
                                                    const PythonPackage& package);

// The text of an assignment in Python: 7.0 of "hip: Optional[str] = '7.0'". Empty for None.
std::string assigned_text(std::string_view source, std::string_view name);

// The text of "#define NAME TEXT" without quotes.
std::string defined_text(std::string_view source, std::string_view name);

// By its header below `root`, else by the numbers behind its file's name in one of the folders.
Result<FoundVersion> version_below(const Fs& fs, const std::string& root,
                                   const std::vector<std::string>& folders,
                                   const RocmLibrary& library);

// By the numbers alone, in a folder of libraries; nothing when it is not in there.
Result<std::optional<FoundVersion>> version_by_file(const Fs& fs, const std::string& folder,
                                                    const RocmLibrary& library);

}  // namespace rocenv
