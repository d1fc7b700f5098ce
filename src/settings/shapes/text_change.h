// SPDX-License-Identifier: MIT
// Changes that are one text in one file.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "rocenv/change.h"

namespace rocenv {

inline Change text_change(KernelAttribute attribute, std::string value, std::string bytes) {
    std::string path = attribute.path;
    return {{{std::move(path), std::nullopt, std::move(bytes)}},
            {{std::move(attribute), std::move(value), ""}}};
}

// As text_change(), of a word or number and the line end behind it.
inline Change word_change(KernelAttribute attribute, const std::string& value) {
    return text_change(std::move(attribute), value, value + "\n");
}

// Puts back the very text that was read, without the NULs that some drivers put behind it.
inline Change text_back(KernelAttribute attribute, std::string value, std::string_view text) {
    text = text.substr(0, text.find_last_not_of('\0') + 1);
    return text_change(std::move(attribute), std::move(value), std::string(text));
}

}  // namespace rocenv
