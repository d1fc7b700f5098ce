// SPDX-License-Identifier: MIT
// What may stand at the end of a command line that is not finished, from the option tree, the
// registry of settings and the catalogue of variables.
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

// What else may stand there, which the shell itself knows best.
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

// Whether we know what to offer for a value of that type ("PROFILE", "FILE.tree").
bool knows_values_of(const std::string& type);

}  // namespace rocenv
