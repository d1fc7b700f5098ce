// SPDX-License-Identifier: MIT
// What a command knows of how it was called, beside its options.
#pragma once

#include <string>

#include "os/child/given_files.h"
#include "rocenv/process.h"

namespace rocenv {

struct Call {
    Process process;
    std::string command_line;  // as it could be typed again
    GivenFiles given;          // of the files that options name, those that no helper can read
};

}  // namespace rocenv
