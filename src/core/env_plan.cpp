// SPDX-License-Identifier: MIT
#include "rocenv/env_plan.h"

#include <algorithm>
#include <array>

#include "core/here.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view prefix = "env.";

// By which launchers tell a process its place on the node: Slurm, Open MPI, MPICH and Intel MPI,
// MVAPICH2, Flux, HPE PALS (their manuals, read 2026-11).
constexpr std::array<const char*, 6> rank_names{"SLURM_LOCALID",      "OMPI_COMM_WORLD_LOCAL_RANK",
                                                "MPI_LOCALRANKID",    "MV2_COMM_WORLD_LOCAL_RANK",
                                                "FLUX_TASK_LOCAL_ID", "PALS_LOCAL_RANKID"};

std::optional<std::string> local_rank(const Process& process) {
    for (const char* name : rank_names) {
        if (auto value = process.variable(name)) {
            return value;
        }
    }
    return std::nullopt;
}

std::size_t visible_gpus(const Machine& machine) {
    const auto& nodes = machine.kfd().nodes;
    return static_cast<std::size_t>(std::count_if(
        nodes.begin(), nodes.end(), [](const KfdNode& node) { return node.is_gpu(); }));
}

Result<std::string> value_here(const Want& want, const Machine& machine, const Process& process) {
    auto value = expand(*want.value.text(), [&](const std::string& name) {
        return lookup_here(name, machine, process);
    });
    if (value && value->find('\0') != std::string::npos) {
        return Error{ErrorKind::bad_input, 0, "", "a value cannot hold a NUL byte"};
    }
    return value;
}

bool is_exported(const Want& want, const CheckRequest& request) {
    return want.id.starts_with(prefix) && want.level != Level::info &&
           selected(want.id, request.only, request.skip);
}

}  // namespace

Result<std::string> expand(std::string_view text, const Lookup& lookup) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (text[at] != '$' || (next != '$' && next != '{')) {
            out += text[at];
            continue;
        }
        if (next == '$') {
            out += '$';
            ++at;
            continue;
        }
        const auto end = text.find('}', at);
        if (end == std::string_view::npos) {
            return Error{ErrorKind::bad_input, 0, "", "a ${ without a } ($$ is a plain $)"};
        }
        const std::string name(text.substr(at + 2, end - at - 2));
        const auto value = lookup(name);
        if (!value) {
            return Error{ErrorKind::bad_input, 0, "",
                         "${" + printable(name, 60) + "} is not set ($$ is a plain $)"};
        }
        out += *value;
        at = end;
    }
    return out;
}

std::optional<std::string> lookup_here(const std::string& name, const Machine& machine,
                                       const Process& process) {
    if (auto value = process.variable(name)) {
        return value;
    }
    if (name == "LOCAL_RANK") {
        return local_rank(process);
    }
    // Zero where nothing could be looked at would be a lie.
    if (name == "GPU_COUNT" && !machine.kfd_uncertain()) {
        return number(visible_gpus(machine));
    }
    return std::nullopt;
}

Want expanded_here(Want want, const Machine& machine, const Process& process) {
    const bool is_text = want.id.starts_with(prefix) && !want.unset;
    if (auto value = is_text ? value_here(want, machine, process) : Error{}) {
        want.value.data = *std::move(value);
    }
    return want;
}

EnvPlan plan_environment(const CheckRequest& request, const Machine& machine, const Fs& host,
                         const Process& process) {
    ProfileHere here = resolve_here(request, machine, host, process);
    EnvPlan plan;
    plan.errors = std::move(here.errors);
    plan.warnings = std::move(here.warnings);
    plan.profiles = here.profile.names;
    plan.late = here.late;
    if (!plan.errors.empty()) {
        return plan;
    }
    for (const auto& want : here.profile.wants) {
        if (!is_exported(want, request)) {
            continue;
        }
        const std::string name = want.id.substr(prefix.size());
        if (want.unset) {
            plan.lines.push_back({name, std::nullopt});
            continue;
        }
        auto value = value_here(want, machine, process);
        if (value) {
            plan.lines.push_back({name, *std::move(value)});
        } else {
            plan.errors.push_back(place_text(want.place) + ": " + name + ": " + value.error().text);
        }
    }
    std::sort(plan.lines.begin(), plan.lines.end(),
              [](const EnvLine& a, const EnvLine& b) { return a.name < b.name; });
    return plan;
}

}  // namespace rocenv
