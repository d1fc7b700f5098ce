// SPDX-License-Identifier: MIT
// pci.large_bar: whether the CPU and other devices can address all of a GPU's memory. The driver
// creates both files for every GPU (linux drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c), so one
// that is missing is unknown. A BAR for which the kernel found no address begins at 0 and has flags
// ("resource": a line of start, end and flags each, linux drivers/pci/pci-sysfs.c resource_show);
// without its BAR a GPU may have no driver to tell of memory at all.
#include "os/redact/redact_words.h"
#include "settings/shapes/like_devices.h"
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
        return garbled(path, "is no size: " + quoted_value(trim(*text)));
    }
    return *bytes;
}

Result<std::string> read_whole(const Context& context, const Gpu& gpu) {
    const std::string folder = pci_path(gpu.bdf);
    const auto visible = read_bytes(context.fs(), folder + "/mem_info_vis_vram_total");
    if (!visible) {
        return visible.error();
    }
    const auto total = read_bytes(context.fs(), folder + "/mem_info_vram_total");
    if (!total) {
        return total.error();
    }
    return std::string(*visible == *total ? "true" : "false");
}

// Start and flags of a line; nothing: it is none.
std::optional<std::pair<std::uint64_t, std::uint64_t>> parse_range(std::string_view line) {
    const auto parts = words(line);
    const auto hex_of = [](std::string_view part) {
        return part.starts_with("0x") ? parse_number(part.substr(2), 16) : std::nullopt;
    };
    const auto start = parts.size() == 3 ? hex_of(parts[0]) : std::nullopt;
    const auto flags = parts.size() == 3 ? hex_of(parts[2]) : std::nullopt;
    return start && flags ? std::optional(std::pair(*start, *flags)) : std::nullopt;
}

// The BARs that have no address, "BAR 0". The lines behind the first six are its ROM and those of
// virtual functions, which may have none. Where there is no such file nothing is said of it.
Result<std::vector<std::string>> without_address(const Fs& fs, const std::string& bdf) {
    constexpr std::size_t bars = 6;
    const std::string path = pci_path(bdf, "/resource");
    const auto text = fs.read(path);
    if (!text) {
        return text.is(ErrorKind::not_here) ? Result(std::vector<std::string>()) : text.error();
    }
    const auto lines = split(trim(*text), '\n');
    std::vector<std::string> out;
    for (std::size_t at = 0; at < bars; ++at) {
        const auto range = at < lines.size() ? parse_range(lines[at]) : std::nullopt;
        if (!range) {
            return garbled(path, "has no range of BAR " + number(at));
        }
        if (range->first == 0 && range->second != 0) {
            out.push_back("BAR " + number(at));
        }
    }
    return out;
}

// A BAR without an address is a fault whatever else could be read; one that could not be looked at
// makes nothing ok.
void look_at_bars(const Fs& fs, DeviceValue& each) {
    const bool asleep = !each.value && each.value.is(ErrorKind::asleep);
    const auto lacking =
        asleep ? Result(std::vector<std::string>()) : without_address(fs, each.device);
    if (!lacking) {
        each.value = each.value && *each.value == "false" ? each.value : lacking.error();
    } else if (!lacking->empty()) {
        each.value = std::string("false");
        each.note = join(*lacking, ", ") + " has no address";
    }
}

Keeping keeping_of_large_bar(const Setting&, const Want&) {
    return {.firmware = "Above 4G Decoding and Re-Size BAR"};
}

std::vector<Assessment> assess_large_bar(const Setting&, const Context& context, const Want& want) {
    auto gpus = gpu_values(context, read_whole);
    for (auto& each : gpus.values) {
        look_at_bars(context.fs(), each);
    }
    return judge_alike(gpus, toml_text(want.value), {});
}

// That it is not so is nothing to want.
std::optional<std::vector<Value>> learn_large_bar(const Setting&, const Context&) {
    return {{Value{true, {}}}};
}

}  // namespace

const Setting& pci_large_bar() {
    static const Setting setting{
        .info =
            {
                .id = "pci.large_bar",
                .summary = "Whether all of a GPU's memory can be addressed from outside",
                .why = "Without it peer access and RDMA into the GPU's memory go through copies",
                .source = "ROCm/amdgpu-docs docs/system-optimization/mi300x.rst, 2025-09; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c, 6.12",
                .target = "physical GPU",
                .read_from = "mem_info_vis_vram_total, mem_info_vram_total and resource of the GPU",
                .set_by = "",
                .next_step =
                    "see the BARs: sudo lspci -vv -s BDF; then switch on Above 4G Decoding and "
                    "Resizable BAR in the BIOS",
                .persist = "is persistent: decided by the firmware at boot",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::boolean}},
            },
        .assess = assess_large_bar,
        .keeping = keeping_of_large_bar,
        .learn = learn_large_bar,
    };
    return setting;
}

}  // namespace rocenv
