// SPDX-License-Identifier: MIT
// gpu.determinism: a soft maximum of the graphics clock. Two files on the GPU's primary function
// (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c): the level word alone proves nothing, it survives a
// GPU reset and a resume that lose the limit. Proof is the word and the upper OD_SCLK entry, which
// the driver keeps in memory. The table's maximum is KFD's max_engine_clk_fcompute; 100 means that
// clock management is off, i.e. unknown (amdgpu_amdkfd.c).
#include <algorithm>
#include <array>

#include "machine/kernel_attribute.h"
#include "settings/gpu_files.h"
#include "settings/safety.h"
#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t mi300x = 0x74a1;
constexpr std::uint64_t mi300x_recommended = 1900;
constexpr std::uint64_t clock_unknown = 100;

const std::string level_file = "/power_dpm_force_performance_level";
const std::string table_file = "/pp_od_clk_voltage";

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

// "r" is never written, see ChangeMaker. A clock has 16 bits for the firmware (smu_v13_0.c).
constexpr WrittenPlace places[] = {
    {"/sys/bus/pci/devices/<bdf>/power_dpm_force_performance_level", Codec::line,
     "auto|low|high|manual|profile_standard|profile_min_sclk|profile_min_mclk|profile_peak|"
     "perf_determinism"},
    {"/sys/bus/pci/devices/<bdf>/pp_od_clk_voltage", Codec::upper_clock,
     "s 0 <0-65535>|s 1 <0-65535>|m 1 <0-65535>|c"},
    {"/sys/bus/pci/devices/<bdf>/pp_od_clk_voltage", Codec::clocks, ""},
    {"/sys/bus/pci/devices/<bdf>/pp_od_clk_voltage", Codec::memory_clock, ""},
};

// AMD's published figure, MHz.
std::optional<std::uint64_t> recommended(std::uint32_t device) {
    return device == mi300x ? std::optional(mi300x_recommended) : std::nullopt;
}

std::uint64_t table_maximum(const Machine& machine, const Gpu& gpu) {
    if (gpu.agents.empty()) {
        return 0;
    }
    const auto clock = machine.kfd().nodes[gpu.agents.front()].get("max_engine_clk_fcompute");
    return clock == clock_unknown ? 0 : clock;
}

struct Present {
    std::string folder;
    std::string level;
    Result<Clocks> clocks;
    std::uint64_t maximum = 0;  // of the clock table; 0: unknown
    // In level manual: the upper memory clock where it is below its table's; leaving manual lifts
    // it.
    std::optional<std::uint64_t> memory;

    bool is_on() const { return level == "perf_determinism"; }
    // The word says so, and there is no limit: after a GPU reset or resume.
    bool is_lost() const { return is_on() && clocks && clocks->upper == maximum; }
    // Neither "unknown" nor "profile_exit" can be written so that it reads back.
    bool can_be_put_back() const { return clocks && level != "unknown" && level != "profile_exit"; }
};

// A limit of the memory clock, which exists in level manual only.
std::optional<std::uint64_t> memory_limit(const Machine& machine, const Gpu& gpu,
                                          const std::string& path, std::string_view table) {
    const auto clocks = parse_memory_clocks(path, table);
    const auto top =
        gpu.agents.empty() ? 0 : machine.memory_clock(machine.kfd().nodes[gpu.agents.front()]);
    return clocks && clocks->upper != top ? std::optional(clocks->upper) : std::nullopt;
}

Result<Present> read_present(const Machine& machine, const Gpu& gpu) {
    const std::string folder = pci_path(gpu.bdf);
    const auto level = machine.fs().read(folder + level_file);
    if (!level) {
        return level.error();
    }
    const auto word = trim(*level);
    if (std::find(levels.begin(), levels.end(), word) == levels.end()) {
        return garbled(folder + level_file, "is no level: \"" + printable(word, 40) + "\"");
    }
    const auto table = machine.fs().read(folder + table_file);
    if (!table) {
        return table.error();
    }
    Present present{folder, std::string(word), parse_clocks(folder + table_file, *table),
                    table_maximum(machine, gpu), std::nullopt};
    if (word == "manual") {
        present.memory = memory_limit(machine, gpu, folder + table_file, *table);
    }
    return present;
}

