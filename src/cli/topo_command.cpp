// SPDX-License-Identifier: MIT
#include "cli/topo_command.h"

#include "cli/commands.h"
#include "machine/cpus.h"
#include "rocenv/rocminfo.h"
#include "rocenv/topology.h"

namespace rocenv {

namespace {

constexpr int exit_ok = 0;
constexpr int exit_unknown = 3;

void take_cpu_side(const Fs& fs, Topology& topology) {
    auto side = read_cpu_side(fs);
    if (side) {
        topology.cpu_side = std::move(side).value();
    } else {
        topology.notes.push_back("CPUs: " + side.error().text);
    }
}

int status_of(const Machine& machine) {
    return machine.kfd().error ? exit_unknown : exit_ok;
}

std::string rendered(const std::string& format, const Topology& topology) {
    return format == "json"  ? render_topology_json(topology)
           : format == "svg" ? render_topology_svg(topology)
                             : render_topology_human(topology);
}

// What could not be read goes to stderr: stdout is rocminfo's.
Output rocminfo(const Machine& machine) {
    const HsaSystem system = read_hsa_system(machine);
    return {status_of(machine), render_rocminfo(system), error_lines(system.notes)};
}

}  // namespace

void add_topo_options(CommandOptions&, TopoOptions&) {}

Output run_topo(const Options& options, const Fs& fs) {
    const Machine machine(fs);
    if (options.format == "rocminfo") {
        return rocminfo(machine);
    }
    Topology topology = read_topology(machine);
    take_cpu_side(fs, topology);
    return {status_of(machine), rendered(options.format, topology), ""};
}

}  // namespace rocenv
