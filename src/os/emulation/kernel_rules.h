// SPDX-License-Identifier: MIT
// What a kernel does with a write, told from the files of a machine that stands for one: a folder
// given with --sysroot or a machine in memory. Covers the places that settings declare; a write to
// any other is refused with EACCES. Refusals are those of the drivers, side effects too: governor
// performance forces the energy preference, a new performance level drops the clock limit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/written_place.h"

namespace rocenv {

struct FileUpdate {
    std::string path;  // spelled as in the write, so possibly through links
    std::string content;
};

struct KernelAnswer {
    std::vector<FileUpdate>
        updates;                 // the file itself, then side effects; none that changes nothing
    std::optional<Error> error;  // a refusal may have effects all the same
};

// The clocks of GPUs. Values that are stored and not yet committed live here, as in the driver.
class GpuRules {
   public:
    // power_dpm_force_performance_level; `now` is its content.
    KernelAnswer write_level(const Fs& fs, const std::string& path, const std::string& now,
                             std::string_view word);
    // pp_od_clk_voltage.
    KernelAnswer write_clocks(const Fs& fs, const std::string& path, const std::string& now,
                              std::span<const std::string_view> words);

   private:
    struct Wanted {
        std::optional<std::uint64_t> lower, upper, memory;
    };
    KernelAnswer store(Wanted& wanted, const std::string& path, std::uint64_t maximum,
                       std::span<const std::string_view> words) const;
    std::map<std::string, Wanted> wanted_;  // by PCI address
};

// One write, as a rule meets it.
struct EmulatedWrite {
    const Fs& fs;
    const WrittenPlace& place;
    const std::string& path;
    const std::string& now;                   // content before the write
    std::span<const std::string_view> words;  // of what is written
    GpuRules& gpus;
    std::string_view word() const { return words.empty() ? std::string_view() : words.front(); }
    // Another file of the same folder.
    std::string beside(std::string_view name) const {
        return path.substr(0, path.rfind('/') + 1) + std::string(name);
    }
};

// Rules that a codec does not tell; a setting names the one of its place.
KernelAnswer emulate_governor(const EmulatedWrite& write);
KernelAnswer emulate_preference(const EmulatedWrite& write);
KernelAnswer emulate_idle_switch(const EmulatedWrite& write);
KernelAnswer emulate_performance_level(const EmulatedWrite& write);
KernelAnswer emulate_clock_table(const EmulatedWrite& write);

// The rule of a place; nullptr: neither it nor its codec says one.
KernelRule rule_of(const WrittenPlace& place);

// All places that settings write, or ever wrote. The registry defines it (settings/registry.cpp),
// so that a setting is all there is to add.
std::span<const WrittenPlace* const> emulated_places();

class KernelRules {
   public:
    // What this write does to the machine in `fs`; nothing is written here.
    KernelAnswer write(const Fs& fs, const std::string& path, std::optional<std::uint64_t> offset,
                       std::string_view bytes);

   private:
    KernelAnswer write_text(const Fs& fs, const std::string& path,
                            std::optional<std::uint64_t> offset, std::string_view bytes);
    GpuRules gpus_;
};

KernelAnswer refused(const std::string& path, int err);
KernelAnswer stored(const std::string& path, const std::string& now, std::string content);

}  // namespace rocenv
