// SPDX-License-Identifier: MIT
// Checks of the variables of an environment, with or without a profile.
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

// Names that the catalogue does not list.

// Returns HSA_OVERRIDE_GFX_VERSION for HSA_OVERRIDE_GFX_VERSION_0, which applies to one node;
// `name` must outlive the result. std::nullopt if no catalogued variable has names with such a
// number.
std::optional<Variable> numbered_variable(std::string_view name);

// Returns the catalogue's variable of this name, or the numbered one; std::nullopt if neither is.
std::optional<Variable> known_variable(std::string_view name);

// Returns the variable that a condition of a rule is about: "NAME" of "NAME>OTHER".
std::string_view name_in_condition(std::string_view condition);

// Returns "not in this catalogue (facts of 2026-11-22). Did you mean 'X'?" for a name near a
// catalogued one or with the prefix of a family; std::nullopt for others, which may be any
// program's. Requires a name without an entry. Returns that its program does not read it only with
// `readers`, and only if all names of the installed release are listed.
std::optional<std::string> unknown_name(const std::string& name, const Readers* readers = nullptr);

// Checks of the variables of an environment, with or without a profile: misread, out of range,
// misspelt, without effect, left over, contradicting each other.

// The result for one variable that is set, or whose value is not known.
struct Inspection {
    std::string name;
    std::optional<std::string> value;  // std::nullopt for an unlisted variable or a secret
    std::optional<std::string> effective;
    std::vector<std::string> faults;  // one sentence each, empty: none
    std::string remark;               // other information, may be empty
    bool misread = false;
    Level level = Level::info;  // level of a rule or reference that is not met
    bool uncertain = false;     // not known whether the installed release reads it
    bool quiet = true;          // no faults, or only "left over" and "deprecated"
    std::string advice;         // next step, may be empty
};

// Properties of a node that rules depend on.
struct NodeKinds {
    std::vector<std::string> gfx;    // "gfx942"
    std::vector<std::string> nics;   // drivers of its network functions: "cxi"
    std::vector<std::string> modes;  // compute partitions of its GPUs: "CPX"
    bool several_nodes = false;      // it is checked for a job on several nodes
};

// Checks each catalogued variable that is set or whose value is not known, and each other name for
// which unknown_name() has a text; sorted by name. It calls `kinds` at most once, and only if a
// rule depends on it.
std::vector<Inspection> inspect(const Environment& environment, const Readers& readers,
                                const NotEvaluated& not_evaluated = {},
                                const std::function<NodeKinds()>& kinds = {});

// Checks one catalogued variable that is set, without the rules on several variables. The value of
// a secret is not checked.
Inspection inspect_one(const Variable& variable, const std::string& text,
                       const Environment& environment, const Readers& readers,
                       const NotEvaluated& not_evaluated = {});

// Checks one catalogued variable whose value is not known: only whether a program reads it. `why`
// becomes the remark.
Inspection inspect_unknown(const Variable& variable, const std::string& why,
                           const Environment& environment, const Readers& readers);

}  // namespace rocenv
