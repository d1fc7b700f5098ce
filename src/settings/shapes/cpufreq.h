// SPDX-License-Identifier: MIT
// cpufreq policies: real folders are /sys/devices/system/cpu/cpufreq/policyN; cpuN/cpufreq is a
// link to one, and one policy may serve many CPUs. A policy whose CPUs are all offline answers
// EBUSY (linux drivers/cpufreq/cpufreq.c show). No folder: no driver, as in most guests.
#pragma once

#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Numbers of the policies there are, sorted; none without a driver.
Result<std::vector<std::uint32_t>> cpufreq_policies(const Fs& fs);

// "/sys/devices/system/cpu/cpufreq", and ".../policyN".
const std::string& cpufreq_folder();
std::string cpufreq_folder(std::uint32_t policy);

Assessment no_cpufreq();

// A setting that is one word in a file of each policy.
struct PolicyFacts {
    std::string file;
    std::string offered;      // the file that lists the words the driver takes
    std::string what;         // "governor's name"
    std::string command;      // sets a word, which is put at WORD
    std::string not_offered;  // the next step when the driver does not take the word
    std::string without{};  // what it means that the file is not there; empty: every driver has it
    std::string boot_word{};  // "cpufreq.default_governor=", before the word; empty: there is none
    // What else keeps the wanted word from being there; empty: nothing.
    std::string (*obstacle)(const Fs& fs, const std::string& folder,
                            const std::string& want) = nullptr;
};

// Returns a setting of this shape. `facts` must outlive it.
Setting policy_setting(Info info, const PolicyFacts& facts);

}  // namespace rocenv
