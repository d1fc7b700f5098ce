// SPDX-License-Identifier: MIT
// rocenv record: a machine as one .tree file that --sysroot replays. Reads everything that check
// and topo could read with any profile, and writes the paths and results with identities redacted.
#pragma once

#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

// Switch for the environment of the caller, which is recorded as comments without secrets.
enum class WithEnv { no, yes };

// The text of a recording.
struct Recording {
    std::string text;
    std::vector<std::string> silent;  // paths that timed out, recorded as `ETIMEDOUT`
};

// Returns the recording. Equal machines give equal text. `host` holds the profiles. Fails with
// bad_input if `machine` has neither /sys nor /proc.
Result<Recording> record(const Fs& machine, const Fs& host, const Process& process, WithEnv with);

}  // namespace rocenv
