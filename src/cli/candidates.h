// SPDX-License-Identifier: MIT
// Completes an unfinished command line, from the option tree, the registry of settings and the
// catalogue of variables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "help/manual/commands.h"

namespace rocenv {

struct Candidate {
    std::string word;  // all of the last word, "--format=json"; one that ends in "=" or "," goes on
    std::string says;  // what it is, may be empty
};

// Names that the shell adds to the candidates.
enum class Besides { nothing, files, folders, programs };

struct Candidates {
    std::vector<Candidate> words;
    Besides besides = Besides::nothing;
};

using Names = std::function<std::vector<std::string>()>;

// `line` is what follows the program's name; its last word, which may be empty, is completed.
// `profiles` is asked only where one may stand.
Candidates candidates_for(const std::vector<CommandText>& commands,
                          const std::vector<std::string>& line, const Names& profiles);

// Returns whether values of that type can be completed ("PROFILE", "FILE.tree").
bool knows_values_of(const std::string& type);

}  // namespace rocenv
