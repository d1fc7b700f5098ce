// SPDX-License-Identifier: MIT
// The selection of the report that counts for a node, and the effects of its other reports: a table
// of ordered rules, and the code that applies them. The sentence of a rule is its documentation,
// from which the manual, JSON and metrics list the rules.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/groups.h"
#include "fleet/read/pools.h"

namespace rocenv {

class Problems;  // fleet/read/gather.h

inline constexpr std::int64_t most_fleet_ahead = 300;  // seconds that clocks may differ

// The reports of one time. Only the best of each kind is kept.
struct Sweep {
    // One report of a node.
    struct Node {
        std::string_view time;
        std::string_view boot_id;
        std::string_view file;
        std::uint64_t line = 0;
        FleetIndex report = 0;
        bool complete = true;
        bool ahead = false;  // ahead of the clock of this host
    };
    // The times of the first and the last report of one boot.
    struct Boot {
        std::string_view first;
        std::string_view last;
    };
    // Properties by which reports are one kind. Only the better of two reports of one kind has an
    // effect.
    struct Kind {
        // The content of an incomplete report or of one that is ahead, else 0: each of these may
        // hold a fault, or settle one.
        FleetIndex content = 0;
        bool complete = true;
        bool ahead = false;
        bool container = false;
        bool deadline_reached = false;
        std::string_view profiles;
        std::string_view only;
        std::string_view skip;
        std::string_view scope;
        std::string_view digest;
        std::string machine;

        // Returns references to all members, for comparison.
        auto members() const {
            return std::tie(content, complete, ahead, container, deadline_reached, profiles, only,
                            skip, scope, digest, machine);
        }
        bool operator<(const Kind& other) const { return members() < other.members(); }
    };
    // The best report of a kind.
    struct Best {
        Node node;
        std::vector<Node> twins;  // other reports of the same kind and time
    };
    std::map<std::string_view, Node> nodes;  // the best report, whatever its profile list is
    // For nodes with several reports:
    std::map<std::string_view, std::map<std::string_view, Boot>> boots;
    std::map<std::string_view, std::map<Kind, Best>> kinds;
    std::size_t reports_read = 0;
    std::size_t superseded = 0;
    std::uint64_t bytes = 0;
};

struct Competing;  // one report of a node (precedence.cpp)

// The effect of a rule on a node that it applies to, in addition to listing the node.
enum class PrecedenceEffect {
    none,
    unknown,   // its status is unknown
    worse,     // its status is that of the other report, if that is worse
    outlier,   // the other report's fault is listed beside its status; fleet ends with 1
    open,      // fleet ends with 3
    doubtful,  // with --strict, fleet ends with 1
};

// A rule that either orders the reports of a node (`compare`: the greater one counts) or has an
// effect after one was selected: on the node, for the newest report of each other kind, or for each
// report. Only the first matching rule applies to a report of another kind.
struct PrecedenceRule {
    std::string_view name;
    std::string_view sentence;  // Markdown
    std::strong_ordering (*compare)(const Competing& here, const Competing& there) = nullptr;
    bool (*of_node)(const Competing& counted) = nullptr;
    bool (*of_newest)(const Competing& counted, const Competing& other) = nullptr;
    bool (*of_each)(const Competing& counted, const Competing& other) = nullptr;
    PrecedenceEffect effect = PrecedenceEffect::none;
    std::string_view found{};  // warning after "N nodes "; empty: none
};

// Returns all rules in their order.
std::span<const PrecedenceRule> precedence_rules();

// Returns whether a report is a complete check of a node: it has findings, no --only, --skip,
// --scope process or unknown scope, and its deadline was not reached.
bool is_complete(const FleetReport& report);

// Adds a report of a node, and counts it. The order does not matter.
void add_report(std::string_view name, const Sweep::Node& node, const FleetPools& pools,
                Sweep& into);

// Returns the report of a node that counts by the rules that order reports, if `profiles` is the
// list of its group. No report is too old. The node must be in the sweep, `profiles` in the pool.
const Sweep::Node& counted_report(const Sweep& sweep, std::string_view name,
                                  std::string_view profiles, const FleetPools& pools);

// Options of the selection.
struct SelectRequest {
    std::optional<std::int64_t> max_age_seconds;  // std::nullopt: no limit
    std::int64_t now_seconds = 0;
};

// Sets the nodes by name, stale and future ones, the times, the flags for the exit status, warnings
// and the rules that applied. A status that other reports of the node change makes a new report in
// the pools. Adds reports that have the same time and do not count to the problems.
void select_reports(const Sweep& sweep, FleetPools& pools, Kins& kins, const SelectRequest& request,
                    Problems& problems, FleetResult& out);

}  // namespace rocenv
