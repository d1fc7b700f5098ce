// SPDX-License-Identifier: MIT
// The lists from which the inventory of a node is built. A missing or unreadable list is not an
// empty list. Values that depend on an unreadable list, or on a missing PCI list, are unknown.
// Those of another missing list are unknown only if other evidence shows that it should exist.
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

// Returns `unknown` for an unreadable list and for a missing PCI list. Another missing list, or an
// empty cpufreq list, is `unknown` with `evidence`: other data show that the list should have
// entries. In all other cases returns `whole`.
Trust trust_in(Source source, SourceState state, bool evidence);

// The result of reading a source.
struct SourceReading {
    SourceState state = SourceState::read;
    std::string path;
    std::optional<Error> error;  // set with `missing` and `unreadable`
};

// Reads the list of a source, without its entries. For pci and kfd uses machine.pci() and
// machine.kfd(), which read the entries, too, and once.
SourceReading read_source(const Machine& machine, Source source);

// Returns the evidence, besides the source itself, that it should have entries; std::nullopt if
// there is none. For PCI that is gpu_evidence().
std::optional<std::string> evidence_for(const Machine& machine, Source source);

// Returns the evidence of an AMD GPU for compute, as a clause; std::nullopt without evidence. It is
// a KFD node with SIMDs, a DRM card or a device of the driver amdgpu, or an accelerator on PCI. A
// loaded module or an empty KFD is not evidence: login nodes and containers have both.
std::optional<std::string> gpu_evidence(const Machine& machine);

// The text of all report formats for a node whose PCI functions include no AMD GPU.
inline constexpr std::string_view no_gpu_found =
    "no AMD GPU found; only host settings were checked";

// Returns the evidence that the driver amdgpu is loaded and has a device; std::nullopt without
// evidence. KFD and the list of modules then have entries as well.
std::optional<std::string> driver_evidence(const Machine& machine);

// Returns the reason why a source may be incomplete by trust_in(), with the evidence in its text;
// std::nullopt if it is complete. A missing or empty list is an `io` error, also for PCI.
// The error of an unreadable list keeps its kind.
std::optional<Error> lost(const Machine& machine, Source source);

// Returns lost() of the first incomplete source that the setting depends on (table in
// sources.cpp). std::nullopt if there is none.
std::optional<Error> lost_source(const Machine& machine, std::string_view setting);

}  // namespace rocenv
