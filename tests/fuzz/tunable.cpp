// SPDX-License-Identifier: MIT
// TunableOp's result files: what is merged out of one is a file without a fault, and merging it
// again changes nothing.
#include "commands/tunableop/tunable.h"
#include "fuzz/fuzz.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace tunable_fuzz {

namespace {

void check_lines(const TunableFile& file, std::size_t lines) {
    for (const auto& result : file.results) {
        demand(result.line >= 1 && result.line <= lines, "a result stands on a line");
        demand(!result.op.empty() && !result.solution.empty(), "a result is whole");
        demand(!result.time || *result.time >= 0, "a time is no debt");
    }
    demand(file.damaged.size() <= file.damaged_count, "damaged lines are counted");
    (void)summary_of(file);
    (void)repeats_in(file);
}

void check_merged(const TunableFile& file) {
    const auto merged = merge_tunable({file});
    if (!merged) {
        return demand_message(merged.error());
    }
    const auto again = parse_tunable("g", merged->text);
    demand(again.kind == TunableKind::results && again.damaged_count == 0 && !again.cut &&
               again.results.size() == merged->results,
           "what was merged is a whole file", merged->text);
    const auto twice = merge_tunable({again});
    demand(twice && twice->text == merged->text, "merged again it is the same", merged->text);
}

}  // namespace

}  // namespace tunable_fuzz

void fuzz_tunable(std::string_view bytes) {
    using namespace tunable_fuzz;
    const auto file = parse_tunable("f", std::string(bytes));
    check_lines(file, split(bytes, '\n').size());
    check_merged(file);
}

}  // namespace rocenv::fuzz
