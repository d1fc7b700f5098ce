// SPDX-License-Identifier: MIT
// Partitions of GPUs: gpu.compute_partition, gpu.memory_partition and gpu.vfs.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "machine/host/cpus.h"
#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade gpu_partition_grades[] = {
    {"mode", Level::info, "All GPUs have the same other mode, which the site may have chosen"},
};

void grade(std::vector<Assessment>& rows) {
    const bool alike = std::all_of(rows.begin(), rows.end(), [&](const Assessment& row) {
        return row.outcome == Outcome::differs && row.have == rows.front().have;
    });
    for (auto& row : rows) {
        row.grade = alike && row.expected != "equal" ? &gpu_partition_grades[0] : nullptr;
    }
}

// Returns the number of KFD nodes of a mode (linux drivers/gpu/drm/amd/amdgpu/aqua_vanjaram.c
// aqua_vanjaram_get_xcp_config, 6.12: CPX has one for each die); 0 if unknown.
std::size_t nodes_of(std::string_view mode, const Gpu& gpu) {
    constexpr std::pair<std::string_view, std::size_t> fixed[] = {
        {"SPX", 1}, {"DPX", 2}, {"TPX", 3}, {"QPX", 4}};
    for (const auto& [word, nodes] : fixed) {
        if (word == mode) {
            return nodes;
        }
    }
    const GpuModel* model = gpu_model(gpu.device);
    return mode != "CPX" || model == nullptr ? 0 : model->dies;
}

// Returns "CPX with 7 KFD nodes".
std::string with_nodes(const std::string& mode, std::size_t nodes) {
    return mode + " with " + counted(nodes, "KFD node");
}

// Marks GPUs whose number of KFD nodes does not match the mode: an incomplete mode change, or a
// partition that the driver could not set up. Nodes hidden in a container are not missing. If a
// site states the modes, only missing nodes count.
enum class ModesBy { profile, site };

void compare_with_kfd(const Context& context, ModesBy by, std::vector<Assessment>& rows) {
    const Machine& machine = context.machine;
    if (machine.kfd_uncertain()) {
        return;
    }
    const bool whole = machine.kfd().hidden() == 0;
    for (const auto& gpu : machine.gpus()) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& one) {
            return one.target.base == gpu.bdf && one.have;
        });
        const std::size_t nodes = row == rows.end() ? 0 : nodes_of(*row->have, gpu);
        const bool too_few = gpu.agents.size() < nodes;
        const bool is_excused = too_few ? !whole : by == ModesBy::site;
        if (nodes == 0 || gpu.agents.empty() || gpu.agents.size() == nodes || is_excused) {
            continue;
        }
        const bool as_expected = row->expected == row->have;
        row->detail = "KFD has " + counted(gpu.agents.size(), "node") + " of this GPU, expected " +
                      number(nodes) + " in mode " + *row->have;
        row->have = with_nodes(*row->have, gpu.agents.size());
        row->expected = as_expected ? with_nodes(*row->expected, nodes) : *row->expected;
        row->outcome = Outcome::differs;
        row->grade = nullptr;
        row->next_step =
            "sudo dmesg | grep -i -e kfd -e xcp; if no job uses the GPU, set the mode again or "
            "reload the driver";
    }
}

// Accepts every readable mode for "any".
void accept_any(std::vector<Assessment>& rows) {
    for (auto& row : rows) {
        row.expected = "any";
        row.grade = nullptr;
        if (row.have) {
            row.outcome = Outcome::ok;
            row.detail.clear();
            row.next_step.clear();
        }
    }
}

std::vector<Assessment> assess_word(const Setting& setting, const Context& context,
                                    const Expectation& expectation, const std::string& word) {
    Expectation one = expectation;
    one.value = {word, expectation.value.place};
    const bool any = word == "any";
    if (any) {
        one.value = {std::string(setting.info.forms[0].words.front()), expectation.value.place};
    }
    auto rows = assess_gpu_value(setting, context, one);
    if (any) {
        accept_any(rows);
    }
    if (setting.info.id == "gpu.compute_partition") {
        compare_with_kfd(
            context, any || expectation.value.table() != nullptr ? ModesBy::site : ModesBy::profile,
            rows);
    }
    return rows;
}

