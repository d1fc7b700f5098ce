// SPDX-License-Identifier: MIT
// gpu.determinism: a soft maximum of the graphics clock. Two files on the GPU's primary function
// (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c): the level word alone proves nothing, it survives a
// GPU reset and a resume that lose the limit. Proof is the word and the upper OD_SCLK entry, which
// the driver keeps in memory. The table's maximum is KFD's max_engine_clk_fcompute; 100 means that
// clock management is off, i.e. unknown (amdgpu_amdkfd.c).
#include <algorithm>
#include <array>
#include <cctype>

#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t mi300x = 0x74a1;
constexpr std::uint64_t mi300x_recommended = 1900;
constexpr std::uint64_t clock_unknown = 100;

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

// AMD's published figure, MHz.
std::optional<std::uint64_t> recommended(std::uint32_t device) {
    return device == mi300x ? std::optional(mi300x_recommended) : std::nullopt;
}

// "1: 1900Mhz *" to 1900; nullopt when the line is no numbered clock.
std::optional<std::uint64_t> clock_of(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !parse_number(line.substr(0, colon))) {
        return std::nullopt;
    }
    auto text = trim(line.substr(colon + 1));
    text = trim(text.substr(0, text.find('*')));
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string unit(trim(text.substr(digits)));
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    return unit == "mhz" ? parse_number(text.substr(0, digits)) : std::nullopt;
}

// The last numbered entry below the title OD_SCLK: or GFXCLK:, up to the next title. Nothing when
// there are fewer than two, or one of them makes no sense: the lower limit must not pass for the
// upper.
std::optional<std::uint64_t> upper_sclk(std::string_view table) {
    std::optional<std::uint64_t> last;
    std::size_t entries = 0;
    bool inside = false;
    for (auto line : split(table, '\n')) {
        line = trim(line);
        if (line == "OD_SCLK:" || line == "GFXCLK:") {
            inside = true;
        } else if (line.ends_with(':') && !line.starts_with("S:")) {
            inside = false;
        } else if (inside && !line.empty() && !line.starts_with("S:")) {
            last = clock_of(line);
            if (!last) {
                return std::nullopt;
            }
            ++entries;
        }
    }
    return entries >= 2 ? last : std::nullopt;
}

std::uint64_t table_maximum(const Machine& machine, const Gpu& gpu) {
    if (gpu.agents.empty()) {
        return 0;
    }
    const auto clock = machine.kfd().nodes[gpu.agents.front()].get("max_engine_clk_fcompute");
    return clock == clock_unknown ? 0 : clock;
}

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
        if (const auto sleeping = machine.asleep(gpu.bdf)) {
            row = unreadable(target, *sleeping);
        } else if (const auto have = state(machine, gpu, *wanted); have.is(ErrorKind::not_here)) {
            row.outcome = Outcome::na;
            row.detail = gpu.driver == "amdgpu"
                             ? "the driver offers no clock determinism for this device"
                             : "no amdgpu driver is bound to it";
        } else if (!have) {
            row = unreadable(target, have.error());
        } else {
            row = compared(target, *wanted, *have);
            explain(machine, gpu, row);
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

    // "off", "lost", or the limit in force in MHz.
    static Result<std::string> state(const Machine& machine, const Gpu& gpu,
                                     const std::string& wanted) {
        const std::string folder = pci_path(gpu.bdf);
        const std::string level_path = folder + "/power_dpm_force_performance_level";
        const std::string table_path = folder + "/pp_od_clk_voltage";
        const auto level = machine.fs().read(level_path);
        if (!level) {
            return level.error();
        }
        const auto word = trim(*level);
        if (std::find(levels.begin(), levels.end(), word) == levels.end()) {
            return garbled(level_path, "is no level: \"" + printable(word, 40) + "\"");
        }
        const auto table = machine.fs().read(table_path);
        if (!table) {
            return table.error();
        }
        if (word != "perf_determinism") {
            return std::string("off");
        }
        const auto limit = upper_sclk(*table);
        if (!limit) {
            return garbled(table_path,
                           "shows no upper clock: \"" + printable(trim(*table), 40) + "\"");
        }
        const std::string text = number(*limit);
        return *limit == table_maximum(machine, gpu) && text != wanted ? std::string("lost") : text;
    }

    static void explain(const Machine& machine, const Gpu& gpu, Assessment& row) {
        if (row.outcome != Outcome::differs) {
            return;
        }
        const auto maximum = table_maximum(machine, gpu);
        const auto wanted = parse_number(*row.want);
        row.next_step = *row.want == "off" ? "sudo rocm-smi --resetperfdeterminism"
                                           : "sudo rocm-smi --setperfdeterminism " + *row.want;
        if (wanted && maximum != 0 && *wanted > maximum) {
            row.detail = "above this GPU's maximum of " + number(maximum) +
                         " MHz, the driver will refuse it";
            row.next_step = "want at most " + number(maximum);
        } else if (*row.have == "lost") {
            row.detail =
                "the level says perf_determinism, but the limit is gone (after a GPU reset "
                "or resume)";
        }
    }
};

}  // namespace

const Setting& gpu_determinism() {
    static const Determinism setting;
    return setting;
}

}  // namespace rocenv
