// SPDX-License-Identifier: MIT
// gpu.xgmi_links: hops and links between each two GPUs, as their firmware reported them to the
// driver (linux drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c xgmi_num_hops, xgmi_num_links), and the
// bandwidths that KFD computes from the same numbers. Reading asks no hardware. A narrower link
// between two GPUs stays one hop for gpu.xgmi.
//
// Both files are two hexadecimal digits for each member of the hive, in the hive's order, its own
// entry among them. GPUs of a full mesh are compared with each other, and with one hop. Dies of
// MI250 and MI250X are judged by their module: see ModuleLinks.
#include <algorithm>
#include <map>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "settings/gpu/xgmi_bandwidth.h"
#include "settings/gpu/xgmi_neighbours.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The numbers of one file, sorted without the GPU's own: every GPU of a whole mesh has the same.
Result<HiveNumbers> read_row(const Fs& fs, const std::string& path, std::uint64_t bits) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    HiveNumbers numbers;
    for (const auto word : words(trim(*text))) {
        const auto value = word.size() == 2 ? parse_number(word, 16) : std::nullopt;
        if (!value) {
            return garbled(path, "is not a valid list of numbers: " + quoted_value(trim(*text)));
        }
        numbers.push_back(*value & bits);
    }
    if (numbers.empty()) {
        return garbled(path, "the file is empty");
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(numbers.begin());  // its own entry, which is the least
    return numbers;
}

std::string told_row(const HiveRow& row) {
    return "hops " + numbers_text(row.hops) + ", links " + numbers_text(row.links);
}

Result<HiveRow> read_files(const Context& context, const Gpu& gpu) {
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
    return HiveRow{*hops, *links};
}

Result<std::string> read_links(const Context& context, const Gpu& gpu) {
    const auto row = read_files(context, gpu);
    return row ? Result(told_row(*row)) : row.error();
}

// Judges a GPU whose model's hive is a full mesh by what that is: one hop to each other GPU, and a
// link at least. Links that are 0 to all are not stated: firmware before gfx90a has no such number
// (linux commit "drm/amdgpu: update xgmi num links info post gc9.4.2", 2023-11).
void judge_mesh(const HiveRow& row, Assessment& answer) {
    const bool far =
        std::any_of(row.hops.begin(), row.hops.end(), [](std::uint64_t hops) { return hops > 1; });
    const bool stated = std::any_of(row.links.begin(), row.links.end(),
                                    [](std::uint64_t links) { return links > 0; });
    const bool lacks = std::find(row.links.begin(), row.links.end(), 0U) != row.links.end();
    if (far || (stated && lacks)) {
        answer.outcome = Outcome::differs;
        answer.detail =
            far ? "the hive of this GPU is a full mesh, but another GPU is more than one hop away"
                : "the hive of this GPU is a full mesh, but this GPU has no link to one of the "
                  "others";
        answer.want = "hops 1, links 1";
    }
}

// Judges a die of a module by its links: four to the other die, one or two to dies of other
// modules, none stated to those further away.
void judge_die(const HiveRow& row, std::size_t dies, Assessment& answer) {
    answer.have = told_row(row);
    answer.want = answer.have;
    answer.outcome = Outcome::ok;
    answer.detail.clear();
    answer.next_step.clear();
    const bool stated = std::any_of(row.links.begin(), row.links.end(),
                                    [](std::uint64_t links) { return links > 0; });
    const std::string fault = stated ? module_fault(row.links, dies) : "";
    if (!fault.empty()) {
        answer.outcome = Outcome::differs;
        answer.want = "links 4";
        answer.detail = fault;
    }
}

Assessment* row_of(std::vector<Assessment>& rows, const std::string& bdf) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Assessment& one) { return one.target.base == bdf; });
    return row == rows.end() ? nullptr : &*row;
}

// Judges each GPU's files by its model, and returns those of the dies of modules.
std::map<std::string, HiveRow> judge_by_model(const Context& context,
                                              std::vector<Assessment>& rows) {
    std::map<std::string, HiveRow> files_of_dies;
    const auto gpus = gpu_values(context, read_links).values;
    std::size_t dies = 0;
    for (const auto& each : gpus) {
        dies += is_die(*each.gpu) ? 1U : 0U;
    }
    for (const auto& each : gpus) {
        const GpuModel* model = gpu_model(each.gpu->device);
        const auto files = each.value ? read_files(context, *each.gpu) : Result(HiveRow{});
        if (model == nullptr || !each.value || !files) {
            continue;
        }
        Assessment* row = row_of(rows, each.device);
        if (is_die(*each.gpu) && row == nullptr) {
            rows.emplace_back();
            row = &rows.back();
            row->target = {each.device, std::nullopt, ""};
        }
        if (is_die(*each.gpu)) {
            judge_die(*files, dies, *row);
            files_of_dies.emplace(each.device, *files);
        } else if (row != nullptr && row->outcome == Outcome::ok && model->mesh == Mesh::full) {
            judge_mesh(*files, *row);
        }
    }
    return files_of_dies;
}

// Adds findings of other sources; a GPU has one finding, and what its files show comes first.
void add_findings_of_links(std::vector<Assessment> found, std::vector<Assessment>& rows) {
    for (auto& odd : found) {
        Assessment* row = row_of(rows, odd.target.base);
        if (row == nullptr) {
            rows.push_back(std::move(odd));
        } else if (row->outcome != Outcome::differs) {
            *row = std::move(odd);
        } else {
            row->detail += (row->detail.empty() ? "" : "; ") + odd.detail;
        }
    }
    const bool any = std::any_of(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.target.text() != Target().text();
    });
    if (any) {  // "there is none" no longer holds
        std::erase_if(rows, [](const Assessment& row) {
            return row.outcome == Outcome::na && row.target.text() == Target().text();
        });
    }
}

std::vector<Assessment> assess_links(const Setting& setting, const Context& context,
                                     const Want& want) {
    auto rows = assess_gpu_value(setting, context, want);
    const auto files = judge_by_model(context, rows);
    add_findings_of_links(odd_neighbours(context, files), rows);
    add_findings_of_links(odd_bandwidths(context), rows);
    return rows;
}

}  // namespace

const Setting& gpu_xgmi_links() {
    static const GpuValue value{
        .read = read_links,
        .rules = {.absent = "the driver does not report the links of this GPU"}};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.xgmi_links",
                .summary = "Hops and links between each pair of GPUs, as the firmware reports them",
                .why = "A pair of GPUs with fewer links than the other pairs is slower, even at "
                       "one hop",
                .source =
                    "linux drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c, 6.12 (2024-11); Frontier "
                    "User Guide, docs.olcf.ornl.gov, 2026",
                .target = "physical GPU",
                .read_from = "xgmi_num_hops and xgmi_num_links of the GPU's PCI function; "
                             "/sys/class/kfd/kfd/topology/nodes/*/io_links/*/properties",
                .set_by = "",
                .next_step = "sudo amd-smi xgmi; sudo dmesg | grep -i xgmi; if no job uses the "
                             "GPU: sudo amd-smi reset --gpu BDF --gpureset; if the reset changes "
                             "nothing, reseat the GPU",
                .persist = "persistent (trained at boot)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
                .grades = bandwidth_grades(),
            },
            value);
        out.assess = assess_links;
        return out;
    }();
    return setting;
}

}  // namespace rocenv
