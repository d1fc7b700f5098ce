// SPDX-License-Identifier: MIT
#include "variables/releases/versions.h"

#include <algorithm>
#include <array>

#include "os/redact/redact_words.h"
#include "util/near_names.h"
#include "util/rocm_folders.h"
#include "util/text.h"
#include "variables/releases/packages.h"

namespace rocenv {

// Sources of the layouts: ROCm/TheRock docs/packaging/python_packaging.md, base/artifact.toml
// (rocm-core brings .info along), build_tools/packaging/linux (2026-08); "Transition guide from
// legacy ROCm release stream" of ROCm 10.0.0; the files of Debian's libamdhip64-5 and
// libhsa-runtime64-1 (5.2.3).

namespace {

const std::string version_file = "/.info/version";
const std::string runtime_file = "/libhsa-runtime64.so.1";
const std::string core_wheel = "/_rocm_sdk_core";
const std::string devel_wheel = "/_rocm_sdk_devel";  // for compilers: `rocm-sdk path` names it

// Returns whether a text is a version; packagers may append anything in these letters to the
// numbers.
bool is_number_of_release(std::string_view text) {
    constexpr std::size_t longest = 64;
    constexpr std::string_view letters =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-+~_:";
    const auto first = parse_number(text.substr(0, text.find_first_of(".-+~_")));
    constexpr std::uint64_t far_away = 1000;
    return text.size() <= longest && first.value_or(far_away) < far_away &&
           text.find_first_not_of(letters) == text.npos;
}

enum class Dots { kept, taken };

// Returns a full path without double slashes, "." and a slash at its end. Dots::taken also removes
// "..", which changes the location if a link precedes it.
std::string plainly(std::string_view path, Dots dots) {
    std::vector<std::string_view> parts;
    for (const auto part : split(path, '/')) {
        if (part == ".." && dots == Dots::taken) {
            parts.resize(parts.size() - (parts.empty() ? 0 : 1));
        } else if (!part.empty() && part != ".") {
            parts.push_back(part);
        }
    }
    std::string out;
    for (const auto part : parts) {
        out.append("/").append(part);
    }
    return out.empty() && path.starts_with('/') ? "/" : out;
}

// Returns the folder that holds the wheels of this path; empty if the path is not one of them.
std::string site_of_wheel(const std::string& path) {
    for (const auto& wheel : {core_wheel, devel_wheel}) {
        if (path.starts_with('/') && path.ends_with(wheel)) {
            return path.substr(0, path.size() - wheel.size());
        }
    }
    return {};
}

// Returns the path that a link points to, over at most 8 links; links above it stay.
std::string leads_to(const Fs& fs, std::string path) {
    constexpr int longest_chain = 8;
    for (int step = 0; step < longest_chain; ++step) {
        const auto target = fs.link(path);
        if (!target || target->empty()) {
            break;
        }
        path = plainly(
            target->starts_with('/') ? *target : path.substr(0, path.rfind('/') + 1) + *target,
            Dots::taken);
    }
    return plainly(path, Dots::taken);
}

// Returns "10.0" for "/opt/rocm/core-10.0"; empty for a name without a version.
std::string version_in_name(std::string_view path) {
    const auto name = path.substr(path.rfind('/') + 1);
    for (const std::string_view start : {"core-", "rocm-"}) {
        if (name.starts_with(start) && is_number_of_release(name.substr(start.size()))) {
            return std::string(name.substr(start.size()));
        }
    }
    return {};
}

// Returns "5.2" for "5.2.21153-0": HIP's version begins with that of its ROCm.
std::string first_two_numbers(std::string_view text) {
    const auto parts = split(text, '.');
    return parts.size() > 1 && parse_number(parts[0]) && parse_number(parts[1])
               ? std::string(parts[0]) + "." + std::string(parts[1])
               : std::string();
}

// Reads the version from rocm-core's file, else from the tree's name.
void read_version(const Fs& fs, RocmLayout& layout) {
    layout.stated_by = layout.folder + version_file;
    const auto text = fs.read(layout.stated_by);
    if (text) {
        const auto version = trim(*text);
        layout.version =
            is_number_of_release(version)
                ? Result<std::string>(std::string(version))
                : garbled(layout.stated_by, "is not a valid version: " + quoted_value(version));
        return;
    }
    const std::string named = version_in_name(layout.tree);
    if (text.is(ErrorKind::not_here) && !named.empty()) {
        layout.version = named;
        layout.stated_by = layout.tree;
    } else {
        layout.version = text.error();
    }
}

// Returns "rocm" (since 2026), else "+rocm6.3" of the version, else HIP's number.
std::string version_of_torch(std::string_view source) {
    std::string own = assigned_text(source, "rocm");
    if (is_number_of_release(own)) {
        return own;
    }
    const std::string version = assigned_text(source, "__version__");
    const std::string mark = "+rocm";
    const auto at = version.find(mark);
    const std::string local = at == version.npos ? "" : version.substr(at + mark.size());
    return is_number_of_release(local) ? local : first_two_numbers(assigned_text(source, "hip"));
}

class LayoutSearch {
   public:
    LayoutSearch(const Fs& fs, const Process& process, const std::vector<std::string>& sites)
        : fs_(fs), process_(process), sites_(sites) {}

