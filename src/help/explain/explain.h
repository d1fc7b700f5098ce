// SPDX-License-Identifier: MIT
// rocenv explain: what a setting, variable, profile or word of reports is, where its facts come
// from, and what it is on this machine. Reads what check would read of the asked settings, and
// versions for variables; of words and in lists nothing.
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

struct ExplainRequest {
    std::vector<std::string> words;  // ids, names, globs; empty: all there is
    std::string search;              // a text that must stand in what is told of it; empty: any
    bool only_set = false;           // variables that are set
    Many many = Many::listed;
    // Profiles that settings are judged by; the environment and versions for variables.
    CheckRequest check;
};

// Never fails: what could not be explained is in `unknown` or `errors`.
Explanations explain(const ExplainRequest& request, const Fs& machine, const Fs& host,
                     const Process& process);

}  // namespace rocenv
