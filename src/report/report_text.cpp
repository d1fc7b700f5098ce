// SPDX-License-Identifier: MIT
#include "report/report_text.h"

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t targets_shown = 4;

}  // namespace

std::string some_of(const std::vector<std::string>& targets, Detail detail) {
    const bool all = detail == Detail::everything || targets.size() <= targets_shown + 1;
    std::string out;
    for (std::size_t at = 0; at < targets.size() && (all || at < targets_shown); ++at) {
        out += (out.empty() ? "" : ", ") + targets[at];
    }
    return all ? out : out + " and " + number(targets.size() - targets_shown) + " more";
}

std::string have_text(const Finding& finding) {
    if (finding.have) {
        return finding.have->empty() ? "empty" : *finding.have;
    }
    if (finding.outcome == Outcome::unknown && !finding.effective) {
        return "could not be read";
    }
    return finding.id.starts_with("env.") ? "not set" : "not there";
}

}  // namespace rocenv