    RocmLayouts run() {
        const std::string named = process_.variable("ROCM_PATH").value_or("");
        const std::string chosen = named.starts_with('/') ? plainly(named, Dots::kept) : named;
        const std::string beside = site_of_wheel(chosen);
        if (chosen == "/usr") {
            add_distribution(defaults_);
        } else if (!beside.empty()) {
            add_wheels(beside, defaults_);
        } else if (chosen.starts_with('/')) {
            add_default(chosen);
            add_unstated(chosen, defaults_);
        }
        if (!chosen.empty() && defaults_.empty()) {
            misled_ = "ROCM_PATH is " + printable(shown_value(chosen), 120) +
                      ", but this folder contains no ROCm";
        }
        add_default(std::string(rocm_default));
        add_trees(std::string(rocm_default), "core-", RocmKind::core, cores_);
        add_trees("/opt", "rocm-", RocmKind::release, releases_);
        add_unstated(std::string(rocm_default), others_);
        for (const auto& site : sites_) {
            add_wheels(site, others_);
            add_torch(site);
        }
        add_distribution(others_);
        return resolved();
    }

   private:
    using Group = std::vector<RocmLayout>;

    bool is_known(const std::string& tree) const {
        const auto in = [&](const Group& group) {
            return std::any_of(group.begin(), group.end(),
                               [&](const auto& each) { return each.tree == tree; });
        };
        return in(defaults_) || in(cores_) || in(releases_) || in(others_);
    }

    void add(Group& group, RocmLayout layout) const {
        if (!is_known(layout.tree)) {
            group.push_back(std::move(layout));
        }
    }

    RocmLayout tree_at(const std::string& folder, RocmKind kind) const {
        RocmLayout layout{kind, folder, leads_to(fs_, folder), {folder + "/lib"}};
        read_version(fs_, layout);
        return layout;
    }

    // Returns whether one of the usual folders has content; a removed package leaves an empty
    // folder, so a name alone proves nothing.
    bool holds_something(const std::string& path) const {
        constexpr std::array<const char*, 4> folders{"/.info", "/lib", "/lib64", "/bin"};
        return std::any_of(folders.begin(), folders.end(), [&](const char* folder) {
            const auto names = fs_.list(path + folder);
            return names ? !names->empty() : !names.is(ErrorKind::not_here);
        });
    }

    bool says_so(const std::string& path) const {
        return exists(fs_, path + version_file) ||
               (!version_in_name(leads_to(fs_, path)).empty() && holds_something(path));
    }

    // Adds a folder that is a tree or leads to one, or else its core.
    void add_default(const std::string& path) {
        const std::string core = path + std::string(rocm_core);
        if (says_so(path)) {
            add(defaults_, tree_at(path, RocmKind::release));
        } else if (says_so(core)) {
            add(defaults_, tree_at(core, RocmKind::core));
        } else {
            note_dangling(path);
            note_dangling(core);
        }
    }

