// SPDX-License-Identifier: MIT
#include "machine/host/running_services.h"

#include <algorithm>
#include <array>
#include <cerrno>

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

}  // namespace rocenv
