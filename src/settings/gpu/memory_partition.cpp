// SPDX-License-Identifier: MIT
// gpu.memory_partition: into how many NUMA domains each GPU's memory is divided.
#include "settings/shapes/gpu_partition.h"

namespace rocenv {

const Setting& gpu_memory_partition() {
    static const auto value =
        partition_value("NPS1 NPS2 NPS3 NPS4 NPS6 NPS8", "current_memory_partition", "memory");
    static const auto setting = partition_setting(
        {
            .id = "gpu.memory_partition",
            .summary = "Memory partition mode of each GPU: NPS1 is one domain",
            .why = "Another mode changes the bandwidth and the amount of memory that one partition "
                   "can use",
            .source = "ROCm/amdgpu-docs docs/gpu-partitioning, 2025-06; linux "
                      "drivers/gpu/drm/amd/amdgpu/amdgpu_gmc.c, 6.12",
            .target = "physical GPU",
            .read_from = "current_memory_partition of the GPU's PCI function",
            .set_by = "",
            .next_step =
                "if no job uses the GPU: sudo amd-smi set --gpu BDF --memory-partition MODE",
            .persist = "lost at reboot and driver reload",
            .risk_note = "changing the mode resets the GPU and ends the programs that use it",
            .risk = Risk::high,
            .after_reboot = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word,
                       .words = {"NPS1", "NPS2", "NPS3", "NPS4", "NPS6", "NPS8", "equal", "any"}},
                      {.kind = FormKind::by_device,
                       .words = {"NPS1", "NPS2", "NPS3", "NPS4", "NPS6", "NPS8", "any"}}},
        },
        value);
    return setting;
}

}  // namespace rocenv
