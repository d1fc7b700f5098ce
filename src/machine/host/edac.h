// SPDX-License-Identifier: MIT
// The memory controllers that an EDAC driver watches: /sys/devices/system/edac/mc/mcN (linux
// Documentation/ABI/testing/sysfs-devices-edac, 6.12).
#pragma once

#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

const std::string& edac_folder();

// Returns the names of the controllers, "mc0", by number. not_here: no EDAC driver is loaded.
Result<std::vector<std::string>> memory_controllers(const Fs& fs);

// Why it is fine that there are none.
constexpr const char* no_edac = "no EDAC driver is loaded, so no file reports the memory modules";

}  // namespace rocenv