// Judges by one word for all GPUs, or by a table with words for addresses and for the others.
std::vector<Assessment> assess_partition(const Setting& setting, const Context& context,
                                         const Expectation& expectation) {
    const auto* table = expectation.value.table();
    if (table == nullptr) {
        return assess_word(setting, context, expectation, plain_text(expectation.value));
    }
    std::vector<Assessment> out;
    std::set<std::string> judged;
    for (const auto& [address, word] : *table) {
        for (auto& row : assess_word(setting, context, expectation, *word.text())) {
            const std::string target = row.target.text();
            const bool mine = address == "others" ? !table->contains(target) : target == address;
            if (mine) {
                row.grade = nullptr;  // the mode of each GPU was chosen
                judged.insert(target);
                out.push_back(std::move(row));
            }
        }
    }
    for (const auto& [address, word] : *table) {
        if (address != "others" && !judged.contains(address)) {
            Assessment row;
            row.target = {address, std::nullopt, ""};
            row.outcome = Outcome::differs;
            row.expected = *word.text();
            row.detail = "no GPU has this address";
            row.next_step = "rocenv topo";
            out.push_back(std::move(row));
        }
    }
    return out;
}

// Returns the value of such a setting: a word of its first form in `file` of the GPU's folder;
// `kind` is the word of amd-smi ("compute").
GpuValue partition_value(std::string_view words, const std::string& file, const std::string& kind) {
    const auto read = [file, words](const Context& context, const Gpu& gpu) -> Result<std::string> {
        const std::string path = pci_path(gpu.bdf) + "/" + file;
        const auto text = context.fs().read(path);
        if (!text) {
            return text.error();
        }
        const auto word = trim(*text);
        const auto known = split(words, ' ');
        if (word == "UNKNOWN" && is_guest(context.fs())) {
            return Error{ErrorKind::not_here, 0, path, path + ": the host decides the mode"};
        }
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            return garbled(path, "is not a valid partition mode: " + quoted_value(word));
        }
        return std::string(word);
    };
    const auto explain = [kind](Assessment& row) {
        row.next_step = row.expected == "equal"
                            ? "sudo amd-smi partition; set all GPUs to the same mode"
                            : "if no job uses the GPU: sudo amd-smi set --gpu BDF --" + kind +
                                  "-partition " + *row.expected;
    };
    return {.read = read,
            .rules = {.absent = "the driver offers no partitions for this GPU"},
            .explain = explain,
            .finish = grade};
}

// Returns the setting. `value` must outlive it.
Setting partition_setting(Info info, const GpuValue& value) {
    info.grades = gpu_partition_grades;
    Setting setting = gpu_value_setting(std::move(info), value);
    setting.assess = assess_partition;
    return setting;
}

}  // namespace

// gpu.compute_partition: the number of devices of each physical GPU (SPX: one). It also compares
// the number of KFD nodes.

const Setting& gpu_compute_partition() {
    static const auto value =
        partition_value("SPX DPX TPX QPX CPX", "current_compute_partition", "compute");
    static const auto setting = partition_setting(
        {
            .id = "gpu.compute_partition",
            .summary = "Compute partition mode of each GPU: SPX is one device, CPX one device for "
                       "each die",
            .why = "A job that expects whole GPUs gets partitions, or the reverse, and fails or "
                   "runs slowly",
            .source = "ROCm/amdgpu-docs docs/gpu-partitioning, 2025-06; linux "
                      "drivers/gpu/drm/amd/amdgpu/amdgpu_gfx.c, 6.12",
            .target = "physical GPU",
            .read_from = "current_compute_partition of the GPU's PCI function; "
                         "/sys/class/kfd/kfd/topology/nodes",
            .set_by = "",
            .next_step =
                "if no job uses the GPU: sudo amd-smi set --gpu BDF --compute-partition MODE",
            .persist = "lost at reboot and driver reload",
            .risk_note = "changing the mode resets the GPU and ends the programs that use it",
            .risk = Risk::high,
            .after_reboot = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word,
                       .words = {"SPX", "DPX", "TPX", "QPX", "CPX", "equal", "any"}},
                      {.kind = FormKind::by_device,
                       .words = {"SPX", "DPX", "TPX", "QPX", "CPX", "any"}}},
        },
        value);
    return setting;
}

// gpu.memory_partition: the number of NUMA domains of each GPU's memory.

