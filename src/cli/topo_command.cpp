// SPDX-License-Identifier: MIT
// topo: the whole topology, or one answer for a script (--get, --bind, --bind-visible).
#include "cli/commands.h"

#include <algorithm>
#include <iterator>

#include "commands/topology/binding.h"
#include "commands/topology/rocminfo.h"
#include "commands/topology/topology.h"
#include "machine/host/cpus.h"
#include "settings/shapes/device_access.h"
#include "util/exit_status.h"
#include "util/near_names.h"
#include "util/text.h"
#include "vendor/hwloc_probe.h"

namespace rocenv {

struct RankBinding {
    std::string gpu;
    std::string index;
    std::optional<std::string> cpus;
    std::optional<std::string> numa;
    std::optional<std::string> nic;
    std::vector<std::string> unset;  // variables that would hide the GPU
};

namespace {

using Cpus = std::vector<std::uint32_t>;

const char* const rocr_devices = "ROCR_VISIBLE_DEVICES";

bool is_glob(std::string_view key) {
    return key.find_first_of("*?") != std::string_view::npos;
}

// Returns true if a key that matches `key` may begin with `start`.
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

RankBinding binding_of(const Topology& topology, const Agent& agent) {
    const PhysicalGpu& gpu = topology.physical[agent.physical];
    RankBinding binding;
    binding.gpu = agent.bdf + (gpu.agents.size() > 1 ? "/" + number(agent.partition) : "");
    binding.index = number(agent.rocr_index);
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

Output as_exports(const RankBinding& binding, const std::string& /*asked*/) {
    std::string out =
        export_line(rocr_devices, binding.index) + export_line("ROCENV_GPU", binding.gpu) +
        export_line("ROCENV_CPUS", binding.cpus) + export_line("ROCENV_NUMA", binding.numa) +
        export_line("ROCENV_NIC", binding.nic);
    for (const auto& name : binding.unset) {
        out += export_line(name, std::nullopt);
    }
    return {exit_ok, std::move(out), ""};
}

Output as_text(const RankBinding& binding, const std::string& /*asked*/) {
    return {exit_ok,
            "GPU   " + binding.gpu + " (" + rocr_devices + "=" + binding.index + ")\n" + "CPUs  " +
                binding.cpus.value_or("null") + "\n" + "NUMA  " + binding.numa.value_or("null") +
                "\n" + "NIC   " + binding.nic.value_or("null") + "\n",
            ""};
}

// Returns the CPUs between the option of a program and its further options.
Output with_cpus(const RankBinding& binding, const std::string& asked, const std::string& before,
                 const std::string& after) {
    return binding.cpus
               ? Output{exit_ok, before + *binding.cpus + after + "\n", ""}
               : failed(exit_unknown, asked + ": the CPUs near " + binding.gpu + " are unknown");
}

Output as_numactl(const RankBinding& binding, const std::string& asked) {
    return with_cpus(binding, asked,
                     "--physcpubind=", binding.numa ? " --membind=" + *binding.numa : "");
}

Output as_taskset(const RankBinding& binding, const std::string& asked) {
    return with_cpus(binding, asked, "--cpu-list ", "");
}

}  // namespace

bool needs_cpu_topology(const std::vector<std::string>& keys) {
    return std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
        return may_begin(key, "cpus.") || may_begin(key, "numa.");
    });
}

Topology read_for_keys(const Machine& machine, const std::vector<std::string>& keys) {
    TopologyParts parts{false, false, false};
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
            return failed(exit_usage, "unknown key " + in_quotes(key, 80) + " for --get" +
                                          did_you_mean(near_names(key, names)));
        }
    }
    return {exit_ok, std::move(out), ""};
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

// Returns notes about variables that change the architecture that the runtime, and therefore the
// real rocminfo, reports.
std::vector<std::string> override_notes(const Process& process) {
    std::vector<std::string> notes;
    for (const auto& [name, value] : process.environment) {
        if (name.starts_with("HSA_OVERRIDE_GFX_VERSION")) {
            notes.push_back(name + " is set: the runtime reports another architecture of the GPU");
        }
    }
    return notes;
}

