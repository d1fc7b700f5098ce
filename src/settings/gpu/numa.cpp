// SPDX-License-Identifier: MIT
// gpu.numa: whether the BIOS told which NUMA node each GPU is near (linux drivers/pci/pci-sysfs.c
// numa_node_show: -1 for "not told"). A guest's GPUs and a node with one NUMA node need not know.
#include <algorithm>
#include <map>

#include "machine/host/cpus.h"
#include "os/redact/redact_words.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view unknown_node = "-1";

Result<std::string> read_node(const Context& context, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf, "/numa_node");
    auto text = read_line(context.fs(), path);
    const auto node = text ? parse_signed(*text) : std::nullopt;
    if (text && !node) {
        return garbled(path, "is not a valid number: " + quoted_value(*text));
    }
    return text;
}

// GPUs that could lie evenly on the nodes that have any, and do not: one of them was told wrong, or
// sits in another socket's slot.
std::optional<Assessment> uneven(const std::vector<Assessment>& rows) {
    std::map<std::string, std::size_t> counts;
    for (const auto& row : rows) {
        if (row.outcome != Outcome::ok) {
            return std::nullopt;
        }
        ++counts[row.have.value_or("")];
    }
    const bool even = std::all_of(counts.begin(), counts.end(), [&](const auto& each) {
        return each.second == counts.begin()->second;
    });
    if (counts.empty() || even || rows.size() % counts.size() != 0) {
        return std::nullopt;
    }
    std::vector<std::string> told;
    told.reserve(counts.size());
    for (const auto& [node, count] : counts) {
        told.push_back(number(count) + " on node " + node);
    }
    auto row = compared({}, "as many on each", join(told, ", "));
    row.detail = "the BIOS reports a wrong NUMA node, or a GPU is in a slot of another socket";
    return row;
}

Keeping keeping_of_numa(const Setting&, const Want&) {
    return {.firmware = "NUMA (ACPI SRAT)"};
}

std::vector<Assessment> assess_numa(const Setting&, const Context& context, const Want& want) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its host decides the NUMA node")};
    }
    const std::string online = "/sys/devices/system/node/online";
    const auto nodes = context.fs().read(online);
    const auto lost = nodes.is(ErrorKind::not_here) ? lost_numa(context.machine) : std::nullopt;
    if (lost) {
        return {unreadable({}, *lost, *want.value.text())};
    }
    if (nodes.is(ErrorKind::not_here) || (nodes && trim(*nodes) == "0")) {
        return {no_target("the node has one NUMA node")};
    }
    if (!nodes) {
        return {unreadable({}, nodes.error(), *want.value.text())};
    }
    auto rows =
        judge_alike(gpu_values(context, read_node, true), *want.value.text(),
                    {.absent = "", .accepts = [](const std::string&, const std::string& have) {
                         return have != unknown_node;
                     }});
    if (auto row = uneven(rows)) {
        rows.push_back(*std::move(row));
    }
    return rows;
}

}  // namespace

const Setting& gpu_numa() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.numa",
                .summary = "Whether the NUMA node of each GPU is known",
                .why = "Without the NUMA node, threads and memory are bound to the wrong socket, "
                       "and transfers slow down",
                .source = "ROCm/system-acceptance-docs docs/network/topology-mapping.md, 2026-07; "
                          "linux drivers/pci/pci-sysfs.c, 6.12",
                .target = "physical GPU",
                .read_from = "numa_node of the GPU's PCI function, /sys/devices/system/node/online",
                .set_by = "",
                .next_step = "update the BIOS, or enable ACPI SLIT and NUMA in it",
                .persist = "persistent (reported by the BIOS)",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"known"}}},
            },
        .assess = assess_numa,
        .keeping = keeping_of_numa,
    };
    return setting;
}

}  // namespace rocenv
