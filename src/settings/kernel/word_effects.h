// SPDX-License-Identifier: MIT
// Whether a word on the kernel command line does on this machine what it is unwanted for:
// maxcpus=512 leaves a node of 384 CPUs whole.
#pragma once

#include <string_view>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

// Returns whether a word that is in force has its effect; true for a word whose effect no file
// shows. An error: which CPUs are near a GPU could not be read.
Result<bool> boot_word_acts(const Machine& machine, const std::vector<KernelArgument>& arguments,
                            std::string_view word);

}  // namespace rocenv
