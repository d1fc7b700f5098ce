// SPDX-License-Identifier: MIT
// The summary of the reports of many nodes: plain data, made by fleet/read/gather.h and
// fleet/compare/compare.h. Renderers are pure functions of it (fleet/print/render.h).
//
// Equal parts are kept once. A node points to its report. Reports that are equal except for node,
// time and boot are one report. Its findings and facts are indices into the distinct ones of the
// fleet. All texts are views of the pool `texts`, unescaped: renderers must escape them.
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

// A counter and its value.
struct FleetCount {
    std::string_view name;
    std::uint64_t count = 0;
};

// One finding, as a report states it.
struct FleetFinding {
    std::string_view id;
    std::string_view target;
    Level level = Level::info;
    Outcome outcome = Outcome::ok;
    Reason reason = Reason::error;  // reason if the outcome is unknown
    bool waived = false;
    std::optional<std::string_view> expected;
    std::optional<std::string_view> have;
    std::string_view code;  // code in the report for a `have` that is prose; empty: none
    std::string_view detail;
    std::string_view fix;  // empty: none
    std::string_view ticket;
    std::string_view until;
    std::string_view waived_why;
    // The finding of the same report that explains this one. Empty if there is none.
    std::string_view cause_id;
    std::string_view cause_target;
    std::span<const FleetCount> counters;
};

// One fact of a node.
struct FleetFact {
    std::string_view id;
    std::string_view target;
    std::optional<std::string_view> value;  // std::nullopt: could not be read
    std::string_view reason;                // reason for a missing value, in the report's word
};

// The content of equal reports. `exit_code` and `result` are the report's own or those of its
// findings, whichever is worse. If --only or --skip removed findings, the rest is judged again.
struct FleetReport {
    std::string_view version;
    std::string_view profiles;        // "mi300x + site"
    std::string_view profile_digest;  // empty: none
    std::string_view kernel;
    std::string_view result;
    int exit_code = 0;
    std::string_view only;          // ids given to its check, "gpu.*,pci.link"; empty: all
    std::string_view skip;          // ids left out by its check; empty: none
    std::string_view scope;         // "node", "process"; empty: not restricted
    bool strict = false;            // recommended checks count like required ones
    bool deadline_reached = false;  // unread values are unknown
    bool contradicts = false;       // its own status differed from that of its findings
    bool lapsed = false;            // a waiver ended or is incomplete, and does not count
    bool has_findings = true;
    bool judged = true;  // false: it has none that --only and --skip select
    bool container = false;
    bool recording = false;  // judged by this command, from a .tree
    bool has_facts = false;
    // Reason for a status worse than that of the findings: another report, or no complete report.
    std::string_view because;
    // A required fault in a report that does not count and may be newer. The node is an outlier.
    std::string_view beside;
    FleetIndex fault = no_fault;           // the finding, if it belongs to another report
    std::span<const FleetIndex> findings;  // in the report's order
    std::span<const FleetIndex> facts;     // sorted by id and target
};

// Texts of a setting, once for each id, from the newest report that has them.
struct FleetSetting {
    std::string_view id;
    std::string_view why;
    std::string_view source;
    std::string_view persist;
};

// One node with the report that counts for it.
struct FleetNode {
    std::string_view name;
    std::string_view time;  // as in the report
    std::string_view boot_id;
    std::string_view file;  // file that holds the report
    std::uint64_t line = 0;
    FleetIndex report = 0;  // index in FleetResult::reports
    FleetIndex group = 0;   // index in FleetResult::groups
    FleetIndex fold = 0;    // index in the folds of that group
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
    std::string target;  // for CPUs and policies, those that differ
    std::string here;  // a fact's value, or "differs: have 1, want 0"; "not there", "unread (…)"
    std::string others;            // the value of the majority, the reference or the earlier sweep
    bool unread = false;           // a value is unread, or only the presence differs
    std::optional<Level> level{};  // level of a finding that is not ok here
    bool by_majority = false;      // `others` is the majority's value despite a reference
    bool operator==(const FleetDifference&) const = default;
};

// Nodes of a group that differ from its baseline in the same properties and have the same status.
struct FleetFold {
    std::vector<FleetIndex> nodes;             // sorted as FleetResult::nodes
    std::string names;                         // "gpu[001-412,414]"
    int exit_code = 0;                         // unknown if nothing was judged
    bool container = false;                    // its reports were made in a container
    std::string_view because;                  // reason for a status worse than that of the report
    std::string_view beside;                   // a fault in a report that does not count
    bool judged = true;                        // false: nothing was judged, so nothing passes
    std::vector<FleetDifference> differences;  // empty: equal to the baseline
};

// A fact without a majority value, or one in which two nodes differ that are compared with no other
// node. A split makes no node an outlier.
struct FleetSplit {
    // Nodes with one value.
    struct Side {
        std::string value;
        std::size_t count = 0;
        std::string names;
    };
    std::string_view id;
    std::string target;
    std::vector<Side> sides;  // most nodes first
    bool unread = false;      // unread by most nodes, or by all except those of one value
};

