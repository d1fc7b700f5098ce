// SPDX-License-Identifier: MIT
#include "variables/releases/packages.h"

#include <algorithm>
#include <array>
#include <optional>

#include "util/text.h"

namespace rocenv {

// Order: https://docs.python.org/3/library/site.html and sys.path, read 2026-11; Debian's
// dist-packages: /usr/share/doc/python3/README.Debian.

namespace {

// Returns 12 for "python3.12" and "python3.12t", 0 for Debian's "python3"; std::nullopt for another
// folder.
std::optional<std::uint64_t> minor_of(std::string_view name) {
    constexpr std::string_view stem = "python3";
    if (!name.starts_with(stem)) {
        return std::nullopt;
    }
    name.remove_prefix(stem.size());
    if (name.empty()) {
        return 0;
    }
    if (name.ends_with('t')) {
        name.remove_suffix(1);
    }
    return name.starts_with('.') ? parse_number(name.substr(1)) : std::nullopt;
}

std::string last_part(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

class Search {
   public:
    Search(const Fs& fs, const Process& process) : fs_(fs), process_(process) {}

    std::vector<std::string> run() {
        const std::string listed = value("PYTHONPATH");
        for (const auto entry : split(listed, ':')) {
            add(std::string(entry));
        }
        add_prefix(value("VIRTUAL_ENV"));
        add_prefix(value("CONDA_PREFIX"));
        add_of_path();
        add_prefix("/opt/venv");
        add_prefix("/opt/conda");
        add_conda_environments();
        add_prefix("/usr/local");
        add_prefix("/usr");
        return std::move(sites_);
    }

   private:
    std::string value(const char* name) const { return process_.variable(name).value_or(""); }

    void add(const std::string& folder) {
        if (folder.starts_with('/') &&
            std::find(sites_.begin(), sites_.end(), folder) == sites_.end()) {
            sites_.push_back(folder);
        }
    }

    // Returns "python3.12" if the links of the prefix' own python show its version, else empty.
    std::string python_of(const std::string& prefix) const {
        for (const char* name : {"/bin/python3", "/bin/python"}) {
            const auto target = fs_.link(prefix + name);
            std::string last = target ? last_part(*target) : std::string();
            if (minor_of(last).value_or(0) > 0) {
                return last;
            }
        }
        return {};
    }

    // Adds lib/python3.12/site-packages and its kind: those of `python`, or all, newest first,
    // without one.
    void add_prefix(const std::string& prefix) { add_prefix(prefix, python_of(prefix)); }
    void add_prefix(const std::string& prefix, const std::string& python) {
        if (!prefix.starts_with('/')) {
            return;
        }
        for (const char* library : {"/lib", "/lib64"}) {
            for (const auto& name : pythons_in(prefix + library, python)) {
                for (const char* kind : {"/site-packages", "/dist-packages"}) {
                    add(prefix + library + "/" + name + kind);
                }
            }
        }
    }

    std::vector<std::string> pythons_in(const std::string& folder, const std::string& python) {
        const auto names = fs_.list(folder);
        std::vector<std::string> out;
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            if (minor_of(name) && (python.empty() || name == python || name == "python3")) {
                out.push_back(name);
            }
        }
        std::stable_sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) {
            return *minor_of(a) > *minor_of(b);
        });
        return out;
    }

    // Adds the prefix of the first python in PATH, and before it the user's own packages, which a
    // virtual environment does not use.
    void add_of_path() {
        const auto prefix = prefix_in_path();
        const bool is_virtual = prefix && exists(fs_, *prefix + "/pyvenv.cfg");
        if (!is_virtual && value("PYTHONNOUSERSITE").empty() && value("HOME").starts_with('/')) {
            add_prefix(value("HOME") + "/.local", prefix ? python_of(*prefix) : "");
        }
        if (prefix) {
            if (*prefix == "/usr") {
                add_prefix("/usr/local", python_of("/usr"));
            }
            add_prefix(*prefix);
        }
    }

