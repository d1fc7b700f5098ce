// SPDX-License-Identifier: MIT
// Facts about words on the kernel command line that matter on a GPU node: how repeats combine,
// what a word does, where that shows, and the source. One table for all settings
// (profiles/facts/boot_words.toml).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/machine.h"

namespace rocenv {

// How the occurrences of one parameter on the line combine.
enum class Repeats {
    last,  // the last one counts
    sum,   // each adds to the others; a later element may take an earlier one back
    once,  // the first one counts
};

struct BootWordFacts {
    std::string_view word;  // "numa=off"; a name alone stands for every value
    Repeats repeats = Repeats::last;
    std::string_view effect;          // follows "WORD on the kernel command line"
    std::string_view judged_by = {};  // the setting whose value is the effect; empty: none
    // The value that the setting then has: "=" is the word's own value; empty: anything.
    std::string_view shows = {};
    // Whether a site may mean it, because no guide of AMD's rules it out: info at most.
    bool is_choice = false;
    std::string_view same_as = {};  // a word of another name that does the same
    std::string_view source;
};

// Returns the table. Of one parameter the rows stand together.
std::span<const BootWordFacts> boot_word_facts();

// Returns the row of a word, "isolcpus" or "idle=poll", else that of its name; nullptr if none is
// known.
const BootWordFacts* facts_of_boot_word(std::string_view word);

// Returns how the occurrences of a parameter combine; of an unknown one the last counts.
Repeats repeats_of(std::string_view name);

// Words that the kernel was booted with, as it reads them. "name=value" is there when the parameter
// has that value or, for a comma list (pci=bfsort,realloc=off), has it as an element.
// repeats_of() says how repeats combine. iommu.passthrough=1 counts as iommu=pt.

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

// Words on the kernel command line about the IOMMU (linux
// Documentation/admin-guide/kernel-parameters.txt, 6.12), and whose IOMMU a machine has.

enum class CpuMaker { unknown, amd, intel };
// Returns who made the CPUs, by vendor_id of the first one in /proc/cpuinfo.
CpuMaker cpu_maker(const Fs& fs);

// Returns whether a word is about the IOMMU: "iommu=pt", "intel_iommu=on|amd_iommu=on".
bool is_iommu_word(std::string_view word);

// Returns whether a word is about the IOMMU of another maker, so that it changes nothing here.
bool is_of_other_maker(std::string_view word, CpuMaker maker);

// Returns whether the IOMMU is Intel's and nothing uses it: unlike AMD's it may have to be asked
// for (CONFIG_INTEL_IOMMU_DEFAULT_ON).
bool has_idle_intel_iommu(const Fs& fs);

// Returns what a kernel line needs for pass-through, and to do without the IOMMU: "iommu=pt",
// "intel_iommu=on iommu=pt"; "amd_iommu=off".
std::string words_for_pass_through(const Fs& fs);
std::string word_for_no_iommu(const Fs& fs);

}  // namespace rocenv
