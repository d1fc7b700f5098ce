// SPDX-License-Identifier: MIT
// rocenv explain: the meaning of a setting, variable, profile or word of reports, the sources of
// its facts, and its state on this machine. For settings this reads the same files as check, for
// variables the versions. For words, and for settings in a list, nothing is read.
#pragma once

#include <string>
#include <vector>

#include "help/explain/explanation.h"
#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

// The form of several explanations: a line or two each, or each in full.
enum class Many { listed, whole };

// The request of explain.
struct ExplainRequest {
    std::vector<std::string> words;  // ids, names, globs; empty: everything
    std::string search;              // a text that must be in the facts, in any case; empty: any
    bool only_set = false;           // variables that are set
    Many many = Many::listed;
    // Profiles that judge the settings; environment and versions for variables.
    CheckRequest check;
};

// Returns the explanations. Never fails: failures are in `unknown` or `errors`, and with errors
// nothing is explained.
Explanations explain(const ExplainRequest& request, const Fs& machine, const Fs& host,
                     const Process& process);

}  // namespace rocenv
