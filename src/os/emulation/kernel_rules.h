// SPDX-License-Identifier: MIT
// Emulation of kernel writes on the files of an emulated machine: a --sysroot folder or a machine
// in memory. It covers the files that settings declare, and any config space with an offset. A
// write to any other file fails with `EACCES`, and to an unreadable one with its error. Refusals
// and side effects are those of the drivers: governor performance forces the energy preference, and
// a new performance level drops the clock limit.
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

// A new content of a file.
struct FileUpdate {
    std::string path;  // as in the write, possibly through links
    std::string content;
};

// The effect of a write.
struct KernelAnswer {
    std::vector<FileUpdate> updates;  // the file, then side effects; only real changes
    std::optional<Error> error;       // a refusal can also have effects
};

// The clocks of GPUs. Stored values that are not yet committed are kept here, as in the driver.
class GpuRules {
   public:
    // Emulates power_dpm_force_performance_level; `now` is its content.
    KernelAnswer write_level(const Fs& fs, const std::string& path, const std::string& now,
                             std::string_view word);
    // Emulates pp_od_clk_voltage.
    KernelAnswer write_clocks(const Fs& fs, const std::string& path, const std::string& now,
                              std::span<const std::string_view> words);

   private:
    struct Requested {
        std::optional<std::uint64_t> lower, upper, memory;
    };
    KernelAnswer store(Requested& requested, const std::string& path, std::uint64_t maximum,
                       std::span<const std::string_view> words) const;
    std::map<std::string, Requested> requested_;  // by PCI address
};

// One write and its context, as passed to a rule.
struct EmulatedWrite {
    const Fs& fs;
    const WrittenPlace& place;
    const std::string& path;
    const std::string& now;                   // content before the write
    std::span<const std::string_view> words;  // words of the written text
    GpuRules& gpus;
    // Returns the first word of the written text; empty if there is none.
    std::string_view word() const { return words.empty() ? std::string_view() : words.front(); }
    // Returns the path of another file in the same folder.
    std::string beside(std::string_view name) const {
        return path.substr(0, path.rfind('/') + 1) + std::string(name);
    }
};

// The effects of writes beyond the rules of a codec. A setting names the rule of its file.

// Stores a governor that the policy offers, and the preference "performance" with that governor.
// Refuses other words (`EINVAL`). Without a list of governors it stores any word.
KernelAnswer emulate_governor(const EmulatedWrite& write);
// Refuses unknown preferences (`EINVAL`), and others than "performance" under that governor
// (`EBUSY`). Without a list of preferences all are known.
KernelAnswer emulate_preference(const EmulatedWrite& write);
// Stores 1 for each number but 0. Refuses other texts (`EINVAL`).
KernelAnswer emulate_idle_switch(const EmulatedWrite& write);
// Emulates power_dpm_force_performance_level: auto, manual and perf_determinism; others are refused
// (`EINVAL`). A change also removes the limit of the clock table, as does a refusal in
// perf_determinism.
KernelAnswer emulate_performance_level(const EmulatedWrite& write);
// Emulates pp_od_clk_voltage: a write stores a clock, and "c" moves the stored clocks to the table.
// Refuses (`EINVAL`) at another level than manual and perf_determinism, clocks above the maximum,
// and a lower clock that is not below the upper one.
KernelAnswer emulate_clock_table(const EmulatedWrite& write);

// Returns the rule of a file; nullptr if neither the file nor its codec has one.
KernelRule rule_of(const WrittenPlace& place);

// Returns all files that settings write or ever wrote. The registry defines this function
// (settings/registry.cpp), so that a new setting needs no further registration.
std::span<const WrittenPlace* const> emulated_places();

// The emulation of all writes to one machine.
class KernelRules {
   public:
    // Returns the effect of a write to the machine in `fs`; writes nothing. An offset is accepted
    // for config spaces only, within their readable bytes (else `EFBIG`).
    KernelAnswer write(const Fs& fs, const std::string& path, std::optional<std::uint64_t> offset,
                       std::string_view bytes);

   private:
    KernelAnswer write_text(const Fs& fs, const std::string& path,
                            std::optional<std::uint64_t> offset, std::string_view bytes);
    GpuRules gpus_;
};

// Returns the refusal of a write with this errno.
KernelAnswer refused(const std::string& path, int err);
// Returns the update of a file from `now` to `content`; no update if they are equal.
KernelAnswer stored(const std::string& path, const std::string& now, std::string content);

}  // namespace rocenv
