// SPDX-License-Identifier: MIT
// gpu.xgmi_links: how many hops and how many physical links lie between each two GPUs, as the
// firmware told the driver (linux drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c xgmi_num_hops,
// xgmi_num_links). Both files are two hexadecimal digits for each member of the hive, in the hive's
// order, its own entry among them; reading them asks no hardware. A narrower link between two GPUs
// stays one hop for KFD.
#include <algorithm>

#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The numbers of one file, sorted without the GPU's own: every GPU of a whole mesh has the same.
Result<std::string> read_row(const Fs& fs, const std::string& path, std::uint64_t bits) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    std::vector<std::uint64_t> numbers;
    for (const auto word : words(trim(*text))) {
        const auto value = word.size() == 2 ? parse_number(word, 16) : std::nullopt;
        if (!value) {
            return garbled(path, "is no list of numbers: " + quoted_value(trim(*text)));
        }
        numbers.push_back(*value & bits);
    }
    if (numbers.empty()) {
        return garbled(path, "is empty");
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(numbers.begin());  // its own entry, which is the least
    std::vector<std::string> out;
    out.reserve(numbers.size());
    for (const auto value : numbers) {
        out.push_back(number(value));
    }
    return join(out, " ");
}

Result<std::string> read_links(const Context& context, const Gpu& gpu) {
    constexpr std::uint64_t hop_bits = 0x07;
    constexpr std::uint64_t all_bits = 0xff;
    const std::string folder = pci_path(gpu.bdf);
    const auto hops = read_row(context.fs(), folder + "/xgmi_num_hops", hop_bits);
    if (!hops) {
        return hops.error();
    }
    const auto links = read_row(context.fs(), folder + "/xgmi_num_links", all_bits);
    if (!links) {
        return links.error();
    }
    return "hops " + *hops + ", links " + *links;
}

}  // namespace

const Setting& gpu_xgmi_links() {
    static const GpuValue value{
        .read = read_links, .rules = {.absent = "the driver does not tell the links of this GPU"}};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.xgmi_links",
            .summary = "Hops and links between each two GPUs, as the firmware sees them",
            .why = "A pair with fewer links than the others is slower, though it is one hop",
            .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c, 6.12 (2024-11)",
            .target = "physical GPU",
            .read_from = "xgmi_num_hops and xgmi_num_links of the GPU's PCI function",
            .set_by = "",
            .next_step = "sudo amd-smi xgmi; sudo dmesg | grep -i xgmi; then reseat the GPU",
            .persist = "is persistent: trained at boot",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"equal"}}},
        },
        value);
    return setting;
}

}  // namespace rocenv
