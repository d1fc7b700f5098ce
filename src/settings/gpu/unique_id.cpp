// SPDX-License-Identifier: MIT
// gpu.unique_id: that each GPU has a number of its own (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c
// unique_id). The numbers themselves are identities and are not told.
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> id_of(const Context& context, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf, "/unique_id");
    const auto text = context.fs().read(path);
    if (!text) {
        return text.error();
    }
    const auto id = trim(*text);
    if (id.size() > 16 || !parse_number(id, 16)) {
        return garbled(path, "the file holds no id of up to 16 hexadecimal digits");
    }
    return std::string(id);
}

// What is told of a GPU: that its id is its own, and else what it is.
Result<std::string> read_unique_id(const Context& context, const Gpu& gpu) {
    const auto own = id_of(context, gpu);
    if (!own) {
        return own.error();
    }
    if (*parse_number(*own, 16) == 0) {
        return std::string("0");
    }
    for (const auto& other : context.machine.gpus()) {
        if (other.bdf == gpu.bdf || !is_for_compute(other) || context.leaves_out(other.bdf) ||
            context.machine.asleep(other.bdf)) {
            continue;
        }
        const auto id = id_of(context, other);
        if (id && *id == *own) {
            return "the same as " + other.bdf;
        }
    }
    return std::string("distinct");
}

}  // namespace

const Setting& gpu_unique_id() {
    static const GpuValue value{.read = read_unique_id,
                                .rules = {.absent = "the driver reports no unique id of this GPU"}};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.unique_id",
            .summary = "Whether each GPU has its own unique id",
            .why = "Tools and inventories confuse GPUs that share a unique id or have none",
            .source = "linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12 (2024-11)",
            .target = "physical GPU",
            .read_from = "unique_id of the GPU's PCI function",
            .set_by = "",
            .next_step = "sudo amd-smi list; sudo dmesg | grep -i -e amdgpu -e fru",
            .persist = "persistent (fused into the GPU)",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"distinct"}}},
        },
        value);
    return setting;
}

}  // namespace rocenv
