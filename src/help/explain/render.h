// SPDX-License-Identifier: MIT
// Explanations as text. Pure functions of them.
#pragma once

#include <string>

#include "help/explain/explanation.h"
#include "print/style.h"

namespace rocenv {

// Everything: with where it is read, what a set writes and where the facts are from.
std::string render_explain_human(const Explanations& explanations, Detail detail, Screen screen);

// rocenv.explain/1, and its JSON Schema; `facts_of`: the day of the newest search.
std::string render_explain_json(const Explanations& explanations, const std::string& facts_of);
std::string explain_schema();

}  // namespace rocenv
