// SPDX-License-Identifier: MIT
// What is wrong with the variables of an environment, whether or not a profile asks: misread, out
// of range, misspelt, of no effect any more, left over, contradicting each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variables/env_source.h"
#include "variables/reading.h"

namespace rocenv {

// About one variable that is set.
struct Inspection {
    std::string name;
    std::optional<std::string> value;  // nothing: of a variable that nobody knows, or a secret
    std::optional<std::string> effective;
    std::vector<std::string> faults;  // one sentence each, empty: none
    std::string remark;               // without being a fault
    bool misread = false;
    bool uncertain = false;  // the release here was not looked at: nobody knows whether it is read
    bool quiet = true;       // nothing is wrong but a switch that is on or on its way out
    std::string advice;      // what to do, may be empty
};

// Every catalogued variable that is set, and every other that looks like one; sorted by name.
std::vector<Inspection> inspect(const Environment& environment, const Readers& readers);

// Of one catalogued variable that is set.
Inspection inspect_one(const Variable& variable, const std::string& text,
                       const Environment& environment, const Readers& readers);

}  // namespace rocenv
