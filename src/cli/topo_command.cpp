// SPDX-License-Identifier: MIT
#include "cli/topo_command.h"

#include "cli/commands.h"
#include "cli/topo_query.h"
#include "commands/topology/rocminfo.h"
#include "commands/topology/topology.h"
#include "machine/host/cpus.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "vendor/hwloc_probe.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_note = 1000;

using Hwloc = std::optional<Result<CpuTopology>>;

void take_cpu_topology(const Fs& fs, const Hwloc& hwloc, Topology& topology) {
    if (hwloc && *hwloc) {
        topology.cpu_topology = **hwloc;
        return;
    }
    auto read = read_cpu_topology(fs);
    if (hwloc) {
        topology.notes.push_back(
            hwloc->error().text +
            (read ? "; CPUs and NUMA nodes are read from the kernel's files" : ""));
    }
    if (read) {
        topology.cpu_topology = std::move(read).value();
    } else {
        topology.notes.push_back("CPUs: " + read.error().text);
    }
}

int status_of(const Machine& machine) {
    return machine.kfd().error ? exit_unknown : exit_ok;
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
    if (needs_cpu_topology(keys)) {
        take_cpu_topology(machine.fs(), hwloc, topology);
    }
    Output output = get_values(topology, keys);
    if (output.exit_code == exit_usage) {  // which key is near is told from all there are
        topology = read_topology(machine);
        take_cpu_topology(machine.fs(), hwloc, topology);
        output = get_values(topology, keys);
    }
    if (const auto error = machine.kfd_uncertain()) {
        output.err += error_lines({error->text});
        output.exit_code = exit_unknown;
    }
    return output;
}

// Why agents cannot be bound: one that could not be read would shift the numbers of those behind
// it, and one without a place would be taken for the device at 0000:00:00.0.
std::optional<std::string> not_to_be_bound(const Machine& machine) {
    if (const auto error = machine.kfd_uncertain()) {
        return error->text;
    }
    for (const auto& node : machine.kfd().nodes) {
        if (node.get("simd_count") > 0 && !node.properties.contains("location_id")) {
            return "KFD does not say where the GPU of its node " + number(node.index) + " is";
        }
    }
    return std::nullopt;
}

Output bind(const Machine& machine, const Process& process, std::uint64_t rank, BindFormat format) {
    if (const auto why = not_to_be_bound(machine)) {
        return failure(exit_unknown, "--bind " + number(rank) + ": " + *why);
    }
    return bind_rank(read_topology(machine, {.links = false, .nics = true}), process, rank, format);
}

Output whole(const Machine& machine, const Process& process, const Hwloc& hwloc,
             std::string (*render)(const Topology&)) {
    Topology topology = read_topology(machine);
    take_cpu_topology(machine.fs(), hwloc, topology);
    const auto notes = override_notes(process);
    topology.notes.insert(topology.notes.end(), notes.begin(), notes.end());
    return {status_of(machine), render(topology), ""};
}

// What would be asked for in vain.
std::optional<std::string> contradiction(const TopoOptions& options) {
    const bool get = !options.get.empty();
    if (get && options.bind) {
        return "--get and --bind exclude each other";
    }
    if (options.bind_format && !options.bind) {
        return "--bind-format says how --bind is printed, and there is none";
    }
    if ((get || options.bind) && options.print.format != TopoFormat::human) {
        return std::string("--format is for the whole topology: ") +
               (get ? "--get prints values, one a line" : "of --bind it is --bind-format");
    }
    return std::nullopt;
}

Output told(TopoFormat format, const Machine& machine, const Process& process, const Hwloc& hwloc) {
    switch (format) {
        case TopoFormat::human:
            return whole(machine, process, hwloc, render_topology_human);
        case TopoFormat::json:
            return whole(machine, process, hwloc, render_topology_json);
        case TopoFormat::rocminfo:
            return rocminfo(machine, process);
        case TopoFormat::svg:
            return whole(machine, process, hwloc, render_topology_svg);
    }
    return {};
}

}  // namespace

Hwloc ask_hwloc(const TopoOptions& options) {
    const bool needed = options.get.empty()
                            ? !options.bind && options.print.format != TopoFormat::rocminfo
                            : needs_cpu_topology(options.get);
    // Of another machine hwloc would read what no reader of ours does: it follows links into this
    // machine, opens devices, and loads plug-ins of a root that it is kept within.
    if (!needed || (options.machine.sysroot && !options.hwloc_xml)) {
        return std::nullopt;
    }
    return hwloc_cpu_topology(options.hwloc_xml, options.machine.patience.probe_seconds);
}

Output run_topo(const TopoOptions& options, const Fs& fs, const Process& process,
                const Hwloc& hwloc) {
    const Machine machine(fs);
    if (const auto why = contradiction(options)) {
        return failure(exit_usage, *why);
    }
    if (options.hwloc_xml && hwloc && !*hwloc) {
        const bool bad = hwloc->is(ErrorKind::bad_input);
        return failure(bad ? exit_usage : exit_unknown, hwloc->error().text);
    }
    Output output = !options.get.empty() ? get(machine, hwloc, options.get)
                    : options.bind       ? bind(machine, process, *options.bind,
                                                options.bind_format.value_or(BindFormat::text))
                                         : told(options.print.format, machine, process, hwloc);
    if (options.print.quiet) {
        output.out.clear();
    }
    return output;
}

}  // namespace rocenv
