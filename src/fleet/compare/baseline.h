// SPDX-License-Identifier: MIT
// Values that nodes of a group should agree on. For each key (id and target of a fact),
// this is the value of more than half of the nodes, or that of a reference.
#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fleet/compare/comparable.h"
#include "fleet/compare/index_map.h"
#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

inline constexpr std::size_t fewest_for_majority = 3;  // nodes

// A report with the number of nodes that it stands for.
struct Weighted {
    FleetIndex report = 0;
    std::size_t nodes = 0;
};

// Counts the nodes that check an id, once for each id. Keeps a reference to `all` and `coverage`.
class CoveringNodes {
   public:
    CoveringNodes(const std::vector<Weighted>& reports, const std::vector<FleetReport>& all,
                  const ComparableIds& coverage);
    // Returns the number of nodes whose reports cover an id of the pool.
    std::size_t of(std::string_view id);

   private:
    const ComparableIds& coverage_;
    std::vector<std::pair<const FleetReport*, std::size_t>> kinds_;  // a report of each, and nodes
    std::unordered_map<const char*, std::size_t> nodes_of_;
};

// The id and target of a fact, both texts of the pool.
struct FactKey {
    std::string_view id;
    std::string_view target;
};
// The keys of all facts of a fleet, computed once.
class FactKeys {
   public:
    explicit FactKeys(const std::vector<FleetFact>& facts);
    // Returns the index of the fact's key in all().
    FleetIndex of(FleetIndex fact) const { return of_[fact]; }
    // Returns each key once, in the order of first appearance.
    const std::vector<FactKey>& all() const { return keys_; }

   private:
    std::vector<FleetIndex> of_;
    std::vector<FactKey> keys_;
};

inline constexpr FleetIndex no_fact = static_cast<FleetIndex>(-1);

// The expected value of the fact of each key.
struct FactBaseline {
    // Kind of an expectation. `unused`: the key is not compared. `absent`: no fact is expected.
    // `split`: the nodes have no common value, so the key is not compared.
    enum class Is { unused, value, absent, split };
    struct At {
        Is is = Is::unused;
        FleetIndex fact = no_fact;  // the expected fact, only for `value`
    };
    IndexMap<At> by_key;  // a key that is not set equals `elsewhere`
    At elsewhere;
    std::vector<FleetIndex> values;  // keys with a value; a report that lacks one differs
    std::vector<FleetIndex> splits;  // keys without a majority, or whose majority is unread
    bool there = false;              // false: nothing is compared

    // Returns the expectation for a key.
    At at(FleetIndex key) const { return by_key.at(key, elsewhere); }
};

// Returns for each key the fact that more than half of the nodes have, of those with facts whose
// reports cover the id. If most lack the fact, it is `absent`. Without a majority of equal values,
// it is the median if more than half are within tolerance_of(id), else split. An unread majority is
// split, too. A key whose id fewer than three nodes cover is unused if these agree, else split. Not
// `there` if fewer than three nodes have facts.
FactBaseline majority_facts(const std::vector<Weighted>& reports, const FleetPools& pools,
                            const FactKeys& keys, const ComparableIds& coverage);
// Returns all facts of a report, unread ones included. Other keys are `absent`.
FactBaseline all_facts(const FleetReport& reference, const FactKeys& keys);
// Returns the same, but unread facts are `unused`.
FactBaseline reference_facts(const FleetReport& reference, const std::vector<FleetFact>& facts,
                             const FactKeys& keys);
// Returns the baseline of expected facts (indices of the pool): a node that has a fact of such a
// key must have this value. A node without the fact does not differ. Other keys are `unused`.
FactBaseline expected_facts(const std::vector<FleetIndex>& expected, const FactKeys& keys);

// Returns whether values of an id belong to one node or process, so that they make no outlier.
// True for each environment variable.
bool is_own(std::string_view id);

// Switch for waived findings that are not ok.
enum class WaivedItems { left_out, kept };

// The `have` of findings in the form that is compared.
class ComparedHaves {
   public:
    explicit ComparedHaves(const std::vector<FleetFinding>& findings) : coded_(findings) {}
    // Returns the text of CodedHaves; std::nullopt for a finding without `have` or with counters,
    // and if is_own() is true for the id.
    std::optional<std::string_view> of(const FleetFinding& finding);

   private:
    const CodedHaves coded_;
    std::unordered_map<const char*, bool> own_;  // by the address of the id
};

// Findings that are not ok, na or hidden, in the form that is compared: without code, cause,
// detail, fix, counters and the end and reason of a waiver, and with `have` as ComparedHaves
// returns it.
class FindingItems {
   public:
    FindingItems(const std::vector<FleetFinding>& findings, WaivedItems waived);
    // Returns the items of one report: indices into all(), ascending, each once.
    std::vector<FleetIndex> of(const FleetReport& report) const;
    const std::vector<FleetFinding>& all() const { return items_.rows(); }
    // Returns the items; all() is empty afterwards.
    std::vector<FleetFinding> take() { return items_.take_rows(); }

   private:
    RowPool<FleetFinding, FindingTraits> items_;
    std::vector<FleetIndex> of_;  // by finding; no_fact: not an item
};

// Returns the items that more than half of the nodes covering their ids have, ascending. The number
// of nodes may be as low as one.
std::vector<FleetIndex> majority_items(const std::vector<Weighted>& reports,
                                       const std::vector<FleetReport>& all,
                                       const FindingItems& items, const ComparableIds& coverage);

// Returns the percentage by which numbers of this id may differ and still count as equal. 0: they
// must be equal, or the id is unknown.
std::uint32_t tolerance_of(std::string_view id);

// Returns whether two texts are equal, or are whole numbers of one unit that differ by at most
// `percent` of the larger one. Sizes from KiB to TiB are compared as bytes. 0: only equal texts
// are.
bool are_alike(std::string_view a, std::string_view b, std::uint32_t percent);

}  // namespace rocenv