    void note_dangling(const std::string& path) {
        const auto target = fs_.link(path);
        if (target && dangling_.empty() && !exists(fs_, path)) {
            dangling_ = printable(path, 80) + " points to " + printable(leads_to(fs_, path), 80) +
                        ", which does not exist";
        }
    }

    // Adds a folder with the runtime in it if no other name explains it.
    void add_unstated(const std::string& path, Group& group) const {
        const bool is_plain_tree = defaults_.empty() && cores_.empty();
        if (is_plain_tree && exists(fs_, path + "/lib" + runtime_file)) {
            add(group, tree_at(path, RocmKind::release));
        }
    }

    // Adds the trees in one folder by their names. A link is ignored: it is another name of one of
    // them.
    void add_trees(const std::string& folder, std::string_view start, RocmKind kind,
                   Group& group) const {
        const auto names = fs_.list(folder);
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            const std::string path = folder + "/" + name;
            if (name.starts_with(start) && !version_in_name(path).empty() && !fs_.link(path) &&
                holds_something(path)) {
                add(group, tree_at(path, kind));
            }
        }
    }

    // Adds the wheels of a folder. Mathematical libraries are in a wheel of their own beside the
    // core.
    void add_wheels(const std::string& site, Group& group) {
        const std::string folder = site + core_wheel;
        if (!exists(fs_, folder)) {
            return;
        }
        RocmLayout layout = tree_at(folder, RocmKind::wheels);
        if (layout.version.is(ErrorKind::not_here)) {
            const auto found = version_in_site(fs_, site, *python_package_named("rocm"));
            if (found && *found) {
                layout.version = (*found)->version;
                layout.stated_by = (*found)->where;
            }
        }
        const auto names = fs_.list(site);
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            if (name.starts_with("_rocm_sdk_libraries")) {
                layout.libraries.push_back(site + "/" + name + "/lib");
            }
        }
        add(group, std::move(layout));
    }

    void add_torch(const std::string& site) {
        const std::string folder = site + "/torch";
        if (!exists(fs_, folder + "/lib/libamdhip64.so")) {
            return;
        }
        RocmLayout layout{RocmKind::torch, folder, folder, {folder + "/lib"}};
        layout.stated_by = folder + "/version.py";
        const auto text = fs_.read(layout.stated_by);
        const std::string version = text ? version_of_torch(*text) : "";
        layout.version =
            !text ? Result<std::string>(text.error())
            : version.empty()
                ? Result<std::string>(garbled(layout.stated_by, "names no ROCm release"))
                : Result<std::string>(version);
        add(others_, std::move(layout));
    }

    void add_distribution(Group& group) const {
        for (const char* path : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
            const std::string folder = path;
            if (exists(fs_, folder + runtime_file)) {
                RocmLayout layout{RocmKind::distribution, "/usr", "/usr", {folder}};
                read_hip_number(folder, layout);
                add(group, std::move(layout));
                return;
            }
        }
    }

    void read_hip_number(const std::string& folder, RocmLayout& layout) const {
        constexpr int oldest = 5;
        constexpr int newest = 12;
        const std::string library = "libamdhip64.so.";
        for (int number_of = newest; number_of >= oldest; --number_of) {  // older links may remain
            const std::string path = folder + "/" + library + number(number_of);
            const auto target = fs_.link(path);
            const auto name = target ? target->substr(target->rfind('/') + 1) : "";
            const std::string version =
                name.starts_with(library) ? first_two_numbers(name.substr(library.size())) : "";
            if (!version.empty()) {
                layout.version = version;
                layout.stated_by = path;
                return;
            }
        }
        layout.version = Error{ErrorKind::not_here, 0, folder + "/libamdhip64.so",
                               "no name in " + folder + " states the version of its ROCm"};
    }