// Prints the report of rocminfo. Read errors go to stderr, since stdout is rocminfo's.
Output rocminfo(const Machine& machine, const Process& process, const Hwloc& /*hwloc*/,
                Screen /*screen*/) {
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
    if (output.exit_code == exit_usage) {  // the nearest key is searched among all keys
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

// Returns why agents cannot be bound. An unreadable agent would shift the numbers of those after
// it. An agent without an address would be mistaken for the device at 0000:00:00.0.
std::optional<std::string> not_to_be_bound(const Machine& machine) {
    if (const auto error = machine.kfd_uncertain()) {
        return error->text;
    }
    for (const auto& node : machine.kfd().nodes) {
        if (node.get("simd_count") > 0 && !node.properties.contains("location_id")) {
            return "the GPU of KFD node " + number(node.index) + " has no PCI address";
        }
    }
    return std::nullopt;
}

using Agents = std::vector<const Agent*>;

// Returns all agents by the runtime's index.
Agents in_runtime_order(const Topology& topology) {
    Agents agents(topology.gpus.size());
    for (const auto& agent : topology.gpus) {
        agents[agent.rocr_index] = &agent;
    }
    return agents;
}

std::string seen_count(const DeviceView& view) {
    const std::size_t count = view.seen.size();
    const std::string text =
        count == 0   ? "this process sees no GPU"
        : count == 1 ? "this process sees one GPU, 0"
                     : "this process sees " + number(count) + " GPUs, 0 to " + number(count - 1);
    std::vector<std::string> reasons;
    if (view.selected.rocr) {
        reasons.push_back(selection_text(*view.selected.rocr, view.agents.size()));
    }
    if (view.selected.hip) {
        reasons.push_back(selection_text(*view.selected.hip, view.selected.rocr
                                                                 ? view.selected.rocr->kept.size()
                                                                 : view.agents.size()));
    }
    if (!view.nodes.denied.empty()) {
        reasons.push_back(view.nodes.denied.front().path + ": " + view.nodes.denied.front().why);
    }
    return text + (reasons.empty() ? "" : " (" + join(reasons, "; ") + ")");
}

std::string agent_count(std::size_t count) {
    return count == 0   ? "this node has no agent"
           : count == 1 ? "this node has one agent, 0"
                        : "this node has " + number(count) + " agents, 0 to " + number(count - 1);
}

// An agent for a rank, or why there is none.
struct RankAgent {
    const Agent* agent = nullptr;
    int exit_code = exit_ok;
    std::string why;
};

// Returns the view of a rank that counts all agents: device files do not matter to it.
DeviceView view_of_variables(const Context& context) {
    DeviceView view;
    view.agents = gpu_agents(context.machine);
    view.selected = selected_devices(context, view.agents);
    return view;
}

// Returns the agent of a rank that counts what the process sees. The only one is every rank's.
RankAgent visible_agent(const Agents& agents, const DeviceView& view, std::uint64_t rank) {
    if (view.nodes.uncertain) {
        return {nullptr, exit_unknown, view.nodes.uncertain->text};
    }
    const std::uint64_t at = view.seen.size() == 1 ? 0 : rank;
    if (at >= view.seen.size()) {
        return {nullptr, exit_usage, seen_count(view)};
    }
    return {agents[view.seen[at]], exit_ok, ""};
}

// Returns what leaves the rank's agent out for this process; empty: nothing does.
std::string left_out_note(const DeviceView& view, const Agent& agent) {
    const auto& devices = view.selected.devices;
    if (std::find(devices.begin(), devices.end(), agent.rocr_index) != devices.end()) {
        return "";
    }
    const bool by_rocr = view.selected.rocr &&
                         std::find(view.selected.rocr->kept.begin(), view.selected.rocr->kept.end(),
                                   agent.rocr_index) == view.selected.rocr->kept.end();
    return "--bind counts all agents, and this process does not see agent " +
           number(agent.rocr_index) + ", because of " +
           (by_rocr ? view.selected.rocr->variable : view.selected.hip->variable) +
           "; --bind-visible counts those that it sees";
}

// Returns the variables of HIP that would leave no GPU once ROCR_VISIBLE_DEVICES is this index.
std::vector<std::string> hiding_variables(const Machine& machine, const Process& process,
                                          const DeviceView& view, const std::string& index) {
    Process bound = process;
    bound.environment[rocr_devices] = index;
    std::vector<std::string> names;
    if (selected_devices({machine, bound}, view.agents).devices.empty()) {
        for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
            if (!process.variable(name).value_or("").empty()) {
                names.emplace_back(name);
            }
        }
    }
    return names;
}

// Returns the CPUs of `requested` that this process may use; std::nullopt if there is none.
std::optional<Cpus> common_cpus(const Cpus& requested, const Cpus& allowed) {
    Cpus common;
    std::set_intersection(requested.begin(), requested.end(), allowed.begin(), allowed.end(),
                          std::back_inserter(common));
    return common.empty() ? std::nullopt : std::optional(std::move(common));
}

// Returns the CPUs for the agent as a list, or an error if it gets none; std::nullopt if the kernel
// does not list those near it.
Result<std::optional<std::string>> list_for(const Fs& fs, const Topology& topology,
                                            const Agent& agent, const TopoOptions& options) {
    const CpuDivision division{options.bind_scope == BindScope::numa,
                               options.reserve == ReservedCores::first_of_l3};
    auto cpus = cpus_for_agent(fs, topology, agent, division);
    if (!cpus) {
        return cpus.error();
    }
    if (!*cpus) {
        return std::optional<std::string>();
    }
    if ((*cpus)->empty()) {
        return Error{ErrorKind::bad_input, 0, "",
                     "--reserve first-of-l3 leaves no CPU near " + agent.bdf + " (" +
                         agent.cpus.value_or("") + ")"};
    }
    if (!fs.is_real() || division.whole_node) {
        return std::optional(number_list(**cpus));
    }
    const auto allowed = allowed_cpus(fs);
    if (!allowed) {
        return allowed.error();
    }
    const auto usable = common_cpus(**cpus, *allowed);
    if (!usable) {
        return Error{ErrorKind::bad_input, 0, "",
                     "this process may use the CPUs " + number_list(*allowed) +
                         " only, and none of the CPUs for " + agent.bdf + ": " +
                         number_list(**cpus)};
    }
    return std::optional(number_list(*usable));
}

constexpr BindFormat bind_formats[] = {
    {"text", as_text},
    {"sh", as_exports},
    {"numactl", as_numactl},
    {"taskset", as_taskset},
};

Output bind(const Machine& machine, const Process& process, const TopoOptions& options) {
    const std::uint64_t rank = options.bind ? *options.bind : *options.bind_visible;
    const std::string asked = (options.bind ? "--bind " : "--bind-visible ") + number(rank);
    if (const auto why = not_to_be_bound(machine)) {
        return failure(exit_unknown, asked + ": " + *why);
    }
    const Topology topology =
        read_topology(machine, {.links = false, .nics = true, .missing = false});
    const Agents agents = in_runtime_order(topology);
    if (options.bind && rank >= agents.size()) {
        return failed(exit_usage, asked + ": " + agent_count(agents.size()));
    }
    const Context context{machine, process};
    const DeviceView view = options.bind ? view_of_variables(context) : device_view(context);
    const RankAgent found =
        options.bind ? RankAgent{agents[rank], exit_ok, ""} : visible_agent(agents, view, rank);
    if (found.agent == nullptr) {
        return failed(found.exit_code, asked + ": " + found.why);
    }
    const auto cpus = list_for(machine.fs(), topology, *found.agent, options);
    if (!cpus) {
        return failed(exit_unknown, asked + ": " + cpus.error().text);
    }
    RankBinding binding = binding_of(topology, *found.agent);
    binding.cpus = *cpus;
    binding.unset = hiding_variables(machine, process, view, binding.index);
    const BindFormat& format =
        options.bind_format == nullptr ? bind_formats[0] : *options.bind_format;
    Output output = format.print(binding, asked);
    const auto note = options.bind ? left_out_note(view, *found.agent) : std::string();
    output.err += note.empty() ? "" : error_lines({note});
    return output;
}

Topology whole_topology(const Machine& machine, const Process& process, const Hwloc& hwloc) {
    Topology topology = read_topology(machine);
    take_cpu_topology(machine.fs(), hwloc, topology);
    const auto notes = override_notes(process);
    topology.notes.insert(topology.notes.end(), notes.begin(), notes.end());
    return topology;
}

Output for_person(const Machine& machine, const Process& process, const Hwloc& hwloc,
                  Screen screen) {
    return {status_of(machine),
            render_topology_human(whole_topology(machine, process, hwloc), screen), ""};
}

template <std::string (*Render)(const Topology&)>
Output for_program(const Machine& machine, const Process& process, const Hwloc& hwloc,
                   Screen /*screen*/) {
    return {status_of(machine), Render(whole_topology(machine, process, hwloc)), ""};
}

// Returns what is wrong with options that exclude or need each other.
std::optional<std::string> contradiction(const TopoOptions& options) {
    const bool get = !options.get.empty();
    const bool bind = options.bind || options.bind_visible;
    if (get && bind) {
        return std::string("--get and ") + (options.bind ? "--bind" : "--bind-visible") +
               " exclude each other";
    }
    if (options.bind && options.bind_visible) {
        return "--bind and --bind-visible exclude each other";
    }
    if (options.bind_format != nullptr && !bind) {
        return "--bind-format needs --bind or --bind-visible";
    }
    if ((options.bind_scope || options.reserve) && !bind) {
        return std::string(options.bind_scope ? "--bind-scope" : "--reserve") +
               " needs --bind or --bind-visible";
    }
    if ((get || bind) && options.print.format != &formats<TopoFormat>().front()) {
        return get ? "--get and --format exclude each other"
                   : "--bind and --format exclude each other. Did you mean '--bind-format'?";
    }
    return std::nullopt;
}

constexpr TopoFormat topo_formats[] = {
    {"human", ReadBy::person, for_person},
    {"json", ReadBy::program, for_program<render_topology_json>},
    {.word = "rocminfo", .reader = ReadBy::person, .print = rocminfo, .needs_cpus = false},
    {"svg", ReadBy::program, for_program<render_topology_svg>},
};

}  // namespace