// "off", "lost", or the limit in force in MHz. A limit at the table's maximum is as good as lost,
// unless that is what was wanted.
Result<std::string> shown(const Present& present, const std::string& wanted = "") {
    if (!present.is_on()) {
        return std::string("off");
    }
    if (!present.clocks) {
        return present.clocks.error();
    }
    const std::string limit = number(present.clocks->upper);
    return present.is_lost() && limit != wanted ? std::string("lost") : limit;
}

// Changes of one GPU. The driver's rules (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, amdgpu_dpm.c,
// swsmu/smu13/smu_v13_0_6_ppt.c): writing the level that is current does nothing; `s` and `c` are
// taken in levels manual and perf_determinism only; `r` may commit the memory clock's maximum as
// the limit and is never written; auto drops the limit and every wish that is stored.
class ChangeMaker {
   public:
    explicit ChangeMaker(const Present& present) : present_(present) {}

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
        change_.states.push_back({{present_.folder + level_file}, "auto", ""});
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
        change_.writes.push_back({present_.folder + level_file, std::nullopt, word});
    }

    void table(const std::string& command) {
        change_.writes.push_back({present_.folder + table_file, std::nullopt, command + "\n"});
    }

    // The level, and what the table's upper clock has to read; empty: any, it is only noted, so
    // that a stranger's limit is told from ours.
    Change proven(const std::string& word, const std::string& limit) {
        const KernelAttribute attribute{present_.folder + table_file, Codec::upper_clock};
        const std::string lost = present_.maximum != 0 ? number(present_.maximum) : "";
        change_.states.push_back({{present_.folder + level_file}, word, ""});
        change_.states.push_back({attribute, limit, lost});
        return std::move(change_);
    }

    // Both clocks of a manual range, and the memory clock's limit where there is one.
    Change proven(const std::string& word, const Clocks& clocks) {
        change_.states.push_back({{present_.folder + level_file}, word, ""});
        change_.states.push_back(
            {{present_.folder + table_file, Codec::clocks}, clocks.text(), ""});
        if (present_.memory) {
            change_.states.push_back({{present_.folder + table_file, Codec::memory_clock},
                                      number(*present_.memory),
                                      ""});
        }
        return std::move(change_);
    }

    const Present& present_;
    Change change_;
};

