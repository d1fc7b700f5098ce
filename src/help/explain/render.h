// SPDX-License-Identifier: MIT
// Renderers of explanations, as pure functions.
#pragma once

#include <string>

#include "help/explain/explanation.h"
#include "print/style.h"

namespace rocenv {

// Returns the text for people. Detail::everything adds the writes of a set, the lines that keep a
// value, and the sources of parsers and profiles. Empty with Detail::quiet.
std::string render_explain_human(const Explanations& explanations, Detail detail, Screen screen);

// Returns rocenv.explain/1. `facts_of` is the day of the oldest search for facts (facts_date()).
std::string render_explain_json(const Explanations& explanations, const std::string& facts_of);
// Returns the JSON Schema of rocenv.explain/1.
std::string explain_schema();

}  // namespace rocenv
