// SPDX-License-Identifier: MIT
// gpu.visible: the number of physical GPUs that the process can use: KFD lists them, their device
// files may be opened, and the selecting variables include them (src/variables/visible_gpus.h).
// Root can open only the files that the device cgroup allows.
#include <algorithm>

#include "settings/shapes/device_access.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"fewer", Level::recommended, "At least one GPU is visible, so the job may start"},
};

void add(std::string& text, const std::string& more) {
    text += (text.empty() || more.empty() ? "" : "; ") + more;
}

// Returns "visible: GPU 4 (0000:85:00.0), GPU 5 (0000:86:00.0)".
std::string names_of(const DeviceView& view) {
    constexpr std::size_t most = 8;
    if (view.seen.empty() || view.seen.size() == view.agents.size()) {
        return "";
    }
    std::string out;
    for (std::size_t at = 0; at < std::min(view.seen.size(), most); ++at) {
        out += (at == 0 ? "the process sees GPU " : ", GPU ") + number(view.seen[at]) + " (" +
               view.agents[view.seen[at]].gpu->bdf + ")";
    }
    return out + (view.seen.size() > most ? ", and " + number(view.seen.size() - most) + " more"
                                          : std::string());
}

std::string explain(const Context& context, const DeviceView& view) {
    const Machine& machine = context.machine;
    if (!machine.kfd().present) {
        return "this system has no KFD: it has no AMD GPU, or no driver for one";
    }
    std::string detail;
    if (view.selected.rocr) {
        add(detail, selection_text(*view.selected.rocr, view.agents.size()));
    }
    if (view.selected.hip) {
        add(detail,
            selection_text(*view.selected.hip, view.selected.rocr ? view.selected.rocr->kept.size()
                                                                  : view.agents.size()));
    }
    if (!view.nodes.denied.empty()) {
        add(detail, view.nodes.denied.front().path + ": " + view.nodes.denied.front().why);
    }
    if (const auto hidden = machine.kfd().hidden(); hidden > 0) {
        add(detail, counted_are(hidden, "KFD node") + " hidden from this container or job");
    }
    add(detail, names_of(view));
    if (!view.files_asked) {
        add(detail, context.process.environment_of == EnvironmentOf::far_process
                        ? "the process has its own namespaces, so its device files were not "
                          "checked and it may see fewer GPUs"
                        : "device files were not checked");
    }
    return detail;
}

// Returns the number of devices that Slurm gave to the only task of this node; std::nullopt if
// several tasks share them or Slurm states none (slurm.schedmd.com/srun.html, 2026-11).
std::optional<std::uint64_t> given_by_slurm(const Process& process) {
    for (const char* name : {"SLURM_GPUS_PER_TASK", "SLURM_TRES_PER_TASK", "SLURM_GPU_BIND"}) {
        if (process.variable(name)) {
            return std::nullopt;
        }
    }
    for (const char* name : {"SLURM_STEP_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE",
                             "SLURM_TASKS_PER_NODE", "SLURM_NTASKS"}) {
        const auto tasks = process.variable(name);
        if (tasks && *tasks != "1" && !tasks->starts_with("1(")) {
            return std::nullopt;
        }
    }
    return parse_number(process.variable("SLURM_GPUS_ON_NODE").value_or(""));
}

// Returns the reason why the process sees fewer devices than a variable names; empty if it does
// not.
std::string fewer_than_named(const Process& process, const DeviceView& view) {
    const std::size_t seen = view.seen.size();
    for (const auto* each :
         {view.selected.hip ? &*view.selected.hip : nullptr,
          view.selected.rocr && !view.selected.hip ? &*view.selected.rocr : nullptr}) {
        if (each != nullptr && each->named > seen) {
            return each->variable + " names " + counted(each->named, "device") +
                   ", but the process sees " + number(seen);
        }
    }
    if (const auto given = given_by_slurm(process); given && *given > seen) {
        return "SLURM_GPUS_ON_NODE is " + number(*given) + ", but the process sees " + number(seen);
    }
    return "";
}

void advise(const Process& process, const DeviceView& view, bool lacks_gpus, Assessment& row) {
    const auto& [devices, rocr, hip] = view.selected;
    if (view.agents.empty() && lacks_gpus) {
        row.next_step = "sudo dmesg | grep amdgpu";
    }
    if (devices.size() == view.agents.size()) {
        return;
    }
    if (slurm_set_both(process) && hip && hip->variable == "CUDA_VISIBLE_DEVICES") {
        row.next_step = "unset CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL";
        add(row.detail,
            "Slurm sets both lists; its administrator can set Flags=amd_gpu_env in gres.conf");
        return;
    }
    const bool hip_is_at_fault = hip && !hip->fault.empty() && (!rocr || !rocr->kept.empty());
    if (!hip_is_at_fault && rocr && rocr->kept.size() < view.agents.size()) {
        row.next_step = "unset ROCR_VISIBLE_DEVICES";
    } else if (hip) {
        row.next_step = "unset " + hip->variable;
    }
}

