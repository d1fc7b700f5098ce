// SPDX-License-Identifier: MIT
// A report: the findings of one command, counted and judged once. Renderers are pure functions of
// the report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// A waiver of the site. The finding keeps its outcome but does not count.
struct Waived {
    std::string ticket;
    std::string until;  // "2027-01-31", that day included
    std::string why;
};

// Reference to a finding of the same report.
struct Cause {
    std::string id;
    std::string target;
};

// The result of one setting on one target, or on a set of equal CPUs.
struct Finding {
    std::string id;
    std::string target;
    Level level = Level::required;
    Outcome outcome = Outcome::unknown;
    Reason reason = Reason::error;  // reason if the outcome is unknown
    std::optional<std::string> expected;
    std::optional<std::string> have;
    std::string code;  // code of `have` (settings/have_codes.h), only in reports that were read
    // For set and reset: the value before this command changed the target or tried to, else
    // std::nullopt. A dry run states the planned change.
    std::optional<std::string> was;
    PutBack put_back = PutBack::none;
    std::optional<std::string> effective;
    std::string detail;
    std::string fix;      // next step; empty: nothing is left to do
    Counters counters{};  // events since the start, judged or not
    std::optional<DeviceCount> devices{};
    // The finding of this report that fully explains this one. The cause has no cause itself.
    std::optional<Cause> cause{};
    std::optional<Waived> waived;  // waiver of a finding that differs or is unknown
    bool remark = false;           // printed even when ok
    bool aside = false;            // printed only with -v
    std::size_t count = 1;         // number of equal CPUs or policies
    bool counted = false;          // the target stands for a set of CPUs or policies
};

// Texts of a setting, printed once for each id.
struct SettingNote {
    std::string why;
    std::string source;
    std::string persist;
};

// One value that nodes of a cluster should agree on: a ClusterFact, normalised by its setting.
struct ReportFact {
    std::string id;
    std::string target;
    std::optional<std::string> value;
    Reason reason = Reason::error;
    std::string detail;
};

// All facts of a node.
struct FactSheet {
    std::vector<ReportFact> facts;  // sorted by id and target
    std::string fingerprint;        // hash, the same if all facts are equal
    std::size_t unread = 0;         // number of facts without a value
};

// A serial number, GUID or MAC address, reported only on request.
struct ReportIdentity {
    std::string target;
    std::string name;                  // "serial_number"
    std::optional<std::string> value;  // std::nullopt: could not be read
    Reason reason = Reason::error;
    std::string detail;
};

// Relation of this boot to that of an earlier report.
enum class SameBoot { yes, no, not_known };
// A fact that changed since the earlier report.
struct ChangedFact {
    std::string id;
    std::string target;
    std::optional<std::string> was;  // std::nullopt: did not exist
    std::optional<std::string> now;
};
// Comparison with an earlier report of the same node.
struct Comparison {
    std::string time;  // time of the earlier report
    SameBoot same_boot = SameBoot::not_known;
    std::optional<std::vector<ChangedFact>> changed;  // std::nullopt: a report has no facts
};

// Switch that makes recommended checks count like required ones.
enum class Strict { no, yes };

// Switch that makes a set or reset only print its changes.
enum class DryRun { no, yes };

// The report of one command.
struct Report {
    std::string version;                // version of the program; only in reports that were read
    std::string command;                // "check"
    std::vector<std::string> profiles;  // resolved names, and the file of the site
    std::string profile_digest;  // digest of the resolved profile; empty: no profile was used
    std::string gpus;            // "8 x AMD Instinct MI300X"; empty: no GPUs
    // Names of GPUs by address, with {} for the address: "GPU 4 ({})" with the runtime's index on
    // this boot, or "the GPU at {} (slot 21)" for a GPU without an agent.
    std::map<std::string, std::string> device_names;
    std::string root = "/";
    // The command that sets everything that differs and can be set. Empty: each next step has its
    // own.
    std::string set_all;
    std::vector<std::string> only;  // ids given with --only
    std::vector<std::string> skip;
    std::string scope;  // "node", "process" or "all"; empty: not restricted by an option
    std::string time;   // ISO 8601, UTC
    NodeFacts node;
    std::map<std::string, SettingNote> settings;
    std::vector<Finding> findings;
    std::vector<std::string> notes;  // remarks on the run itself, one line each
    std::optional<FactSheet> facts;
    std::optional<std::vector<ReportIdentity>> identities;  // sorted by target and name
    std::optional<Comparison> since;

    std::string result;  // word set by judge_check() or judge_set()
    int exit_code = 0;
    Strict strict = Strict::no;     // as used by judge_check()
    bool deadline_reached = false;  // unread values of this check are unknown
    std::map<std::string, std::size_t> summary;
};

// Returns 16 hexadecimal digits that identify a recurring problem: a hash of hostname, id and
// target, without outcome and values.
std::string finding_fingerprint(const Report& report, const Finding& finding);

// Returns one finding for each assessment, in their order. CPUs and policies with equal outcome,
// expected, have, was and put_back become one finding with a count. The level is that of the
// expectation, or lower by the grade. The next step of the setting fills an empty one of a finding
// that differs or failed, with the target for BDF.
std::vector<Finding> to_findings(const Expectation& expectation, const Setting& setting,
                                 const std::vector<Assessment>& assessments);

// Returns whether a finding affects the status of a check if it differs or is unknown. Required
// findings do, recommended ones if `report.strict` is yes, waived ones and level info never.
bool is_decisive(const Report& report, const Finding& finding);

// Sets summary, result, strict and exit_code of a check. The exit code is 1 if a decisive finding
// differs, else 3 if one is unknown, else 0; `result` is "differs", "unknown" or "ok". The summary
// counts all findings by the word of their outcome, also waived ones.
void judge_check(Report& report, Strict strict);

// Result of the writes of a set or reset. done: all remain, except those that a recommended setting
// undid alone. rolled_back: all were undone. stuck: a value could not be restored.
enum class Aftermath { done, rolled_back, stuck };

// Sets summary, result and exit_code of a set or reset. The exit code is 5 if stuck, else 4 if
// rolled back or a required finding failed; `result` is then "failed". Otherwise the exit code is 1
// if a required finding differs or is unsafe, 3 if one is unknown, and 0 if none is. `result` is
// then "unsafe", "differs", "unknown", "changed" (a finding of any level changed) or "ok". Waived
// findings only count in the summary and for "changed".
void judge_set(Report& report, Aftermath aftermath);

}  // namespace rocenv
