// SPDX-License-Identifier: MIT
#include "variables/releases/versions.h"

#include <algorithm>

#include "util/rocm_folders.h"
#include "util/text.h"
#include "variables/releases/package_versions.h"
#include "variables/releases/python_sites.h"

namespace rocenv {

namespace {

const std::string given = "given";

Error not_found(std::string_view package) {
    return {ErrorKind::not_here, 0, "", "no " + std::string(package) + " found"};
}

// A place that Python passes over, too.
bool passed_over(ErrorKind kind) {
    return kind == ErrorKind::not_here || kind == ErrorKind::not_permitted;
}

// Where PyTorch's own libraries are: its wheel's lib, or AMD's wheels of libraries beside it
// (ROCm/TheRock docs/packaging/python_packaging.md, read 2026-11).
std::vector<std::string> folders_beside(const Fs& fs, const std::string& torch) {
    std::vector<std::string> out{torch + "/lib"};
    const std::string site = torch.substr(0, torch.rfind('/'));
    const auto names = fs.list(site);
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        if (name.starts_with("_rocm_sdk_")) {
            out.push_back(site + "/" + name + "/lib");
        }
    }
    return out;
}

// "torch=2.11,triton=3.6" is two.
std::vector<std::string> pieces_of(const std::vector<std::string>& texts) {
    std::vector<std::string> out;
    for (const auto& text : texts) {
        for (const auto piece : split(text, ',')) {
            out.emplace_back(piece);
        }
    }
    return out;
}

bool is_one_version(std::string_view text) {
    constexpr std::string_view letters =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-+~_:";
    return text.find_first_not_of(letters) == text.npos && text.find("..") == text.npos;
}

}  // namespace

const std::vector<std::string>& Versions::packages() {
    static const std::vector<std::string> names{
        "rocm",    "torch",  "hip",  "triton", "vllm",       "aiter",      "hipblaslt",
        "rocblas", "miopen", "rccl", "nccl",   "accelerate", "flash-attn", "transformer-engine",
        "mori",    "mscclpp"};
    return names;
}

Result<Versions::Assumed> Versions::parse_assumed(const std::vector<std::string>& texts) {
    Assumed assumed;
    for (const auto& text : pieces_of(texts)) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const std::string version = equals == std::string::npos ? "" : text.substr(equals + 1);
        const auto& known = packages();
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return Error{ErrorKind::bad_input, 0, "",
                         "nothing is known about versions of " + printable(name, 40) +
                             did_you_mean(nearest(name, known), ": " + join(known, ", "))};
        }
        if (!compare_versions(version, "0") || !is_one_version(version)) {
            return Error{ErrorKind::bad_input, 0, "",
                         printable(text, 60) + ": wanted NAME=VERSION, as in torch=2.8"};
        }
        assumed[name] = version;
    }
    return assumed;
}

Versions::Versions(const Machine& machine, const Process& process, Assumed assumed)
    : machine_(machine), process_(process), assumed_(std::move(assumed)) {}

Result<FoundVersion> Versions::find(std::string_view package) const {
    const auto known = found_.find(package);
    if (known != found_.end()) {
        return known->second;
    }
    const auto own = assumed(package);
    auto found = own ? FoundVersion{*own, "", given} : look_for(package);
    return found_.emplace(std::string(package), std::move(found)).first->second;
}

Result<FoundVersion> Versions::look_for(std::string_view package) const {
    if (package == "rocm") {
        return rocm();
    }
    if (package == "hip") {
        const auto build = torch();
        if (!build) {
            return build.error();
        }
        if (build->hip.empty()) {
            return Error{ErrorKind::not_here, 0, build->folder, "PyTorch names no HIP"};
        }
        return FoundVersion{build->hip, "", build->folder + "/version.py"};
    }
    return rocm_library_named(package) != nullptr ? library(package) : python_package(package);
}

