// SPDX-License-Identifier: MIT
// Order: https://docs.python.org/3/library/site.html and sys.path, read 2026-11; Debian's
// dist-packages: /usr/share/doc/python3/README.Debian.
#include "variables/releases/python_sites.h"

#include <algorithm>
#include <optional>

#include "util/text.h"

namespace rocenv {

namespace {

// 12 of "python3.12" and "python3.12t", 0 of Debian's "python3"; nothing for another folder.
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

    // "python3.12" when the prefix' own python says which it is, else empty.
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

    // lib/python3.12/site-packages and its kind: those of `python`, without one the newest first.
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

    // The prefix of the first python in PATH, and the user's own packages before it; a virtual
    // environment does without those.
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

}  // namespace rocenv
