// SPDX-License-Identifier: MIT
// Parsers for linux Documentation/admin-guide/cputopology.rst and drivers/base/node.c
// node_read_meminfo.
#include "machine/host/cpus.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Cpus = std::vector<std::uint32_t>;

const std::string cpu_folder = "/sys/devices/system/cpu";
const std::string node_folder = "/sys/devices/system/node";

Result<Cpus> read_list(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    if (trim(*text).empty()) {
        return Cpus();  // a node without CPUs
    }
    auto list = parse_number_list(trim(*text));
    if (!list) {
        return garbled(path, "is not a valid list: " + quoted_value(trim(*text)));
    }
    return *std::move(list);
}

// Returns the bytes in the line whose last word before the value is "MemTotal:". A node's file has
// "Node 0 MemTotal: 1 kB", the machine's "MemTotal: 1 kB".
std::optional<std::uint64_t> total_bytes(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    for (const auto line : split(text ? std::string_view(*text) : std::string_view(), '\n')) {
        const auto parts = words(line);
        for (std::size_t at = 0; at + 1 < parts.size(); ++at) {
            if (parts[at] == "MemTotal:") {
                const auto kib = parse_number(parts[at + 1]);
                return kib ? std::optional(*kib * 1024) : std::nullopt;
            }
        }
    }
    return std::nullopt;
}

Result<std::vector<NumaNode>> read_nodes(const Fs& fs, const Cpus& online) {
    const auto numbers = read_list(fs, node_folder + "/online");
    if (numbers.is(ErrorKind::not_here)) {
        return std::vector{NumaNode{0, online, total_bytes(fs, "/proc/meminfo"), {}}};
    }
    if (!numbers) {
        return numbers.error();
    }
    std::vector<NumaNode> nodes;
    for (const auto index : *numbers) {
        const std::string folder = node_folder + "/node" + number(index);
        auto cpus = read_list(fs, folder + "/cpulist");
        if (!cpus) {
            return cpus.error();
        }
        nodes.push_back({index, *std::move(cpus), total_bytes(fs, folder + "/meminfo"), {}});
    }
    return nodes;
}

// Returns the CPUs of one core or package; `names` lists file names from the newest kernel's to the
// oldest's.
Result<Cpus> siblings(const Fs& fs, std::uint32_t cpu, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        auto list = read_list(fs, cpu_topology_path(cpu, name));
        if (!list.is(ErrorKind::not_here)) {
            return list;
        }
    }
    return Cpus{cpu};
}

Result<std::uint64_t> count_cores(const Fs& fs, const Cpus& cpus) {
    return count_cpu_groups(
        cpus, [&](std::uint32_t cpu) { return siblings(fs, cpu, {"thread_siblings_list"}); });
}

std::uint32_t package_id(const Fs& fs, std::uint32_t cpu) {
    const auto text = fs.read(cpu_topology_path(cpu, "physical_package_id"));
    const auto id = text ? parse_number(trim(*text)) : std::nullopt;
    return id && *id < UINT32_MAX ? static_cast<std::uint32_t>(*id)
                                  : 0;  // -1: unsupported by the platform
}

Result<std::vector<CpuPackage>> read_packages(const Fs& fs, const Cpus& online) {
    std::vector<CpuPackage> packages;
    const auto failed = for_each_cpu_group(online, [&](std::uint32_t cpu) -> Result<Cpus> {
        auto cpus = siblings(fs, cpu, {"package_cpus_list", "core_siblings_list"});
        const auto cores = cpus ? count_cores(fs, *cpus) : cpus.error();
        if (!cores) {
            return cores.error();
        }
        packages.push_back({package_id(fs, cpu), *cpus, *cores});
        return cpus;
    });
    if (failed) {
        return *failed;
    }
    std::sort(packages.begin(), packages.end(),
              [](const CpuPackage& a, const CpuPackage& b) { return a.id < b.id; });
    return packages;
}

