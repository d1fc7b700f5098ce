// SPDX-License-Identifier: MIT
#include "json/in.h"

#include <algorithm>

namespace rocenv {

std::string told_word(std::string_view word) {
    constexpr std::size_t longest = 20;
    const bool plain = !word.empty() && word.size() <= longest &&
                       std::all_of(word.begin(), word.end(), [](char byte) {
                           return (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_';
                       });
    return plain ? std::string(word) : "(no word)";
}

}  // namespace rocenv
