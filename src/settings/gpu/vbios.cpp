// SPDX-License-Identifier: MIT
// gpu.vbios: the version of each GPU's firmware image (IFWI), as its driver read it from the ROM.
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> read_version(const Context& context, const Gpu& gpu) {
    return read_line(context.fs(), pci_path(gpu.bdf, "/vbios_version"));
}

}  // namespace

const Setting& gpu_vbios() {
    static const GpuValue value{
        .read = read_version,
        .rules = {.absent = "the driver reports no VBIOS version of this GPU"}};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.vbios",
            .summary = "Version of the firmware image (IFWI) of each GPU",
            .why = "A GPU with another firmware image than its peers can have other clocks and "
                   "other link training",
            .source = "ROCm/system-acceptance-docs docs/common/firmware-updates.md, 2026-07; linux "
                      "drivers/gpu/drm/amd/amdgpu/amdgpu_atombios.c, 6.12",
            .target = "physical GPU",
            .read_from = "vbios_version of the GPU's PCI function",
            .set_by = "",
            .next_step = "sudo amd-smi static --gpu BDF --vbios; if the version differs from a "
                         "healthy GPU, update the IFWI",
            .persist = "persistent (ROM of the GPU)",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"equal"}}, {.kind = FormKind::any_word}},
        },
        value);
    return setting;
}

}  // namespace rocenv