// Returns the groups that `read` returns for these CPUs. No CPU is in two groups, even with
// contradicting files.
Result<std::vector<Cpus>> grouped(const Cpus& cpus, const ReadCpuGroup& read) {
    std::set<std::uint32_t> left(cpus.begin(), cpus.end());
    std::vector<Cpus> groups;
    while (!left.empty()) {
        const std::uint32_t first = *left.begin();
        const auto read_group = read(first);
        if (!read_group) {
            return read_group.error();
        }
        Cpus named = *read_group;
        named.push_back(first);
        std::sort(named.begin(), named.end());
        Cpus group;
        for (const auto cpu : named) {
            if (left.erase(cpu) > 0) {
                group.push_back(cpu);
            }
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

// Parses the CPUs of a kernel mask, "00000001,000000ff": words of 32 bits, highest first.
std::optional<Cpus> parse_mask(std::string_view text) {
    constexpr std::uint32_t bits = 32;
    const auto parts = split(text, ',');
    Cpus cpus;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const auto word = parse_number(parts[parts.size() - 1 - at], 16);
        if (!word || *word > UINT32_MAX) {
            return std::nullopt;
        }
        for (std::uint32_t bit = 0; bit < bits; ++bit) {
            if ((*word >> bit & 1U) != 0) {
                cpus.push_back(static_cast<std::uint32_t>(at) * bits + bit);
            }
        }
    }
    return cpus;
}

std::string cache_folder(std::uint32_t cpu) {
    return cpu_folder + "/cpu" + number(cpu) + "/cache";
}

// Returns the folder name of the CPU's L3 cache, "index3"; fails with `not_here` if it has none.
Result<std::string> l3_name(const Fs& fs, std::uint32_t cpu) {
    const std::string folder = cache_folder(cpu);
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    for (const auto& name : *names) {
        const auto level = name.starts_with("index") ? fs.read(folder + "/" + name + "/level")
                                                     : Result<std::string>(std::string());
        if (!level && !level.is(ErrorKind::not_here)) {
            return level.error();
        }
        if (level && trim(*level) == "3") {
            return name;
        }
    }
    return Error{ErrorKind::not_here, 0, folder, folder + ": has no L3 cache"};
}

// Returns the CPUs that share a cache. Copies of /sys by hwloc have only the mask.
Result<Cpus> sharing_cpus(const Fs& fs, const std::string& folder) {
    auto list = read_list(fs, folder + "/shared_cpu_list");
    if (!list.is(ErrorKind::not_here)) {
        return list;
    }
    const std::string path = folder + "/shared_cpu_map";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    auto cpus = parse_mask(trim(*text));
    return cpus ? Result<Cpus>(*std::move(cpus)) : garbled(path, "is not a valid mask of CPUs");
}

// Returns the CPUs that share the L3 cache of this one; all of `cpus` if it has none.
Result<Cpus> l3_sharers(const Fs& fs, std::uint32_t cpu, const Cpus& cpus) {
    const auto name = l3_name(fs, cpu);
    auto sharing =
        name ? sharing_cpus(fs, cache_folder(cpu) + "/" + *name) : Result<Cpus>(name.error());
    return sharing.is(ErrorKind::not_here) ? Result<Cpus>(cpus) : sharing;
}

}  // namespace

Result<std::vector<L3Group>> l3_groups(const Fs& fs, const std::vector<std::uint32_t>& cpus) {
    auto caches = grouped(cpus, [&](std::uint32_t cpu) { return l3_sharers(fs, cpu, cpus); });
    if (!caches) {
        return caches.error();
    }
    std::vector<L3Group> groups;
    for (const auto& cache : *caches) {
        auto cores = grouped(
            cache, [&](std::uint32_t cpu) { return siblings(fs, cpu, {"thread_siblings_list"}); });
        if (!cores) {
            return cores.error();
        }
        groups.push_back({*std::move(cores)});
    }
    return groups;
}

Result<std::vector<std::uint32_t>> allowed_cpus(const Fs& fs) {
    constexpr std::string_view name = "Cpus_allowed_list:";
    const std::string path = "/proc/self/status";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    for (const auto line : split(*text, '\n')) {
        auto list = line.starts_with(name) ? parse_number_list(trim(line.substr(name.size())))
                                           : std::nullopt;
        if (list && !list->empty()) {
            return *std::move(list);
        }
    }
    return garbled(path, "does not list the CPUs that the process may use");
}

Result<std::string> read_cpu_model(const Fs& fs) {
    const std::string path = "/proc/cpuinfo";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    for (const auto line : split(*text, '\n')) {
        const auto colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string_view::npos) {
            return printable(trim(line.substr(colon + 1)), 80);
        }
    }
    return Error{ErrorKind::not_here, 0, path, path + ": has no line with the CPU model"};
}

