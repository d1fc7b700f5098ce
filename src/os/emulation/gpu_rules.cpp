// SPDX-License-Identifier: MIT
// Emulation of linux drivers/gpu/drm/amd/pm/amdgpu_pm.c and swsmu/smu13/smu_v13_0_6_ppt.c (MI300;
// equal on MI200).
#include <array>
#include <cerrno>

#include "os/emulation/kernel_rules.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view level_name = "power_dpm_force_performance_level";
constexpr std::string_view clocks_name = "pp_od_clk_voltage";

struct Section {
    std::string_view title;
    std::string_view old_title;
};
constexpr Section graphics{"OD_SCLK:", "GFXCLK:"};
constexpr Section memory{"OD_MCLK:", "MCLK:"};

std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

std::string name_of(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

// Returns the PCI address of the device of a file, also for /sys/class/drm/card0/device/FILE.
std::string address_of(const Fs& fs, const std::string& path) {
    const auto folder = folder_of(path);
    const auto target = fs.link(folder);
    return name_of(target ? *target : folder);
}

std::uint64_t property(std::string_view text, std::string_view name) {
    for (const auto line : split(text, '\n')) {
        const auto parts = words(line);
        if (parts.size() == 2 && parts[0] == name) {
            return parse_number(parts[1]).value_or(0);
        }
    }
    return 0;
}

// Returns the maximum of the clock table of a GPU as reported by KFD; 0 if unknown.
std::uint64_t table_maximum(const Fs& fs, const std::string& address) {
    const std::string nodes = "/sys/class/kfd/kfd/topology/nodes";
    const auto names = fs.list(nodes);
    for (const auto& node : names ? *names : std::vector<std::string>()) {
        const auto text = fs.read(nodes + "/" + node + "/properties");
        const auto maximum = text ? property(*text, "max_engine_clk_fcompute") : 0;
        if (maximum == 0 || maximum == clock_unknown) {
            continue;
        }
        const auto location = property(*text, "location_id");  // the low bits are the partition
        if (bare_hex(property(*text, "domain"), 4) + ":" + bare_hex(location >> 8 & 0xff, 2) + ":" +
                bare_hex(location >> 3 & 0x1f, 2) + ".0" ==
            address) {
            return maximum;
        }
    }
    return 0;
}

// Returns the digits of the first or last clock of a section, as a part of the table.
std::optional<std::string_view> clock_in(std::string_view table, const Section& section,
                                         bool last) {
    std::optional<std::string_view> found;
    bool inside = false;
    for (const auto line : split(table, '\n')) {
        const auto text = trim(line);
        const auto colon = line.find(':');
        if (text.ends_with(':') && text != "S:") {
            inside = text == section.title || text == section.old_title;
        } else if (inside && colon != line.npos && parse_number(trim(line.substr(0, colon))) &&
                   (last || !found)) {
            constexpr std::string_view digits = "0123456789";
            const auto start = std::min(line.find_first_of(digits, colon), line.size());
            found = line.substr(start, line.find_first_not_of(digits, start) - start);
        }
    }
    return found;
}

void set_clock(std::string& table, const Section& section, bool last,
               std::optional<std::uint64_t> value) {
    const auto clock = value ? clock_in(table, section, last) : std::nullopt;
    if (clock) {
        table.replace(static_cast<std::size_t>(clock->data() - table.data()), clock->size(),
                      number(*value));
    }
}

// Removes the upper limit; the lower end stays.
std::vector<FileUpdate> without_limit(const Fs& fs, const std::string& level_path) {
    const auto path = folder_of(level_path) + "/" + std::string(clocks_name);
    const auto now = fs.read(path);
    const auto maximum = table_maximum(fs, address_of(fs, level_path));
    if (!now || maximum == 0) {
        return {};
    }
    std::string table = *now;
    set_clock(table, graphics, true, maximum);
    return stored(path, *now, std::move(table)).updates;
}

}  // namespace

KernelAnswer GpuRules::write_level(const Fs& fs, const std::string& path, const std::string& now,
                                   std::string_view word) {
    const auto level = trim(now);
    if (word == level) {
        return {};
    }
    if (word != "auto" && word != "manual" && word != "perf_determinism") {
        auto answer = refused(path, EINVAL);
        if (level ==
            "perf_determinism") {  // the driver leaves determinism before it checks the word
            answer.updates = without_limit(fs, path);
        }
        return answer;
    }
    KernelAnswer answer = stored(path, now, std::string(word) + "\n");
    for (auto& update : without_limit(fs, path)) {
        answer.updates.push_back(std::move(update));
    }
    if (word == "auto") {
        requested_.erase(address_of(fs, path));
    }
    return answer;
}

KernelAnswer GpuRules::store(Requested& requested, const std::string& path, std::uint64_t maximum,
                             std::span<const std::string_view> words) const {
    const auto value = words.size() == 3 ? parse_number(words[2]) : std::nullopt;
    if (!value) {
        return refused(path, EINVAL);
    }
    if (words[0] == "s" && words[1] == "1" && (maximum == 0 || *value <= maximum)) {
        requested.upper = value;
    } else if (words[0] == "s" && words[1] == "0") {
        requested.lower = value;
    } else if (words[0] == "m" && words[1] == "1") {
        requested.memory = value;
    } else {
        return refused(path, EINVAL);
    }
    return {};
}

KernelAnswer GpuRules::write_clocks(const Fs& fs, const std::string& path, const std::string& now,
                                    std::span<const std::string_view> words) {
    const auto level_text = fs.read(folder_of(path) + "/" + std::string(level_name));
    const auto level = level_text ? trim(*level_text) : std::string_view();
    if (level != "manual" && level != "perf_determinism") {
        return refused(path, EINVAL);
    }
    const auto address = address_of(fs, path);
    Requested& requested = requested_[address];
    if (words.size() != 1 || words[0] != "c") {
        return store(requested, path, table_maximum(fs, address), words);
    }
    std::string table = now;
    set_clock(table, graphics, false, requested.lower);
    set_clock(table, graphics, true, requested.upper);
    // in determinism the driver reads a leftover memory limit as one of the graphics clock
    set_clock(table, level == "manual" ? memory : graphics, true, requested.memory);
    const auto lower = clock_in(table, graphics, false);
    const auto upper = clock_in(table, graphics, true);
    if (lower && upper && parse_number(*lower) >= parse_number(*upper)) {
        return refused(path, EINVAL);
    }
    return stored(path, now, std::move(table));
}

}  // namespace rocenv
