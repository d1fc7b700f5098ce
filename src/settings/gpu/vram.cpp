// SPDX-License-Identifier: MIT
// gpu.vram: how much memory each GPU has. Drivers show up to 3 % less than the nominal size. An APU
// (MI300A) shows a small part of the node's memory as its own; KFD's banks tell what it has.
#include <string>

#include "machine/host/number_files.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// "191.98 GiB": a hundredth is far below the size of what can be lost.
std::string in_gib(std::uint64_t bytes) {
    const std::uint64_t hundredths = (bytes >> 10) * 100 >> 20;
    const std::uint64_t rest = hundredths % 100;
    return number(hundredths / 100) + (rest < 10 ? ".0" : ".") + number(rest) + " GiB";
}

// Bytes in KFD's banks of the device; partitions share them.
Result<std::string> read_banks(const Context& context, const Gpu& gpu) {
    const auto& nodes = context.machine.kfd().nodes;
    if (gpu.agents.empty()) {
        return Error{ErrorKind::not_here, 0, "", "KFD has no node of " + gpu.bdf};
    }
    const auto bytes = context.machine.bank_bytes(nodes[gpu.agents.front()],
                                                  {heap_vram_public, heap_vram_private});
    if (!bytes) {
        return bytes.error();
    }
    return in_gib(bytes->value_or(0));
}

Result<std::string> read_memory(const Context& context, const Gpu& gpu) {
    const GpuModel* model = gpu_model(gpu.device);
    if (model != nullptr && model->name == "MI300A") {
        return read_banks(context, gpu);
    }
    const auto bytes = read_number(context.fs(), pci_path(gpu.bdf, "/mem_info_vram_total"));
    if (!bytes) {
        return bytes.error();
    }
    return in_gib(*parse_number(*bytes));
}

std::optional<std::string> nominal(const GpuModel& model) {
    return model.memory_gib == 0 ? std::nullopt : std::optional(number(model.memory_gib));
}

// 3 % less than the number is enough, and no more is too much: it is another GPU then.
bool is_enough(const std::string& want, const std::string& have) {
    const auto wanted = parse_number(want).value_or(0);
    const auto there = parse_number(have.substr(0, have.find('.'))).value_or(0);
    return there * 100 >= wanted * 97 - 100 && there * 100 <= wanted * 103;
}

}  // namespace

const Setting& gpu_vram() {
    static const GpuValue value{
        .read = read_memory, .of_model = nominal, .rules = {.absent = "", .accepts = is_enough}};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.vram",
            .summary = "How much memory each GPU has",
            .why = "A GPU that has lost a stack of its memory, or was limited by vramlimit, fails "
                   "jobs that fill it",
            .source = "ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03; linux "
                      "drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c, 6.12",
            .target = "physical GPU",
            .read_from = "mem_info_vram_total of the GPU's PCI function; of MI300A "
                         "/sys/class/kfd/kfd/topology/nodes/*/mem_banks",
            .set_by = "",
            .next_step = "cat /sys/module/amdgpu/parameters/vramlimit; sudo dmesg | grep -i -e "
                         "vram -e hbm; then ask for a new GPU",
            .persist = "is persistent: it is the hardware",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"model", "equal"}},
                      {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
        },
        value);
    return setting;
}

}  // namespace rocenv
