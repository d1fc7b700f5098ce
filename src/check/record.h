// SPDX-License-Identifier: MIT
// rocenv record: a machine as one .tree file that --sysroot replays. It asks what check and topo
// could ask with any profile, and writes down questions and answers, identities redacted.
#pragma once

#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

enum class WithEnv { no, yes };

struct Recording {
    std::string text;
    std::vector<std::string> silent;  // paths that did not answer in time, recorded as ETIMEDOUT
};

// Equal machines give equal text. `host` is where profiles are; bad_input when `machine` is none.
Result<Recording> record(const Fs& machine, const Fs& host, const Process& process, WithEnv with);

}  // namespace rocenv
