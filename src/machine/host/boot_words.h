// SPDX-License-Identifier: MIT
// Words that the kernel was booted with, as it reads them. "name=value" is there when the parameter
// has that value or, for a comma list (pci=bfsort,realloc=off), has it as an element.
// machine/host/boot_word_facts.h lists how repeats combine. iommu.passthrough=1 counts as iommu=pt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/host/boot_word_facts.h"
#include "rocenv/machine.h"

namespace rocenv {

// A word in force that may explain what a setting has.
struct BootCause {
    const BootWordFacts* facts = nullptr;
    std::string word;   // as it is written, without identities
    std::string value;  // of its argument
};

// Returns whether one of "A|B" is in force; a name alone is there with any value.
bool has_any_boot_word(const std::vector<KernelArgument>& arguments, std::string_view alternatives);

// Returns a word as it stands on the line, without identities: idle=poll for idle, and
// iommu.passthrough=off for iommu.passthrough=0. An element of a list is named by itself.
std::string as_written(const std::vector<KernelArgument>& arguments, std::string_view each);

// Returns whether a word stands on the line, in force or not.
bool stands_on_line(const std::vector<KernelArgument>& arguments, std::string_view word);

// Returns the words in force whose effect the setting `id` judges, in the order of the table.
std::vector<BootCause> boot_causes(const std::vector<KernelArgument>& arguments,
                                   std::string_view id);

// "add A to and take B from the kernel line in the boot loader, then reboot": for words that are
// not in force and words that must go. What takes a missing word back has to go too, and a word
// that is there already is not added. Empty: the line is right as it is.
std::string boot_words_step(const std::vector<KernelArgument>& arguments,
                            const std::vector<std::string>& missing,
                            const std::vector<std::string>& unwanted);

}  // namespace rocenv
