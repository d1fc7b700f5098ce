// SPDX-License-Identifier: MIT
// Report to text. Pure functions: they see nothing but the report, and nobody else prints one.
#pragma once

#include <string>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

struct SetResult;  // transaction/set.h
struct Status;

// For people: what differs, is unknown or unsafe with the next step, the rest counted; 80 columns.
// No host name, time or process id: equal state gives equal bytes.
std::string render_human(const Report& report, Detail detail, Colour colour);

// rocenv.report/1 (src/report/report.schema.json), indented.
std::string render_json(const Report& report);

// The same on one line.
std::string render_jsonl(const Report& report);

// One line of at most 80 characters of plain ASCII, worst finding first, what does not fit counted:
// "rocenv: 2 required differ: gpu.count 7, gpu.xgmi 0000:05:00.0; 1 required unknown".
std::string render_brief(const Report& report);

enum class DryRun { no, yes };

// Of set and reset, the same way; a dry run lists every write.
std::string render_set_human(const SetResult& result, DryRun dry_run, Detail detail, Colour colour);
// rocenv.report/1 of a set or reset.
std::string render_set_json(const SetResult& result, DryRun dry_run);

// What is set on this node; like the journal it says since when.
std::string render_status_human(const Status& status, Detail detail, Colour colour);

// rocenv.status/1 (src/report/status.schema.json), one entry for each changed path.
std::string render_status_json(const Status& status);

}  // namespace rocenv
