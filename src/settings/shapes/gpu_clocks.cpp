// SPDX-License-Identifier: MIT
#include "settings/shapes/gpu_clocks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// linux drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_get_power_dpm_force_performance_level
constexpr std::array<std::string_view, 11> levels{"auto",
                                                  "low",
                                                  "high",
                                                  "manual",
                                                  "unknown",
                                                  "profile_standard",
                                                  "profile_min_sclk",
                                                  "profile_min_mclk",
                                                  "profile_peak",
                                                  "profile_exit",
                                                  "perf_determinism"};

std::uint64_t table_maximum(const Machine& machine, const Gpu& gpu) {
    if (gpu.agents.empty()) {
        return 0;
    }
    const auto clock = machine.kfd().nodes[gpu.agents.front()].get("max_engine_clk_fcompute");
    return clock == clock_unknown ? 0 : clock;
}

// A limit of the memory clock, which exists in level manual only.
std::optional<std::uint64_t> memory_limit(const Machine& machine, const Gpu& gpu,
                                          const std::string& path, std::string_view table) {
    const auto clocks = parse_memory_clocks(path, table);
    const auto top =
        gpu.agents.empty() ? 0 : machine.memory_clock(machine.kfd().nodes[gpu.agents.front()]);
    return clocks && clocks->upper != top ? std::optional(clocks->upper) : std::nullopt;
}

// Changes of one GPU. The driver's rules (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, amdgpu_dpm.c,
// swsmu/smu13/smu_v13_0_6_ppt.c): writing the level that is current does nothing; `s` and `c` are
// taken in levels manual and perf_determinism only; `r` may commit the memory clock's maximum as
// the limit and is never written; auto drops the limit and every wish that is stored.
class ChangeMaker {
   public:
    explicit ChangeMaker(const GpuClocks& present) : present_(present) {}

    Change to_limit(std::uint64_t mhz) {
        if (present_.level != "auto" && !present_.is_on()) {
            level("auto");
        }
        level("perf_determinism");
        table("s 1 " + number(mhz));
        table("c");
        return proven("perf_determinism", number(mhz));
    }

    Change to_auto() {
        level("auto");
        change_.states.push_back({{present_.folder + clock_level_file}, "auto", ""});
        return std::move(change_);
    }

    Change back() {
        const Clocks& clocks = *present_.clocks;
        if (present_.is_on() && !present_.is_lost()) {
            return to_limit(clocks.upper);
        }
        level("auto");
        if (present_.level != "auto") {
            level(present_.level);
        }
        if (present_.level == "manual") {
            table("s 0 " + number(clocks.lower));
            table("s 1 " + number(clocks.upper));
            if (present_.memory) {
                table("m 1 " + number(*present_.memory));
            }
            table("c");
            return proven(present_.level, clocks);
        }
        return proven(present_.level, present_.is_on() ? number(clocks.upper) : "");
    }

   private:
    void level(const std::string& word) {
        change_.writes.push_back({present_.folder + clock_level_file, std::nullopt, word});
    }

    void table(const std::string& command) {
        change_.writes.push_back(
            {present_.folder + clock_table_file, std::nullopt, command + "\n"});
    }

    // The level, and what the table's upper clock has to read; empty: any, it is only noted, so
    // that a stranger's limit is told from ours.
    Change proven(const std::string& word, const std::string& limit) {
        const KernelAttribute attribute{present_.folder + clock_table_file, Codec::upper_clock};
        const std::string lost = present_.maximum != 0 ? number(present_.maximum) : "";
        change_.states.push_back({{present_.folder + clock_level_file}, word, ""});
        change_.states.push_back({attribute, limit, lost});
        return std::move(change_);
    }

    // Both clocks of a manual range, and the memory clock's limit where there is one.
    Change proven(const std::string& word, const Clocks& clocks) {
        change_.states.push_back({{present_.folder + clock_level_file}, word, ""});
        change_.states.push_back(
            {{present_.folder + clock_table_file, Codec::clocks}, clocks.text(), ""});
        if (present_.memory) {
            change_.states.push_back({{present_.folder + clock_table_file, Codec::memory_clock},
                                      number(*present_.memory),
                                      ""});
        }
        return std::move(change_);
    }

    const GpuClocks& present_;
    Change change_;
};

}  // namespace

Result<std::string> read_clock_level(const Machine& machine, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf) + clock_level_file;
    const auto text = machine.fs().read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    if (std::find(levels.begin(), levels.end(), word) == levels.end()) {
        return garbled(path, "is not a valid level: " + quoted_value(word));
    }
    return std::string(word);
}

Result<GpuClocks> read_gpu_clocks(const Machine& machine, const Gpu& gpu) {
    const std::string folder = pci_path(gpu.bdf);
    const auto level = read_clock_level(machine, gpu);
    if (!level) {
        return level.error();
    }
    const auto table = machine.fs().read(folder + clock_table_file);
    if (!table) {
        return table.error();
    }
    GpuClocks present{folder, *level, parse_clocks(folder + clock_table_file, *table),
                      table_maximum(machine, gpu), std::nullopt};
    if (*level == "manual") {
        present.memory = memory_limit(machine, gpu, folder + clock_table_file, *table);
    }
    return present;
}

Result<std::string> limit_text(const GpuClocks& present, const std::string& wanted) {
    if (!present.is_on()) {
        return std::string("off");
    }
    if (!present.clocks) {
        return present.clocks.error();
    }
    const std::string limit = number(present.clocks->upper);
    return present.is_lost() && limit != wanted ? std::string("lost") : limit;
}

Change to_clock_limit(const GpuClocks& present, std::uint64_t mhz) {
    return ChangeMaker(present).to_limit(mhz);
}

Change to_auto_clocks(const GpuClocks& present) {
    return ChangeMaker(present).to_auto();
}

Change back_to_clocks(const GpuClocks& present) {
    return ChangeMaker(present).back();
}

}  // namespace rocenv
