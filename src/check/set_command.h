// SPDX-License-Identifier: MIT
// Commands of rocenv that a report names as next steps, as a person would type them.
#pragma once

#include <string>
#include <vector>

#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/setting.h"

namespace rocenv {

// Returns what sets one setting as it was wanted of this request: "sudo rocenv set -p mi300x --only
// pci.acs". `set` leaves level info alone, so what is wanted at that level is stated by --want.
std::string set_command(const CheckRequest& request, const std::vector<std::string>& names,
                        const Want& want);

// Returns what asks about one setting once more, as root.
std::string check_command(const CheckRequest& request, const std::vector<std::string>& names,
                          const Want& want);

// Returns the names by which root finds the same profiles through sudo: of a file in the caller's
// own folder its path.
std::vector<std::string> names_for_root(const std::vector<std::string>& names, const Fs& host,
                                        const Process& process);

}  // namespace rocenv
