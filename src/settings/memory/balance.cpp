// SPDX-License-Identifier: MIT
// memory.balance: that NUMA nodes with CPUs have the same memory, within so many percent of the one
// that has the most. Nodes without CPUs (HBM, CXL) are left out. That 5 % is healthy is a choice,
// no published figure: the kernel keeps more of the first node than of the others.
#include <algorithm>

#include "machine/host/packages.h"
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"uneven", Level::recommended,
     "a node with less memory is slower, and one with none is broken"},
};

struct NodeMemory {
    std::uint32_t node;
    Result<std::uint64_t> kib;
};

std::vector<NodeMemory> memory_by_node(const Fs& fs, const std::vector<std::uint32_t>& nodes) {
    std::vector<NodeMemory> out;
    for (const auto node : nodes) {
        const std::string path = "/sys/devices/system/node/node" + number(node) + "/meminfo";
        const auto total = meminfo_kib(fs, path, "MemTotal");
        out.push_back(
            {node, total ? Result(total->value_or(0)) : Result<std::uint64_t>(total.error())});
    }
    return out;
}

Assessment judge_one(const NodeMemory& each, std::uint64_t most, std::uint64_t percent,
                     const std::string& wanted) {
    constexpr std::uint64_t whole = 100;
    const Target target{"node", each.node, ""};
    if (!each.kib) {
        return unreadable(target, each.kib.error(), wanted);
    }
    auto row = compared(target, wanted, number(*each.kib) + " kB");
    const bool even = *each.kib > 0 && most - *each.kib <= most / whole * percent;
    row.outcome = even ? Outcome::ok : Outcome::differs;
    if (!even) {
        row.detail = *each.kib == 0 ? "it has CPUs, and no memory"
                                    : "the largest has " + number(most) + " kB";
        row.grade = *each.kib == 0 ? nullptr : &grades[0];
    }
    return row;
}

std::vector<Assessment> judge(const std::vector<NodeMemory>& nodes, std::uint64_t percent,
                              const std::string& wanted) {
    std::uint64_t most = 0;
    bool all_answered = true;
    for (const auto& each : nodes) {
        most = std::max(most, each.kib ? *each.kib : 0);
        all_answered = all_answered && each.kib.ok();
    }
    std::vector<Assessment> out;
    for (const auto& each : nodes) {
        auto row = judge_one(each, most, percent, wanted);
        if (row.outcome != Outcome::ok || all_answered) {
            out.push_back(std::move(row));
        }
    }
    return out;
}

std::vector<Assessment> assess_balance(const Setting&, const Context& context, const Want& want) {
    const auto percent = static_cast<std::uint64_t>(*want.value.integer());
    const std::string wanted = "within " + number(percent) + " %";
    const auto nodes = nodes_with_cpus(context.fs());
    if (nodes.is(ErrorKind::not_here)) {
        const auto lost = lost_numa(context.machine);
        return {lost ? unreadable({}, *lost, wanted) : no_target("this kernel knows no NUMA")};
    }
    if (!nodes) {
        return {unreadable({}, nodes.error(), wanted)};
    }
    if (nodes->size() < 2) {
        return {no_target("there is one NUMA node with CPUs")};
    }
    auto rows = judge(memory_by_node(context.fs(), *nodes), percent, wanted);
    mind_stacked_memory(context.machine,
                        "grep MemTotal /sys/devices/system/node/node*/meminfo; "
                        "then have the APU looked at whose HBM is less",
                        rows);
    return rows;
}

std::optional<std::vector<Value>> learn_balance(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{5}, {}}};
}

}  // namespace

const Setting& memory_balance() {
    static const Setting setting{
        .info =
            {
                .id = "memory.balance",
                .summary = "Whether NUMA nodes have the same memory",
                .why =
                    "A DIMM that is missing halves a set of channels, and ranks there wait for it",
                .source = "amd/node-scraper nodescraper/plugins/inband/dimm, 2026-07; "
                          "linux drivers/base/node.c, 6.12",
                .target = "NUMA node",
                .read_from = "/sys/devices/system/node/{online,node*/cpulist,node*/meminfo}",
                .set_by = "",
                .next_step = "sudo dmidecode -t memory | grep -e Size -e Locator; reseat or "
                             "replace the DIMM "
                             "that is missing",
                .persist = "is persistent: what is plugged in",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 99}},
                .grades = grades,
            },
        .assess = assess_balance,
        .learn = learn_balance,
    };
    return setting;
}

}  // namespace rocenv
