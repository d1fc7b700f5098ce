// SPDX-License-Identifier: MIT
// Where what many reports repeat is kept once: texts, lists and rows. Nothing is ever given back.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rocenv {

// 64 bits that tell texts apart; eight bytes a step.
std::uint64_t quick_hash(std::string_view text);

constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t next) {
    sum = (sum ^ next) * 0x9e3779b97f4a7c15U;
    return sum ^ (sum >> 29);
}

class TextPool {
   public:
    TextPool();

    // The same text as long as the pool lives. Equal texts have equal data().
    std::string_view keep(std::string_view text);

    // The same for a list of plain values; equal bytes, equal place.
    template <class Each>
    std::span<const Each> keep_list(std::span<const Each> list) {
        static_assert(std::is_trivially_copyable_v<Each> && alignof(Each) <= alignment);
        const void* bytes = list.data();
        const auto kept = keep({static_cast<const char*>(bytes), list.size_bytes()});
        const void* place = kept.data();
        return {static_cast<const Each*>(place), list.size()};
    }

    // All that it takes.
    std::size_t bytes() const { return bytes_; }
    // Returns how many texts it keeps: more after keep() than before it if the text was new.
    std::size_t count() const { return used_; }

   private:
    static constexpr std::size_t alignment = 8;
    struct Slot {
        const char* text = nullptr;
        std::uint32_t size = 0;
        std::uint32_t hash = 0;
    };
    std::string_view add(std::string_view text);
    void grow();

    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr;
    std::size_t left_ = 0;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::size_t bytes_ = 0;
};

// Distinct rows in the order they came. `Traits::hash(row)` and `Traits::equal(a, b)` may take
// texts of one pool for equal by their places.
template <class Row, class Traits>
class RowPool {
   public:
    std::uint32_t keep(const Row& row) {
        if (rows_.size() * 2 >= slots_.size()) {
            grow();
        }
        for (auto at = Traits::hash(row) & (slots_.size() - 1);;
             at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] == 0) {
                rows_.push_back(row);
                slots_[at] = static_cast<std::uint32_t>(rows_.size());
                return slots_[at] - 1;
            }
            if (Traits::equal(rows_[slots_[at] - 1], row)) {
                return slots_[at] - 1;
            }
        }
    }
    // Returns the index of an equal row, or std::nullopt if there is none.
    std::optional<std::uint32_t> find(const Row& row) const {
        if (slots_.empty()) {
            return std::nullopt;
        }
        auto at = Traits::hash(row) & (slots_.size() - 1);
        while (slots_[at] != 0 && !Traits::equal(rows_[slots_[at] - 1], row)) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at] == 0 ? std::nullopt : std::optional(slots_[at] - 1);
    }
    const std::vector<Row>& rows() const { return rows_; }
    std::vector<Row> take_rows() { return std::move(rows_); }
    std::size_t bytes() const {
        return rows_.capacity() * sizeof(Row) + slots_.size() * sizeof(std::uint32_t);
    }

   private:
    void grow() {
        slots_.assign(slots_.empty() ? 256 : slots_.size() * 2, 0);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            auto at = Traits::hash(rows_[row]) & (slots_.size() - 1);
            while (slots_[at] != 0) {
                at = (at + 1) & (slots_.size() - 1);
            }
            slots_[at] = static_cast<std::uint32_t>(row + 1);
        }
    }
    std::vector<Row> rows_;
    std::vector<std::uint32_t> slots_;  // 1 and the row's index; 0: free
};

}  // namespace rocenv
