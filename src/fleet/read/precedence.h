// SPDX-License-Identifier: MIT
// Which report of a node counts, and what its other reports do: one table of ordered rules, and the
// code that applies them. The sentence of a rule is its documentation: the manual, JSON and metrics
// have the rules from here.
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

// The reports of one time. Of equal kinds only the best is kept.
struct Sweep {
    struct Node {
        std::string_view time;
        std::string_view boot_id;
        std::string_view file;
        std::uint64_t line = 0;
        FleetIndex report = 0;
        bool complete = true;
        bool ahead = false;  // of the clock of this host
    };
    // When the first and the last report of one boot were made.
    struct Boot {
        std::string_view first;
        std::string_view last;
    };
    // Of two reports of one kind only the better one has an effect.
    struct Kind {
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

        auto members() const {
            return std::tie(complete, ahead, container, deadline_reached, profiles, only, skip,
                            scope, digest, machine);
        }
        bool operator<(const Kind& other) const { return members() < other.members(); }
    };
    struct Best {
        Node node;
        std::vector<Node> twins;  // of the same kind and time
    };
    std::map<std::string_view, Node> nodes;  // the best report, whatever its profile list is
    // Of nodes with several reports:
    std::map<std::string_view, std::map<std::string_view, Boot>> boots;
    std::map<std::string_view, std::map<Kind, Best>> kinds;
    std::size_t reports_read = 0;
    std::size_t superseded = 0;
    std::uint64_t bytes = 0;
};

struct Competing;  // one report of a node (precedence.cpp)

// What a rule does to a node that it applies to, beside listing the node.
enum class PrecedenceEffect {
    none,
    unknown,   // its status is unknown
    worse,     // its status is that of the other report, if that is worse
    outlier,   // the other report's fault is listed beside its status; fleet ends with 1
    open,      // fleet ends with 3
    doubtful,  // with --strict, fleet ends with 1
};

// A rule either orders the reports of a node (`compare`: the greater one counts), or says what
// follows once one counts: for the node, for the newest report of each other sort, or for each
// report. The first rule for a report of another sort is the only one that applies to it.
struct PrecedenceRule {
    std::string_view name;
    std::string_view sentence;  // Markdown
    std::strong_ordering (*compare)(const Competing& here, const Competing& there) = nullptr;
    bool (*of_node)(const Competing& counted) = nullptr;
    bool (*of_newest)(const Competing& counted, const Competing& other) = nullptr;
    bool (*of_each)(const Competing& counted, const Competing& other) = nullptr;
    PrecedenceEffect effect = PrecedenceEffect::none;
    std::string_view found{};  // a warning: "N nodes " and this; empty: no warning
};

std::span<const PrecedenceRule> precedence_rules();

// Whether a report is of the whole check of a node.
bool is_complete(const FleetReport& report);

// "--only gpu.* --scope node": what a report's check was asked for beside its profile.
std::string asked_for(const FleetReport& report);

// Adds a report of a node, in any order.
void add_report(std::string_view name, const Sweep::Node& node, const FleetPools& pools,
                Sweep& into);

// Returns the report that counts among those of a profile list, or among all if none is of it.
const Sweep::Node& counted_report(const Sweep& sweep, std::string_view name,
                                  std::string_view profiles, const FleetPools& pools);

struct SettleRequest {
    std::optional<std::int64_t> max_age_seconds;  // nothing: any
    std::int64_t now_seconds = 0;
};

// Fills nodes, stale and future ones, with warnings and the rules that applied. Names reports of
// one time that do not count as problems.
void settle_nodes(const Sweep& sweep, FleetPools& pools, Kins& kins, const SettleRequest& request,
                  Problems& problems, FleetResult& out);

}  // namespace rocenv
