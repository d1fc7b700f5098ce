// SPDX-License-Identifier: MIT
#include "fleet/read/coded_haves.h"

#include <algorithm>

#include "settings/have_codes.h"

namespace rocenv {

namespace {

// Empty: `have` is a value.
std::string code_of(const FleetFinding& finding) {
    return !finding.have          ? ""
           : finding.code.empty() ? have_code(finding.id, *finding.have)
                                  : std::string(finding.code);
}

}  // namespace

CodedHaves::CodedHaves(const std::vector<FleetFinding>& findings) {
    for (const auto& finding : findings) {
        std::string code = is_quiet(finding.outcome) ? "" : code_of(finding);
        if (!code.empty()) {
            const auto [text, is_new] =
                texts_.try_emplace({finding.id.data(), std::move(code)}, *finding.have);
            text->second = is_new ? text->second : std::min(text->second, *finding.have);
        }
    }
}

std::optional<std::string_view> CodedHaves::of(const FleetFinding& finding) const {
    const std::string code = code_of(finding);
    const auto text = code.empty() ? texts_.end() : texts_.find({finding.id.data(), code});
    return text == texts_.end() ? finding.have : text->second;
}

}  // namespace rocenv
