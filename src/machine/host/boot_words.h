// SPDX-License-Identifier: MIT
// Facts about words of the kernel command line that matter on a GPU node: the combination of
// repeats, the effect, the setting that shows it, and the source. All settings use this table
// (profiles/facts/boot_words.toml).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/machine.h"

namespace rocenv {

// The combination of several occurrences of one parameter.
enum class Repeats {
    last,  // the last one counts
    sum,   // all count; a later element may revoke an earlier one
    once,  // the first one counts
};

// The facts about one word.
struct BootWordFacts {
    std::string_view word;  // "numa=off"; a name alone matches every value
    Repeats repeats = Repeats::last;
    std::string_view effect;          // follows "WORD on the kernel command line"
    std::string_view judged_by = {};  // setting whose value is the effect; empty: none
    // Value of the setting with this word; "=" is the word's own value; empty: any.
    std::string_view shows = {};
    // True if a site may have chosen it, because no AMD guide excludes it: level info at most.
    bool is_choice = false;
    std::string_view same_as = {};  // equivalent word of another name
    std::string_view source;
};

// Returns the table; rows of one parameter are adjacent.
std::span<const BootWordFacts> boot_word_facts();

// Returns the row of a word, "isolcpus" or "idle=poll", else that of its name; nullptr if there is
// none.
const BootWordFacts* facts_of_boot_word(std::string_view word);

// Returns the combination of repeats; for an unknown parameter the last counts.
Repeats repeats_of(std::string_view name);

// The boot words as the kernel reads them. "name=value" is present if the parameter has that value
// or, for a comma list (pci=bfsort,realloc=off), has it as an element. Repeats combine by
// repeats_of(). iommu.passthrough=1 counts as iommu=pt.

// An active word that may explain the value of a setting.
struct BootCause {
    const BootWordFacts* facts = nullptr;
    std::string word;   // as written, without identities
    std::string value;  // value of its argument
};

// Returns true if one of "A|B" is active; a name alone matches any value. "-" in a name counts as
// "_".
bool has_any_boot_word(const std::vector<KernelArgument>& arguments, std::string_view alternatives);

// Returns a word as the line has it, in the occurrence that counts, without identities: idle=poll
// for idle, and iommu.passthrough=off for iommu.passthrough=0. An unknown parameter is returned
// without its value, and an element of a list alone. A word that is not on the line is returned
// unchanged.
std::string as_written(const std::vector<KernelArgument>& arguments, std::string_view each);

// Returns true if a word is on the line, active or not. A name alone only matches a word without a
// value.
bool stands_on_line(const std::vector<KernelArgument>& arguments, std::string_view word);

// Returns the active words whose effect the setting `id` judges, in the order of the table.
std::vector<BootCause> boot_causes(const std::vector<KernelArgument>& arguments,
                                   std::string_view id);

// Returns "add A to and remove B from the kernel command line in the boot loader, then reboot", for
// missing and unwanted words. Words that revoke a missing word are removed as well, and a word on
// the line is not added again. Each unwanted word is removed, on the line or not. Empty if nothing
// is left to do.
std::string boot_words_step(const std::vector<KernelArgument>& arguments,
                            const std::vector<std::string>& missing,
                            const std::vector<std::string>& unwanted);

// Words about the IOMMU on the kernel command line (linux
// Documentation/admin-guide/kernel-parameters.txt, 6.12), and the vendor of the IOMMU.

// The vendor of the CPUs.
enum class CpuMaker { unknown, amd, intel };
// Returns the vendor of the CPUs, by vendor_id of the first one in /proc/cpuinfo; unknown for other
// vendors or if it cannot be read.
CpuMaker cpu_maker(const Fs& fs);

// Returns true if a word, with all of its alternatives, is about the IOMMU: "iommu=pt",
// "intel_iommu=on|amd_iommu=on".
bool is_iommu_word(std::string_view word);

// Returns true if a word, with all of its alternatives, is about the IOMMU of another vendor and
// has no effect here. Returns false for an unknown vendor.
bool is_of_other_maker(std::string_view word, CpuMaker maker);

// Returns true if the IOMMU is Intel's and unused: the list of IOMMU groups is empty or missing.
// Unlike AMD's it may have to be enabled (CONFIG_INTEL_IOMMU_DEFAULT_ON).
bool has_idle_intel_iommu(const Fs& fs);

// Returns the words for passthrough, "iommu=pt" or "intel_iommu=on iommu=pt".
std::string words_for_pass_through(const Fs& fs);
// Returns the word that disables the IOMMU: "amd_iommu=off", "intel_iommu=off", or "iommu=off" for
// another CPU.
std::string word_for_no_iommu(const Fs& fs);

}  // namespace rocenv
