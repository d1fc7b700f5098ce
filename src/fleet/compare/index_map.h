// SPDX-License-Identifier: MIT
// Values by index, for a few of many indices. Memory and time grow with the values that are set,
// not with the number of indices of the fleet.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

// A hash map from index to value.
template <class Value>
class IndexMap {
   public:
    // Returns the value of `index`. Adds Value() if it is not set. Adding invalidates references.
    Value& operator[](FleetIndex index) {
        if (entries_.size() * 2 >= slots_.size()) {
            grow();
        }
        FleetIndex& slot = slots_[slot_of(index)];
        if (slot == 0) {
            entries_.emplace_back(index, Value());
            slot = static_cast<FleetIndex>(entries_.size());
        }
        return entries_[slot - 1].second;
    }

    // Reserves the memory for that many values. Requires an empty map.
    void reserve(std::size_t count) {
        entries_.reserve(count);
        slots_.assign(std::max(least_slots, std::bit_ceil(count * 2 + 2)), 0);
    }

    // Returns the value of `index`, or nullptr if it is not set.
    const Value* find(FleetIndex index) const {
        const FleetIndex slot = slots_.empty() ? 0 : slots_[slot_of(index)];
        return slot == 0 ? nullptr : &entries_[slot - 1].second;
    }

    // Returns the value of `index`, or the given one if it is not set.
    Value at(FleetIndex index, const Value& otherwise = Value()) const {
        const Value* found = find(index);
        return found == nullptr ? otherwise : *found;
    }

    // Returns whether the index has a value.
    bool contains(FleetIndex index) const { return find(index) != nullptr; }

    // Returns all values that are set, in the order in which they were added.
    std::span<const std::pair<FleetIndex, Value>> all() const& { return entries_; }
    std::span<std::pair<FleetIndex, Value>> all() & { return entries_; }
    void all() && = delete;

   private:
    // Returns the slot of `index`, or the free one where it belongs.
    std::size_t slot_of(FleetIndex index) const {
        auto at = mixed(0, index) & (slots_.size() - 1);
        while (slots_[at] != 0 && entries_[slots_[at] - 1].first != index) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return at;
    }
    void grow() {
        slots_.assign(slots_.empty() ? least_slots : slots_.size() * 2, 0);
        for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
            slots_[slot_of(entries_[entry].first)] = static_cast<FleetIndex>(entry + 1);
        }
    }

    static constexpr std::size_t least_slots = 16;
    std::vector<std::pair<FleetIndex, Value>> entries_;
    std::vector<FleetIndex> slots_;  // 1 and the entry's position; 0: free
};

}  // namespace rocenv