const Setting& gpu_memory_partition() {
    static const auto value =
        partition_value("NPS1 NPS2 NPS3 NPS4 NPS6 NPS8", "current_memory_partition", "memory");
    static const auto setting = partition_setting(
        {
            .id = "gpu.memory_partition",
            .summary = "Memory partition mode of each GPU: NPS1 is one domain",
            .why = "Another mode changes the bandwidth and the amount of memory that one partition "
                   "can use",
            .source = "ROCm/amdgpu-docs docs/gpu-partitioning, 2025-06; linux "
                      "drivers/gpu/drm/amd/amdgpu/amdgpu_gmc.c, 6.12",
            .target = "physical GPU",
            .read_from = "current_memory_partition of the GPU's PCI function",
            .set_by = "",
            .next_step =
                "if no job uses the GPU: sudo amd-smi set --gpu BDF --memory-partition MODE",
            .persist = "lost at reboot and driver reload",
            .risk_note = "changing the mode resets the GPU and ends the programs that use it",
            .risk = Risk::high,
            .after_reboot = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word,
                       .words = {"NPS1", "NPS2", "NPS3", "NPS4", "NPS6", "NPS8", "equal", "any"}},
                      {.kind = FormKind::by_device,
                       .words = {"NPS1", "NPS2", "NPS3", "NPS4", "NPS6", "NPS8", "any"}}},
        },
        value);
    return setting;
}

// gpu.vfs: virtual functions that SR-IOV created on each GPU (linux drivers/pci/iov.c
// sriov_numvfs_show), compared with those on PCI.

namespace {

Result<std::string> read_functions(const Context& context, const Gpu& gpu) {
    return read_number(context.fs(), pci_path(gpu.bdf, "/sriov_numvfs"));
}

// Returns the number of virtual functions on PCI for each GPU, by address. Only AMD functions that
// are not GPUs of this node are read: a node without virtual functions has none.
std::map<std::string, std::size_t> functions_on_pci(const Machine& machine) {
    std::map<std::string, std::size_t> out;
    std::set<std::string> known;
    for (const auto& gpu : machine.gpus()) {
        known.insert(gpu.bdf);
    }
    const auto& functions = machine.pci();
    for (const auto& function : functions ? *functions : std::vector<PciFunction>()) {
        const bool other = function.is_amd_gpu() && !known.contains(function.bdf);
        const auto owner =
            other ? machine.fs().link(pci_path(function.bdf, "/physfn")) : Result(std::string());
        if (owner && !owner->empty()) {
            ++out[owner->substr(owner->rfind('/') + 1)];
        }
    }
    return out;
}

// Compares sriov_numvfs with the functions that are on PCI.
std::vector<Assessment> assess_vfs(const Setting& setting, const Context& context,
                                   const Expectation& expectation) {
    auto rows = assess_gpu_value(setting, context, expectation);
    const auto there = functions_on_pci(context.machine);
    for (auto& row : rows) {
        const auto asked = row.have ? parse_number(*row.have) : std::nullopt;
        const auto found = there.find(row.target.base);
        const std::size_t count = found == there.end() ? 0 : found->second;
        if (asked && *asked != count) {
            row.detail = "sriov_numvfs is " + *row.have + ", but " +
                         counted(count, "virtual function") + " of this GPU " +
                         (count == 1 ? "is" : "are") + " on PCI";
            row.have = row.expected == row.have ? number(count) : *row.have;
            row.outcome = Outcome::differs;
            row.next_step = "sudo dmesg | grep -e BDF -e iov";
        }
    }
    return rows;
}

}  // namespace

const Setting& gpu_vfs() {
    static const GpuValue value{.read = read_functions,
                                .rules = {.absent = "this GPU has no SR-IOV"}};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.vfs",
                .summary = "Number of virtual functions of each GPU",
                .why = "Virtual functions reserve memory and queues that a job on the whole GPU "
                       "then lacks",
                .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                          "drivers/pci/iov.c, 6.12",
                .target = "physical GPU",
                .read_from =
                    "sriov_numvfs of the GPU's PCI function; physfn of other AMD functions",
                .set_by = "",
                .next_step = "if no guest runs on the node: echo 0 | sudo tee "
                             "/sys/bus/pci/devices/BDF/sriov_numvfs",
                .persist = "lost at reboot and driver reload",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 64},
                          {.kind = FormKind::word, .words = {"equal"}}},
            },
            value);
        out.assess = assess_vfs;
        return out;
    }();
    return setting;
}

}  // namespace rocenv
