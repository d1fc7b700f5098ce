// SPDX-License-Identifier: MIT
// gpu.vfs: virtual functions that SR-IOV has split off each GPU (linux drivers/pci/iov.c
// sriov_numvfs_show), and whether as many are on PCI.
#include <map>
#include <set>

#include "machine/kernel_attribute.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> read_functions(const Context& context, const Gpu& gpu) {
    return read_number(context.fs(), pci_path(gpu.bdf, "/sriov_numvfs"));
}

// How many virtual functions of each GPU are on PCI, by its address. Only AMD functions that are no
// GPU of this node are asked: a node without virtual functions has none.
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
                                   const Want& want) {
    auto rows = assess_gpu_value(setting, context, want);
    const auto there = functions_on_pci(context.machine);
    for (auto& row : rows) {
        const auto asked = row.have ? parse_number(*row.have) : std::nullopt;
        const auto found = there.find(row.target.base);
        const std::size_t count = found == there.end() ? 0 : found->second;
        if (asked && *asked != count) {
            row.detail = "sriov_numvfs is " + *row.have + ", but " +
                         counted(count, "virtual function") + " of this GPU " +
                         (count == 1 ? "is" : "are") + " on PCI";
            row.have = row.want == row.have ? number(count) : *row.have;
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
