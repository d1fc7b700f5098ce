// SPDX-License-Identifier: MIT
// cpu.nodes_per_socket: how many NUMA nodes with CPUs the firmware makes of each processor (NPS1,
// NPS2, NPS4; "L3 as NUMA" makes eight or more). One node over two processors is NPS0.
#include "rocenv/setting.h"
#include "settings/meminfo.h"
#include "settings/packages.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"other", Level::recommended,
     "another number is slower; one node over all processors is broken"},
};

class NodesPerSocket final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "cpu.nodes_per_socket",
            .summary = "How many NUMA nodes the firmware makes of each processor",
            .why =
                "With four a GPU is near a quarter of the CPUs and memory only, with none to no "
                "one",
            .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07",
            .target = "system",
            .read_from =
                "/sys/devices/system/node/{online,node*/cpulist}, /sys/devices/system/cpu/online, "
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
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
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
        return {judge(nodes->size(), packages->size(), wanted)};
    }

   private:
    static Assessment judge(std::size_t nodes, std::size_t sockets, const std::string& wanted) {
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
};

}  // namespace

const Setting& cpu_nodes_per_socket() {
    static const NodesPerSocket setting;
    return setting;
}

}  // namespace rocenv
