// SPDX-License-Identifier: MIT
// The summary of the reports of many nodes: plain data, made by fleet/read/gather.h and
// fleet/compare/compare.h. Renderers are pure functions of it (fleet/print/render.h).
//
// Equal parts are kept once. A node points to its report; reports that are equal but for node,
// time and boot are one; a report's findings and facts are indices into those of the fleet, which
// are distinct. All texts are views of what the fleet owns (`texts`), as they were read: whoever
// prints them escapes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocenv/setting.h"
#include "rocenv/words.h"

namespace rocenv {

class TextPool;  // fleet/read/pools.h

using FleetIndex = std::uint32_t;
inline constexpr FleetIndex no_fault = static_cast<FleetIndex>(-1);
inline constexpr std::string_view no_complete_report = "no complete report";

struct FleetCount {
    std::string_view name;
    std::uint64_t count = 0;
};

struct FleetFinding {
    std::string_view id;
    std::string_view target;
    Level level = Level::info;
    Outcome outcome = Outcome::ok;
    Reason reason = Reason::error;  // of one that is unknown
    bool waived = false;
    std::optional<std::string_view> want;
    std::optional<std::string_view> have;
    std::string_view code;  // that the report gives for a `have` that is prose; empty: none
    std::string_view detail;
    std::string_view fix;  // empty: none
    std::string_view ticket;
    std::string_view until;
    std::string_view waived_why;
    // The finding of the same report that explains this one; empty: none does.
    std::string_view cause_id;
    std::string_view cause_target;
    std::span<const FleetCount> counters;
};

struct FleetFact {
    std::string_view id;
    std::string_view target;
    std::optional<std::string_view> value;  // nothing: could not be read
    std::string_view reason;                // why not, the report's word
};

// The content of equal reports. `exit_code` and `result` are the worse of the report's own and
// those of its findings, or are counted again if --only or --skip removed findings.
struct FleetReport {
    std::string_view version;
    std::string_view profiles;        // "mi300x + site"
    std::string_view profile_digest;  // empty: none
    std::string_view kernel;
    std::string_view result;
    int exit_code = 0;
    std::string_view only;   // ids that its check was asked for, "gpu.*,pci.link"; empty: all
    std::string_view skip;   // ids that were left out; empty: none
    std::string_view scope;  // "node", "process"; empty: nothing was asked
    bool strict = false;     // what is recommended counts
    bool deadline_reached = false;  // what was not read by then is unknown
    bool contradicts = false;       // its own status was another one
    bool lapsed = false;            // a waiver in it has ended or says nothing, and does not count
    bool judged = true;             // false: it holds no finding at all
    bool container = false;
    bool recording = false;  // judged here, from a .tree
    bool has_facts = false;
    // Why the status is worse than that of the findings: another report, or no complete report.
    std::string_view because;
    // A required fault in a report that does not count and may be newer. The node is an outlier.
    std::string_view beside;
    FleetIndex fault = no_fault;           // the finding, if it is not one of this report
    std::span<const FleetIndex> findings;  // in the report's order
    std::span<const FleetIndex> facts;     // by id and target
};

// Once for each id: the newest that any report says.
struct FleetSetting {
    std::string_view id;
    std::string_view why;
    std::string_view source;
    std::string_view persist;
};

struct FleetNode {
    std::string_view name;
    std::string_view time;  // as the report has it
    std::string_view boot_id;
    std::string_view file;  // where the report stands
    std::uint64_t line = 0;
    FleetIndex report = 0;  // of FleetResult::reports
    FleetIndex group = 0;   // of FleetResult::groups
    FleetIndex fold = 0;    // of that group's folds
};

// The subject of a difference between nodes.
enum class FleetSubject { fact, finding };
template <>
struct EnumWords<FleetSubject> {
    static constexpr EnumWord<FleetSubject> all[] = {{FleetSubject::fact, "fact"},
                                                     {FleetSubject::finding, "finding"}};
};

// A property in which nodes differ from their group, or from their earlier report.
struct FleetDifference {
    FleetSubject of = FleetSubject::fact;
    std::string_view id;
    std::string target;  // of CPUs and policies those that differ
    std::string here;  // a fact's value, or "differs: have 1, want 0"; "not there", "unread (…)"
    std::string others;            // the same of the majority, the reference or the earlier sweep
    bool unread = false;           // what could not be read here is not known to differ
    std::optional<Level> level{};  // of a finding that is not ok here
    bool by_majority = false;      // `others` is the majority's, though there is a reference
    bool operator==(const FleetDifference&) const = default;
};

// Nodes of a group that differ from its majority in the same things and have the same status.
struct FleetFold {
    std::vector<FleetIndex> nodes;  // sorted as FleetResult::nodes
    std::string names;              // "gpu[001-412,414]"
    int exit_code = 0;
    bool container = false;                    // its reports were made in a container
    std::string_view because;                  // why the status is worse than that of the report
    std::string_view beside;                   // a fault in a report that does not count
    bool judged = true;                        // false: nothing was, and nothing is as wanted
    std::vector<FleetDifference> differences;  // none: as the majority
};

// A place where no value has the majority, or where two nodes differ that are compared with no
// other. It makes no node an odd one.
struct FleetSplit {
    struct Side {
        std::string value;
        std::size_t count = 0;
        std::string names;
    };
    std::string_view id;
    std::string target;
    std::vector<Side> sides;  // most nodes first
    bool unread = false;      // most nodes, or all but those of one value, could not read it
};

// Nodes that should be equal.
struct FleetGroup {
    std::string model;    // "MI300X", "MI300X + MI210"; empty: not told
    std::string product;  // empty: not told
    std::string profile_digest;
    std::string profiles;
    std::string version;                                  // of the program that made the reports
    std::vector<std::pair<std::string, std::string>> by;  // --group-by: id (and target), value
    std::vector<FleetIndex> nodes;
    std::string names;
    bool has_baseline = false;         // three nodes at least, or a reference
    std::vector<FleetFold> folds;      // the largest without differences first
    std::vector<FleetSplit> splits;    // in order of id; of those of one kind in the first
    std::size_t without_majority = 0;  // facts that nodes of this kind do not agree on
    // The findings of `items` that are not ok on the majority. If `findings_compared` is false,
    // those that are not ok on any node, since too few nodes were judged by this profile.
    std::vector<FleetIndex> findings;
    bool findings_compared = true;
};

// Nodes that were held against no other.
struct FleetUncompared {
    std::string why;  // "without facts (check --facts)"
    std::string names;
    std::size_t count = 0;
    bool counts = true;  // for --strict; not the only node of its model
};

// The next step of a finding on nodes of one model.
struct FleetStep {
    std::string model;  // empty: all models have this step
    std::string_view fix;
};

enum class FleetRowKind { fail, unknown, unjudged, warn, outlier };
template <>
struct EnumWords<FleetRowKind> {
    static constexpr EnumWord<FleetRowKind> all[] = {{FleetRowKind::fail, "fail"},
                                                     {FleetRowKind::unknown, "unknown"},
                                                     {FleetRowKind::unjudged, "unjudged"},
                                                     {FleetRowKind::warn, "warn"},
                                                     {FleetRowKind::outlier, "outlier"}};
};

// Nodes with one cause: those that fail by the same findings, those in which the same could not be
// read, those that miss the same recommendation, or outliers of a group. Findings that have a cause
// make no row. Each node that does not pass is in one row of `fail`, `unknown` or `unjudged`.
struct FleetRow {
    FleetRowKind kind = FleetRowKind::fail;
    std::vector<FleetIndex> nodes;  // sorted as FleetResult::nodes
    std::string names;
    // Findings of the first node, the rarest over all nodes first. Empty if another report decides
    // (`because`), or if the row is one of outliers.
    std::vector<FleetIndex> findings;
    std::vector<std::string_view> ids;  // of the findings, each once
    bool same_targets = true;           // on all of the nodes
    std::string_view because;
    std::string_view beside;  // a fault in a report that does not count
    FleetIndex group = 0;     // of outliers
    FleetIndex fold = 0;
    std::vector<FleetStep> steps;  // of the first finding, by model
};

// A kind of finding that is not ok, over all nodes.
struct FleetTally {
    std::string_view id;
    Level level = Level::info;
    Outcome outcome = Outcome::differs;
    bool waived = false;
    std::string_view ticket;  // of a waived one
    std::string_view fix;     // the first report's next step; empty: none
    std::size_t nodes = 0;
    std::size_t targets = 0;  // in all
    std::string names;
    std::vector<FleetStep> steps{};  // by model
};

// Input that is not counted, or a remark about it.
struct FleetProblem {
    enum class Kind {
        unreadable,  // a file or folder that cannot be read, is too large or empty
        broken,      // a report that is cut off or garbled
        foreign,     // what is not a report of rocenv check
        duplicate,   // the same report again
        remark,
    };
    Kind kind = Kind::remark;
    std::string file;
    std::uint64_t line = 0;  // 0: the whole file
    std::string text;
};

template <>
struct EnumWords<FleetProblem::Kind> {
    static constexpr EnumWord<FleetProblem::Kind> all[] = {
        {FleetProblem::Kind::unreadable, "unreadable"},
        {FleetProblem::Kind::broken, "broken"},
        {FleetProblem::Kind::foreign, "foreign"},
        {FleetProblem::Kind::duplicate, "duplicate"},
        {FleetProblem::Kind::remark, "remark"},
    };
};

// Nodes to which a rule of precedence applied (fleet/read/precedence.h).
struct FleetPrecedence {
    std::string_view rule;
    std::string_view sentence;
    std::string detail;  // empty: none
    std::string names;
    std::size_t count = 0;
};

struct FleetSince {
    struct Change {
        std::vector<FleetIndex> nodes;
        std::string names;
        std::vector<FleetDifference> differences;  // `others` is what was
    };
    struct Growth {
        FleetIndex node = 0;
        std::string_view id;
        std::string_view target;
        std::string_view counter;
        std::uint64_t was = 0;
        std::uint64_t now = 0;
        bool same_boot = false;
        bool boots_known = false;
    };
    std::string folder;
    std::size_t nodes = 0;  // of the earlier sweep
    std::string added;      // names
    std::string gone;
    std::size_t added_count = 0;
    std::size_t gone_count = 0;
    std::size_t unchanged = 0;
    std::vector<Change> changes;
    std::vector<Growth> growths;
};

struct FleetResult {
    std::shared_ptr<TextPool> texts;
    std::vector<FleetNode> nodes;  // by name, numbers in it as numbers
    std::vector<FleetReport> reports;
    std::vector<FleetFinding> findings;
    std::vector<FleetFinding> items;  // findings without detail, fix and counters
    std::vector<FleetFact> facts;
    std::vector<FleetSetting> settings;  // by id
    std::vector<FleetGroup> groups;      // most nodes first
    std::vector<FleetTally> tallies;     // required first, then by number of nodes
    std::vector<FleetRow> rows;          // by kind, then by number of nodes
    std::vector<FleetProblem> problems;
    std::size_t more_problems = 0;  // that were not kept
    std::vector<std::string> warnings;
    std::vector<FleetPrecedence> precedence;  // in the order of the rules
    std::vector<FleetUncompared> uncompared;

