// SPDX-License-Identifier: MIT
// Access of this process to the device files of GPUs, for access.* and gpu.visible. No file is
// opened: a process that opens /dev/kfd already counts as a user of the GPUs.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rocenv/setting.h"
#include "variables/visible_gpus.h"

namespace rocenv {

// A device file that this process may not open.
struct Denied {
    std::string path;
    std::string why;        // "needs group render", "the device cgroup denies it", "is not there"
    std::string next_step;  // empty: the next step of the setting
};

// Returns the denial, also for a missing file; std::nullopt if the process may open the file. Fails
// with the other errors of Fs::access().
Result<std::optional<Denied>> ask_access(const Machine& machine, const std::string& path);

// The render nodes of the GPUs that KFD shows to this process.
struct RenderNodes {
    std::size_t nodes = 0;              // number of checked nodes
    std::set<std::size_t> open_agents;  // positions in Kfd::nodes
    std::vector<Denied> denied;
    std::optional<Error> uncertain;  // reason why further nodes may exist
};
// Checks the access to all render nodes. `uncertain` is the last error.
RenderNodes ask_render_nodes(const Machine& machine);

// A GPU agent of KFD: a physical GPU or a partition.
struct GpuAgent {
    std::size_t node = 0;  // position in Kfd::nodes
    const Gpu* gpu = nullptr;
    std::uint64_t unique_id = 0;  // 0: none
};

// Returns the agents in KFD's order, which is the index of the runtime.
std::vector<GpuAgent> gpu_agents(const Machine& machine);

// Returns the agents that the variables of the process select, as positions in `agents`. Reads the
// ROCm release only if a UUID requires it.
VisibleDevices selected_devices(const Context& context, const std::vector<GpuAgent>& agents);

// The agents that the process can use, and how they were determined.
struct DeviceView {
    std::vector<GpuAgent> agents;  // all agents in KFD
    VisibleDevices selected;
    RenderNodes nodes;              // access to the device files of this process
    bool files_asked = false;       // false: another machine or a given environment
    std::vector<std::size_t> seen;  // positions in `agents`, in the order of HIP
    std::size_t gpus = 0;           // number of physical GPUs among these
};
// Determines the view of this process. Access to files counts only on the real machine.
DeviceView device_view(const Context& context);

// Returns the effect of one variable: "ROCR_VISIBLE_DEVICES=9 leaves 0 of 8 (9 is beyond …)".
std::string selection_text(const DeviceSelection& selection, std::size_t of);

// Returns true if Slurm set the lists of ROCr and CUDA to the same value, so that CUDA's list
// selects a second time (slurm.schedmd.com/gres.conf.html, Flags=amd_gpu_env, 2026-11).
bool slurm_set_both(const Process& process);

// Returns the reason why the selection of the variables is unknown; std::nullopt if it is known.
std::optional<std::string> selection_unknown(const Process& process);

// Returns the row (na) if access is not checked: on another machine, or as root. Returns
// std::nullopt if it is.
std::optional<Assessment> not_asked_here(const Context& context);

// Returns the row of access.* for the process: "false" with the first denied file as detail, else
// unknown because of the uncertainty, else "true".
Assessment access_row(const Expectation& expectation, const std::vector<Denied>& denied,
                      const std::optional<Error>& uncertain);

// Returns true if PCI lists a GPU for compute. For callers that found no KFD node.
bool lacks_kfd(const Machine& machine);

}  // namespace rocenv
