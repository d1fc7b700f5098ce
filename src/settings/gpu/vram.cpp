// SPDX-License-Identifier: MIT
// GPU memory: gpu.vram and gpu.vram_used.

#include <algorithm>
#include <map>
#include <string>

#include "machine/kernel_attribute.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// gpu.vram: the memory of each GPU, and its highest memory clock compared with others. Drivers show
// up to 3 % less than the nominal size. An APU (MI300A) shows only a small part of the node's
// memory as its own; KFD's banks state all of it.

namespace {

// Returns "191.98 GiB"; a hundredth is far below the smallest possible loss.
std::string in_gib(std::uint64_t bytes) {
    const std::uint64_t hundredths = (bytes >> 10) * 100 >> 20;
    const std::uint64_t rest = hundredths % 100;
    return number(hundredths / 100) + (rest < 10 ? ".0" : ".") + number(rest) + " GiB";
}

// Returns the bytes in KFD's banks of the device, which partitions share.
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

// Returns true if at most 3 % are missing. More memory is another GPU.
bool is_enough(const std::string& expected, const std::string& have) {
    const auto expected_number = parse_number(expected).value_or(0);
    const auto there = parse_number(have.substr(0, have.find('.'))).value_or(0);
    return there * 100 >= expected_number * 97 - 100 && there * 100 <= expected_number * 103;
}

constexpr Grade vram_grades[] = {
    {"clock", Level::recommended,
     "Memory of the expected size at another clock is slower, but jobs still run"},
};

// The highest memory clock of each GPU in MHz, by address; 0: not stated by KFD.
using MemoryClocks = std::map<std::string, Result<std::uint64_t>>;

MemoryClocks memory_clocks(const Context& context) {
    MemoryClocks out;
    const Machine& machine = context.machine;
    for (const auto& gpu : machine.gpus()) {
        if (gpu.agents.empty() || context.leaves_out(gpu.bdf)) {
            continue;
        }
        const auto& node = machine.kfd().nodes[gpu.agents.front()];
        const auto banks = machine.bank_bytes(node, {heap_vram_public, heap_vram_private});
        const auto mhz = machine.memory_clock(node);
        out.emplace(gpu.bdf, !banks                 ? Result<std::uint64_t>(banks.error())
                             : mhz == clock_unknown ? Result<std::uint64_t>(0)
                                                    : Result(mhz));
    }
    return out;
}

// Marks GPUs with the right memory size whose highest memory clock differs from the majority of
// their model (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c mem_clk_max, 6.12).
void compare_memory_clocks(const Context& context, std::vector<Assessment>& rows) {
    const auto clocks = memory_clocks(context);
    std::map<std::uint32_t, std::map<std::uint64_t, std::size_t>> counts;  // by model
    std::map<std::uint32_t, std::size_t> sums;
    std::map<std::string, std::uint32_t> models;
    for (const auto& gpu : context.machine.gpus()) {
        const auto mhz = clocks.find(gpu.bdf);
        models[gpu.bdf] = gpu.device;
        if (mhz != clocks.end() && mhz->second && *mhz->second != 0) {
            ++counts[gpu.device][*mhz->second];
            ++sums[gpu.device];
        }
    }
    for (auto& row : rows) {
        const auto mine = clocks.find(row.target.base);
        if (row.outcome != Outcome::ok || mine == clocks.end()) {
            continue;
        }
        if (!mine->second) {
            row = unreadable(row.target, mine->second.error(), row.expected);
            continue;
        }
        const auto model = models.at(row.target.base);
        const auto& of_model = counts[model];
        const auto most = std::find_if(of_model.begin(), of_model.end(), [&](const auto& each) {
            return each.second * 2 > sums[model];
        });
        if (*mine->second != 0 && most != of_model.end() && most->first != *mine->second) {
            row.outcome = Outcome::differs;
            row.grade = &vram_grades[0];
            row.expected = number(most->first) + " MHz";
            row.have = number(*mine->second) + " MHz";
            row.detail =
                "the highest memory clock in KFD differs from that of most other GPUs of the model";
            row.next_step = "sudo amd-smi static --gpu BDF --vbios --vram";
        }
    }
}

std::vector<Assessment> assess_vram(const Setting& setting, const Context& context,
                                    const Expectation& expectation) {
    auto rows = assess_gpu_value(setting, context, expectation);
    compare_memory_clocks(context, rows);
    return rows;
}

}  // namespace

const Setting& gpu_vram() {
    static const GpuValue value{.read = read_memory,
                                .of_model = nominal,
                                .field = "memory_gib",
                                .rules = {.absent = "", .accepts = is_enough},
                                .finish = [](std::vector<Assessment>& rows) {
                                    offer_reset(rows, "sudo dmesg | grep -i -e vram -e hbm");
                                }};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.vram",
                .summary = "Memory size of each GPU",
                .why = "A job that fills the memory fails on a GPU that lost a memory stack or is "
                       "limited by vramlimit",
                .source = "ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c, 6.12",
                .target = "physical GPU",
                .read_from = "mem_info_vram_total of the GPU's PCI function; "
                             "/sys/class/kfd/kfd/topology/nodes/*/mem_banks",
                .set_by = "",
                .next_step = "cat /sys/module/amdgpu/parameters/vramlimit",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"model", "equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
                .grades = vram_grades,
            },
            value);
        out.assess = assess_vram;
        return out;
    }();
    return setting;
}

// gpu.vram_used: memory of each GPU that is in use now. gpu.users reports running jobs; memory in
// use without a job has leaked.

namespace {

constexpr std::int64_t busy_from = std::int64_t{2} << 30;

Result<std::string> read_used(const Context& context, const Gpu& gpu) {
    return read_number(context.fs(), pci_path(gpu.bdf, "/mem_info_vram_used"));
}

bool is_at_most(const std::string& expected, const std::string& have) {
    return parse_number(have).value_or(UINT64_MAX) <= parse_number(expected).value_or(0);
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
            .next_step =
                "sudo fuser -v /dev/kfd /dev/dri/renderD*; if no process uses a GPU of this node: "
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
