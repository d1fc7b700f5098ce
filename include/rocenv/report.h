// SPDX-License-Identifier: MIT
// What leaves the program: findings, counted and judged once. Renderers are pure functions of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// What a site knows and lives with: the finding stays what it is, and does not count.
struct Waived {
    std::string ticket;
    std::string until;  // "2027-01-31", that day included
    std::string why;
};

// A finding of the same report.
struct Cause {
    std::string id;
    std::string target;
};

struct Finding {
    std::string id;
    std::string target;
    Level level = Level::required;
    Outcome outcome = Outcome::unknown;
    Reason reason = Reason::error;  // of one that is unknown
    std::optional<std::string> want;
    std::optional<std::string> have;
    std::string code;  // of a `have` in words (settings/have_codes.h), of a report that was read
    // Of set and reset: what the target held before this command changed it or tried to; nothing
    // where it did neither. A dry run says what it would change.
    std::optional<std::string> was;
    PutBack put_back = PutBack::none;
    std::optional<std::string> effective;
    std::string detail;
    std::string fix;      // the next step; empty where nothing is left to do
    Counters counters{};  // what was counted since the start
    std::optional<DeviceCount> devices{};
    // The finding of this report that explains this one wholly; it has no cause itself.
    std::optional<Cause> cause{};
    std::optional<Waived> waived;  // of what differs or is unknown
    bool remark = false;           // worth a line even when ok
    bool aside = false;            // worth a line only with -v
    std::size_t count = 1;         // CPUs or policies told as one
    bool counted = false;          // the target stands for a set of CPUs or policies
};

// What the report says once for an id.
struct SettingNote {
    std::string why;
    std::string source;
    std::string persist;
};

// What nodes of a cluster should agree on: a ClusterFact of a setting, normalised by it.
struct ReportFact {
    std::string id;
    std::string target;
    std::optional<std::string> value;
    Reason reason = Reason::error;
    std::string detail;
};

struct FactSheet {
    std::vector<ReportFact> facts;  // by id and target
    std::string fingerprint;        // equal where all of them are
    std::size_t unread = 0;
};

// A serial number, GUID or MAC, told only to who asks for them.
struct ReportIdentity {
    std::string target;
    std::string name;                  // "serial_number"
    std::optional<std::string> value;  // nothing: it could not be read
    Reason reason = Reason::error;
    std::string detail;
};

// How this report compares with an earlier one of the same node.
enum class SameBoot { yes, no, not_known };
struct ChangedFact {
    std::string id;
    std::string target;
    std::optional<std::string> was;  // nothing: it was not there
    std::optional<std::string> now;
};
struct Comparison {
    std::string time;  // of the earlier report
    SameBoot same_boot = SameBoot::not_known;
    std::optional<std::vector<ChangedFact>> changed;  // nothing: the earlier report has no facts
};

// Whether what is recommended counts as if it were required.
enum class Strict { no, yes };

// Whether a set or reset only says what it would do.
enum class DryRun { no, yes };

struct Report {
    std::string version;                // of the program, of a report that was read
    std::string command;                // "check"
    std::vector<std::string> profiles;  // resolved names, and the site's file
    std::string profile_digest;         // of what they came to; empty: no profile was asked for
    std::string gpus;                   // "8 x AMD Instinct MI300X", empty without any
    // Names of GPUs by address, with {} for the address: "GPU 4 ({})" by the runtime's index on
    // this boot, "the GPU at {} (slot 21)" of one without an agent.
    std::map<std::string, std::string> device_names;
    std::string root = "/";
    // The command that sets all that differs and can be set; empty: the next steps say it.
    std::string set_all;
    std::vector<std::string> only;  // of a check: what it was asked for beside the profile
    std::vector<std::string> skip;
    std::string scope;  // "node", "process", "all"; empty: nothing was asked
    std::string time;   // ISO 8601, UTC
    NodeFacts node;
    std::map<std::string, SettingNote> settings;
    std::vector<Finding> findings;
    std::vector<std::string> notes;  // one line each, about the run itself
    std::optional<FactSheet> facts;
    std::optional<std::vector<ReportIdentity>> identities;  // by target and name
    std::optional<Comparison> since;

    std::string result;  // from judge()
    int exit_code = 0;
    Strict strict = Strict::no;     // as it was judged
    bool deadline_reached = false;  // of a check: what was not read by then is unknown
    std::map<std::string, std::size_t> summary;
};

// A number by which the same trouble is known again: of the node, the id and the target.
std::string finding_fingerprint(const Report& report, const Finding& finding);

// Equal CPUs and policies (outcome, want, have, was, put_back) become one finding with a count.
std::vector<Finding> to_findings(const Want& want, const Setting& setting,
                                 const std::vector<Assessment>& assessments);

// Whether a finding of a check decides the status when it differs or is unknown: one that is
// required or, of a strict check, recommended, and that is not waived.
bool is_decisive(const Report& report, const Finding& finding);

// Fills summary, result, strict and exit_code of a check: 1 when anything decisive differs, else 3
// when anything decisive is unknown, else 0. What is waived does not count in judge_set() either.
void judge_check(Report& report, Strict strict);

// What became of the writes of a set or reset: all stand (but what a recommended setting put back
// alone), everything was rolled back, or something could not be put back.
enum class Aftermath { done, rolled_back, stuck };

// Fills summary, result and exit_code of a set or reset: 5 when stuck, 4 when rolled back or
// anything required failed; else 1 when anything required differs or is unsafe, else 3 when
// anything required is unknown, else 0.
void judge_set(Report& report, Aftermath aftermath);

}  // namespace rocenv
