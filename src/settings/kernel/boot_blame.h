// SPDX-License-Identifier: MIT
// Words on the kernel command line that explain what a setting found.
#pragma once

#include <string_view>

#include "rocenv/setting.h"

namespace rocenv {

// Whether the next step of a finding becomes the removal of the words that cause it.
enum class BlameStep { keep, replace };

// Adds to the detail of a finding that differs which words in force cause what it has, by
// machine/host/boot_word_facts.h. A command line that cannot be read adds nothing: kernel.cmdline
// reports that.
void blame_boot_words(const Machine& machine, std::string_view id, BlameStep step, Assessment& row);

// Appends a clause to a detail.
void add_detail(std::string_view clause, std::string& detail);

}  // namespace rocenv
