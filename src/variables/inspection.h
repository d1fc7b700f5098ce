// SPDX-License-Identifier: MIT
// What is wrong with the variables of an environment, whether or not a profile asks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/setting.h"
#include "variables/environment.h"
#include "variables/reading.h"

namespace rocenv {

// What can be said of a variable's name that stands in no entry of the catalogue.

// HSA_OVERRIDE_GFX_VERSION for the name HSA_OVERRIDE_GFX_VERSION_0, which is of one node; `name`
// must outlive it. Nothing: no catalogued variable has names with such a number.
std::optional<Variable> numbered_variable(std::string_view name);

// Returns the catalogue's variable of this name, or the numbered one; std::nullopt if neither is.
std::optional<Variable> known_variable(std::string_view name);

// Returns the variable that a condition of a rule is about: "NAME" of "NAME>OTHER".
std::string_view name_in_condition(std::string_view condition);

// "not in this catalogue (facts of 2026-11-22). Did you mean 'X'?" for a name that is not
// catalogued; nothing: it may be anything. That its program has no such variable is said only with
// `readers`, and where all names of the release here are listed.
std::optional<std::string> unknown_name(const std::string& name, const Readers* readers = nullptr);

// What is wrong with the variables of an environment, whether or not a profile asks: misread, out
// of range, misspelt, of no effect any more, left over, contradicting each other.

// About one variable that is set.
struct Inspection {
    std::string name;
    std::optional<std::string> value;  // nothing: of a variable that nobody knows, or a secret
    std::optional<std::string> effective;
    std::vector<std::string> faults;  // one sentence each, empty: none
    std::string remark;               // without being a fault
    bool misread = false;
    Level level = Level::info;  // of a rule or a reference that is not met
    bool uncertain = false;  // the release here was not looked at: nobody knows whether it is read
    bool quiet = true;       // nothing is wrong but a switch that is on or on its way out
    std::string advice;      // what to do, may be empty
};

// What rules distinguish about a node.
struct NodeKinds {
    std::vector<std::string> gfx;    // "gfx942"
    std::vector<std::string> nics;   // drivers of its network functions: "cxi"
    std::vector<std::string> modes;  // compute partitions of its GPUs: "CPX"
};

// Every catalogued variable that is set, or whose value is not known, and every other that looks
// like one; sorted by name. `kinds` is called only if a rule depends on it.
std::vector<Inspection> inspect(const Environment& environment, const Readers& readers,
                                const NotEvaluated& not_evaluated = {},
                                const std::function<NodeKinds()>& kinds = {});

// Of one catalogued variable that is set.
Inspection inspect_one(const Variable& variable, const std::string& text,
                       const Environment& environment, const Readers& readers,
                       const NotEvaluated& not_evaluated = {});

// Of one catalogued variable whose value is not known, and why.
Inspection inspect_unknown(const Variable& variable, const std::string& why,
                           const Environment& environment, const Readers& readers);

}  // namespace rocenv
