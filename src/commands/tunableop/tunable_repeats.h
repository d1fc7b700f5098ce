// SPDX-License-Identifier: MIT
// Results of many files, brought together by what they are for.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "commands/tunableop/tunable.h"

namespace rocenv {

struct PlacedResult {
    const TunableResult* result = nullptr;
    std::size_t file = 0;  // its position
};

// Calls `visit` for each operator and parameters, sorted by both; the results in the order of files
// and lines.
void for_each_gemm(const std::vector<const TunableFile*>& files,
                   const std::function<void(std::span<const PlacedResult>)>& visit);

// Counts all but the first of them.
void count_repeats(std::span<const PlacedResult> same, TunableRepeats& repeats);

}  // namespace rocenv
