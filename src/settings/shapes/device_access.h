// SPDX-License-Identifier: MIT
// What access.* and gpu.visible share: whether this process may open a GPU's device files. Nothing
// is opened: opening /dev/kfd already makes a process one that uses the GPUs.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rocenv/setting.h"
#include "variables/visible_gpus.h"

namespace rocenv {

// A device file this process may not open.
struct Denied {
    std::string path;
    std::string why;        // "needs group render", "the device cgroup denies it", "is not there"
    std::string next_step;  // empty: no better than the setting's own
};

// Nothing when the process may open it.
Result<std::optional<Denied>> ask_access(const Machine& machine, const std::string& path);

// Render nodes of the GPUs that KFD shows to this process.
struct RenderNodes {
    std::size_t nodes = 0;              // those that may be opened or not
    std::set<std::size_t> open_agents;  // positions in Kfd::nodes
    std::vector<Denied> denied;
    std::optional<Error> uncertain;  // there may be others
};
RenderNodes ask_render_nodes(const Machine& machine);

// One GPU agent of KFD: a physical GPU or a partition of one.
struct GpuAgent {
    std::size_t node = 0;  // position in Kfd::nodes
    const Gpu* gpu = nullptr;
    std::uint64_t unique_id = 0;  // 0: none
};

// Returns the agents in KFD's order: the runtime's index is the position in this list.
std::vector<GpuAgent> gpu_agents(const Machine& machine);

// Returns what the variables of the process select of these agents. Looks for ROCm's release only
// if a UUID depends on it.
VisibleDevices selected_devices(const Context& context, const std::vector<GpuAgent>& agents);

// What the process sees of the agents, and how that was found.
struct DeviceView {
    std::vector<GpuAgent> agents;  // all that KFD lists
    VisibleDevices selected;
    RenderNodes nodes;  // of a process whose device files are these
    bool files_asked = false;
    std::vector<std::size_t> seen;  // positions in agents, in the order in which HIP counts them
    std::size_t gpus = 0;           // physical ones among these
};
DeviceView device_view(const Context& context);

// Returns what one variable leaves, "ROCR_VISIBLE_DEVICES=9 leaves 0 of 8 (9 is beyond …)".
std::string selection_text(const DeviceSelection& selection, std::size_t of);

// Returns whether Slurm set ROCr's and CUDA's list to the same, of which CUDA's then selects again
// (slurm.schedmd.com/gres.conf.html, Flags=amd_gpu_env, 2026-11).
bool slurm_set_both(const Process& process);

// Returns why it is not known what those variables select; std::nullopt if it is.
std::optional<std::string> selection_unknown(const Process& process);

// Why access is not asked about: another machine, or root.
std::optional<Assessment> not_asked_here(const Context& context);

// The one row of access.*: `denied` first, then what is uncertain.
Assessment access_row(const Want& want, const std::vector<Denied>& denied,
                      const std::optional<Error>& uncertain);

// GPUs on PCI that should have a KFD node, while KFD has none.
bool lacks_kfd(const Machine& machine);

}  // namespace rocenv
