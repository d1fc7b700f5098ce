// SPDX-License-Identifier: MIT
// gpu.vram_used: memory of each GPU that is in use now. A running job is gpu.users' business: what
// is left without one has leaked.
#include "machine/kernel_attribute.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t busy_from = std::int64_t{2} << 30;

Result<std::string> read_used(const Context& context, const Gpu& gpu) {
    return read_number(context.fs(), pci_path(gpu.bdf, "/mem_info_vram_used"));
}

bool is_at_most(const std::string& want, const std::string& have) {
    return parse_number(have).value_or(UINT64_MAX) <= parse_number(want).value_or(0);
}

}  // namespace

const Setting& gpu_vram_used() {
    static const GpuValue value{
        .read = read_used,
        .rules = {.absent = "the driver does not report the used memory", .accepts = is_at_most},
        .learnt = busy_from};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.vram_used",
            .summary = "Memory in use on each GPU",
            .why = "A process that ended abnormally may keep GPU memory, and the next job then "
                   "runs out of memory",
            .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08 (busy from 2 "
                      "GiB); linux drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c, 6.12",
            .target = "physical GPU",
            .read_from = "mem_info_vram_used of the GPU's PCI function",
            .set_by = "",
            .next_step = "sudo fuser -v /dev/kfd /dev/dri/renderD*; if no process uses the GPU: "
                         "sudo amd-smi reset --gpu BDF --gpureset",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
        },
        value);
    return setting;
}

}  // namespace rocenv
