// SPDX-License-Identifier: MIT
// Report to text. Pure functions: they see nothing but the report, and nobody else prints one.
#pragma once

#include <string>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

struct SetResult;  // transaction/set.h
struct Status;

// For people: what differs, is unknown or unsafe with the next step, the rest counted.
// No host name, time or process id: equal state gives equal bytes.
std::string render_human(const Report& report, Detail detail, Screen screen);

// rocenv.report/1, indented.
std::string render_json(const Report& report);

// The same on one line.
std::string render_jsonl(const Report& report);

// One line of at most 80 characters of plain ASCII, worst finding first, what does not fit counted:
// "rocenv: 2 required differ: gpu.count 7, gpu.xgmi 0000:05:00.0; 1 required unknown".
std::string render_brief(const Report& report);

// JUnit XML: a suite named by the profiles with a case for each finding. What is decisive
// (is_decisive()) fails when it differs and is an error when it is unknown. A case is skipped that
// is waived (with its ticket), hidden, not there, or not as wanted without being decisive: what is
// not ok never passes.
std::string render_junit(const Report& report);

// For the textfile collector of Prometheus: a series for each finding, whose value is the outcome,
// so that its labels stay when its state changes. CPUs and policies are one series, the worst of
// them. Every series has its place in the text whatever the state.
std::string render_prometheus(const Report& report);

// One line for Nagios and its like, at most 80 characters of text and then performance data.
std::string render_nagios(const Report& report);
// What it ends with: 0 as wanted, 1 something recommended differs, 2 something decisive does, 3
// something decisive is unknown. A decisive fault weighs more than an unknown, and that more than
// what is only recommended.
int nagios_status(const Report& report);
// The same where there is no report; to be ended with 3.
std::string nagios_failure(const std::string& reason);

// Annotations of a GitHub workflow: an error for what is decisive, a warning for what is
// recommended, a notice for the rest that is not as wanted or is waived; equal findings are told as
// one. The last line is no annotation and says how it went.
std::string render_github(const Report& report);

// Of set and reset, the same way; a dry run lists every write.
std::string render_set_human(const SetResult& result, DryRun dry_run, Detail detail, Screen screen);
// rocenv.report/1 of a set or reset.
std::string render_set_json(const SetResult& result, DryRun dry_run);

// What is set on this node; like the journal it says since when.
std::string render_status_human(const Status& status, Detail detail, Screen screen);

// rocenv.status/1, one entry for each changed path.
std::string render_status_json(const Status& status);

// The JSON Schemas of both, which the build writes.
std::string report_schema();
std::string status_schema();

}  // namespace rocenv
