// SPDX-License-Identifier: MIT
#include "fleet/read/text_pool.h"

#include <algorithm>
#include <utility>

namespace rocenv {

namespace {

constexpr std::size_t block_size = std::size_t{64} << 10;
constexpr std::size_t first_slots = 4096;

std::uint64_t eight_bytes(const char* at, std::size_t size) {
    std::uint64_t out = 0;
    std::memcpy(&out, at, size);
    return out;
}

}  // namespace

std::uint64_t quick_hash(std::string_view text) {
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t sum = mixed(0x2545f4914f6cdd1dU, left);
    for (; left >= 8; at += 8, left -= 8) {
        sum = mixed(sum, eight_bytes(at, 8));
    }
    if (left > 0) {
        sum = mixed(sum, eight_bytes(at, left));
    }
    return mixed(sum, sum >> 32);
}

TextPool::TextPool() : slots_(first_slots), bytes_(first_slots * sizeof(Slot)) {}

std::string_view TextPool::keep(std::string_view text) {
    if (used_ * 2 >= slots_.size()) {
        grow();
    }
    const auto hash = static_cast<std::uint32_t>(quick_hash(text));
    for (auto at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
        Slot& slot = slots_[at];
        if (slot.text == nullptr) {
            const auto kept = add(text);
            slot = {kept.data(), static_cast<std::uint32_t>(kept.size()), hash};
            ++used_;
            return kept;
        }
        if (slot.hash == hash && std::string_view(slot.text, slot.size) == text) {
            return {slot.text, slot.size};
        }
    }
}

std::string_view TextPool::add(std::string_view text) {
    const std::size_t size =
        std::max((text.size() + alignment - 1) / alignment * alignment, alignment);
    if (size > left_) {
        const std::size_t block = std::max(size, block_size);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
        free_ = blocks_.back().get();
        left_ = block;
        bytes_ += block;
    }
    char* const place = free_;
    std::copy(text.begin(), text.end(), place);
    free_ += size;
    left_ -= size;
    return {place, text.size()};
}

void TextPool::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    bytes_ += old.size() * sizeof(Slot);
    for (const Slot& slot : old) {
        if (slot.text == nullptr) {
            continue;
        }
        auto at = slot.hash & (slots_.size() - 1);
        while (slots_[at].text != nullptr) {
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = slot;
    }
}

}  // namespace rocenv