std::optional<std::string> cpu_model(const Fs& fs) {
    const auto model = read_cpu_model(fs);
    return model ? std::optional(*model) : std::nullopt;
}

Result<CpuTopology> read_cpu_topology(const Fs& fs) {
    const auto online = read_list(fs, cpu_folder + "/online");
    if (!online) {
        return online.error();
    }
    auto nodes = read_nodes(fs, *online);
    if (!nodes) {
        return nodes.error();
    }
    auto packages = read_packages(fs, *online);
    if (!packages) {
        return packages.error();
    }
    CpuTopology side;
    side.source = "kernel files";
    side.model = cpu_model(fs);
    side.packages = std::move(packages).value();
    side.numa = std::move(nodes).value();
    side.threads = online->size();
    for (const auto& package : side.packages) {
        side.cores += package.cores;
    }
    side.join_nodes();
    return side;
}

std::vector<std::string> first_cpu_words(const Fs& fs, std::string_view key) {
    const auto text = fs.read("/proc/cpuinfo");
    auto first_cpu = text ? std::string_view(*text) : std::string_view();
    first_cpu = first_cpu.substr(0, first_cpu.find("\n\n"));
    for (const auto line : split(first_cpu, '\n')) {
        if (line.starts_with(key)) {
            const auto found = words(line);
            return {found.begin(), found.end()};
        }
    }
    return {};
}

bool is_guest(const Fs& fs) {
    const auto flags = first_cpu_words(fs, "flags");
    return std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
}

bool Machine::in_guest() const {
    if (!in_guest_) {
        in_guest_ = is_guest(fs_);
    }
    return *in_guest_;
}

std::string cpu_topology_path(std::uint32_t cpu, const char* name) {
    return "/sys/devices/system/cpu/cpu" + number(cpu) + "/topology/" + name;
}

std::optional<Error> for_each_cpu_group(const std::vector<std::uint32_t>& cpus,
                                        const ReadCpuGroup& read) {
    std::set<std::uint32_t> seen;
    for (const auto cpu : cpus) {
        if (!seen.insert(cpu).second) {
            continue;
        }
        const auto group = read(cpu);
        if (!group) {
            return group.error();
        }
        seen.insert(group->begin(), group->end());
    }
    return std::nullopt;
}

Result<std::uint64_t> count_cpu_groups(const std::vector<std::uint32_t>& cpus,
                                       const ReadCpuGroup& read) {
    std::uint64_t groups = 0;
    const auto failed = for_each_cpu_group(cpus, [&](std::uint32_t cpu) {
        ++groups;
        return read(cpu);
    });
    return failed ? Result<std::uint64_t>(*failed) : groups;
}

