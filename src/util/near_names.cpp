// SPDX-License-Identifier: MIT
#include "util/near_names.h"

#include <algorithm>
#include <numeric>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_suggested = 5;
constexpr std::size_t shortest_part = 4;  // minimum length of a part that suggests its name

// Counts the bytes to insert, remove, replace or swap with their neighbour.
std::size_t edit_distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> before(right.size() + 1);  // the row of i - 2
    std::vector<std::size_t> above(right.size() + 1);   // the row of i - 1
    std::iota(above.begin(), above.end(), std::size_t{0});
    std::vector<std::size_t> row(above);
    for (std::size_t i = 1; i <= left.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t change = above[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
            const bool swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            row[j] = swapped ? std::min(row[j], before[j - 2] + 1) : row[j];
        }
        before.swap(above);
        above.swap(row);
    }
    return above[right.size()];
}

std::size_t length_difference(std::string_view a, std::string_view b) {
    return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

// Returns those with the smallest distance from the word, which is in lower case.
std::vector<std::string> nearest_names(const std::string& word,
                                       std::span<const std::string> candidates) {
    std::size_t best = word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3);
    std::vector<std::string> out;
    for (const auto& candidate : candidates) {
        if (length_difference(word, candidate) > best) {
            continue;  // lower bound of the distance
        }
        const std::size_t distance = edit_distance(word, lower_case(candidate));
        if (distance < best) {
            best = distance;
            out.clear();
        }
        if (distance == best) {
            out.push_back(candidate);
        }
    }
    return out;
}

std::vector<std::string> names_with(const std::string& part,
                                    std::span<const std::string> candidates) {
    std::vector<std::string> out;
    for (const auto& candidate : candidates) {
        const std::string name = lower_case(candidate);
        const bool long_part = part.size() >= shortest_part && name.find(part) != name.npos;
        const bool dotted = ("." + name + ".").find("." + part + ".") != std::string::npos;
        if (long_part || (dotted && !part.empty())) {
            out.push_back(candidate);
        }
    }
    return out;
}

}  // namespace

std::string in_quotes(std::string_view text, std::size_t limit) {
    return "'" + printable(text, limit) + "'";
}

std::string alternatives(std::span<const std::string> words) {
    std::string out;
    for (std::size_t at = 0; at < words.size(); ++at) {
        out += at == 0 ? "" : at + 1 == words.size() ? " or " : ", ";
        out += words[at];
    }
    return out;
}

std::vector<std::string> near_names(std::string_view word,
                                    std::span<const std::string> candidates) {
    const std::string lower = lower_case(word);
    auto out = nearest_names(lower, candidates);
    out = out.empty() ? names_with(lower, candidates) : std::move(out);
    const auto goes_on = [&](const std::string& name) {
        return lower_case(name).starts_with(lower);
    };
    if (std::any_of(out.begin(), out.end(), goes_on)) {
        std::erase_if(out, [&](const std::string& name) { return !goes_on(name); });
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    std::stable_sort(out.begin(), out.end(), [&](const std::string& a, const std::string& b) {
        return common_start(lower, lower_case(a)) > common_start(lower, lower_case(b));
    });
    out.resize(std::min(out.size(), most_suggested));
    return out;
}

std::string did_you_mean(std::span<const std::string> near, std::string otherwise) {
    if (near.empty()) {
        return otherwise;
    }
    std::vector<std::string> shown;
    for (const auto& name : near) {
        shown.push_back(in_quotes(name));
    }
    return ". Did you mean " + alternatives(shown) + "?";
}

}  // namespace rocenv
