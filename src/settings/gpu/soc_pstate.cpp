// SPDX-License-Identifier: MIT
// gpu.soc_pstate: the policy by which the firmware chooses the clocks of the chip's inner fabric.
// The driver answers from memory. Chips and drivers without policies have no such file.
#include <map>

#include "machine/kernel_attribute.h"
#include "rocenv/change.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr WrittenPlace soc_pstate_places[] = {
    {"/sys/bus/pci/devices/<bdf>/pm_policy/soc_pstate", Codec::starred, "<0-4>"},
};

constexpr std::int64_t highest_policy = 4;  // linux kgd_pp_interface.h PP_POLICY_MAX_LEVELS is 5

KernelAttribute attribute_of(const std::string& bdf) {
    return {pci_path(bdf, "/pm_policy/soc_pstate"), Codec::starred};
}

Result<Choices> policies_of(const Fs& fs, const std::string& bdf) {
    const auto text = fs.read(attribute_of(bdf).path);
    return text ? parse_starred(attribute_of(bdf).path, *text) : text.error();
}

void add_change(const Choices& policies, Assessment& row) {
    if (!policies.offers(*row.want)) {
        row.detail = "the driver offers only " + join(policies.offered, ", ");
        row.next_step = "expect one of the policies that the driver offers";
        return;
    }
    row.change = word_change(attribute_of(row.target.text()), *row.want);
    if (row.outcome == Outcome::differs) {
        row.next_step = "sudo amd-smi set --gpu BDF --soc-pstate " + *row.want;
    }
}

std::vector<Assessment> assess_soc_pstate(const Setting&, const Context& context,
                                          const Want& want) {
    std::map<std::string, Choices> found;
    const auto read = [&](const Gpu& gpu) -> Result<std::string> {
        auto policies = policies_of(context.fs(), gpu.bdf);
        if (!policies) {
            return policies.error();
        }
        return found.emplace(gpu.bdf, *std::move(policies)).first->second.value;
    };
    const std::string wanted = number(*want.value.integer());
    auto out = assess_gpus(context,
                           {wanted, read, "the driver offers no SoC p-state policy for this GPU"});
    for (auto& row : out) {
        const auto policies = found.find(row.target.text());
        if (policies != found.end()) {
            add_change(policies->second, row);
        }
    }
    return out;
}

Keeping keeping_of_soc_pstate(const Setting&, const Want&) {
    return {.by_unit = true};
}

std::vector<Baseline> baseline_of_soc_pstate(const Setting&, const Context& context) {
    return baseline_gpus(context, [&](const Gpu& gpu) -> Result<GpuHeld> {
        const auto policies = policies_of(context.fs(), gpu.bdf);
        if (!policies) {
            return policies.error();
        }
        return GpuHeld{policies->value, word_change(attribute_of(gpu.bdf), policies->value)};
    });
}

std::optional<std::string> unsafe_of_soc_pstate(const Context& context, const Target&) {
    return gpu_in_use(context.machine);
}

}  // namespace

const Setting& gpu_soc_pstate() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.soc_pstate",
                .summary =
                    "SoC p-state policy: how the firmware clocks the internal fabric of the chip",
                .why = "A power-saving policy reduces the bandwidth between dies and to other GPUs",
                .source = "linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12 (2024-11); amd-smi set "
                          "--soc-pstate (ROCm 6.3, 2024-12)",
                .target = "physical GPU",
                .read_from = "pm_policy/soc_pstate of the GPU's PCI function",
                .set_by = "writes the index to pm_policy/soc_pstate of each GPU",
                .next_step = "sudo amd-smi set --gpu BDF --soc-pstate INDEX",
                .persist = "lost at reboot, driver reload and GPU reset; a unit that runs rocenv "
                           "at boot keeps it",
                .risk_note = "clocks and power draw change until the policy is restored",
                .risk = Risk::low,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = highest_policy}},
                .places = soc_pstate_places,
            },
        .assess = assess_soc_pstate,
        .baseline = baseline_of_soc_pstate,
        .keeping = keeping_of_soc_pstate,
        .unsafe = unsafe_of_soc_pstate,
    };
    return setting;
}

}  // namespace rocenv
