// SPDX-License-Identifier: MIT
#include "variables/expansion.h"

#include <algorithm>
#include <array>

#include "util/rocm_folders.h"
#include "util/text.h"
#include "variables/releases/rocm_layouts.h"

namespace rocenv {

namespace {

// linux include/uapi/linux/binfmts.h: MAX_ARG_STRLEN, with pages of 4 KiB.
constexpr std::size_t longest_value = std::size_t{128} << 10;

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

// The ROCm that counts, which may lie below the folder that ROCM_PATH names (/opt/rocm/core). A
// folder named in vain stays what was named. Without any ROCm it is where its own tools look.
std::string rocm_folder(const Machine& machine, const Process& process) {
    const auto layouts = rocm_layouts(machine.fs(), process);
    const RocmLayout* layout = layouts.counting();
    auto named = process.variable("ROCM_PATH").value_or("");
    if (!named.empty() && (layout == nullptr || !layouts.misled.empty())) {
        return named;
    }
    return layout != nullptr ? layout->folder : std::string(rocm_default);
}

}  // namespace

std::size_t visible_gpus(const Machine& machine) {
    const auto& nodes = machine.kfd().nodes;
    return static_cast<std::size_t>(std::count_if(
        nodes.begin(), nodes.end(), [](const KfdNode& node) { return node.is_gpu(); }));
}

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
        if (out.size() > longest_value) {
            return Error{ErrorKind::bad_input, 0, "",
                         "expands to more than 128 KiB, which no process can be given"};
        }
        at = end;
    }
    return out;
}

std::optional<std::string> lookup_here(const std::string& name, const Machine& machine,
                                       const Process& process) {
    if (name == "ROCM_PATH") {
        return rocm_folder(machine, process);
    }
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

}  // namespace rocenv
