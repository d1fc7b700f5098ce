// SPDX-License-Identifier: MIT
// One sentence about the nodes of a row.
#pragma once

#include <string>

#include "fleet/fleet.h"

namespace rocenv {

// Returns "gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus", or for outliers
// "6 settings differ from its 8 peers: gpu.vbios, kernel.version, ... (passes)".
std::string row_sentence(const FleetResult& fleet, const FleetRow& row);

}  // namespace rocenv
