// SPDX-License-Identifier: MIT
// gpu.compute_partition: into how many devices each physical GPU is divided (SPX: one), and whether
// KFD has as many nodes of it.
#include "settings/shapes/gpu_partition.h"

namespace rocenv {

const Setting& gpu_compute_partition() {
    static const auto value =
        partition_value("SPX DPX TPX QPX CPX", "current_compute_partition", "compute");
    static const auto setting = partition_setting(
        {
            .id = "gpu.compute_partition",
            .summary = "Compute partition mode of each GPU: SPX is one device, CPX one device for "
                       "each die",
            .why = "A job that expects whole GPUs gets partitions, or the reverse, and fails or "
                   "runs slowly",
            .source = "ROCm/amdgpu-docs docs/gpu-partitioning, 2025-06; linux "
                      "drivers/gpu/drm/amd/amdgpu/amdgpu_gfx.c, 6.12",
            .target = "physical GPU",
            .read_from = "current_compute_partition of the GPU's PCI function; "
                         "/sys/class/kfd/kfd/topology/nodes",
            .set_by = "",
            .next_step =
                "if no job uses the GPU: sudo amd-smi set --gpu BDF --compute-partition MODE",
            .persist = "lost at reboot and driver reload",
            .risk_note = "changing the mode resets the GPU and ends the programs that use it",
            .risk = Risk::high,
            .after_reboot = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word,
                       .words = {"SPX", "DPX", "TPX", "QPX", "CPX", "equal", "any"}},
                      {.kind = FormKind::by_device,
                       .words = {"SPX", "DPX", "TPX", "QPX", "CPX", "any"}}},
        },
        value);
    return setting;
}

}  // namespace rocenv