template <>
std::span<const BindFormat> formats() {
    return bind_formats;
}

template <>
std::span<const TopoFormat> formats() {
    return topo_formats;
}

Hwloc ask_hwloc(const TopoOptions& options) {
    const bool needed = options.get.empty() ? !options.bind && !options.bind_visible &&
                                                  options.print.format->needs_cpus
                                            : needs_cpu_topology(options.get);
    // hwloc is not used for another machine: it follows links into this machine, opens devices, and
    // loads plug-ins of the root that it is confined to.
    if (!needed || (options.machine.sysroot && !options.hwloc_xml)) {
        return std::nullopt;
    }
    return hwloc_cpu_topology(options.hwloc_xml, options.machine.patience.probe_seconds);
}

Output run_topo(const TopoOptions& options, const Fs& fs, const Process& process,
                const Hwloc& hwloc) {
    const Machine machine(fs);
    if (const auto why = contradiction(options)) {
        return misused("topo", *why);
    }
    if (options.hwloc_xml && hwloc && !*hwloc) {
        const bool bad = hwloc->is(ErrorKind::bad_input);
        return failure(bad ? exit_usage : exit_unknown, hwloc->error().text);
    }
    Output output = !options.get.empty() ? get(machine, hwloc, options.get)
                    : options.bind || options.bind_visible
                        ? bind(machine, process, options)
                        : options.print.format->print(machine, process, hwloc,
                                                      screen_for(options.print.colour, process));
    if (options.print.quiet) {
        output.out.clear();
    }
    return output;
}

}  // namespace rocenv
