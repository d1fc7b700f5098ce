// SPDX-License-Identifier: MIT
// Rows whose targets are numbered, those of CPUs or policies, told as one where they are alike:
// "cpu0-127".
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

template <class Row>
struct TargetGroup {
    const Row* first;
    std::vector<std::uint32_t> numbers;  // none: the target has none, and is by itself

    std::string target() const {
        return numbers.empty() ? first->target.text()
                               : first->target.base + number_list(numbers) + first->target.suffix;
    }
};

// Groups rows whose target has the same base and suffix and for which `likeness` returns equal
// values, which may refer to the row; ordered by the first row of each.
template <class Row, class Likeness>
std::vector<TargetGroup<Row>> grouped_by_target(const std::vector<Row>& rows, Likeness likeness) {
    using Key =
        std::tuple<const std::string&, const std::string&, decltype(likeness(rows.front()))>;
    std::vector<TargetGroup<Row>> out;
    std::map<Key, std::size_t> known;
    for (const auto& row : rows) {
        if (!row.target.number) {
            out.push_back({&row, {}});
            continue;
        }
        const auto [place, is_new] =
            known.emplace(Key{row.target.base, row.target.suffix, likeness(row)}, out.size());
        if (is_new) {
            out.push_back({&row, {}});
        }
        out[place->second].numbers.push_back(*row.target.number);
    }
    for (auto& group : out) {
        std::sort(group.numbers.begin(), group.numbers.end());
    }
    return out;
}

}  // namespace rocenv
