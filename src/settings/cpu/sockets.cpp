// SPDX-License-Identifier: MIT
// cpu.sockets: how many packages the online CPUs are in. How many there should be a profile says:
// boards take one, two or four.
#include "machine/host/cpus.h"
#include "machine/host/packages.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<Assessment> assess_sockets(const Setting&, const Context& context, const Want& want) {
    const std::string wanted = number(*want.value.integer());
    const auto packages = read_packages_of(context.machine);
    return {packages ? compared({}, wanted, number(packages->size()))
                     : unreadable({}, packages.error(), wanted)};
}

// How many, and of which model.
std::vector<ClusterFact> facts_of_sockets(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    add_fact({"system", std::nullopt, "/model"}, read_cpu_model(context.fs()), out);
    return out;
}

}  // namespace

const Setting& cpu_sockets() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.sockets",
                .summary = "How many processors the node has",
                .why =
                    "A processor that is missing takes its memory, its slots and half of the CPUs",
                .source = "Azure/azurehpc-health-checks customTests, 2026-05; linux "
                          "Documentation/admin-guide/cputopology.rst, 6.12",
                .target = "system",
                .read_from = "/sys/devices/system/cpu/online, "
                             "cpu*/topology/{physical_package_id,core_siblings_list}; for facts "
                             "/proc/cpuinfo",
                .set_by = "",
                .next_step = "lscpu | grep Socket; look at the BIOS's list of processors",
                .persist = "is persistent: what is plugged in",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 64}},
            },
        .assess = assess_sockets,
        .facts = facts_of_sockets,
    };
    return setting;
}

}  // namespace rocenv
