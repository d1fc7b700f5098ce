// SPDX-License-Identifier: MIT
// A GPU's architecture as HIP names it (hipDeviceProp_t::gcnArchName): "gfx942:sramecc+:xnack-".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/process.h"

namespace rocenv {

struct GcnArch {
    std::string gfx;              // "gfx942"
    std::optional<bool> sramecc;  // on or off, as far as known; nothing where it has_none
    std::optional<bool> xnack;
    bool has_sramecc = false;  // the architecture has it, so its name tells
    bool has_xnack = false;

    // The whole name; nothing when a feature it must tell is not known.
    std::optional<std::string> name() const;
    bool operator==(const GcnArch& other) const = default;
};

// What KFD and the driver's parameters tell of an agent in this process' environment.
GcnArch gcn_arch(std::uint64_t target_version, std::uint64_t capability, std::optional<int> noretry,
                 const std::optional<std::string>& hsa_xnack);

// The different ones among this node's agents, sorted by gfx. Fails when KFD cannot be read whole,
// with not_here when there is no GPU, with garbled when HSA_OVERRIDE_GFX_VERSION replaces them.
Result<std::vector<GcnArch>> gcn_arches(const Machine& machine, const Process& process);

// Returns "9.4.2" of KFD's gfx_target_version 90402: the form of HSA_OVERRIDE_GFX_VERSION.
std::string gfx_version_text(std::uint64_t target_version);

}  // namespace rocenv
