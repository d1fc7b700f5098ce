// SPDX-License-Identifier: MIT
// Words of the kernel command line that explain a value found by a setting.
#pragma once

#include <string_view>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/setting.h"

namespace rocenv {

// Keep the next step of a finding, or replace it by the removal of the causing words.
enum class BlameStep { keep, replace };

// Adds to the detail of a differing row the active words that cause its value, by
// machine/host/boot_words.h. Does nothing for another row, or without such words. An unreadable
// command line adds no text, since kernel.cmdline reports it.
void blame_boot_words(const Machine& machine, std::string_view id, BlameStep step, Assessment& row);

// Appends a clause to a detail, after "; " if it has a text.
void add_detail(std::string_view clause, std::string& detail);

// The effect of unwanted words on this machine: maxcpus=512 has no effect on a node of 384 CPUs.

// Returns true if an active word has its effect, or if no file shows the effect. Fails only for
// isolcpus, if the CPUs near a GPU could not be read.
Result<bool> boot_word_acts(const Machine& machine, const std::vector<KernelArgument>& arguments,
                            std::string_view word);

}  // namespace rocenv
