// SPDX-License-Identifier: MIT
// gpu.determinism: a soft maximum of the graphics clock, in two files of the GPU's primary function
// (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c). The level word alone proves nothing: it survives a
// GPU reset and a resume, which lose the limit. Proof is the word and the upper OD_SCLK entry,
// which the driver keeps in memory. The table's maximum is KFD's max_engine_clk_fcompute; 100 means
// that clock management is off, so it is unknown (amdgpu_amdkfd.c).
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "machine/gpu/gpu_models.h"
#include "machine/kernel_attribute.h"
#include "os/emulation/kernel_rules.h"
#include "os/redact/redact_words.h"
#include "rocenv/change.h"
#include "rocenv/machine.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// The clock limits of a GPU, in two files of its primary function (linux
// drivers/gpu/drm/amd/pm/amdgpu_pm.c): their content, and the writes that set or restore them.

namespace {

inline const std::string clock_level_file = "/power_dpm_force_performance_level";
inline const std::string clock_table_file = "/pp_od_clk_voltage";

struct GpuClocks {
    std::string folder;
    std::string level;
    Result<Clocks> clocks;
    std::uint64_t maximum = 0;  // maximum of the clock table; 0: unknown
    // Upper memory clock in level manual if it is below the table's maximum; another level removes
    // the limit.
    std::optional<std::uint64_t> memory;

    bool is_on() const { return level == "perf_determinism"; }
    // Returns true if the level is set but the limit is gone: after a GPU reset or resume.
    bool is_lost() const { return is_on() && clocks && clocks->upper == maximum; }
    // Returns true if the level can be written; "unknown" and "profile_exit" do not read back.
    bool can_be_put_back() const { return clocks && level != "unknown" && level != "profile_exit"; }
};

// The words of linux drivers/gpu/drm/amd/pm/amdgpu_pm.c
// amdgpu_get_power_dpm_force_performance_level.
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

// Returns the limit of the memory clock, which exists only in level manual.
std::optional<std::uint64_t> memory_limit(const Machine& machine, const Gpu& gpu,
                                          const std::string& path, std::string_view table) {
    const auto clocks = parse_memory_clocks(path, table);
    const auto top =
        gpu.agents.empty() ? 0 : machine.memory_clock(machine.kfd().nodes[gpu.agents.front()]);
    return clocks && clocks->upper != top ? std::optional(clocks->upper) : std::nullopt;
}

// A builder of changes of one GPU. Rules of the driver (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c,
// amdgpu_dpm.c, swsmu/smu13/smu_v13_0_6_ppt.c): writing the current level has no effect. `s` and
// `c` are accepted only in levels manual and perf_determinism. `r` may commit the memory clock's
// maximum as the limit and is never written. auto drops the limit and every stored value.
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

    // Adds the level and the upper clock of the table as proof. With an empty limit any value
    // counts; it is only noted to distinguish a limit set by others.
    Change proven(const std::string& word, const std::string& limit) {
        const KernelAttribute attribute{present_.folder + clock_table_file, Codec::upper_clock};
        const std::string lost = present_.maximum != 0 ? number(present_.maximum) : "";
        change_.states.push_back({{present_.folder + clock_level_file}, word, ""});
        change_.states.push_back({attribute, limit, lost});
        return std::move(change_);
    }