class Determinism final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "gpu.determinism",
            .summary = "Clock determinism: a soft upper limit of the graphics clock in MHz",
            .why = "GPUs that run at one clock finish together; the slowest one sets the pace",
            .source =
                "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                "linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12",
            .target = "physical GPU",
            .read_from =
                "power_dpm_force_performance_level and pp_od_clk_voltage of the GPU's "
                "PCI function, KFD max_engine_clk_fcompute",
            .set_by = "level perf_determinism, then the limit, then commit; auto leaves it",
            .next_step = "sudo rocm-smi --setperfdeterminism MHZ",
            .persist =
                "lost at reboot, driver reload and GPU reset; keep it with a unit that runs "
                "rocenv at boot",
            .risk_note = "peak clock is lower while it is on; refused above the table's maximum",
            .risk = Risk::low,
            .forms = {{.kind = FormKind::word, .words = {"recommended", "off"}},
                      {.kind = FormKind::integer, .lowest = 1, .highest = 10000}},
            .places = places,
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        std::vector<Assessment> out;
        for (const auto& gpu : context.machine.gpus()) {
            if (gpu.on_pci && gpu.accelerator) {
                out.push_back(assess_gpu(context.machine, gpu, want.value));
            }
        }
        if (const auto uncertain = context.machine.gpus_uncertain()) {
            out.push_back(unreadable({}, *uncertain));
        }
        if (out.empty()) {
            return {no_target("no AMD accelerator on PCI")};
        }
        return out;
    }

    std::vector<Baseline> baseline(const Context& context) const override {
        std::vector<Baseline> out;
        for (const auto& gpu : context.machine.gpus()) {
            if (gpu.on_pci && gpu.accelerator) {
                const auto read = [&](const Gpu& each) { return held(context.machine, each); };
                if (auto entry = baseline_gpu(context.machine, gpu, read)) {
                    out.push_back(*std::move(entry));
                }
            }
        }
        return out;
    }

    std::optional<std::string> unsafe(const Context& context, const Target&) const override {
        return gpu_in_use(context.machine);
    }

    std::vector<Assessment> defaults(const Context& context) const override {
        std::vector<Assessment> out;
        for (const auto& gpu : context.machine.gpus()) {
            if (gpu.on_pci && gpu.accelerator) {
                if (auto row = leave(context.machine, gpu)) {
                    out.push_back(*std::move(row));
                }
            }
        }
        return out;
    }

   private:
    static Assessment assess_gpu(const Machine& machine, const Gpu& gpu, const Value& value) {
        const Target target{gpu.bdf, std::nullopt, ""};
        auto wanted = wish(gpu, value);
        Assessment row;
        row.target = target;
        row.want = wanted;
        if (!wanted) {
            row.outcome = Outcome::na;
            row.detail = "AMD publishes no figure for device " + hex(gpu.device, 4);
            return row;
        }
        const auto sleeping = machine.asleep(gpu.bdf);
        const auto present = sleeping ? *sleeping : read_present(machine, gpu);
        const auto have = present ? shown(*present, *wanted) : present.error();
        if (have.is(ErrorKind::not_here)) {
            row.outcome = Outcome::na;
            row.detail = gpu.driver == "amdgpu"
                             ? "the driver offers no clock determinism for this device"
                             : "no amdgpu driver is bound to it";
        } else if (!have) {
            row = unreadable(target, have.error());
        } else {
            row = compared(target, *wanted, *have);
            add_change(*present, row);
            explain(*present, row);
        }
        row.want = wanted;
        return row;
    }

    static std::optional<std::string> wish(const Gpu& gpu, const Value& value) {
        if (value.integer() != nullptr) {
            return number(*value.integer());
        }
        if (*value.text() == "off") {
            return "off";
        }
        const auto figure = recommended(gpu.device);
        return figure ? std::optional(number(*figure)) : std::nullopt;
    }

    static bool is_too_high(const Present& present, const std::string& want) {
        const auto mhz = parse_number(want);
        return mhz && present.maximum != 0 && *mhz > present.maximum;
    }

    static void add_change(const Present& present, Assessment& row) {
        if (!present.can_be_put_back() || is_too_high(present, *row.want)) {
            return;
        }
        ChangeMaker maker(present);
        if (const auto mhz = parse_number(*row.want)) {
            row.change = maker.to_limit(*mhz);
        } else {
            row.change = present.is_on() ? maker.to_auto() : maker.back();
        }
    }

    static void explain(const Present& present, Assessment& row) {
        if (row.outcome != Outcome::differs) {
            return;
        }
        row.next_step = *row.want == "off" ? "sudo rocm-smi --resetperfdeterminism"
                                           : "sudo rocm-smi --setperfdeterminism " + *row.want;
        if (is_too_high(present, *row.want)) {
            const std::string maximum = number(present.maximum);
            row.detail =
                "above this GPU's maximum of " + maximum + " MHz, the driver will refuse it";
            row.next_step = "want at most " + maximum;
            row.refused =
                row.target.text() + " takes at most " + maximum + " MHz, not " + *row.want;
        } else if (*row.have == "lost") {
            row.detail =
                "the level says perf_determinism, but the limit is gone (after a GPU reset "
                "or resume)";
        }
    }

    static Result<GpuHeld> held(const Machine& machine, const Gpu& gpu) {
        const auto present = read_present(machine, gpu);
        if (!present) {
            return present.error();
        }
        if (!present->clocks) {
            return present->clocks.error();
        }
        if (!present->can_be_put_back()) {
            return garbled(present->folder + level_file,
                           "says " + present->level + ", which cannot be written");
        }
        return GpuHeld{*shown(*present), ChangeMaker(*present).back()};
    }

    // Nothing when the level is the driver's own, or there is none.
    static std::optional<Assessment> leave(const Machine& machine, const Gpu& gpu) {
        const Target target{gpu.bdf, std::nullopt, ""};
        const auto sleeping = machine.asleep(gpu.bdf);
        const auto present = sleeping ? *sleeping : read_present(machine, gpu);
        if (present.is(ErrorKind::not_here) || (present && present->level == "auto")) {
            return std::nullopt;
        }
        const auto have = present ? shown(*present) : present.error();
        if (!have) {
            return unreadable(target, have.error(), "off");
        }
        auto row = compared(target, "off", present->is_on() ? *have : present->level);
        row.next_step = "sudo rocm-smi --resetperfdeterminism";
        if (present->can_be_put_back()) {
            row.change = ChangeMaker(*present).to_auto();
        }
        return row;
    }
};

}  // namespace

const Setting& gpu_determinism() {
    static const Determinism setting;
    return setting;
}

}  // namespace rocenv
