// SPDX-License-Identifier: MIT
// Settings that say how each GPU, or its memory, is divided.
#pragma once

#include <string>

#include "settings/shapes/like_devices.h"

namespace rocenv {

// Such a setting: one of the words of its first form stands in `file` of the GPU's folder; `kind`
// is what amd-smi calls it ("compute").
GpuValueSetting partition_setting(Info info, const std::string& file, const std::string& kind);

}  // namespace rocenv
