// SPDX-License-Identifier: MIT
// What a person can paste so that settings outlive a reboot. rocenv itself edits no boot loader and
// no file of the system.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns text for sysctl.d, tmpfiles.d, a systemd unit and the kernel command line, each block
// headed by the file it goes into. Of what is wanted at level recommended or required; what a
// resolved profile wants, and its names; whether the site's file was merged. Of words that must go
// only those that stand on `line` are named; all of them if it could not be read.
std::string persist_hints(const std::vector<Want>& wants, const std::vector<std::string>& profiles,
                          Site site, const Result<std::vector<KernelArgument>>& line);

// One line on what differs and only a reboot or the BIOS can change, empty when nothing does. What
// is only for information is not asked for.
std::string reboot_note(const std::vector<Finding>& findings);

}  // namespace rocenv
