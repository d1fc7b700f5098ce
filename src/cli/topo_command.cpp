// SPDX-License-Identifier: MIT
#include "cli/topo_command.h"

#include "cli/commands.h"
#include "cli/topo_query.h"
#include "machine/cpus.h"
#include "sys/probe/hwloc_probe.h"
#include "topology/rocminfo.h"
#include "topology/topology.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_note = 1000;

using Hwloc = std::optional<Result<CpuTopology>>;

void take_cpu_side(const Fs& fs, const Hwloc& hwloc, Topology& topology) {
    if (hwloc && *hwloc) {
        topology.cpu_topology = **hwloc;
        return;
    }
    auto side = read_cpu_side(fs);
    if (hwloc) {
        topology.notes.push_back(
            hwloc->error().text +
            (side ? "; CPUs and NUMA nodes are read from the kernel's files" : ""));
    }
    if (side) {
        topology.cpu_topology = std::move(side).value();
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

// The runtime, and with it the real rocminfo, calls the GPU what this variable says.
std::vector<std::string> override_notes(const Process& process) {
    std::vector<std::string> notes;
    for (const auto& [name, value] : process.environment) {
        if (name.starts_with("HSA_OVERRIDE_GFX_VERSION")) {
            notes.push_back(name + " is set: the runtime calls the GPU otherwise");
        }
    }
    return notes;
}

// What could not be read goes to stderr: stdout is rocminfo's.
Output rocminfo(const Machine& machine, const Process& process) {
    HsaSystem system = read_hsa_system(machine);
    const auto notes = override_notes(process);
    system.notes.insert(system.notes.end(), notes.begin(), notes.end());
    for (auto& note : system.notes) {
        note = printable(note, longest_note);
    }
    return {status_of(machine), render_rocminfo(system), error_lines(system.notes)};
}

Output get(const Machine& machine, const Hwloc& hwloc, const std::vector<std::string>& keys) {
    Topology topology = read_for_keys(machine, keys);
    if (needs_cpu_side(keys)) {
        take_cpu_side(machine.fs(), hwloc, topology);
    }
    Output output = get_values(topology, keys);
    if (output.exit_code == exit_usage) {  // which key is near is told from all there are
        topology = read_topology(machine);
        take_cpu_side(machine.fs(), hwloc, topology);
        output = get_values(topology, keys);
    }
    if (machine.kfd().error) {
        output.err += error_lines({machine.kfd().error->text});
        output.exit_code = exit_unknown;
    }
    return output;
}

Output whole(const Options& options, const Machine& machine, const Process& process,
             const Hwloc& hwloc) {
    Topology topology = read_topology(machine);
    take_cpu_side(machine.fs(), hwloc, topology);
    const auto notes = override_notes(process);
    topology.notes.insert(topology.notes.end(), notes.begin(), notes.end());
    return {status_of(machine), rendered(options.format, topology), ""};
}

}  // namespace

void add_topo_options(CommandOptions& command, TopoOptions& options) {
    command.list("--get", options.get, "KEY", "Values for a script, gpu.0.numa_node (globs)");
    command.whole_number("--bind", options.bind, "LOCAL_RANK",
                         "Where this process of a node's job belongs");
    command.choice("--bind-format", options.bind_format, {"text", "sh", "numactl", "taskset"},
                   "How to print that (text)");
    command.text("--hwloc-xml", options.hwloc_xml, "FILE",
                 "CPUs and NUMA nodes from what lstopo wrote");
    command.footer(
        "Exit: 0 told, 2 bad usage or no such key or rank, 3 the driver's topology or what\n"
        "the format needs could not be read.\n");
}

Hwloc ask_hwloc(const Options& options) {
    const TopoOptions& topo = options.topo;
    const bool needed =
        topo.get.empty() ? !topo.bind && options.format != "rocminfo" : needs_cpu_side(topo.get);
    const bool in_memory = options.sysroot && options.sysroot->ends_with(".tree");
    if (!needed || (in_memory && !topo.hwloc_xml)) {
        return std::nullopt;
    }
    return hwloc_cpu_side({options.sysroot, topo.hwloc_xml}, options.patience.probe_seconds);
}

Output run_topo(const Options& options, const Fs& fs, const Process& process, const Hwloc& hwloc) {
    const Machine machine(fs);
    const TopoOptions& topo = options.topo;
    if (topo.bind && !topo.get.empty()) {
        return failure(exit_usage, "--get and --bind exclude each other");
    }
    if (topo.hwloc_xml && hwloc && !*hwloc) {
        const bool bad = hwloc->is(ErrorKind::bad_input);
        return failure(bad ? exit_usage : exit_unknown, hwloc->error().text);
    }
    Output output = !topo.get.empty() ? get(machine, hwloc, topo.get)
                    : topo.bind ? bind_rank(read_topology(machine, {.links = false, .nics = true}),
                                            process, *topo.bind, topo.bind_format)
                    : options.format == "rocminfo" ? rocminfo(machine, process)
                                                   : whole(options, machine, process, hwloc);
    if (options.quiet) {
        output.out.clear();
    }
    return output;
}

}  // namespace rocenv
