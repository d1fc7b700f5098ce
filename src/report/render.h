// SPDX-License-Identifier: MIT
// Conversion of a report to text. The functions are pure: their only input is the report.
#pragma once

#include <string>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

struct SetResult;  // transaction/set.h
struct Status;

// Returns the report for people: findings that differ, are unknown or unsafe, with the next step;
// the others are counted. It has no host name, time or process id, so equal states give equal
// bytes. Empty with Detail::quiet.
std::string render_human(const Report& report, Detail detail, Screen screen);

// Returns rocenv.report/1, indented, with a line end.
std::string render_json(const Report& report);

// Returns rocenv.report/1 on one line, with a line end.
std::string render_jsonl(const Report& report);

// Returns one line of at most 80 characters of plain ASCII, worst finding first, the rest counted:
// "rocenv: 2 required differ: gpu.count 7, gpu.xgmi 0000:05:00.0; 1 required unknown".
std::string render_brief(const Report& report);

// Returns JUnit XML: a suite named by the profiles with one case for each finding. A decisive
// finding (is_decisive()) is a failure if it differs, and an error if it is unknown. A case is
// skipped if it is waived (with its ticket), na, hidden, not decisive and not ok, or a consequence
// (cause_of()). So a finding that is not ok never passes.
std::string render_junit(const Report& report);

// Returns metrics for the textfile collector of Prometheus: a series for each finding, with the
// outcome as its value, so that labels stay when the state changes. CPUs and policies are one
// series with the worst outcome. Every series has a fixed position in the text.
std::string render_prometheus(const Report& report);

// Returns one line for Nagios and similar tools: at most 80 characters of text, then performance
// data.
std::string render_nagios(const Report& report);
// Returns the exit status for Nagios: 0 ok, 1 a recommended finding differs, 2 a decisive one
// differs, 3 a decisive one is unknown. A decisive difference has precedence over an unknown
// finding, and that over a recommended difference.
int nagios_status(const Report& report);
// Returns the line without a report: UNKNOWN and the first 200 characters of the reason. The exit
// status is then 3.
std::string nagios_failure(const std::string& reason);

// Returns annotations of a GitHub workflow for findings that differ or are unknown: an error for
// decisive ones, a warning for recommended ones, a notice for waived ones and level info. Equal
// findings are one annotation. The consequences of one cause are one notice. The last line is a
// summary without annotation.
std::string render_github(const Report& report);

// Returns the report of a set or reset for people; a dry run lists every write. Empty with
// Detail::quiet.
std::string render_set_human(const SetResult& result, DryRun dry_run, Detail detail, Screen screen);
// Returns rocenv.report/1 of a set or reset; of a dry run with every write.
std::string render_set_json(const SetResult& result, DryRun dry_run);

// Returns the active settings of this node with the time of the set, for people. Empty with
// Detail::quiet.
std::string render_status_human(const Status& status, Detail detail, Screen screen);

// Returns rocenv.status/1, one entry for each changed path.
std::string render_status_json(const Status& status);

// Returns the JSON Schema of rocenv.report/1, which the build writes.
std::string report_schema();
// Returns the JSON Schema of rocenv.status/1.
std::string status_schema();

}  // namespace rocenv
