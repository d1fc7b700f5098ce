// SPDX-License-Identifier: MIT
// set, reset and status as processes: rights, container, lock, signals and the helper that writes.
// And the two halves of `run --tune`, each a transaction of its own.
#pragma once

#include "cli/commands.h"
#include "cli/options.h"
#include "os/state/run_lock.h"

namespace rocenv {

Output run_set(const SetOptions& options, const Call& call);
Output run_reset(const ResetOptions& options, const Call& call);
Output run_status(const StatusOptions& options, const Process& process);

// As run_set, for a hold that lasts as long as `hold.alive` is open. The status is that of set.
struct Tuned {
    Output output;
    RunHold hold;  // without a name: nothing was tried
};
Tuned tune(const RunOptions& options, const Call& call);

// The hold leaves. Lines about what is not back as it was, for stderr.
std::string untune(const RunOptions& options, const Call& call, RunHold hold);

}  // namespace rocenv
