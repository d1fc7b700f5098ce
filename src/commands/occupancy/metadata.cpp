// SPDX-License-Identifier: MIT
#include "commands/occupancy/metadata.h"

#include "util/text.h"

namespace rocenv {

namespace {

// Up to a comment, which in YAML is a "#" at the start or behind a blank.
std::string_view without_yaml_comment(std::string_view text) {
    for (std::size_t at = text.find('#'); at != std::string_view::npos;
         at = text.find('#', at + 1)) {
        if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t') {
            return text.substr(0, at);
        }
    }
    return text;
}

std::string_view without_quotes(std::string_view text) {
    const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
                        text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

// "key: value" into both; false when it is something else.
bool take_pair(std::string_view text, MetadataScanner::Found& found) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        return false;
    }
    found.key = without_quotes(trim(text.substr(0, colon)));
    found.value = without_quotes(trim(text.substr(colon + 1)));
    return true;
}

}  // namespace

std::optional<MetadataScanner::Found> MetadataScanner::outside(std::string_view text) {
    Found found;
    if (!take_pair(text, found)) {
        return std::nullopt;
    }
    in_kernels_ = found.key == "amdhsa.kernels";
    dash_.reset();
    return found;
}

std::optional<MetadataScanner::Found> MetadataScanner::line(std::string_view text) {
    text = without_yaml_comment(text);
    const auto column = text.find_first_not_of(' ');
    if (column == std::string_view::npos || trim(text).empty()) {
        return std::nullopt;
    }
    const auto content = trim(text.substr(column));
    const bool entry = content == "-" || content.starts_with("- ");
    if (!in_kernels_ || (dash_ ? column < *dash_ : !entry) ||
        (dash_ && column == *dash_ && !entry)) {
        return outside(content);
    }
    Found found;
    found.of_kernel = true;
    if (entry && (!dash_ || column == *dash_)) {
        const auto first = content.find_first_not_of(' ', 1);
        dash_ = column;
        keys_ = column + (first == std::string_view::npos ? 2 : first);
        found.new_kernel = true;
        take_pair(content.substr(first == std::string_view::npos ? 1 : first), found);
        return found;
    }
    return column == keys_ && take_pair(content, found) ? std::optional(found) : std::nullopt;
}

}  // namespace rocenv
