// SPDX-License-Identifier: MIT
// Completes an unfinished command line, using the option tree, the registry of settings and the
// catalogue of variables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "help/manual/commands.h"

namespace rocenv {

// One completion.
struct Candidate {
    std::string word;  // the last word, "--format=json"; continues after "=" or ","
    std::string says;  // description, may be empty
};

// Names that the shell adds to the candidates.
enum class Besides { nothing, files, folders, programs };

// All completions of a line.
struct Candidates {
    std::vector<Candidate> words;
    Besides besides = Besides::nothing;
};

using Names = std::function<std::vector<std::string>()>;

// Returns the completions of the last word of `line`, which may be empty: each begins with that
// word and occurs once. `line` begins after the program's name. `commands` are all_texts(); options
// are offered only for a word that begins with "-". `profiles` is called only where a profile may
// stand.
Candidates candidates_for(const std::vector<CommandText>& commands,
                          const std::vector<std::string>& line, const Names& profiles);

// Returns whether the type of a value is known: listed here ("PROFILE", "N"), with or without
// completions, or a list of choices ("human|json").
bool has_values_of(const std::string& type);

}  // namespace rocenv
