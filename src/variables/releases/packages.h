// SPDX-License-Identifier: MIT
// The folders that Python imports packages from, and the version of one package in one folder: a
// Python package, a ROCm library or a file of versions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "variables/releases/versions.h"

namespace rocenv {

// The folders that Python imports packages from.

// Returns these folders in Python's order. Not all of them need to exist. Relative entries of the
// environment are ignored.
std::vector<std::string> python_sites(const Fs& fs, const Process& process);

// The version of one package in one folder: a Python package in a folder of packages, a ROCm
// library below a folder such as /opt/rocm.

// A Python package and the traces of its version.
struct PythonPackage {
    std::string_view name;                // as users write it
    std::string_view module{};            // its folder; empty: only its metadata shows it
    std::string_view version_file{};      // in that folder, holds __version__ = '…'
    std::vector<std::string_view> dists;  // names its metadata may have, as wheels write them
};

// A ROCm library and the traces of its version.
struct RocmLibrary {
    std::string_view name;
    std::string_view header;    // below the root
    std::string_view macros;    // prefix of MAJOR, MINOR and PATCH
    std::string_view file;      // below lib, without numbers
    bool numbers_tell = false;  // true: the numbers after the file's name start with its version
};

// Returns the package of this name; nullptr if there is none.
const PythonPackage* python_package_named(std::string_view name);
// Returns the library of this name; nullptr if there is none.
const RocmLibrary* rocm_library_named(std::string_view name);

// Returns the version in a folder; std::nullopt if the folder has no trace of the package. Fails
// with garbled if it has one without a version, or with the error of a read.
Result<std::optional<FoundVersion>> version_in_site(const Fs& fs, const std::string& folder,
                                                    const PythonPackage& package);

// Returns the quoted text of the first assignment to a name at the start of a line in Python: 7.0
// of "hip: Optional[str] = '7.0'". Empty for None or a missing name.
std::string assigned_text(std::string_view source, std::string_view name);

// Returns the first word of TEXT in "#define NAME TEXT", without quotes; empty if missing.
std::string defined_text(std::string_view source, std::string_view name);

// Returns the version by the library's header below `root`, else by the numbers after its file's
// name in one of the folders. Fails with not_here without either, with garbled if one has no
// version, or with the error of a read. `folders` must not be empty.
Result<FoundVersion> version_below(const Fs& fs, const std::string& root,
                                   const std::vector<std::string>& folders,
                                   const RocmLibrary& library);

// Returns the version by those numbers alone; std::nullopt if the folder lacks the library. Fails
// with garbled if the name has no version, or with the error of listing the folder.
Result<std::optional<FoundVersion>> version_by_file(const Fs& fs, const std::string& folder,
                                                    const RocmLibrary& library);

}  // namespace rocenv
