// SPDX-License-Identifier: MIT
#include "machine/host/services.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string_view>

#include "util/text.h"

namespace rocenv {

namespace {

// Control groups of version 2, of version 1, and of both side by side.
constexpr std::array<const char*, 3> service_slices{"/sys/fs/cgroup/system.slice",
                                                    "/sys/fs/cgroup/systemd/system.slice",
                                                    "/sys/fs/cgroup/unified/system.slice"};

bool is_among(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// False where systemd keeps no control groups.
bool find_units(const Fs& fs, RunningServices& out) {
    bool any = false;
    for (const char* slice : service_slices) {
        const auto names = fs.list(slice);
        if (names) {
            out.units.insert(out.units.end(), names->begin(), names->end());
        } else if (!names.is(ErrorKind::not_here)) {
            out.uncertain = names.error();
        }
        any = any || names.ok();
    }
    return any;
}

void find_processes(const Fs& fs, RunningServices& out) {
    const auto names = fs.list("/proc");
    if (!names) {
        out.uncertain = out.uncertain ? out.uncertain : names.error();
        return;
    }
    if (!is_among(*names, "1") && !out.uncertain) {  // hidepid, or no processes recorded
        out.uncertain = Error{ErrorKind::not_permitted, 0, "/proc",
                              "/proc does not show every process to this user"};
    }
    for (const auto& name : *names) {
        if (!parse_number(name)) {
            continue;
        }
        const auto comm = fs.read("/proc/" + name + "/comm");
        const bool ended = !comm && (comm.is(ErrorKind::not_here) || comm.error().err == ESRCH);
        if (comm) {
            out.processes.emplace_back(trim(*comm));
        } else if (!ended) {
            out.uncertain = comm.error();
        }
    }
}

}  // namespace

bool RunningServices::runs_unit(const KnownService& service) const {
    return is_among(units, service.unit_file());
}

bool RunningServices::runs(const KnownService& service) const {
    return runs_unit(service) || is_among(processes, service.process);
}

RunningServices running_services(const Fs& fs) {
    RunningServices out;
    if (!find_units(fs, out)) {
        find_processes(fs, out);
    }
    return out;
}

namespace {

// Profiles that set the governor performance, themselves or by what they include.
constexpr std::string_view performance_profiles[] = {
#include "facts/tuned_performance.inc"
};

constexpr int most_includes = 8;

bool is_performance(std::string_view name) {
    return std::find(std::begin(performance_profiles), std::end(performance_profiles), name) !=
           std::end(performance_profiles);
}

// Returns the value of "key=value" or "key = value"; empty without one.
std::string_view value_in(std::string_view line, std::string_view key) {
    const auto equals = line.find('=');
    return equals != line.npos && trim(line.substr(0, equals)) == key
               ? trim(line.substr(equals + 1))
               : std::string_view();
}

// Returns whether a profile of the site sets performance; what it includes counts where it names no
// governor itself.
bool own_is_performance(const Fs& fs, std::string_view name, int left) {
    std::string_view governor;
    std::string_view include;
    for (const char* folder : {"/etc/tuned/profiles/", "/etc/tuned/"}) {
        const auto text = name.find('/') == name.npos
                              ? fs.read(folder + std::string(name) + "/tuned.conf")
                              : Result<std::string>(std::string());
        for (const auto line : split(text ? std::string_view(*text) : "", '\n')) {
            governor = value_in(line, "governor").empty() ? governor : value_in(line, "governor");
            include = value_in(line, "include").empty() ? include : value_in(line, "include");
        }
        if (!governor.empty()) {
            return governor == "performance";
        }
        if (!include.empty()) {
            return is_performance(include) ||
                   (left > 0 && own_is_performance(fs, include, left - 1));
        }
    }
    return false;
}

}  // namespace

std::optional<TunedProfile> tuned_profile(const Fs& fs) {
    const auto text = fs.read("/etc/tuned/active_profile");
    if (!text) {
        return std::nullopt;
    }
    const auto names = words(*text);
    TunedProfile out{.names = printable(trim(*text), 60)};
    out.keeps_clocks = std::all_of(names.begin(), names.end(), [&](std::string_view name) {
        return is_performance(name) || own_is_performance(fs, name, most_includes);
    });
    return out;
}

}  // namespace rocenv