Result<FoundVersion> Versions::python_package(std::string_view name) const {
    const PythonPackage* package = python_package_named(name);
    if (package == nullptr) {
        return not_found(name);
    }
    std::optional<Error> unread;
    for (const auto& site : sites()) {
        auto found = version_in_site(machine_.fs(), site, *package);
        if (found && *found) {
            return **std::move(found);
        }
        if (!found && !passed_over(found.error().kind)) {
            return found.error();
        }
        if (!found && !unread) {
            unread = found.error();
        }
    }
    return unread ? *unread : not_found(name);
}

// version.py has its fields since 1.x; "rocm" came in 2026.
Result<TorchBuild> Versions::torch() const {
    const auto found = find("torch");
    if (!found) {
        return found.error();
    }
    TorchBuild build{found->version, "", "", ""};
    if (assumed_.count("torch") != 0) {
        return build;
    }
    build.folder = found->where.substr(0, found->where.rfind('/'));
    if (!build.folder.ends_with("/torch")) {
        build.folder += "/torch";  // it was found by its metadata
    }
    const auto text = machine_.fs().read(build.folder + "/version.py");
    if (text) {
        build.hip = assigned_text(*text, "hip");
        build.rocm = assigned_text(*text, "rocm");
    }
    return build;
}

const RocmLayouts& Versions::layouts() const {
    if (!layouts_) {
        layouts_ = rocm_layouts(machine_.fs(), process_, sites());
    }
    return *layouts_;
}

const std::vector<std::string>& Versions::sites() const {
    if (!sites_) {
        sites_ = python_sites(machine_.fs(), process_);
    }
    return *sites_;
}

RocmLayouts layouts_of(const Versions* versions, const Fs& fs, const Process& process) {
    return versions != nullptr ? versions->layouts() : rocm_layouts(fs, process);
}

std::optional<std::string> Versions::assumed(std::string_view package) const {
    const auto entry = assumed_.find(package);
    return entry != assumed_.end() ? std::optional(entry->second) : std::nullopt;
}

std::optional<std::string> assumed_rocm(const Versions* versions) {
    return versions != nullptr ? versions->assumed("rocm") : std::nullopt;
}

Result<FoundVersion> Versions::rocm() const {
    const auto version = layouts().version();
    if (!version) {
        return version.error();
    }
    return FoundVersion{*version, "", layouts().counting()->told_by};
}

Result<FoundVersion> Versions::rocm_with_build() const {
    auto found = find("rocm");
    if (!found || found->where == given) {
        return found;
    }
    const std::string& root = layouts().counting()->folder;
    for (const char* header : {"/include/rocm-core/rocm_version.h", "/include/rocm_version.h"}) {
        const auto text = machine_.fs().read(root + header);
        if (const auto build = text ? defined_text(*text, "ROCM_BUILD_INFO") : ""; !build.empty()) {
            return FoundVersion{found->version, build, root + header};
        }
    }
    return found;
}

std::optional<std::string> Versions::bundled(std::string_view package) const {
    const RocmLibrary* library = rocm_library_named(package);
    const auto build = torch();
    if (library == nullptr || !build || build->folder.empty()) {
        return std::nullopt;
    }
    for (const auto& folder : folders_beside(machine_.fs(), build->folder)) {
        const auto names = machine_.fs().list(folder);
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            if (name == library->file || name.starts_with(std::string(library->file) + ".")) {
                return folder + "/" + name;
            }
        }
    }
    return std::nullopt;
}

Result<FoundVersion> Versions::library(std::string_view package) const {
    const RocmLibrary& library = *rocm_library_named(package);
    if (const auto own = bundled(package)) {
        const auto found = version_by_file(machine_.fs(), own->substr(0, own->rfind('/')), library);
        if (found && *found) {
            return **found;
        }
        return found ? not_found(package) : found.error();
    }
    if (const RocmLayout* counting = layouts().counting()) {
        return version_below(machine_.fs(), counting->folder, counting->libraries, library);
    }
    if (!layouts().all.empty()) {
        return *layouts().why_none;
    }
    const std::string usual(rocm_default);  // which may hold libraries and nothing that says so
    return version_below(machine_.fs(), usual, {usual + "/lib"}, library);
}

}  // namespace rocenv
