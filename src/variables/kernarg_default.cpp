// SPDX-License-Identifier: MIT
#include "variables/kernarg_default.h"

#include <algorithm>

#include "machine/gpu/gpu_models.h"

#include "util/text.h"

namespace rocenv {

namespace {

// By PCI id where KFD is not to be seen: all of MI300 and MI350 are gfx94x and gfx95x.
bool has_gpu(const Machine& machine, std::initializer_list<std::string_view> kinds) {
    for (const auto& gpu : machine.gpus()) {
        const GpuModel* model = gpu_model(gpu.device);
        const auto gfx =
            gpu.agents.empty()
                ? std::string(model == nullptr ? "" : model->gfx)
                : gfx_name(machine.kfd().nodes[gpu.agents.front()].get("gfx_target_version"));
        if (std::any_of(kinds.begin(), kinds.end(),
                        [&](std::string_view kind) { return gfx.starts_with(kind); })) {
            return true;
        }
    }
    return false;
}

Reading told(std::string effective, std::string note) {
    Reading out;
    out.known = effective != "default";
    out.effective = std::move(effective);
    out.note = std::move(note);
    return out;
}

}  // namespace

Reading kernarg_default(const Machine& machine, const Result<FoundVersion>& rocm) {
    const auto uncertain = machine.gpus_uncertain();
    if (machine.gpus().empty() && uncertain) {
        return told("default", "not set; which GPUs there are is unknown: " + uncertain->text);
    }
    if (machine.gpus().empty()) {
        Reading out = told("default", "no AMD GPU, nothing reads it");
        out.applies = false;
        return out;
    }
    if (!has_gpu(machine, {"gfx94", "gfx95"})) {
        return told("false", "not set; off by default on this GPU");
    }
    if (!rocm) {
        return told("default",
                    "not set; whether it is on by default depends on the ROCm version: " +
                        rocm.error().text);
    }
    if (compare_versions(rocm->version, "6.1.2").value_or(-1) >= 0) {
        return told("true", "not set; on by default with ROCm 6.1.2 and later on this GPU");
    }
    if (compare_versions(rocm->version, "6.0.3").value_or(-1) >= 0) {
        return told("default",
                    "not set; off by default in ROCm 6.0.2, on in 6.1.2, nobody looked between");
    }
    return told("false", "not set; off by default before ROCm 6.1");
}

std::optional<std::string> kernarg_stays_on_host(const Machine& machine,
                                                 const Result<FoundVersion>& rocm,
                                                 bool is_worked_around) {
    const bool is_new = rocm && compare_versions(rocm->version, "6.3").value_or(-1) >= 0;
    if (!is_new || is_worked_around || !has_gpu(machine, {"gfx908"})) {
        return std::nullopt;
    }
    return "from ROCm 6.3 on kernel arguments stay in host memory on gfx908, unless "
           "DEBUG_CLR_KERNARG_HDP_FLUSH_WA=1";
}

}  // namespace rocenv
