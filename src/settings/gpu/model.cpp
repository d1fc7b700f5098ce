// SPDX-License-Identifier: MIT
// The identity of each GPU: gpu.model, gpu.compute_units, gpu.unique_id and gpu.vbios.

#include <algorithm>
#include <map>

#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// gpu.model: the PCI id of each GPU made for compute. It also compares the highest clock within a
// model (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c max_engine_clk_fcompute, 6.12).

namespace {

Result<std::string> read_device_id(const Context&, const Gpu& gpu) {
    return hex(gpu.device, 4);
}

// Returns the vendor's text on the board: "AMD Instinct MI300X OAM" (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_fru_eeprom.c product_name, 6.12; kept in memory).
Result<std::string> read_product(const Context& context, const Gpu& gpu) {
    return read_line(context.fs(), pci_path(gpu.bdf, "/product_name"));
}

void name_models(Assessment& row) {
    const auto device = parse_number(std::string_view(*row.have).substr(2), 16);
    const auto name = device ? gpu_name(static_cast<std::uint32_t>(*device)) : std::string_view();
    if (!name.empty()) {
        row.detail += (row.detail.empty() ? "" : "; ") + ("this GPU is an " + std::string(name));
    }
}

constexpr Grade model_grades[] = {
    {"clock", Level::recommended,
     "A GPU of the right model with a lower highest clock is slower, but jobs still run"},
};

// Returns the highest clock of each GPU in KFD in MHz, by address; GPUs with an unknown clock are
// skipped.
std::map<std::string, std::uint64_t> highest_clocks(const Context& context) {
    std::map<std::string, std::uint64_t> out;
    const auto& nodes = context.machine.kfd().nodes;
    for (const auto& gpu : context.machine.gpus()) {
        const auto mhz =
            gpu.agents.empty() ? 0 : nodes[gpu.agents.front()].get("max_engine_clk_fcompute");
        if (mhz != 0 && mhz != clock_unknown && !context.leaves_out(gpu.bdf)) {
            out[gpu.bdf] = mhz;
        }
    }
    return out;
}

// Marks GPUs of the right model whose highest clock differs from the majority of the model.
void compare_clocks(const Context& context, std::vector<Assessment>& rows) {
    const auto clocks = highest_clocks(context);
    std::map<std::string, std::map<std::uint64_t, std::size_t>> counts;  // by model
    std::map<std::string, std::size_t> sums;
    for (const auto& row : rows) {
        const auto mhz = clocks.find(row.target.base);
        if (mhz != clocks.end() && row.have) {
            ++counts[*row.have][mhz->second];
            ++sums[*row.have];
        }
    }
    for (auto& row : rows) {
        const auto mhz = clocks.find(row.target.base);
        const auto& of_model = counts[row.have.value_or("")];
        const auto most = std::find_if(of_model.begin(), of_model.end(), [&](const auto& each) {
            return each.second * 2 > sums[*row.have];
        });
        if (row.outcome == Outcome::ok && mhz != clocks.end() && most != of_model.end() &&
            most->first != mhz->second) {
            row.outcome = Outcome::differs;
            row.grade = &model_grades[0];
            row.expected = number(most->first) + " MHz";
            row.have = number(mhz->second) + " MHz";
            row.detail =
                "the model is that of the other GPUs, but the highest clock in KFD differs";
            if (mhz->second < most->first) {
                row.detail += "; a GPU with a lower highest clock slows all GPUs that wait for it";
            }
            row.next_step = "sudo amd-smi static --gpu BDF --vbios --limit";
        }
    }
}

// Compares ids; TOML reads 0x74a1 as a number.
std::vector<Assessment> assess_model(const Setting& setting, const Context& context,
                                     const Expectation& expectation) {
    Expectation by_id = expectation;
    if (const auto* id = expectation.value.integer()) {
        by_id.value.data = hex(static_cast<std::uint64_t>(*id), 4);
    }
    auto rows = assess_gpu_value(setting, context, by_id);
    compare_clocks(context, rows);
    return rows;
}

// Returns the ids and the product names, which may differ between boards of one id.
std::vector<ClusterFact> facts_of_model(const Setting& setting, const Context& context) {
    auto out = facts_of_gpu_value(setting, context);
    for (auto& product : gpu_values(context, read_product).values) {
        add_fact({product.device, std::nullopt, "/product_name"}, product.value, out);
    }
    return out;
}

}  // namespace

const Setting& gpu_model() {
    static const GpuValue value{
        .read = read_device_id, .untouched = true, .across_models = true, .explain = name_models};
    static const Setting setting{
        .info =
            {
                .id = "gpu.model",
                .summary = "Model of each GPU",
                .why = "One GPU of another model breaks or slows every collective that assumes "
                       "equal GPUs",
                .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                          "drivers/pci/pci-sysfs.c, 6.12",
                .target = "physical GPU",
                .read_from = "/sys/bus/pci/devices/*/modalias, "
                             "/sys/class/kfd/kfd/topology/nodes/*/properties; for facts "
                             "product_name beside it",
                .set_by = "",
                .next_step = "lspci -nn -d 1002:; if a GPU was swapped, replace it with the model "
                             "of the other GPUs",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 0xffff},
                          {.kind = FormKind::any_word}},
                .grades = model_grades,
            },
        .assess = assess_model,
        .facts = facts_of_model,
        .row = {.gpu_value = &value}};
    return setting;
}

