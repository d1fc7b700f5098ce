// SPDX-License-Identifier: MIT
// gpu.model: which GPUs there are, by the PCI id of each that is made for compute.
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
        row.detail += (row.detail.empty() ? "" : "; ") + ("it is an " + std::string(name));
    }
}

// TOML reads 0x74a1 as a number.
std::vector<Assessment> assess_model(const Setting& setting, const Context& context,
                                     const Want& want) {
    Want by_id = want;
    if (const auto* id = want.value.integer()) {
        by_id.value.data = hex(static_cast<std::uint64_t>(*id), 4);
    }
    return assess_gpu_value(setting, context, by_id);
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
                .summary = "Which model each GPU is",
                .why = "A spare of another model in a node breaks every collective that counts on "
                       "equal GPUs",
                .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                          "drivers/pci/pci-sysfs.c, 6.12",
                .target = "physical GPU",
                .read_from = "/sys/bus/pci/devices/*/modalias; for facts product_name beside it",
                .set_by = "",
                .next_step = "lspci -nn -d 1002:; then ask for the right GPU",
                .persist = "is persistent: it is the hardware",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 0xffff},
                          {.kind = FormKind::any_word}},
            },
        .assess = assess_model,
        .facts = facts_of_model,
        .row = {.gpu_value = &value}};
    return setting;
}

}  // namespace rocenv
