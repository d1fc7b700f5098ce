// SPDX-License-Identifier: MIT
#include "commands/occupancy/function_code.h"

#include <algorithm>

#include "commands/occupancy/assembly.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t most_scratch = 1000000000;  // bytes; more is no count

}  // namespace

void FunctionCode::label(std::string_view name) {
    if (functions_.contains(name)) {
        current_ = &code_[std::string(name)];
    }
}

void FunctionCode::instruction(std::string_view name, std::string_view line,
                               std::string_view comment) {
    seen_ = seen_ || name == "s_endpgm";
    count_instruction(name, comment, current_->counts);
    current_->lds = current_->lds || uses_lds(name, line);
}

void FunctionCode::remark(std::string_view comment) {
    constexpr std::string_view title = "; ScratchSize: ";
    if (comment.starts_with(title)) {
        const auto bytes = parse_number(trim(comment.substr(title.size())));
        current_->scratch_bytes = bytes && *bytes <= most_scratch ? *bytes : 0;
    }
}

void FunctionCode::tell(std::string_view symbol, const std::set<std::string, std::less<>>& kernels,
                        AssemblyKernel& kernel) const {
    const bool lds_beside =
        outside_.lds || std::any_of(code_.begin(), code_.end(), [&](const auto& function) {
            return function.second.lds && !kernels.contains(function.first);
        });
    kernel.may_use_lds = !seen_ || lds_beside;
    const auto own = code_.find(symbol);
    if (own == code_.end()) {
        return;
    }
    const auto& [counts, lds, scratch_bytes] = own->second;
    kernel.counts = counts;
    kernel.may_use_lds = kernel.may_use_lds || lds;
    kernel.scratch.spill_instructions = counts.spills;
    kernel.scratch.calls = counts.calls > 0;
    if (!kernel.scratch.bytes && scratch_bytes > 0) {
        kernel.scratch.bytes = scratch_bytes;
    }
}

}  // namespace rocenv