// gpu.compute_units: the number of compute units of each GPU, summed over its KFD partitions (linux
// drivers/gpu/drm/amd/amdkfd/kfd_topology.c simd_count, simd_per_cu).

namespace {

// Returns the units of each KFD node of a GPU, by node index.
Result<std::map<std::uint32_t, std::uint64_t>> units_by_node(const Machine& machine,
                                                             const Gpu& gpu) {
    std::map<std::uint32_t, std::uint64_t> out;
    for (const auto agent : gpu.agents) {
        const auto& node = machine.kfd().nodes[agent];
        const auto per_unit = node.get("simd_per_cu");
        if (per_unit == 0 || node.get("simd_count") % per_unit != 0) {
            return garbled(
                "/sys/class/kfd/kfd/topology/nodes/" + number(node.index) + "/properties",
                "the number of compute units is not a whole number");
        }
        out[node.index] = node.get("simd_count") / per_unit;
    }
    return out;
}

Result<std::string> count_units(const Context& context, const Gpu& gpu) {
    if (auto none = no_agents(context.machine, gpu)) {
        return *std::move(none);
    }
    const auto nodes = units_by_node(context.machine, gpu);
    if (!nodes) {
        return nodes.error();
    }
    std::uint64_t units = 0;
    for (const auto& [node, count] : *nodes) {
        units += count;
    }
    return number(units);
}

std::optional<std::string> units_of(const GpuModel& model) {
    return model.compute_units == 0 ? std::nullopt : std::optional(number(model.compute_units));
}

// Returns the partitions with fewer units than the largest one of their GPU: "partition at KFD node
// 5 has 19 units, the largest one 38". Empty if all are equal.
std::string smaller_partitions(const std::map<std::uint32_t, std::uint64_t>& nodes) {
    std::uint64_t most = 0;
    for (const auto& [node, count] : nodes) {
        most = std::max(most, count);
    }
    std::vector<std::string> out;
    for (const auto& [node, count] : nodes) {
        if (count < most) {
            out.push_back("the partition at KFD node " + number(node) + " has " + number(count) +
                          " compute units, but the largest partition has " + number(most));
        }
    }
    return join(out, ", ");
}

// Judges the sum of a GPU's partitions, and that its partitions are equal.
std::vector<Assessment> assess_units(const Setting& setting, const Context& context,
                                     const Expectation& expectation) {
    auto rows = assess_gpu_value(setting, context, expectation);
    offer_reset(rows, "sudo dmesg | grep amdgpu");
    for (auto& row : rows) {
        const auto& gpus = context.machine.gpus();
        const auto gpu = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& one) {
            return one.bdf == row.target.base && one.agents.size() > 1;
        });
        const auto nodes = gpu == gpus.end() || !row.have
                               ? Result(std::map<std::uint32_t, std::uint64_t>())
                               : units_by_node(context.machine, *gpu);
        const std::string smaller = nodes ? smaller_partitions(*nodes) : "";
        if (!smaller.empty()) {
            row.outcome = Outcome::differs;
            row.detail = smaller;
        } else if (row.outcome == Outcome::differs && gpu != gpus.end()) {
            row.detail += (row.detail.empty() ? "" : "; ") +
                          ("KFD has " + counted(gpu->agents.size(), "node") + " of the GPU");
            row.next_step = "sudo dmesg | grep -i -e kfd -e xcp";
        }
    }
    return rows;
}

}  // namespace

const Setting& gpu_compute_units() {
    static const GpuValue value{.read = count_units,
                                .of_model = units_of,
                                .field = "compute_units",
                                .rules = {.absent = "KFD has no node of this GPU"},
                                .untouched = true};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.compute_units",
                .summary = "Number of compute units of each GPU",
                .why = "A GPU with lost, fused-off or masked compute units slows every GPU that "
                       "waits for it",
                .source = "ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03; linux "
                          "drivers/gpu/drm/amd/amdkfd/kfd_topology.c, 6.12",
                .target = "physical GPU",
                .read_from = "/sys/class/kfd/kfd/topology/nodes/*/properties",
                .set_by = "",
                .next_step = "cat /sys/module/amdgpu/parameters/disable_cu",
                .persist = "persistent (hardware, or the module parameter disable_cu)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"model", "equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
            },
            value);
        out.assess = assess_units;
        return out;
    }();
    return setting;
}

// gpu.unique_id: each GPU has its own number (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c unique_id).
// The numbers identify devices and are not reported.

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

// Returns "distinct", "0" or "the same as" another GPU; the id itself is not reported.
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

// gpu.vbios: the version of each GPU's firmware image (IFWI), read by the driver from the ROM.

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