    std::uint64_t bytes = 0;
    std::size_t reports_read = 0;
    std::size_t superseded = 0;  // reports of nodes that have a newer one
    std::string newest;          // times of the reports that count
    std::string oldest;
    std::string stale;  // names of nodes whose newest report is older than --max-age
    std::size_t stale_count = 0;
    bool has_expected = false;  // --expect names nodes
    std::string missing;        // names of --expect without a report
    std::size_t missing_count = 0;
    std::string unexpected;  // names beyond --expect
    std::size_t unexpected_count = 0;
    std::string future;  // names of nodes with a report ahead of this host's clock
    std::size_t future_count = 0;
    std::string reference;  // "gpu001", empty: the majority
    std::optional<FleetSince> since;

    std::size_t with_status[4] = {};   // nodes whose report ended with 0 and was judged, 1 and 3
    std::size_t unjudged = 0;          // nodes whose report holds no finding
    std::size_t odd = 0;               // nodes with differences
    std::size_t odd_but_ok = 0;        // of them those whose report ended with 0
    std::size_t without_majority = 0;  // facts that have none, over all groups
    std::size_t uncompared_count = 0;  // nodes
    std::size_t unread_inputs = 0;     // files and parts of them that are no report
    int beside_exit = 0;               // of the worst report that does not count and may be newer
    bool uncounted = false;   // what a machine said is lost behind another one of its name: no ok
    bool doubtful = false;    // a warning says what --strict does not let pass: it ends with 3
    bool mistrusted = false;  // the same, and it ends with 1
    int exit_code = 0;
};

}  // namespace rocenv
