// SPDX-License-Identifier: MIT
// Words on the kernel command line that explain what a setting found.
#pragma once

#include <string_view>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/setting.h"

namespace rocenv {

// Whether the next step of a finding becomes the removal of the words that cause it.
enum class BlameStep { keep, replace };

// Adds to the detail of a finding that differs which words in force cause what it has, by
// machine/host/boot_words.h. A command line that cannot be read adds nothing: kernel.cmdline
// reports that.
void blame_boot_words(const Machine& machine, std::string_view id, BlameStep step, Assessment& row);

// Appends a clause to a detail.
void add_detail(std::string_view clause, std::string& detail);

// Whether a word on the kernel command line does on this machine what it is unwanted for:
// maxcpus=512 leaves a node of 384 CPUs whole.

// Returns whether a word that is in force has its effect; true for a word whose effect no file
// shows. An error: which CPUs are near a GPU could not be read.
Result<bool> boot_word_acts(const Machine& machine, const std::vector<KernelArgument>& arguments,
                            std::string_view word);

}  // namespace rocenv
