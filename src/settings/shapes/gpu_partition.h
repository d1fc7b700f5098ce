// SPDX-License-Identifier: MIT
// Settings that say how each GPU, or its memory, is divided.
#pragma once

#include <string>
#include <string_view>

#include "settings/shapes/devices.h"

namespace rocenv {

// The value of such a setting: one of the words of its first form stands in `file` of the GPU's
// folder; `kind` is what amd-smi calls it ("compute").
GpuValue partition_value(std::string_view words, const std::string& file, const std::string& kind);

// Returns the setting. `value` must outlive it.
Setting partition_setting(Info info, const GpuValue& value);

}  // namespace rocenv
