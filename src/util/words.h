// SPDX-License-Identifier: MIT
// An enum whose values a person can name: its word_of(value) is one switch over all of them, and ""
// for what is none. Values count from 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

template <typename Enum>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (int at = 0; !word_of(static_cast<Enum>(at)).empty(); ++at) {
        words.emplace_back(word_of(static_cast<Enum>(at)));
    }
    return words;
}

template <typename Enum>
std::optional<Enum> value_named(std::string_view word) {
    for (int at = 0; !word_of(static_cast<Enum>(at)).empty(); ++at) {
        if (word_of(static_cast<Enum>(at)) == word) {
            return static_cast<Enum>(at);
        }
    }
    return std::nullopt;
}

}  // namespace rocenv
