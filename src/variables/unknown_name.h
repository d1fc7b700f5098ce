// SPDX-License-Identifier: MIT
// What can be said of a variable's name that stands in no entry of the catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "variables/reading.h"

namespace rocenv {

// HSA_OVERRIDE_GFX_VERSION for the name HSA_OVERRIDE_GFX_VERSION_0, which is of one node; `name`
// must outlive it. Nothing: no catalogued variable has names with such a number.
std::optional<Variable> numbered_variable(std::string_view name);

// "not in this catalogue (facts of 2026-11-22), did you mean X?" for a name that is not catalogued;
// nothing: it may be anything. That its program has no such variable is said only with `readers`,
// and where all names of the release here are listed.
std::optional<std::string> unknown_name(const std::string& name, const Readers* readers = nullptr);

}  // namespace rocenv
