// SPDX-License-Identifier: MIT
// Report to text. Pure functions: they see nothing but the report, and nobody else prints one.
#pragma once

#include <string>

#include "rocenv/report.h"

namespace rocenv {

enum class Detail { quiet, normal, everything };
enum class Colour { no, yes };

// For people: what differs, is unknown or unsafe with the next step, the rest counted; 80 columns.
// No host name, time or process id: equal state gives equal bytes.
std::string render_human(const Report& report, Detail detail, Colour colour);

// rocenv.report/1 (src/render/report.schema.json), indented.
std::string render_json(const Report& report);

// The same on one line.
std::string render_jsonl(const Report& report);

}  // namespace rocenv
