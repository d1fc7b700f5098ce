// SPDX-License-Identifier: MIT
// Words that the kernel was booted with, as it takes them. "name=value" is there when the parameter
// has that value or, for a comma list (pci=bfsort,realloc=off), has it as an element. Of a
// parameter given twice the last counts, but for those that add up, of which a later element may
// take an earlier one back (linux Documentation/admin-guide/kernel-parameters.rst).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

// Returns whether one of "A|B" is in force; a name alone is there with any value.
bool has_any_boot_word(const std::vector<KernelArgument>& arguments, std::string_view alternatives);

// "add A to and take B from the kernel line in the boot loader, then reboot": for words that are
// not in force and words that must go. What takes a missing word back has to go too, and a word
// that is there already is not added. Empty: the line is right as it is.
std::string boot_words_step(const std::vector<KernelArgument>& arguments,
                            const std::vector<std::string>& missing,
                            const std::vector<std::string>& unwanted);

}  // namespace rocenv
