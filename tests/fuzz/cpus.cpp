// SPDX-License-Identifier: MIT
// Lists of CPUs, and the topology that they make: a list folds and unfolds to the same numbers, and
// counts agree with each other.
#include <algorithm>

#include "fuzz/fuzz.h"
#include "machine/host/cpus.h"
#include "os/fs/memory_fs.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace cpus_fuzz {

namespace {

// More would take its time for each of them, and say no more. Many, and ranges of thousands, have
// inputs of some lengths alone: they take nearly all of the time.
constexpr std::size_t most_cpus = 32;
constexpr std::size_t few_cpus = 6;
constexpr std::size_t every = 16;

void check_list(std::string_view text) {
    auto numbers = parse_number_list(trim(text));
    if (!numbers) {
        return;
    }
    std::sort(numbers->begin(), numbers->end());
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    const std::string folded = number_list(*numbers);
    demand(parse_number_list(folded) == numbers, "a list of numbers unfolds to itself", folded);
}

bool is_wide(std::string_view bytes) {
    constexpr std::size_t digits = 4;
    const auto is_digit = [](char byte) { return byte >= '0' && byte <= '9'; };
    for (auto at = bytes.find('-'); at != std::string_view::npos; at = bytes.find('-', at + 1)) {
        const auto end = bytes.substr(at + 1, digits);
        if (end.size() == digits && std::all_of(end.begin(), end.end(), is_digit)) {
            return true;
        }
    }
    return false;
}

void add_cpus(MemoryFs& fs, const std::vector<std::uint32_t>& cpus,
              const std::vector<std::string>& files) {
    for (std::size_t at = 0; at < cpus.size(); ++at) {
        const std::string folder = "/sys/devices/system/cpu/cpu" + number(cpus[at]) + "/topology/";
        fs.add_file(folder + "thread_siblings_list", files[4 + at % 3]);
        fs.add_file(folder + (at % 2 == 0 ? "package_cpus_list" : "core_siblings_list"),
                    files[7 + at % 2]);
        fs.add_file(folder + "physical_package_id", files[9]);
    }
}

}  // namespace

}  // namespace cpus_fuzz

void fuzz_cpus(std::string_view bytes) {
    using namespace cpus_fuzz;
    const bool many = bytes.size() % every == 0;
    if (!many && is_wide(bytes)) {
        return;
    }
    const auto files = files_in(bytes, 12);
    check_list(files[0]);
    const auto online = parse_number_list(trim(files[0]));
    if (online && online->size() > (many ? most_cpus : few_cpus)) {
        return;
    }
    MemoryFs fs;
    fs.add_file("/sys/devices/system/cpu/online", files[0]);
    if (!files[1].empty()) {
        fs.add_file("/sys/devices/system/node/online", files[1]);
    }
    fs.add_file("/sys/devices/system/node/node0/cpulist", files[2]);
    fs.add_file("/sys/devices/system/node/node0/meminfo", files[3]);
    fs.add_file("/proc/meminfo", files[10]);
    fs.add_file("/proc/cpuinfo", files[11]);
    add_cpus(fs, online.value_or(std::vector<std::uint32_t>()), files);
    const auto topology = read_cpu_topology(fs);
    if (!topology) {
        return demand_message(topology.error());
    }
    demand(topology->threads == online.value_or(std::vector<std::uint32_t>()).size(),
           "every CPU that is online is counted");
    demand(!topology->numa.empty() || !trim(files[1]).empty() || files[1].empty() ||
               topology->numa.size() == 0,
           "there is a NUMA node");
    (void)topology->threads_per_core();
}

}  // namespace rocenv::fuzz
