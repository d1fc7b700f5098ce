// SPDX-License-Identifier: MIT
// Facts about words on the kernel command line that matter on a GPU node: how repeats combine,
// what a word does, where that shows, and the source. One table for all settings
// (profiles/facts/boot_words.toml).
#pragma once

#include <span>
#include <string_view>

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

}  // namespace rocenv
