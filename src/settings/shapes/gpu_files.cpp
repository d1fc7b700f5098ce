// SPDX-License-Identifier: MIT
#include "settings/shapes/gpu_files.h"

#include <cerrno>

#include "util/text.h"

namespace rocenv {

// amdgpu refuses with EPERM while the GPU is in reset or suspended; its files are readable by all
// (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_pm_dev_state_check).
Assessment unreadable_gpu(const Target& target, const Error& error) {
    auto row = unreadable(target, error);
    if (error.err == EPERM) {
        row.detail += "; the GPU is in reset or suspended";
        row.next_step = std::string(look_at_gpus) + "; then ask again";
    }
    return row;
}

std::optional<Error> no_agents(const Machine& machine, const Gpu& gpu) {
    if (auto uncertain = machine.kfd_uncertain()) {
        return uncertain;
    }
    if (!gpu.agents.empty()) {
        return std::nullopt;
    }
    return machine.kfd().hidden() > 0
               ? Error{ErrorKind::hidden, 0, "", "its KFD node is hidden from this container"}
               : Error{ErrorKind::not_here, 0, "", "KFD has no node of " + gpu.bdf};
}

std::map<std::uint32_t, std::string> gpus_by_node(const Machine& machine) {
    std::map<std::uint32_t, std::string> out;
    for (const auto& gpu : machine.gpus()) {
        for (const auto agent : gpu.agents) {
            out[machine.kfd().nodes[agent].index] = gpu.bdf;
        }
    }
    return out;
}

bool is_for_compute(const Gpu& gpu) {
    return gpu.on_pci && (gpu.accelerator || !gpu.agents.empty());
}

namespace {

Assessment assess_gpu(const Machine& machine, const Gpu& gpu, const GpuFiles& files) {
    const Target target{gpu.bdf, std::nullopt, ""};
    if (const auto sleeping = machine.asleep(gpu.bdf)) {
        return unreadable(target, *sleeping);
    }
    const auto have = files.read(gpu);
    if (have) {
        return compared(target, files.want, *have);
    }
    const bool fine = have.is(ErrorKind::not_here) && !files.absent.empty() &&
                      exists(machine.fs(), pci_path(gpu.bdf));
    const std::string no_driver = "no amdgpu driver is bound to it";
    if (!fine) {
        auto row = unreadable_gpu(target, have.error());
        if (have.is(ErrorKind::not_here) && gpu.driver != "amdgpu") {
            row.detail = no_driver + ", which would tell";
            row.next_step = look_at_gpus;
        }
        return row;
    }
    auto row = no_target(gpu.driver == "amdgpu" ? files.absent : no_driver);
    row.target = target;
    return row;
}

}  // namespace

std::optional<Baseline> baseline_gpu(const Machine& machine, const Gpu& gpu, const ReadHeld& read) {
    const Target target{gpu.bdf, std::nullopt, ""};
    const auto sleeping = machine.asleep(gpu.bdf);
    const auto held = sleeping ? *sleeping : read(gpu);
    if (held.is(ErrorKind::not_here)) {
        return std::nullopt;
    }
    return held ? Baseline{target, held->shown, held->back} : Baseline{target, "", held.error()};
}

std::vector<Baseline> baseline_gpus(const Context& context, const ReadHeld& read) {
    std::vector<Baseline> out;
    for (const auto& gpu : context.machine.gpus()) {
        auto held = is_for_compute(gpu) ? baseline_gpu(context.machine, gpu, read) : std::nullopt;
        if (held) {
            out.push_back(*std::move(held));
        }
    }
    return out;
}

std::vector<Assessment> assess_gpus(const Context& context, const GpuFiles& files) {
    std::vector<Assessment> out;
    for (const auto& gpu : context.machine.gpus()) {
        if (is_for_compute(gpu)) {
            out.push_back(assess_gpu(context.machine, gpu, files));
            out.back().want = files.want;
        }
    }
    if (const auto uncertain = context.machine.gpus_uncertain()) {
        out.push_back(unreadable({}, *uncertain, files.want));
    }
    if (out.empty()) {
        out.push_back(no_target("no AMD GPU for compute on PCI"));
    }
    return out;
}

}  // namespace rocenv
