// SPDX-License-Identifier: MIT
// topo: the whole topology, or one answer for a script (--get, --bind).
#include "cli/commands.h"

#include <algorithm>

#include "commands/topology/rocminfo.h"
#include "commands/topology/topology.h"
#include "machine/host/cpus.h"
#include "util/exit_status.h"
#include "util/quoting.h"
#include "util/text.h"
#include "vendor/hwloc_probe.h"

namespace rocenv {

namespace {

const char* const visible_devices = "ROCR_VISIBLE_DEVICES";

bool is_glob(std::string_view key) {
    return key.find_first_of("*?") != std::string_view::npos;
}

// Whether a key that matches `key` may begin with `start`.
bool may_begin(std::string_view key, std::string_view start) {
    const auto fixed = key.substr(0, key.find_first_of("*?"));
    const std::size_t common = std::min(fixed.size(), start.size());
    return is_glob(key) ? fixed.substr(0, common) == start.substr(0, common)
                        : key.starts_with(start);
}

bool ends_in_any(std::string_view key, std::initializer_list<std::string_view> ends) {
    return key.ends_with('*') || key.ends_with('?') ||
           std::any_of(ends.begin(), ends.end(), [&](auto end) { return key.ends_with(end); });
}

Output failed(int exit_code, const std::string& text) {
    return {exit_code, "", error_lines({text})};
}

// "0", "GPU-8d1a57e2c20f6b01": an entry of ROCR_VISIBLE_DEVICES.
bool is_called(const Agent& agent, std::string_view entry) {
    if (const auto index = parse_number(entry)) {
        return agent.rocr_index == *index;
    }
    return agent.unique_id && entry == "GPU-" + *agent.unique_id;
}

// The agents that the process may use, in the order in which it counts them.
Result<std::vector<const Agent*>> visible_agents(const Topology& topology, const Process& process) {
    std::vector<const Agent*> agents;
    const auto list = process.variable(visible_devices);
    if (!list) {
        for (const auto& agent : topology.gpus) {
            agents.push_back(&agent);
        }
        std::sort(agents.begin(), agents.end(),
                  [](const Agent* a, const Agent* b) { return a->rocr_index < b->rocr_index; });
        return agents;
    }
    for (const auto part : split(*list, ',')) {
        const auto entry = trim(part);
        const auto agent = std::find_if(topology.gpus.begin(), topology.gpus.end(),
                                        [&](const Agent& one) { return is_called(one, entry); });
        if (agent == topology.gpus.end()) {
            return Error{ErrorKind::bad_input, 0, "",
                         std::string(visible_devices) + " names \"" + printable(entry, 40) +
                             "\", no agent here is called so"};
        }
        agents.push_back(&*agent);
    }
    return agents;
}

struct Binding {
    std::string gpu;
    std::string index;
    std::optional<std::string> cpus;
    std::optional<std::string> numa;
    std::optional<std::string> nic;
};

Binding binding_of(const Topology& topology, const Agent& agent) {
    const PhysicalGpu& gpu = topology.physical[agent.physical];
    Binding binding;
    binding.gpu = agent.bdf + (gpu.agents.size() > 1 ? "/" + number(agent.partition) : "");
    binding.index = number(agent.rocr_index);
    binding.cpus = agent.cpus;
    if (agent.numa_node) {
        binding.numa = number(*agent.numa_node);
    }
    if (gpu.near_nic) {
        binding.nic = topology.nics[*gpu.near_nic].name;
    }
    return binding;
}

std::string export_line(const std::string& name, const std::optional<std::string>& value) {
    return value ? "export " + name + "=" + shell_word(*value) + "\n" : "unset " + name + "\n";
}

std::string as_exports(const Binding& binding) {
    return export_line(visible_devices, binding.index) + export_line("ROCENV_GPU", binding.gpu) +
           export_line("ROCENV_CPUS", binding.cpus) + export_line("ROCENV_NUMA", binding.numa) +
           export_line("ROCENV_NIC", binding.nic);
}

std::string as_text(const Binding& binding) {
    return "GPU   " + binding.gpu + " (" + visible_devices + "=" + binding.index + ")\n" +
           "CPUs  " + binding.cpus.value_or("null") + "\n" + "NUMA  " +
           binding.numa.value_or("null") + "\n" + "NIC   " + binding.nic.value_or("null") + "\n";
}

// The CPUs between what a program's option is called and what else it is told.
Output with_cpus(const Binding& binding, std::uint64_t rank, const std::string& before,
                 const std::string& after) {
    return binding.cpus ? Output{exit_ok, before + *binding.cpus + after + "\n", ""}
                        : failed(exit_unknown, "--bind " + number(rank) + ": which CPUs are near " +
                                                   binding.gpu + " is not known");
}

}  // namespace

bool needs_cpu_topology(const std::vector<std::string>& keys) {
    return std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
        return may_begin(key, "cpus.") || may_begin(key, "numa.");
    });
}

Topology read_for_keys(const Machine& machine, const std::vector<std::string>& keys) {
    TopologyParts parts{false, false};
    for (const auto& key : keys) {
        parts.links = parts.links || ends_in_any(key, {"type", "hops", "weight"});
        parts.nics = parts.nics || may_begin(key, "nic") || ends_in_any(key, {"nic"});
    }
    return read_topology(machine, parts);
}

Output get_values(const Topology& topology, const std::vector<std::string>& keys) {
    const auto values = topology_values(topology);
    std::string out;
    for (const auto& key : keys) {
        bool any = false;
        for (const auto& value : values) {
            if (is_glob(key) ? glob_match(key, value.key) : key == value.key) {
                any = true;
                out += printable(value.value.value_or("null"), uncut) + "\n";
            }
        }
        if (!any) {
            std::vector<std::string> names;
            names.reserve(values.size());
            for (const auto& value : values) {
                names.push_back(value.key);
            }
            return failed(exit_usage, "--get " + printable(key, 80) + ": no such value here" +
                                          did_you_mean(nearest(key, names)));
        }
    }
    return {exit_ok, std::move(out), ""};
}

Output bind_rank(const Topology& topology, const Process& process, std::uint64_t rank,
                 BindFormat format) {
    const auto agents = visible_agents(topology, process);
    if (!agents) {
        return failed(exit_usage, "--bind: " + agents.error().text);
    }
    if (rank >= agents->size()) {
        const std::size_t count = agents->size();
        return failed(exit_usage, "--bind " + number(rank) + ": " +
                                      (count == 0   ? "there is no agent"
                                       : count == 1 ? "there is one agent, 0"
                                                    : "there are " + number(count) +
                                                          " agents, 0 to " + number(count - 1)));
    }
    const Binding binding = binding_of(topology, *(*agents)[rank]);
    const std::string memory = binding.numa ? " --membind=" + *binding.numa : "";
    switch (format) {
        case BindFormat::text:
            return {exit_ok, as_text(binding), ""};
        case BindFormat::sh:
            return {exit_ok, as_exports(binding), ""};
        case BindFormat::numactl:
            return with_cpus(binding, rank, "--physcpubind=", memory);
        case BindFormat::taskset:
            return with_cpus(binding, rank, "--cpu-list ", "");
    }
    return {};
}

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