    std::optional<std::string> prefix_in_path() const {
        constexpr std::string_view end = "/bin";
        const std::string path = value("PATH");
        for (const auto entry : split(path, ':')) {
            const std::string folder(entry);
            if (folder.ends_with(end) &&
                (exists(fs_, folder + "/python3") || exists(fs_, folder + "/python"))) {
                const std::string prefix = folder.substr(0, folder.size() - end.size());
                return prefix.empty() ? "/usr" : prefix;
            }
        }
        return std::nullopt;
    }

    void add_conda_environments() {
        const std::string folder = "/opt/conda/envs";
        const auto names = fs_.list(folder);
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            add_prefix(folder + "/" + name);
        }
    }

    const Fs& fs_;
    const Process& process_;
    std::vector<std::string> sites_;
};

}  // namespace

std::vector<std::string> python_sites(const Fs& fs, const Process& process) {
    return Search(fs, process).run();
}

// Names of wheels:
// https://packaging.python.org/en/latest/specifications/recording-installed-packages (read
// 2026-11). Headers and file names: what ROCm 6.x and 7.x install below /opt/rocm. The numbers of
// librccl and libMIOpen are not their versions.

namespace {

const PythonPackage python_packages[] = {
#include "facts/python_packages.inc"
};

constexpr RocmLibrary rocm_libraries[] = {
#include "facts/rocm_libraries.inc"
};

bool is_version(std::string_view text) {
    return compare_versions(text, "0").has_value() && is_plain(text) && text.size() < 100;
}

// Returns "3.2.0" for "pytorch_triton_rocm-3.2.0.dist-info"; empty for another package.
std::string version_of_metadata(std::string_view name, const PythonPackage& package) {
    for (const std::string_view end : {".dist-info", ".egg-info"}) {
        if (!name.ends_with(end)) {
            continue;
        }
        const auto stem = name.substr(0, name.size() - end.size());
        const auto dash = stem.find('-');
        const auto& dists = package.dists;
        const bool ours =
            std::find(dists.begin(), dists.end(), stem.substr(0, dash)) != dists.end();
        if (ours && dash != std::string_view::npos) {
            const auto version = stem.substr(dash + 1);
            return std::string(version.substr(0, version.find("-py3")));
        }
    }
    return {};
}

// Returns the version by __version__ in the package's own file; std::nullopt without such a file or
// line.
Result<std::optional<FoundVersion>> version_of_module(const Fs& fs, const std::string& folder,
                                                      const PythonPackage& package) {
    const std::string path =
        folder + "/" + std::string(package.module) + "/" + std::string(package.version_file);
    const auto text = fs.read(path);
    if (!text) {
        if (text.is(ErrorKind::not_here)) {
            return std::optional<FoundVersion>();
        }
        return text.error();
    }
    const std::string version = assigned_text(*text, "__version__");
    return is_version(version) ? std::optional(FoundVersion{version, "", path}) : std::nullopt;
}

// Returns "4.4" for "librocblas.so.4.4.60403"; empty without a version in the name.
std::string version_of_file(std::string_view name, const RocmLibrary& library) {
    const auto numbers = name.substr(std::min(name.size(), library.file.size() + 1));
    const auto parts = split(numbers, '.');
    const bool all = std::all_of(parts.begin(), parts.end(),
                                 [](std::string_view part) { return parse_number(part); });
    return library.numbers_tell && all && parts.size() >= 3
               ? std::string(parts[0]) + "." + std::string(parts[1])
               : std::string();
}

Result<std::optional<FoundVersion>> version_of_header(const Fs& fs, const std::string& root,
                                                      const RocmLibrary& library) {
    const std::string path = root + std::string(library.header);
    const auto text = fs.read(path);
    if (text.is(ErrorKind::not_here)) {
        return std::optional<FoundVersion>();
    }
    if (!text) {
        return text.error();
    }
    const auto part = [&](const char* name) {
        return defined_text(*text, std::string(library.macros) + name);
    };
    std::vector<std::string> numbers;
    for (const char* name : {"MAJOR", "MINOR", "PATCH"}) {
        numbers.push_back(part(name));
        if (!parse_number(numbers.back())) {
            return garbled(path, "holds no version");
        }
    }
    return std::optional(FoundVersion{join(numbers, "."), part("TWEAK"), path});
}

}  // namespace

