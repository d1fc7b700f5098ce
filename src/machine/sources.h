// SPDX-License-Identifier: MIT
// The lists from which the inventory of a node is built. A missing or unreadable list is not an
// empty list: dependent values are unknown if other evidence shows that it should exist.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/machine.h"

namespace rocenv {

// A list of the inventory.
enum class Source { pci, kfd, drm, modules, cpufreq, infiniband, net };
inline constexpr std::array all_sources{Source::pci,     Source::kfd,     Source::drm,
                                        Source::modules, Source::cpufreq, Source::infiniband,
                                        Source::net};

// The state of a list.
enum class SourceState { read, empty, missing, unreadable };

// The conclusions that settings may draw from a list.
enum class Trust {
    whole,   // complete: a device not in it does not exist
    unknown  // a device not in it may exist
};

// Returns the rule for a source in a state. `evidence` is true if other data show that the list
// should have entries.
Trust trust_in(Source source, SourceState state, bool evidence);

// The result of reading a source.
struct SourceReading {
    SourceState state = SourceState::read;
    std::string path;
    std::optional<Error> error;  // set with `missing` and `unreadable`
};

// Reads the list of a source; its entries are not read. PCI functions and KFD are those of
// `machine`, which reads them once.
SourceReading read_source(const Machine& machine, Source source);

// Returns the evidence, besides the source itself, that it should have entries; std::nullopt if
// there is none. For PCI that is gpu_evidence().
std::optional<std::string> evidence_for(const Machine& machine, Source source);

// Returns the evidence of an AMD GPU for compute, as a clause; std::nullopt without evidence. It is
// a KFD node with SIMDs, a DRM card or a device of the driver amdgpu, or an accelerator on PCI. A
// loaded module or an empty KFD proves nothing: login nodes and containers have both.
std::optional<std::string> gpu_evidence(const Machine& machine);

// The text of all report formats for a node whose PCI functions include no AMD GPU.
inline constexpr std::string_view no_gpu_found =
    "no AMD GPU found; only host settings were checked";

// Returns the evidence that the driver amdgpu is loaded and has a device; std::nullopt without
// evidence. KFD and the list of modules then have entries as well.
std::optional<std::string> driver_evidence(const Machine& machine);

// Returns the reason why a source may be incomplete by trust_in(), with the evidence in its text;
// std::nullopt if it is complete. A missing or empty list is an error `io`.
std::optional<Error> lost(const Machine& machine, Source source);

// Returns the first such reason for the sources that a setting depends on, by a table in
// sources.cpp; std::nullopt for a setting without one.
std::optional<Error> lost_source(const Machine& machine, std::string_view setting);

}  // namespace rocenv