// Returns the count of PyTorch: 2.6 and newer counts by itself if amdsmi is installed.
std::string counted_by_torch(const Context& context, const DeviceView& view) {
    const bool set = view.selected.hip || view.selected.rocr ||
                     context.process.variable("HIP_VISIBLE_DEVICES") ||
                     context.process.variable("CUDA_VISIBLE_DEVICES");
    if (!set || context.versions == nullptr) {
        return "";
    }
    const auto torch = context.versions->find("torch");
    if (!torch || compare_versions(torch->version, "2.6").value_or(-1) < 0) {
        return "";
    }
    std::vector<std::uint64_t> ids;
    for (const auto& agent : view.agents) {
        ids.push_back(agent.unique_id);
    }
    const auto count = torch_count(ids, context.process.environment);
    if (!count.error.empty()) {
        return "PyTorch raises \"" + count.error + "\"";
    }
    return count.count == view.selected.devices.size()
               ? ""
               : "PyTorch counts " + counted(count.count, "device") + ", HIP " +
                     number(view.selected.devices.size());
}

std::string_view variable_of(const std::string& name) {
    constexpr std::string_view names[] = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                          "CUDA_VISIBLE_DEVICES"};
    return *std::find(std::begin(names), std::end(names) - 1, name);
}

std::vector<Assessment> assess_visible(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    const Target target{"process", std::nullopt, ""};
    const DeviceView view = device_view(context);
    const VersionRequirement requirement = version_requirement(expectation.value);
    const bool good = requirement.accepts_count(view.gpus);
    // Further GPUs do not change a minimum that is reached.
    if (view.nodes.uncertain && !(good && requirement.minimum)) {
        return {unreadable(target, *view.nodes.uncertain, requirement.text)};
    }
    if (!context.fs().is_real() && view.agents.empty() && context.machine.gpus().empty()) {
        auto row = no_target("this system has no AMD GPU");
        row.target.base = "process";
        return {row};
    }
    if (const auto why = selection_unknown(context.process)) {
        auto row = unreadable(target, {ErrorKind::garbled, 0, "", *why}, requirement.text);
        row.reason = Reason::error;
        row.next_step = judge_program;
        return {row};
    }
    auto row = compared(target, requirement.text, number(view.gpus));
    const std::string fewer = good ? fewer_than_named(context.process, view) : "";
    const std::string torch = counted_by_torch(context, view);
    row.outcome = good && fewer.empty() ? Outcome::ok : Outcome::differs;
    row.grade = fewer.empty() ? nullptr : &grades[0];
    row.devices = DeviceCount{view.seen.size(), view.agents.size()};
    row.detail = fewer;
    add(row.detail, torch);
    add(row.detail, explain(context, view));
    row.remark = !torch.empty();
    const bool hidden = context.machine.kfd().hidden() > 0;
    advise(context.process, view, lacks_kfd(context.machine) && !hidden, row);
    for (const auto* each : {&view.selected.rocr, &view.selected.hip}) {
        const bool alone = *each && !(*each)->fault.empty() && (*each)->named > 0;
        row.by_variable = alone ? variable_of((*each)->variable) : row.by_variable;
    }
    return {row};
}

// Returns ">=1" for recordings: no visible GPU is not a value to expect.
std::optional<std::vector<Value>> learn_visible(const Setting&, const Context& context) {
    if (!context.fs().is_real()) {
        return {{Value{std::string(">=1"), {}}}};
    }
    return {{Value{static_cast<std::int64_t>(std::max<std::size_t>(device_view(context).gpus, 1)),
                   {}}}};
}

}  // namespace

const Setting& gpu_visible() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.visible",
                .summary = "Number of physical GPUs that the process sees",
                .why = "A job that sees fewer GPUs than expected fails or runs on the CPU",
                .source =
                    "linux drivers/gpu/drm/amd/amdkfd/kfd_priv.h kfd_devcgroup_check_permission, "
                    "6.12 (2024-11); faccessat(2); ROCR-Runtime core/runtime/amd_filter_device.cpp "
                    "and clr rocclr/device/rocm/rocdevice.cpp, 2026-11",
                .target = "process",
                .read_from = "/sys/class/kfd/kfd/topology/nodes/*/properties, faccessat of "
                             "/dev/dri/renderD*, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, "
                             "CUDA_VISIBLE_DEVICES",
                .set_by = "",
                .next_step = "start the container with --device=/dev/kfd --device=/dev/dri, or "
                             "request GPUs from the scheduler",
                .persist = "as long as the container or job exists",
                .risk_note = "",
                .scope = Scope::process,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::at_least}},
                .grades = grades,
            },
        .assess = assess_visible,
        .learn = learn_visible,
    };
    return setting;
}

}  // namespace rocenv