namespace {

using CpuList = std::vector<std::uint32_t>;

// Returns a list, which must contain the CPU itself. A missing file is damage, since every kernel
// has it.
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

namespace {

// Linux has at most 8,192 CPUs (NR_CPUS of arch/x86/Kconfig); a list may name a CPU twice.
constexpr std::uint32_t most_isolated = 65535;

// Adds one part of a list: "8", "1-95", "1-N", or "0-95:2/4", the first 2 of each 4 (linux
// lib/bitmap-str.c bitmap_parselist, 6.12). Returns false if it is invalid.
bool add_part(std::string_view part, std::uint32_t last_cpu, std::vector<std::uint32_t>& out) {
    const auto number_in = [&](std::string_view text) {
        return text == "N" ? std::optional<std::uint64_t>(last_cpu) : parse_number(text);
    };
    const auto range = part.substr(0, part.find(':'));
    const auto dash = range.find('-');
    const auto first = number_in(range.substr(0, dash));
    const auto last = dash == range.npos ? first : number_in(range.substr(dash + 1));
    const auto pattern = range.size() < part.size() ? part.substr(range.size() + 1) : "1/1";
    const auto slash = pattern.find('/');
    const auto used = parse_number(pattern.substr(0, slash));
    const std::uint64_t group =
        slash == pattern.npos ? 0 : parse_number(pattern.substr(slash + 1)).value_or(0);
    if (!first || !last || !used || group == 0) {
        return false;
    }
    for (auto cpu = *first; cpu <= std::min<std::uint64_t>(*last, last_cpu); ++cpu) {
        if ((cpu - *first) % group < *used) {
            out.push_back(static_cast<std::uint32_t>(cpu));
        }
    }
    return out.size() <= most_isolated;
}

// Returns the CPUs of "[domain,][managed_irq,][nohz,]LIST" that are removed from scheduling; empty
// if there are none or the list is invalid.
std::vector<std::uint32_t> taken_out(std::string_view value, std::uint32_t last_cpu) {
    bool flagged = false;
    bool domain = false;
    while (!value.empty() && value.front() >= 'a' && value.front() <= 'z') {
        const auto flag = value.substr(0, value.find(','));
        flagged = true;
        domain = domain || flag == "domain";
        value.remove_prefix(std::min(flag.size() + 1, value.size()));
    }
    std::vector<std::uint32_t> out;
    const auto parts = split(value, ',');
    const bool good = std::all_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return add_part(part, last_cpu, out);
    });
    return good && (domain || !flagged) ? out : std::vector<std::uint32_t>();
}

// Returns the CPUs that the kernel lists as isolated; without that list those of the first
// isolcpus=.
std::vector<std::uint32_t> isolated_cpus(const Machine& machine,
                                         const std::vector<KernelArgument>& arguments) {
    auto listed = numbers_of_file(machine.fs(), "/sys/devices/system/cpu/isolated");
    if (listed) {
        return *std::move(listed);
    }
    const auto found =
        std::find_if(arguments.begin(), arguments.end(),
                     [](const KernelArgument& argument) { return argument.name == "isolcpus"; });
    const auto online = machine.online_cpus();
    const auto last_cpu = online ? *std::max_element(online->begin(), online->end()) : 8191U;
    return found == arguments.end() ? std::vector<std::uint32_t>()
                                    : taken_out(found->value, std::min(last_cpu, most_isolated));
}

}  // namespace

Result<bool> isolates_gpu(const Machine& machine, const std::vector<KernelArgument>& arguments) {
    auto isolated = isolated_cpus(machine, arguments);
    std::sort(isolated.begin(), isolated.end());
    if (isolated.empty()) {
        return false;
    }
    for (const auto& gpu : machine.gpus()) {
        auto near = numbers_of_file(machine.fs(), pci_path(gpu.bdf, "/local_cpulist"));
        if (!near) {
            return near.error();
        }
        std::sort(near.value().begin(), near.value().end());
        if (!near->empty() &&
            std::includes(isolated.begin(), isolated.end(), near->begin(), near->end())) {
            return true;
        }
    }
    return false;
}

}  // namespace rocenv
