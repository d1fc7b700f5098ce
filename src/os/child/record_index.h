// SPDX-License-Identifier: MIT
// Finds records of a SharedLog by their keys, in eight bytes a slot and without an allocation for
// each: a check asks for thousands of files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "os/child/shared_log.h"

namespace rocenv {

class RecordIndex {
   public:
    explicit RecordIndex(const SharedLog& log) : log_(log) {}

    // Of a key, for find() and add(): whoever needs both computes it once.
    static std::uint32_t hash_of(std::string_view key) {
        return static_cast<std::uint32_t>(std::hash<std::string_view>()(key));
    }

    std::optional<SharedLog::Record> find(std::string_view key, std::uint32_t hash) const {
        for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.next_place == 0) {
                return std::nullopt;
            }
            if (slot.hash == hash) {
                const auto record = log_.record_at(slot.next_place - 1);
                if (record.key == key) {
                    return record;
                }
            }
        }
    }

    // A key is added once.
    void add(const SharedLog::Record& record, std::uint32_t hash) {
        if (++count_ * 2 > slots_.size()) {
            grow();
        }
        put({hash, log_.place_of(record) + 1});
    }

   private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t next_place = 0;  // the record's place and 1; 0: the slot is free
    };

    std::size_t mask() const { return slots_.size() - 1; }

    void put(const Slot& slot) {
        std::size_t at = slot.hash & mask();
        while (slots_[at].next_place != 0) {
            at = (at + 1) & mask();
        }
        slots_[at] = slot;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.next_place != 0) {
                put(slot);
            }
        }
    }

    static constexpr std::size_t usual_node = 8192;  // of some 3,500 files

    const SharedLog& log_;
    std::size_t count_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(usual_node);  // a power of two
};

}  // namespace rocenv
