// SPDX-License-Identifier: MIT
#include "settings/shapes/device_access.h"

#include <algorithm>

#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Errno of the device cgroup (linux security/device_cgroup.c); a file's mode gives `EACCES`.
constexpr int eperm = 1;
constexpr std::uint32_t overflow_group = 65534;  // a group outside of this user namespace

// Returns the group's name, or its number if /etc/group does not list it.
std::string group_name(const Fs& fs, std::uint32_t group) {
    const auto text = fs.read("/etc/group");
    for (const auto line : split(text ? std::string_view(*text) : std::string_view(), '\n')) {
        const auto parts = split(line, ':');
        if (parts.size() >= 3 && parse_number(parts[2]) == group && is_plain(parts[0])) {
            return std::string(parts[0]);
        }
    }
    return number(group);
}

Denied denied_to_group(const Machine& machine, const std::string& path, std::uint32_t group) {
    if (group == overflow_group) {
        return {path, "the group of the file is not mapped into this container",
                "start the container with --group-add keep-groups (podman)"};
    }
    const std::string name = group_name(machine.fs(), group);
    if (group != 0 && machine.facts().container) {
        return {path, "the file belongs to group " + name,
                "start the container with --group-add " + number(group) +
                    " (Kubernetes: supplementalGroups: [" + number(group) + "])"};
    }
    const std::string step = group == 0
                                 ? "install ROCm's udev rule, so that the group is render"
                                 : "sudo usermod -aG " + name + " $USER; log in again afterwards";
    return {path, "the file belongs to group " + name, step};
}

void ask_agent(const Machine& machine, std::size_t agent, RenderNodes& out) {
    const KfdNode& node = machine.kfd().nodes[agent];
    const auto minor = node.get("drm_render_minor");
    if (minor == 0) {
        const std::string path = "KFD node " + number(node.index);
        out.uncertain = garbled(path, "names no render node (an old driver)");
        return;
    }
    const std::string path = "/dev/dri/renderD" + number(minor);
    const auto denied = ask_access(machine, path);
    if (!denied) {
        out.uncertain = denied.error();
        return;
    }
    ++out.nodes;
    if (*denied) {
        out.denied.push_back(**denied);
    } else {
        out.open_agents.insert(agent);
    }
}

}  // namespace

Result<std::optional<Denied>> ask_access(const Machine& machine, const std::string& path) {
    const auto access = machine.fs().access(path);
    if (access.is(ErrorKind::not_here)) {
        const std::string folder = path.substr(0, path.rfind('/'));
        const std::string device = folder == "/dev" ? path : folder;
        return std::optional(Denied{path, "the device file does not exist",
                                    "start the container with --device=" + device +
                                        "; if this is not a container: sudo udevadm trigger"});
    }
    if (!access) {
        return access.error();
    }
    if (access->err == 0) {
        return std::optional<Denied>();
    }
    if (access->err == eperm) {
        return std::optional(
            Denied{path, "the device cgroup denies access",
                   "request the device from the scheduler or the container engine"});
    }
    return std::optional(denied_to_group(machine, path, access->group));
}

RenderNodes ask_render_nodes(const Machine& machine) {
    RenderNodes out;
    out.uncertain = machine.kfd_uncertain();
    for (const auto& gpu : machine.gpus()) {
        for (const auto agent : gpu.agents) {
            ask_agent(machine, agent, out);
        }
    }
    return out;
}

std::vector<GpuAgent> gpu_agents(const Machine& machine) {
    std::vector<GpuAgent> out;
    for (const auto& gpu : machine.gpus()) {
        for (const auto node : gpu.agents) {
            out.push_back({node, &gpu, machine.kfd().nodes[node].get("unique_id")});
        }
    }
    std::sort(out.begin(), out.end(),
              [](const GpuAgent& one, const GpuAgent& other) { return one.node < other.node; });
    return out;
}

VisibleDevices selected_devices(const Context& context, const std::vector<GpuAgent>& agents) {
    std::vector<std::uint64_t> ids;
    ids.reserve(agents.size());
    for (const auto& agent : agents) {
        ids.push_back(agent.unique_id);
    }
    bool uuid = false;
    for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
        uuid =
            uuid || context.process.variable(name).value_or("").find("GPU-") != std::string::npos;
    }
    auto rocm = uuid ? assumed_rocm(context.versions) : std::nullopt;
    if (uuid && !rocm) {
        const auto found = layouts_of(context.versions, context.fs(), context.process).version();
        rocm = found ? std::optional(*found) : std::nullopt;
    }
    return visible_devices(ids, context.process.environment, rocm);
}

DeviceView device_view(const Context& context) {
    DeviceView out;
    out.agents = gpu_agents(context.machine);
    out.selected = selected_devices(context, out.agents);
    const auto of = context.process.environment_of;
    out.files_asked =
        context.fs().is_real() && (of == EnvironmentOf::caller || of == EnvironmentOf::process);
    if (out.files_asked) {
        out.nodes = ask_render_nodes(context.machine);
    } else {
        out.nodes.uncertain = context.machine.kfd_uncertain();
    }
    std::set<const Gpu*> gpus;
    for (const auto at : out.selected.devices) {
        const GpuAgent& agent = out.agents[at];
        if (!out.files_asked || out.nodes.open_agents.contains(agent.node)) {
            out.seen.push_back(at);
            gpus.insert(agent.gpu);
        }
    }
    out.gpus = gpus.size();
    return out;
}

std::string selection_text(const DeviceSelection& selection, std::size_t of) {
    const bool instead = selection.variable == "CUDA_VISIBLE_DEVICES";
    return selection.variable + "=" + printable(selection.text) +
           (instead ? ", which HIP reads without HIP_VISIBLE_DEVICES," : "") + " leaves " +
           number(selection.kept.size()) + " of " + number(of) +
           (selection.fault.empty() ? "" : " (" + selection.fault + ")");
}

bool slurm_set_both(const Process& process) {
    const auto rocr = process.variable("ROCR_VISIBLE_DEVICES");
    return process.variable("SLURM_JOB_ID") && rocr && !rocr->empty() &&
           rocr == process.variable("CUDA_VISIBLE_DEVICES");
}

std::optional<std::string> selection_unknown(const Process& process) {
    for (const char* name :
         {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
        if (auto why = process.why_unknown(name)) {
            return why;
        }
    }
    return std::nullopt;
}

std::optional<Assessment> not_asked_here(const Context& context) {
    const bool real = context.fs().is_real();
    if (real && !context.process.is_root) {
        return std::nullopt;
    }
    auto row =
        no_target(real ? "root may open every device; check again as the job's user"
                       : "the access rights of this process do not describe another machine");
    row.target.base = "process";
    return row;
}

Assessment access_row(const Expectation& expectation, const std::vector<Denied>& denied,
                      const std::optional<Error>& uncertain) {
    const Target target{"process", std::nullopt, ""};
    const std::string expected = toml_text(expectation.value);
    if (denied.empty() && uncertain) {
        return unreadable(target, *uncertain, expected);
    }
    auto row = compared(target, expected, denied.empty() ? "true" : "false");
    if (!denied.empty()) {
        const auto& first = denied.front();
        row.detail = first.path + ": " + first.why;
        if (denied.size() > 1) {
            row.detail += " (and " + number(denied.size() - 1) + " more)";
        }
        row.next_step = first.next_step;
    }
    return row;
}

bool lacks_kfd(const Machine& machine) {
    const auto& gpus = machine.gpus();
    return std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return gpu.accelerator; });
}

}  // namespace rocenv