const PythonPackage* python_package_named(std::string_view name) {
    const auto* const found = std::find_if(std::begin(python_packages), std::end(python_packages),
                                           [&](const auto& each) { return each.name == name; });
    return found == std::end(python_packages) ? nullptr : found;
}

const RocmLibrary* rocm_library_named(std::string_view name) {
    const auto* const found = std::find_if(std::begin(rocm_libraries), std::end(rocm_libraries),
                                           [&](const auto& each) { return each.name == name; });
    return found == std::end(rocm_libraries) ? nullptr : found;
}

Result<std::optional<FoundVersion>> version_in_site(const Fs& fs, const std::string& folder,
                                                    const PythonPackage& package) {
    const auto names = fs.list(folder);
    if (!names) {
        if (names.is(ErrorKind::not_here)) {
            return std::optional<FoundVersion>();
        }
        return names.error();
    }
    const bool imported = std::binary_search(names->begin(), names->end(), package.module);
    if (imported) {
        auto found = version_of_module(fs, folder, package);
        if (!found || *found) {
            return found;
        }
    }
    for (const auto& name : *names) {
        const std::string version = version_of_metadata(name, package);
        if (is_version(version)) {
            return std::optional(FoundVersion{version, "", folder + "/" + name});
        }
    }
    if (imported) {
        return garbled(folder + "/" + std::string(package.module), "holds no version");
    }
    return std::optional<FoundVersion>();
}

std::string assigned_text(std::string_view source, std::string_view name) {
    for (auto line : split(source, '\n')) {
        if (!line.starts_with(name) || line.find('=') == std::string_view::npos) {
            continue;
        }
        const char next = line.size() > name.size() ? line[name.size()] : '\0';
        if (next != ' ' && next != ':' && next != '=') {
            continue;
        }
        const auto value = trim(line.substr(line.rfind('=') + 1));
        const bool quoted = value.size() >= 2 && (value[0] == '\'' || value[0] == '"') &&
                            value.find(value[0], 1) != std::string_view::npos;
        return quoted ? std::string(value.substr(1, value.find(value[0], 1) - 1)) : std::string();
    }
    return {};
}

std::string defined_text(std::string_view source, std::string_view name) {
    for (const auto line : split(source, '\n')) {
        const auto parts = words(line);
        if (parts.size() < 3 || parts[0] != "#define" || parts[1] != name) {
            continue;
        }
        auto text = parts[2];
        if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
            text = text.substr(1, text.size() - 2);
        }
        return std::string(text);
    }
    return {};
}

Result<std::optional<FoundVersion>> version_by_file(const Fs& fs, const std::string& folder,
                                                    const RocmLibrary& library) {
    const auto names = fs.list(folder);
    if (!names) {
        if (names.is(ErrorKind::not_here)) {
            return std::optional<FoundVersion>();
        }
        return names.error();
    }
    std::string file;
    for (const auto& name : *names) {
        if (name != library.file && !name.starts_with(std::string(library.file) + ".")) {
            continue;
        }
        file = name;
        if (const auto version = version_of_file(name, library); !version.empty()) {
            return std::optional(FoundVersion{version, "", folder + "/" + name});
        }
    }
    if (!file.empty()) {
        return garbled(folder + "/" + file, "the file name does not state the version");
    }
    return std::optional<FoundVersion>();
}

Result<FoundVersion> version_below(const Fs& fs, const std::string& root,
                                   const std::vector<std::string>& folders,
                                   const RocmLibrary& library) {
    const auto header = version_of_header(fs, root, library);
    if (!header) {
        return header.error();
    }
    if (*header) {
        return **header;
    }
    for (const auto& folder : folders) {
        const auto file = version_by_file(fs, folder, library);
        if (!file) {
            return file.error();
        }
        if (*file) {
            return **file;
        }
    }
    const std::string path = folders.front() + "/" + std::string(library.file);
    return Error{ErrorKind::not_here, 0, path,
                 "no " + std::string(library.name) + " found (" + path + " is missing)"};
}

}  // namespace rocenv
