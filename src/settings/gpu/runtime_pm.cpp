// SPDX-License-Identifier: MIT
// gpu.runtime_pm: whether each GPU is awake. Reading this file wakes nothing (linux
// drivers/base/power/sysfs.c runtime_status_show).
#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> read_state(const Context& context, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf, "/power/runtime_status");
    const auto text = context.fs().read(path);
    if (!text) {
        return text.error();
    }
    const auto state = trim(*text);
    for (const char* known :
         {"active", "unsupported", "suspended", "suspending", "resuming", "error"}) {
        if (state == known) {
            return std::string(state);
        }
    }
    return garbled(path, "is not a valid power state: " + quoted_value(state));
}

// A device without runtime power management is always awake.
bool is_awake(const std::string&, const std::string& have) {
    return have == "active" || have == "unsupported";
}

}  // namespace

const Setting& gpu_runtime_pm() {
    static const GpuValue value{
        .read = read_state,
        .rules = {.absent = "the kernel keeps no runtime power state of this GPU",
                  .accepts = is_awake},
        .untouched = true};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.runtime_pm",
            .summary = "Whether each GPU is awake or suspended by runtime power management",
            .why = "Waking a suspended GPU delays the start of a job by seconds, and some GPUs "
                   "fail to wake",
            .source = "linux drivers/base/power/sysfs.c, drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c "
                      "runpm, 6.12 (2024-11)",
            .target = "physical GPU",
            .read_from = "power/runtime_status of the GPU's PCI function",
            .set_by = "",
            .next_step = "echo on | sudo tee /sys/bus/pci/devices/BDF/power/control; if GPUs "
                         "should never sleep, add amdgpu.runpm=0 to the kernel command line",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"active"}}},
        },
        value);
    return setting;
}

}  // namespace rocenv
