// SPDX-License-Identifier: MIT
// gpu.soc_pstate: the policy by which the firmware chooses the clocks of the chip's inner fabric.
// The file lists what there is, one "INDEX : NAME" a line, with a '*' behind the one in force
// (linux drivers/gpu/drm/amd/pm/swsmu/amdgpu_smu.c smu_print_dpm_policy). The driver answers from
// memory. Chips and drivers without policies have no such file.
#include "settings/gpu_files.h"
#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t highest_policy = 4;  // linux kgd_pp_interface.h PP_POLICY_MAX_LEVELS is 5

// The index of the one line with a '*'; nothing when a line makes no sense or there is not one.
std::optional<std::string> policy_in_force(std::string_view list) {
    std::optional<std::string> found;
    for (auto line : split(trim(list), '\n')) {
        line = trim(line);
        const auto colon = line.find(':');
        const auto index = parse_number(trim(line.substr(0, colon)));
        if (colon == std::string_view::npos || !index) {
            return std::nullopt;
        }
        if (line.ends_with('*')) {
            if (found) {
                return std::nullopt;
            }
            found = number(*index);
        }
    }
    return found;
}

class SocPstate final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "gpu.soc_pstate",
            .summary = "The SoC p-state policy: how the firmware clocks the chip's inner fabric",
            .why = "Policies that save power cost bandwidth between dies and to other GPUs",
            .source =
                "linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12 (2024-11); amd-smi set "
                "--soc-pstate (ROCm 6.3, 2024-12)",
            .target = "physical GPU",
            .read_from = "pm_policy/soc_pstate of the GPU's PCI function",
            .set_by = "writes the index to pm_policy/soc_pstate of each GPU",
            .next_step = "sudo amd-smi set --soc-pstate INDEX",
            .persist =
                "lost at reboot, driver reload and GPU reset; keep it with a unit that runs "
                "rocenv at boot",
            .risk_note = "other clocks and power draw until it is put back",
            .risk = Risk::low,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = highest_policy}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const auto read = [&](const Gpu& gpu) -> Result<std::string> {
            const std::string path = pci_path(gpu.bdf) + "/pm_policy/soc_pstate";
            const auto text = context.fs().read(path);
            if (!text) {
                return text.error();
            }
            const auto index = policy_in_force(*text);
            if (!index) {
                return garbled(path, "marks no policy: \"" + printable(trim(*text), 40) + "\"");
            }
            return *index;
        };
        const std::string wanted = number(*want.value.integer());
        auto out =
            assess_gpus(context, {wanted, read, "the driver offers no such policy for this GPU"});
        for (auto& row : out) {
            if (row.outcome == Outcome::differs) {
                row.next_step = "sudo amd-smi set --soc-pstate " + wanted;
            }
        }
        return out;
    }
};

}  // namespace

const Setting& gpu_soc_pstate() {
    static const SocPstate setting;
    return setting;
}

}  // namespace rocenv
