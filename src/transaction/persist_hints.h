// SPDX-License-Identifier: MIT
// Text that an administrator can paste to keep settings across reboots. rocenv itself never edits a
// boot loader or a system file.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns text for sysctl.d, tmpfiles.d, a systemd unit and the kernel command line, each below the
// name of its file, then notes and the settings of the BIOS; one comment line if there is nothing.
// Only `expectations` of level recommended or required count. `profiles` are the names for the
// unit; `site` states whether the site's file was merged. Words to remove are limited to those on
// the kernel line `line`; if it could not be read, all are listed.
std::string persist_hints(const std::vector<Expectation>& expectations,
                          const std::vector<std::string>& profiles, Site site,
                          const Result<std::vector<KernelArgument>>& line);

// Returns one line that lists the settings that differ and that only a reboot or the BIOS can
// change, each once; an empty string if there are none. Findings of level info and waived ones are
// ignored.
std::string reboot_note(const std::vector<Finding>& findings);

}  // namespace rocenv
