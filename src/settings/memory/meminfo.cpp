// SPDX-License-Identifier: MIT
#include "settings/memory/meminfo.h"

#include <algorithm>

#include "machine/gpu/gpu_models.h"
#include "machine/host/number_files.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t kib = 1024;

// What stands before the unit on the line "[Node 0 ]NAME: N kB"; nothing: another line.
std::optional<std::string_view> number_on_line(std::string_view line, std::string_view name) {
    auto parts = words(line);
    if (parts.size() == 5 && parts[0] == "Node") {
        parts.erase(parts.begin(), parts.begin() + 2);
    }
    const bool is_it = !parts.empty() && parts[0].size() == name.size() + 1 &&
                       parts[0].starts_with(name) && parts[0].ends_with(':');
    if (!is_it) {
        return std::nullopt;
    }
    return parts.size() == 3 && parts[2] == "kB" ? parts[1] : std::string_view();
}

}  // namespace

Result<std::optional<std::uint64_t>> meminfo_kib(const Fs& fs, const std::string& path,
                                                 std::string_view name) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    bool is_meminfo = false;
    std::optional<std::uint64_t> found;
    for (const auto line : split(*text, '\n')) {
        is_meminfo = is_meminfo || number_on_line(line, "MemTotal").has_value();
        const auto value = number_on_line(line, name);
        if (value && !found) {
            found = parse_number(*value);
            if (!found || *found > UINT64_MAX / kib) {
                return garbled(path, "is no number of kB: " + quoted_value(line));
            }
        }
    }
    if (!is_meminfo) {
        return garbled(path, "has no line MemTotal");
    }
    return found;
}

Result<std::uint64_t> memory_bytes(const Fs& fs) {
    const auto total = meminfo_kib(fs, "/proc/meminfo", "MemTotal");
    if (!total) {
        return total.error();
    }
    return **total == 0 ? garbled("/proc/meminfo", "states no memory") : Result(**total * kib);
}

Result<std::vector<std::uint32_t>> nodes_with_cpus(const Fs& fs) {
    const std::string folder = "/sys/devices/system/node";
    const auto online = numbers_of_file(fs, folder + "/online");
    if (!online) {
        return online.error();
    }
    std::vector<std::uint32_t> out;
    for (const auto node : *online) {
        const std::string path = folder + "/node" + number(node) + "/cpulist";
        const auto cpus = numbers_of_file(fs, path);
        if (!cpus) {
            // the node is online, so that a list that is missing is no absence
            return cpus.is(ErrorKind::not_here) ? garbled(path, "is missing") : cpus.error();
        }
        if (!cpus->empty()) {
            out.push_back(node);
        }
    }
    return out;
}

std::string bytes_told(std::uint64_t bytes) {
    constexpr std::uint64_t tenths = 10;
    constexpr const char* unit_names[] = {"KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    std::uint64_t size = kib;
    while (unit + 1 < std::size(unit_names) && bytes / size >= kib) {
        size *= kib;
        ++unit;
    }
    const auto value = bytes / (size / kib) * tenths / kib;
    return number(value / tenths) + "." + number(value % tenths) + " " + unit_names[unit];
}

bool has_stacked_memory(const Machine& machine) {
    const auto& gpus = machine.gpus();
    return std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return is_apu(gpu.device); });
}

void mind_stacked_memory(const Machine& machine, std::string_view step,
                         std::vector<Assessment>& rows) {
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && has_stacked_memory(machine)) {
            row.next_step = step;
        }
    }
}

}  // namespace rocenv
