// SPDX-License-Identifier: MIT
// The lists that the inventory of a node comes from. A list that is missing or unreadable is not an
// empty list: what depends on it is unknown where something else shows that it should be there.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/machine.h"

namespace rocenv {

enum class Source { pci, kfd, drm, modules, cpufreq, infiniband, net };
inline constexpr std::array all_sources{Source::pci,     Source::kfd,     Source::drm,
                                        Source::modules, Source::cpufreq, Source::infiniband,
                                        Source::net};

enum class SourceState { read, empty, missing, unreadable };

// What the settings that depend on a source may conclude from its state.
enum class Trust {
    whole,   // the list is complete: what is not in it does not exist
    unknown  // nothing follows from what is not in it
};

// Returns the rule for a source in a state. `evidence`: something else shows that the list should
// have entries.
Trust trust_in(Source source, SourceState state, bool evidence);

struct SourceReading {
    SourceState state = SourceState::read;
    std::string path;
    std::optional<Error> error;  // with `missing` and `unreadable`
};

// Lists a source. The PCI functions and KFD are those that `machine` has read already.
SourceReading read_source(const Machine& machine, Source source);

// Returns what shows, besides the source itself, that it should have entries; std::nullopt if
// nothing does. For PCI that is gpu_evidence().
std::optional<std::string> evidence_for(const Machine& machine, Source source);

// Returns what shows that the node has an AMD GPU for compute: a KFD node with SIMDs, a DRM card or
// a device of the driver amdgpu, an accelerator on PCI. A loaded module or an empty KFD shows
// nothing: login nodes and containers have both.
std::optional<std::string> gpu_evidence(const Machine& machine);

// What every format of a report says of a node whose PCI functions include no AMD GPU.
inline constexpr std::string_view no_gpu_found =
    "no AMD GPU found; only host settings were checked";

// Returns what shows that the driver amdgpu is loaded and has a device. KFD and the list of modules
// then have entries, too.
std::optional<std::string> driver_evidence(const Machine& machine);

// Returns why nothing follows from what a source does not list; std::nullopt if it is whole.
std::optional<Error> lost(const Machine& machine, Source source);

// The same of the sources that a setting depends on.
std::optional<Error> lost_source(const Machine& machine, std::string_view setting);

}  // namespace rocenv
