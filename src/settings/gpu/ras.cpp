// SPDX-License-Identifier: MIT
// gpu.ras: whether each GPU watches for errors of its memory and links (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c ras/features: what the driver remembers; no hardware is
// asked and nothing is cleared). Only a profile that names it has it read.
#include "os/redact/redact_words.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// "feature mask: 0x5fcd"; newer drivers add more lines.
Result<std::string> read_mask(const Context& context, const Gpu& gpu) {
    constexpr std::string_view start = "feature mask: 0x";
    const std::string path = pci_path(gpu.bdf, "/ras/features");
    const auto text = context.fs().read(path);
    if (!text) {
        return text.error();
    }
    const auto line = trim(split(*text, '\n').front());
    const auto mask =
        line.starts_with(start) ? parse_number(line.substr(start.size()), 16) : std::nullopt;
    if (!mask) {
        return garbled(path, "is not a valid feature mask: " + quoted_value(line));
    }
    return hex(*mask, 1);
}

Keeping keeping_of_ras(const Setting&, const Want&) {
    return {.unwanted_words = {"amdgpu.ras_enable=0"}};
}

std::vector<Assessment> assess_ras(const Setting&, const Context& context, const Want& want) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its host detects the errors")};
    }
    return judge_alike(
        gpu_values(context, read_mask), *want.value.text(),
        {.absent = "the driver keeps no error record of this GPU",
         .accepts = [](const std::string&, const std::string& have) { return have != "0x0"; }});
}

}  // namespace

const Setting& gpu_ras() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.ras",
                .summary =
                    "Whether error detection (RAS) of each GPU's memory and links is enabled",
                .why = "Without RAS, memory errors stay silent and results can be wrong",
                .source = "ROCm/gpu-operator docs/metrics/health.md, 2026-08; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c, 6.12",
                .target = "physical GPU",
                .read_from = "ras/features of the GPU's PCI function",
                .set_by = "",
                .next_step = "remove amdgpu.ras_enable=0 and amdgpu.ras_mask= from the kernel "
                             "command line and /etc/modprobe.d, then reboot",
                .persist = "decided when the driver is loaded",
                .risk_note = "",
                .after_reboot = true,
                .only_when_named = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"on", "equal"}}},
            },
        .assess = assess_ras,
        .keeping = keeping_of_ras,
    };
    return setting;
}

}  // namespace rocenv
