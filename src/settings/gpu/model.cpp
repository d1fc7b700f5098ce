// SPDX-License-Identifier: MIT
// gpu.model: which GPUs there are, by the PCI id of each that is made for compute, and whether
// those of one model have one highest clock (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c
// max_engine_clk_fcompute, 6.12).
#include <algorithm>
#include <map>

#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> read_device_id(const Context&, const Gpu& gpu) {
    return hex(gpu.device, 4);
}

// What the maker wrote into the board: "AMD Instinct MI300X OAM" (linux
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

// The highest clock of each GPU in KFD, MHz, by address; GPUs whose clock is not known are left
// out.
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

// Marks GPUs of the right model whose highest clock is not that of most others of it.
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
            row.want = number(most->first) + " MHz";
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

// TOML reads 0x74a1 as a number.
std::vector<Assessment> assess_model(const Setting& setting, const Context& context,
                                     const Want& want) {
    Want by_id = want;
    if (const auto* id = want.value.integer()) {
        by_id.value.data = hex(static_cast<std::uint64_t>(*id), 4);
    }
    auto rows = assess_gpu_value(setting, context, by_id);
    compare_clocks(context, rows);
    return rows;
}

// The ids, and the names of the products, which boards of one id may differ in.
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

}  // namespace rocenv