// Nodes that should be equal.
struct FleetGroup {
    std::string model;    // "MI300X", "MI300X + MI210"; empty: unknown
    std::string product;  // empty: unknown
    std::string profile_digest;
    std::string profiles;
    std::string version;  // version of the program that made the reports
    std::vector<std::pair<std::string, std::string>> by;  // --group-by: id (and target), value
    std::vector<FleetIndex> nodes;
    std::string names;
    bool has_baseline = false;         // at least three nodes, or a reference
    std::vector<FleetFold> folds;      // the largest one without differences first
    std::vector<FleetSplit> splits;    // by id; the first of the groups of one kind holds all
    std::size_t without_majority = 0;  // facts without a majority in nodes of this kind
    // Indices of the `items` that are not ok on the majority. If `findings_compared` is false, too
    // few nodes were judged by this profile: then those that are not ok on any node.
    std::vector<FleetIndex> findings;
    bool findings_compared = true;
};

// Nodes that were compared with no other node.
struct FleetUncompared {
    std::string why;  // "without facts (check --facts)"
    std::string names;
    std::size_t count = 0;
    bool counts = true;  // for --strict; not the only node of its model
};

// The next step for a finding on nodes of one model.
struct FleetStep {
    std::string model;  // empty: all models have this step
    std::string_view fix;
};

// Kinds of rows, most severe first.
enum class FleetRowKind { fail, unknown, unjudged, warn, outlier };
template <>
struct EnumWords<FleetRowKind> {
    static constexpr EnumWord<FleetRowKind> all[] = {{FleetRowKind::fail, "fail"},
                                                     {FleetRowKind::unknown, "unknown"},
                                                     {FleetRowKind::unjudged, "unjudged"},
                                                     {FleetRowKind::warn, "warn"},
                                                     {FleetRowKind::outlier, "outlier"}};
};

// Nodes with one cause: they fail by the same findings, could not read the same values, miss the
// same recommendation, or are outliers of a group. Findings that have a cause make no row. Each
// node that does not pass is in one row of `fail`, `unknown` or `unjudged`.
struct FleetRow {
    FleetRowKind kind = FleetRowKind::fail;
    std::vector<FleetIndex> nodes;  // sorted as FleetResult::nodes
    std::string names;
    // Findings of the first node, starting with the rarest over all nodes. Empty if another report
    // decides (`because`), or in a row of outliers.
    std::vector<FleetIndex> findings;
    std::vector<std::string_view> ids;  // ids of the findings, each once
    bool unselected = false;   // kind unjudged: the reports have findings, and none is selected
    bool same_targets = true;  // equal on all of the nodes
    std::string_view because;
    std::string_view beside;  // a fault in a report that does not count
    FleetIndex group = 0;     // group of the outliers
    FleetIndex fold = 0;
    std::vector<FleetStep> steps;  // for the first finding, by model
};

// A kind of finding that is not ok, over all nodes.
struct FleetTally {
    std::string_view id;
    Level level = Level::info;
    Outcome outcome = Outcome::differs;
    bool waived = false;
    std::string_view ticket;  // ticket of a waived finding
    std::string_view fix;     // the next step of the first node; empty: none
    std::size_t nodes = 0;
    std::size_t targets = 0;  // total
    std::string names;
    std::vector<FleetStep> steps{};  // by model
};

// Input that is not counted, or a remark about it.
struct FleetProblem {
    enum class Kind {
        unreadable,  // a file or folder that cannot be read, is too large or empty
        broken,      // a report that is cut off or garbled
        foreign,     // input that is not a report of rocenv check
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

// Changes since an earlier sweep.
struct FleetSince {
    // Nodes with the same changes.
    struct Change {
        std::vector<FleetIndex> nodes;
        std::string names;
        std::vector<FleetDifference> differences;  // `others` holds the earlier value
    };
    // The growth of one counter on one node.
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
    std::size_t nodes = 0;  // nodes in the earlier sweep
    std::string added;      // names
    std::string gone;
    std::size_t added_count = 0;
    std::size_t gone_count = 0;
    std::size_t unchanged = 0;
    std::vector<Change> changes;
    std::vector<Growth> growths;
};

// All data that renderers print.
struct FleetResult {
    std::shared_ptr<TextPool> texts;
    std::vector<FleetNode> nodes;  // by name, with numbers in names as numbers
    std::vector<FleetReport> reports;
    std::vector<FleetFinding> findings;
    std::vector<FleetFinding> items;  // findings without detail, fix and counters
    std::vector<FleetFact> facts;
    std::vector<FleetSetting> settings;  // by id
    std::vector<FleetGroup> groups;      // most nodes first
    std::vector<FleetTally> tallies;     // waived last, required first, then by number of nodes
    std::vector<FleetRow> rows;          // by kind, then by number of nodes
    std::vector<FleetProblem> problems;
    std::size_t more_problems = 0;  // problems that were not kept
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

    std::size_t with_status[4] = {};   // judged nodes by exit code of their report: 0, 1 and 3
    std::size_t unjudged = 0;          // nodes whose report holds no selected finding
    std::size_t outliers = 0;          // nodes with differences
    std::size_t passing_outliers = 0;  // outliers whose report ended with 0
    std::size_t without_majority = 0;  // facts without a majority, over all groups
    std::size_t uncompared_count = 0;  // nodes
    std::size_t unread_inputs = 0;     // files and parts of files that are not whole reports
    int beside_exit = 0;               // from the worst report that does not count and may be newer
    bool uncounted = false;   // reports of another machine with the same name were dropped: not ok
    bool doubtful = false;    // a warning of a kind that ends `fleet` with 3 with --strict
    bool mistrusted = false;  // a warning of a kind that ends `fleet` with 1 with --strict
    int exit_code = 0;
};

}  // namespace rocenv
