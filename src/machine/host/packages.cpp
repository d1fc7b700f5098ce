// SPDX-License-Identifier: MIT
#include "machine/host/packages.h"

#include <algorithm>

#include "machine/host/cpu_groups.h"
#include "machine/host/number_files.h"
#include "util/text.h"

namespace rocenv {

namespace {

using CpuList = std::vector<std::uint32_t>;

// A list that must hold the CPU itself; a file that is missing says nothing, since every kernel has
// it.
Result<CpuList> list_with(const Fs& fs, std::uint32_t cpu, const char* name) {
    const std::string path = cpu_topology_path(cpu, name);
    auto list = numbers_of_file(fs, path);
    if (list && std::find(list->begin(), list->end(), cpu) == list->end()) {
        return garbled(path, "does not name the CPU itself");
    }
    return list;
}

Result<CpuList> cpus_of_package(const Fs& fs, std::uint32_t cpu) {
    auto list = list_with(fs, cpu, "package_cpus_list");  // since 5.3
    return list.is(ErrorKind::not_here) ? list_with(fs, cpu, "core_siblings_list") : list;
}

}  // namespace

std::string Package::name() const {
    return "socket" + number(id);
}

Result<std::vector<Package>> read_packages_of(const Machine& machine) {
    const auto online = machine.online_cpus();
    if (!online) {
        return online.error();
    }
    std::vector<Package> out;
    const auto failed = for_each_cpu_group(*online, [&](std::uint32_t cpu) -> Result<CpuList> {
        auto cpus = cpus_of_package(machine.fs(), cpu);
        const std::string path = cpu_topology_path(cpu, "physical_package_id");
        const auto id = count_of_file(machine.fs(), path);
        if (!cpus || !id) {
            return cpus ? id.error() : cpus.error();
        }
        if (*id > UINT32_MAX) {
            return garbled(path, "is not a valid socket number");
        }
        out.push_back({static_cast<std::uint32_t>(*id), *cpus});
        return cpus;
    });
    if (failed) {
        return *failed;
    }
    std::sort(out.begin(), out.end(),
              [](const Package& one, const Package& other) { return one.id < other.id; });
    return out;
}

std::optional<Error> lost_numa(const Machine& machine) {
    const std::string folder = "/sys/devices/system/node";
    if (exists(machine.fs(), folder)) {
        return garbled(folder, "has no list of nodes");
    }
    const auto packages = read_packages_of(machine);
    if (!packages) {
        return packages.error();
    }
    return packages->size() < 2
               ? std::nullopt
               : std::optional(garbled(folder, "is missing, but the node has " +
                                                   number(packages->size()) + " sockets"));
}

Result<std::uint64_t> cores_of(const Fs& fs, const Package& package) {
    return count_cpu_groups(package.cpus, [&](std::uint32_t cpu) {
        return list_with(fs, cpu, "thread_siblings_list");
    });
}

}  // namespace rocenv
