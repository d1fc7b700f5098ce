// SPDX-License-Identifier: MIT
// pci.large_bar: whether the CPU and other devices can address all of a GPU's memory. The driver
// creates both files for every GPU (linux drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c), so one
// that is missing is unknown.
#include "settings/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::uint64_t> read_bytes(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto bytes = parse_number(trim(*text));
    if (!bytes || *bytes == 0) {
        return garbled(path, "is no size: \"" + printable(trim(*text), 40) + "\"");
    }
    return *bytes;
}

class LargeBar final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "pci.large_bar",
            .summary = "Whether all of a GPU's memory can be addressed from outside",
            .why = "Without it peer access and RDMA into the GPU's memory go through copies",
            .source =
                "ROCm/amdgpu-docs docs/system-optimization/mi300x.rst, 2025-09; linux "
                "drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c, 6.12",
            .target = "physical GPU",
            .read_from = "mem_info_vis_vram_total and mem_info_vram_total of the GPU",
            .set_by = "",
            .next_step =
                "switch on Above 4G Decoding and Resizable BAR in the BIOS; sudo lspci -vv -s BDF "
                "shows the BARs",
            .persist = "is persistent: decided by the firmware at boot",
            .risk_note = "",
            .after_reboot = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::boolean}},
        };
        return data;
    }

    Keeping keeping(const Want&) const override {
        return {.firmware = "Above 4G Decoding and Re-Size BAR"};
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const auto read = [](const Context& here, const Gpu& gpu) -> Result<std::string> {
            const std::string folder = pci_path(gpu.bdf);
            const auto visible = read_bytes(here.fs(), folder + "/mem_info_vis_vram_total");
            if (!visible) {
                return visible.error();
            }
            const auto total = read_bytes(here.fs(), folder + "/mem_info_vram_total");
            if (!total) {
                return total.error();
            }
            return std::string(*visible == *total ? "true" : "false");
        };
        return judge_alike(gpu_values(context, read), toml_text(want.value), {});
    }

    // That it is not so is nothing to want.
    std::optional<std::vector<Value>> learn(const Context&) const override {
        return {{Value{true, {}}}};
    }
};

}  // namespace

const Setting& pci_large_bar() {
    static const LargeBar setting;
    return setting;
}

}  // namespace rocenv
