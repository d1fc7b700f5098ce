// SPDX-License-Identifier: MIT
// Settings that are a file or two of each physical GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Whether a GPU is on PCI and made for compute, by its class, its model or because KFD has it.
bool is_for_compute(const Gpu& gpu);

// Why nothing is known of a GPU's KFD nodes: KFD could not be read (its error), a container may not
// see them (hidden), or there are none (not_here). Nothing: they are known.
std::optional<Error> no_agents(const Machine& machine, const Gpu& gpu);

// Returns the address of the GPU that each KFD node is of, by the node's index.
std::map<std::uint32_t, std::string> gpus_by_node(const Machine& machine);

// Shows what became of a GPU.
inline constexpr const char* look_at_gpus = "sudo dmesg | grep amdgpu";

// As unreadable(), of a file of amdgpu: EPERM is a GPU that is in reset or suspended.
Assessment unreadable_gpu(const Target& target, const Error& error);

struct GpuFiles {
    std::string want;
    // Tells what the GPU has, in the text form of `want`; not_here: the driver offers no such file.
    std::function<Result<std::string>(const Gpu&)> read;
    std::string absent;  // why not_here is fine; empty: it is not, every driver has the file
};

// Compares every GPU made for compute; one that is asleep is not touched.
std::vector<Assessment> assess_gpus(const Context& context, const GpuFiles& files);

// What a GPU holds in the text form of `have`, and what puts it back.
struct GpuHeld {
    std::string shown;
    Change back;
};

using ReadHeld = std::function<Result<GpuHeld>(const Gpu&)>;

// Nothing when `read` says not_here. A GPU that is asleep is not touched.
std::optional<Baseline> baseline_gpu(const Machine& machine, const Gpu& gpu, const ReadHeld& read);

// Of every GPU made for compute.
std::vector<Baseline> baseline_gpus(const Context& context, const ReadHeld& read);

}  // namespace rocenv