    // Returns why none is the default; std::nullopt if one is.
    std::optional<Error> why_none() const {
        const auto several = [](const char* folder, const Group& group) {
            return garbled(folder, "holds several installations, and no file states the default: " +
                                       group.front().tree + " and " + group.back().tree);
        };
        if (!defaults_.empty()) {
            return std::nullopt;
        }
        if (!dangling_.empty()) {
            return Error{ErrorKind::not_here, 0, "", dangling_};
        }
        if (cores_.size() > 1) {
            return several("/opt/rocm", cores_);
        }
        if (cores_.empty() && releases_.size() > 1) {
            return several("/opt", releases_);
        }
        if (cores_.empty() && releases_.empty() && others_.empty()) {
            return Error{ErrorKind::not_here, 0, "/opt/rocm/.info/version",
                         "this system has no ROCm (/opt/rocm/.info/version is missing)"};
        }
        return std::nullopt;
    }

    RocmLayouts resolved() {
        RocmLayouts out;
        out.why_none = why_none();
        out.dangling = defaults_.empty() ? dangling_ : "";
        out.misled = misled_;
        for (Group* group : {&defaults_, &cores_, &releases_, &others_}) {
            std::move(group->begin(), group->end(), std::back_inserter(out.all));
        }
        return out;
    }

    const Fs& fs_;
    const Process& process_;
    const std::vector<std::string>& sites_;
    Group defaults_;
    Group cores_;
    Group releases_;
    Group others_;
    std::string dangling_;
    std::string misled_;
};

}  // namespace

Result<std::string> RocmLayouts::version() const {
    const RocmLayout* layout = counting();
    return layout != nullptr ? layout->version : Result<std::string>(*why_none);
}

RocmLayouts rocm_layouts(const Fs& fs, const Process& process,
                         const std::vector<std::string>& sites) {
    return LayoutSearch(fs, process, sites).run();
}

RocmLayouts rocm_layouts(const Fs& fs, const Process& process) {
    return rocm_layouts(fs, process, python_sites(fs, process));
}

namespace {

const std::string given = "given";

Error not_found(std::string_view package) {
    return {ErrorKind::not_here, 0, "", "no " + std::string(package) + " found"};
}

// Returns whether Python would ignore this error, too.
bool passed_over(ErrorKind kind) {
    return kind == ErrorKind::not_here || kind == ErrorKind::not_permitted;
}

// Returns the folders of PyTorch's own libraries: its wheel's lib, and AMD's wheels of libraries
// beside it (ROCm/TheRock docs/packaging/python_packaging.md, read 2026-11).
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

// Splits at commas: "torch=2.11,triton=3.6" holds two.
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
        "rocm",    "torch",   "hip",  "triton", "vllm",       "aiter",      "hipblaslt",
        "rocblas", "miopen",  "rccl", "nccl",   "accelerate", "flash-attn", "transformer-engine",
        "mori",    "mscclpp", "ray",  "sglang"};
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
            return Error{
                ErrorKind::bad_input, 0, "",
                "unknown package " + in_quotes(name, 40) + " for --assume" +
                    did_you_mean(near_names(name, known), ": expected " + alternatives(known))};
        }
        if (!compare_versions(version, "0") || !is_one_version(version)) {
            return Error{ErrorKind::bad_input, 0, "",
                         "invalid value " + in_quotes(text, 60) +
                             " for --assume: expected NAME=VERSION, such as torch=2.8"};
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
    auto found = own ? FoundVersion{*own, "", given} : search(package);
    return found_.emplace(std::string(package), std::move(found)).first->second;
}

Result<FoundVersion> Versions::search(std::string_view package) const {
    if (package == "rocm") {
        return rocm();
    }
    if (package == "hip") {
        const auto build = torch();
        if (!build) {
            return build.error();
        }
        if (build->hip.empty()) {
            return Error{ErrorKind::not_here, 0, build->folder, "PyTorch states no HIP version"};
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

// PyTorch writes version.py since 1.x; the field "rocm" came in 2026.
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
        build.folder += "/torch";  // only its metadata was found
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
    return FoundVersion{*version, "", layouts().counting()->stated_by};
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
    const std::string usual(rocm_default);  // may hold libraries without a version file
    return version_below(machine_.fs(), usual, {usual + "/lib"}, library);
}

}  // namespace rocenv
