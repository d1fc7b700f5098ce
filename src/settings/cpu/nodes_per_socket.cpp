// SPDX-License-Identifier: MIT
// cpu.nodes_per_socket: how many NUMA nodes with CPUs the firmware makes of each processor (NPS1,
// NPS2, NPS4; "L3 as NUMA" makes eight or more). One node over two processors is NPS0.
#include "machine/host/number_files.h"
#include "machine/host/packages.h"
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"other", Level::recommended,
     "another number is slower; one node over all processors is broken"},
};

const std::string cpu_lists_folder = "/sys/devices/system/cpu";
constexpr const char* parked_told =
    "CPUs are offline, and a node without CPUs may be theirs: see cpu.online";

// CPUs that are offline are those of nodes without CPUs, perhaps: then the firmware may have
// made as many nodes as are wanted, and cpu.online tells what is wrong.
bool may_be_parked(const Context& context, std::size_t nodes, std::uint64_t wished) {
    const auto online = context.machine.online_cpus();
    const auto present = numbers_of_file(context.fs(), cpu_lists_folder + "/present");
    const auto all = numbers_of_file(context.fs(), "/sys/devices/system/node/online");
    return online && present && all && present->size() > online->size() && nodes < wished &&
           wished <= all->size();
}

Assessment judge(std::size_t nodes, std::size_t sockets, const std::string& wanted) {
    const std::string told =
        number(nodes) + " nodes, " + number(sockets) + (sockets == 1 ? " socket" : " sockets");
    auto row = compared({}, wanted, nodes % sockets == 0 ? number(nodes / sockets) : told);
    if (nodes < sockets) {
        row.have = "0";
        row.detail = told + ": NPS0";
    } else if (row.outcome == Outcome::differs) {
        row.detail = told;
        row.grade = &grades[0];
    }
    return row;
}

std::vector<Assessment> assess_nodes_per_socket(const Setting&, const Context& context,
                                                const Want& want) {
    const std::string wanted = number(*want.value.integer());
    const auto nodes = nodes_with_cpus(context.fs());
    if (nodes.is(ErrorKind::not_here)) {
        const auto lost = lost_numa(context.machine);
        return {lost ? unreadable({}, *lost, wanted) : no_target("this kernel knows no NUMA")};
    }
    const auto packages = read_packages_of(context.machine);
    if (!nodes || !packages) {
        return {unreadable({}, nodes ? packages.error() : nodes.error(), wanted)};
    }
    auto row = judge(nodes->size(), packages->size(), wanted);
    if (row.outcome == Outcome::differs &&
        may_be_parked(context, nodes->size(), packages->size() * *parse_number(wanted))) {
        return {
            unreadable({}, Error{ErrorKind::not_here, 0, cpu_lists_folder, parked_told}, wanted)};
    }
    return {row};
}

}  // namespace

const Setting& cpu_nodes_per_socket() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.nodes_per_socket",
                .summary = "How many NUMA nodes the firmware makes of each processor",
                .why = "With four a GPU is near a quarter of the CPUs and memory only, with none "
                       "to no "
                       "one",
                .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07",
                .target = "system",
                .read_from = "/sys/devices/system/node/{online,node*/cpulist}, "
                             "/sys/devices/system/cpu/{online,present}, "
                             "cpu*/topology/{physical_package_id,core_siblings_list}",
                .set_by = "",
                .next_step = "set NUMA nodes per socket (NPS) in the BIOS, then reboot",
                .persist = "is persistent: the BIOS's choice",
                .risk_note = "",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 64}},
                .grades = grades,
            },
        .assess = assess_nodes_per_socket,
    };
    return setting;
}

}  // namespace rocenv
