// SPDX-License-Identifier: MIT
// One sentence about the nodes of a row.
#pragma once

#include <string>
#include <string_view>

#include "fleet/fleet.h"

namespace rocenv {

// Returns "gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus", or for outliers
// "6 settings differ from its 8 peers: gpu.vbios, kernel.version, ... (passes)".
// For nodes with a fault in a report that does not count, the sentence ends with it.
std::string row_sentence(const FleetResult& fleet, const FleetRow& row);

// Returns "by another machine of this name: ...", "no complete report, ...".
std::string because_text(std::string_view because);

}  // namespace rocenv
