// SPDX-License-Identifier: MIT
// The message of a finding to people, as one sentence: JSON member `message`. Programs do not
// compare it.
#pragma once

#include <string>

#include "rocenv/report.h"

namespace rocenv {

// Returns a sentence with the subject, the present state and the expected one, then the detail. It
// has no full stop and is not escaped. Empty for `ok`. In a dry run it states what would be
// changed.
std::string finding_message(const Finding& finding, DryRun dry_run = DryRun::no);

// Returns "1 of 8 GPUs" for a process that sees some of the GPUs, although the profile expects no
// certain number; else an empty text.
std::string some_devices(const Finding& finding);

}  // namespace rocenv
