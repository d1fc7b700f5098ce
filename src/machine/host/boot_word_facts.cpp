// SPDX-License-Identifier: MIT
#include "machine/host/boot_word_facts.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace rocenv {

namespace {

constexpr BootWordFacts boot_word_rows[] = {
#include "facts/boot_words.inc"
};

std::string_view name_of(std::string_view word) {
    return word.substr(0, word.find('='));
}

// Returns "amdgpu." of "amdgpu.noretry=1"; empty if the name has no dot.
std::string_view module_of(std::string_view word) {
    return word.substr(0, name_of(word).find('.') + 1);
}

}  // namespace

std::span<const BootWordFacts> boot_word_facts() {
    return boot_word_rows;
}

const BootWordFacts* facts_of_boot_word(std::string_view word) {
    std::string plain(word);
    std::replace(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(name_of(word).size()),
                 '-', '_');
    for (const std::string_view wanted :
         {std::string_view(plain), name_of(plain), module_of(plain)}) {
        const auto* const found =
            std::find_if(std::begin(boot_word_rows), std::end(boot_word_rows),
                         [&](const BootWordFacts& row) { return row.word == wanted; });
        if (found != std::end(boot_word_rows)) {
            return found;
        }
    }
    return nullptr;
}

Repeats repeats_of(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(boot_word_rows), std::end(boot_word_rows),
                     [&](const BootWordFacts& row) { return name_of(row.word) == name; });
    return found == std::end(boot_word_rows) ? Repeats::last : found->repeats;
}

}  // namespace rocenv
