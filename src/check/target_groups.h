// SPDX-License-Identifier: MIT
// Rows with numbered targets, those of CPUs or policies, folded where they are equal: "cpu0-127".
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

// Equal rows whose targets differ only by number.
template <class Row>
struct TargetGroup {
    const Row* first;
    std::vector<std::uint32_t> numbers;  // empty: a single row whose target has no number

    // Returns the target of all rows: "cpu0-383/C2", or that of a single row.
    std::string target() const {
        return numbers.empty() ? first->target.text()
                               : first->target.base + number_list(numbers) + first->target.suffix;
    }
};

// Returns rows grouped by base and suffix of the target and by the values of `likeness`, which may
// refer to the row. Groups are ordered by their first rows, to which they point. A row without a
// number is a group of its own.
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
        const auto [found, is_new] =
            known.emplace(Key{row.target.base, row.target.suffix, likeness(row)}, out.size());
        if (is_new) {
            out.push_back({&row, {}});
        }
        out[found->second].numbers.push_back(*row.target.number);
    }
    for (auto& group : out) {
        std::sort(group.numbers.begin(), group.numbers.end());
    }
    return out;
}

}  // namespace rocenv