    // Adds both clocks of a manual range, and the memory clock's limit if there is one.
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

// Returns the word in power_dpm_force_performance_level.
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

// Returns "off", "lost", or the active limit in MHz. A limit at the table's maximum counts as lost,
// unless it was requested.
Result<std::string> limit_text(const GpuClocks& present, const std::string& expected = "") {
    if (!present.is_on()) {
        return std::string("off");
    }
    if (!present.clocks) {
        return present.clocks.error();
    }
    const std::string limit = number(present.clocks->upper);
    return present.is_lost() && limit != expected ? std::string("lost") : limit;
}

// Returns the change that sets the limit in MHz.
Change to_clock_limit(const GpuClocks& present, std::uint64_t mhz) {
    return ChangeMaker(present).to_limit(mhz);
}

// Returns the change that returns the clocks to the driver.
Change to_auto_clocks(const GpuClocks& present) {
    return ChangeMaker(present).to_auto();
}

// Returns the change that restores the present state. Requires can_be_put_back().
Change back_to_clocks(const GpuClocks& present) {
    return ChangeMaker(present).back();
}

// The written values; "r" is never written, see above. The firmware stores a clock in 16 bits
// (smu_v13_0.c).
constexpr WrittenPlace determinism_places[] = {
    {"/sys/bus/pci/devices/<bdf>/power_dpm_force_performance_level",
     Codec::line,
     "auto|low|high|manual|profile_standard|profile_min_sclk|profile_min_mclk|profile_peak|"
     "perf_determinism",
     {},
     emulate_performance_level},
    {"/sys/bus/pci/devices/<bdf>/pp_od_clk_voltage",
     Codec::upper_clock,
     "s 0 <0-65535>|s 1 <0-65535>|m 1 <0-65535>|c",
     {},
     emulate_clock_table},
    {"/sys/bus/pci/devices/<bdf>/pp_od_clk_voltage", Codec::clocks, ""},
    {"/sys/bus/pci/devices/<bdf>/pp_od_clk_voltage", Codec::memory_clock, ""},
};

constexpr Grade determinism_grades[] = {
    {"level", Level::info, "The performance level fixes the clocks, but not at a low value"},
};

const std::string auto_by_hand = "sudo amd-smi set --gpu BDF --perf-level AUTO";

// Returns the effect of a level on the clocks (linux Documentation/gpu/amdgpu/thermal.rst, 6.12);
// nullptr if the driver or clock determinism controls them.
const char* effect_of_level(std::string_view level) {
    return level == "low"                ? "holds all clocks at their minimum"
           : level == "profile_min_sclk" ? "holds the graphics clock at its minimum"
           : level == "profile_min_mclk" ? "holds the memory clock at its minimum"
           : level == "profile_standard" ? "holds the clocks at a fixed level for profilers"
           : level == "manual"           ? "limits the clocks to manually written values"
           : level == "high" || level == "profile_peak" ? "holds the clocks at their maximum"
                                                        : nullptr;
}

bool is_slow(std::string_view level) {
    return level == "low" || level == "profile_min_sclk" || level == "profile_min_mclk";
}

bool holds_high(std::string_view level) {
    return level == "high" || level == "profile_peak";
}

std::string sentence_of_level(const std::string& level) {
    return "the performance level '" + level + "' " + effect_of_level(level);
}

const std::string reset_by_hand = "sudo amd-smi reset --gpu BDF --perf-determinism";

std::optional<std::string> expected_limit(const Gpu& gpu, const Value& value) {
    if (value.integer() != nullptr) {
        return number(*value.integer());
    }
    if (*value.text() == "off") {
        return "off";
    }
    const GpuModel* model = gpu_model(gpu.device);
    return model != nullptr && model->determinism_mhz != 0
               ? std::optional(number(model->determinism_mhz))
               : std::nullopt;
}

// AMD's list of the models that accept clock determinism.
constexpr std::string_view support_page =
    "ROCm/rocm-systems projects/amdsmi/docs/conceptual/perf-determinism.md, 2026-08";

// Returns the sentence that the model rejects clock determinism; empty if AMD does not state so.
std::string rejection(const Gpu& gpu) {
    const GpuModel* model = gpu_model(gpu.device);
    return model == nullptr || model->no_determinism.empty()
               ? std::string()
               : std::string(model->name) +
                     " rejects clock determinism: " + std::string(model->no_determinism) + " (" +
                     std::string(support_page) + ")";
}

bool is_too_high(const GpuClocks& present, const std::string& expected) {
    const auto mhz = parse_number(expected);
    return mhz && present.maximum != 0 && *mhz > present.maximum;
}

void add_change(const GpuClocks& present, Assessment& row) {
    if (!present.can_be_put_back() || is_too_high(present, *row.expected)) {
        return;
    }
    if (const auto mhz = parse_number(*row.expected)) {
        row.change = to_clock_limit(present, *mhz);
    } else {
        row.change = present.is_on() ? to_auto_clocks(present) : back_to_clocks(present);
    }
}

void explain(const GpuClocks& present, Assessment& row) {
    if (row.outcome != Outcome::differs) {
        return;
    }
    row.next_step = *row.expected == "off"
                        ? reset_by_hand
                        : "sudo amd-smi set --gpu BDF --perf-determinism " + *row.expected;
    if (effect_of_level(present.level) != nullptr) {
        row.detail = sentence_of_level(present.level);
    }
    if (is_too_high(present, *row.expected)) {
        const std::string maximum = number(present.maximum);
        row.detail = "the expected clock is above this GPU's maximum of " + maximum +
                     " MHz, and the driver would reject it";
        row.next_step = "set the expected clock to at most " + maximum + " MHz";
        row.refused =
            row.target.text() + " supports at most " + maximum + " MHz, not " + *row.expected;
    } else if (*row.have == "lost") {
        row.detail =
            "the performance level is perf_determinism, but the limit was lost in a GPU reset or "
            "resume";
    }
}

// Adds that AMD states that the model rejects what is expected.
void add_rejection(const Gpu& gpu, Assessment& row) {
    const std::string why = rejection(gpu);
    if (why.empty() || row.outcome != Outcome::differs || *row.expected == "off") {
        return;
    }
    row.detail += (row.detail.empty() ? "" : "; ") + why;
    row.next_step = "remove gpu.determinism = " + *row.expected +
                    " from the profile or the command line; this model has no such limit";
}

// Returns the row of a level that holds the clocks, which overrides any limit.
Assessment of_level(const Target& target, const std::string& level) {
    auto row = compared(target, "auto", level);
    row.detail = sentence_of_level(level);
    row.next_step = auto_by_hand;
    row.grade = holds_high(level) ? &determinism_grades[0] : nullptr;
    return row;
}

// Judges a model without a figure of AMD's: "not applicable", unless a level holds its clocks.
Assessment without_figure(const Machine& machine, const Gpu& gpu) {
    const Target target{gpu.bdf, std::nullopt, ""};
    Assessment row;
    row.target = target;
    row.outcome = Outcome::na;
    row.detail = rejection(gpu);
    if (row.detail.empty()) {
        row.detail = "AMD publishes no recommended clock for device " + hex(gpu.device, 4);
    }
    const auto sleeping = machine.asleep(gpu.bdf);
    const auto level = sleeping ? Result<std::string>(*sleeping) : read_clock_level(machine, gpu);
    if (level.is(ErrorKind::not_here)) {
        return row;
    }
    if (!level) {
        return unreadable(target, level.error());
    }
    return effect_of_level(*level) != nullptr ? of_level(target, *level) : row;
}

Assessment assess_gpu(const Machine& machine, const Gpu& gpu, const Value& value) {
    const Target target{gpu.bdf, std::nullopt, ""};
    auto expected = expected_limit(gpu, value);
    if (!expected) {
        return without_figure(machine, gpu);
    }
    Assessment row;
    row.target = target;
    const auto sleeping = machine.asleep(gpu.bdf);
    const auto present = sleeping ? *sleeping : read_gpu_clocks(machine, gpu);
    const auto have = present ? limit_text(*present, *expected) : present.error();
    if (have.is(ErrorKind::not_here)) {
        row.outcome = Outcome::na;
        row.detail = gpu.driver == "amdgpu"
                         ? "the driver offers no clock determinism for this device"
                         : "amdgpu is not bound to this GPU";
    } else if (!have) {
        row = unreadable(target, have.error());
    } else {
        row = compared(target, *expected, *have);
        add_change(*present, row);
        explain(*present, row);
        add_rejection(gpu, row);
    }
    if (present && expected == "off" && is_slow(present->level)) {
        return of_level(target, present->level);
    }
    row.expected = expected;
    return row;
}

std::vector<Assessment> assess_determinism(const Setting&, const Context& context,
                                           const Expectation& expectation) {
    std::vector<Assessment> out;
    for (const auto& gpu : context.machine.gpus()) {
        if (gpu.on_pci && gpu.accelerator) {
            out.push_back(assess_gpu(context.machine, gpu, expectation.value));
        }
    }
    if (const auto uncertain = context.machine.gpus_uncertain()) {
        out.push_back(unreadable({}, *uncertain));
    }
    if (out.empty()) {
        return {no_target("no AMD accelerator is on PCI")};
    }
    return out;
}

Keeping keeping_of_determinism(const Setting&, const Expectation&) {
    return {.by_unit = true};
}

Result<GpuHeld> held(const Machine& machine, const Gpu& gpu) {
    const auto present = read_gpu_clocks(machine, gpu);
    if (!present) {
        return present.error();
    }
    if (!present->clocks) {
        return present->clocks.error();
    }
    if (!present->can_be_put_back()) {
        return garbled(present->folder + clock_level_file,
                       "the performance level is " + present->level + ", which cannot be written");
    }
    return GpuHeld{*limit_text(*present), back_to_clocks(*present)};
}

std::vector<Baseline> baseline_of_determinism(const Setting&, const Context& context) {
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

std::optional<std::string> unsafe_of_determinism(const Context& context, const Target&) {
    return gpu_in_use(context.machine);
}

// Returns the row; std::nullopt if the level is the driver's own or does not exist.
std::optional<Assessment> leave(const Machine& machine, const Gpu& gpu) {
    const Target target{gpu.bdf, std::nullopt, ""};
    const auto sleeping = machine.asleep(gpu.bdf);
    const auto present = sleeping ? *sleeping : read_gpu_clocks(machine, gpu);
    if (present.is(ErrorKind::not_here) || (present && present->level == "auto")) {
        return std::nullopt;
    }
    const auto have = present ? limit_text(*present) : present.error();
    if (!have) {
        return unreadable(target, have.error(), "off");
    }
    auto row = compared(target, "off", present->is_on() ? *have : present->level);
    row.next_step = reset_by_hand;
    if (present->can_be_put_back()) {
        row.change = to_auto_clocks(*present);
    }
    return row;
}

std::vector<Assessment> defaults_of_determinism(const Setting&, const Context& context) {
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

}  // namespace

const Setting& gpu_determinism() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.determinism",
                .summary = "Clock determinism: a soft upper limit of the graphics clock in MHz",
                .why = "GPUs at different clocks finish at different times, and the slowest one "
                       "delays every collective",
                .source = "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09); "
                          "linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12; "
                          "ROCm/rocm-systems projects/amdsmi/docs/conceptual/perf-determinism.md, "
                          "2026-08",
                .target = "physical GPU",
                .read_from = "power_dpm_force_performance_level and pp_od_clk_voltage of the GPU's "
                             "PCI function, KFD max_engine_clk_fcompute",
                .set_by = "level perf_determinism, then the limit, then commit; auto leaves it",
                .next_step = "sudo amd-smi set --gpu BDF --perf-determinism MHZ",
                .persist = "lost at reboot, driver reload and GPU reset; a unit that runs rocenv "
                           "at boot keeps it",
                .risk_note = "the peak clock is lower while the limit is on; a limit above the "
                             "maximum in KFD is rejected",
                .risk = Risk::low,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"recommended", "off"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000}},
                .grades = determinism_grades,
                .places = determinism_places,
            },
        .assess = assess_determinism,
        .baseline = baseline_of_determinism,
        .keeping = keeping_of_determinism,
        .unsafe = unsafe_of_determinism,
        .defaults = defaults_of_determinism,
    };
    return setting;
}

}  // namespace rocenv
