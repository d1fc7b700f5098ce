// SPDX-License-Identifier: MIT
#include "report/consequences.h"

#include <algorithm>

namespace rocenv {

const Finding* cause_of(const Report& report, const Finding& finding) {
    if (!finding.cause || is_quiet(finding.outcome)) {
        return nullptr;
    }
    const auto found =
        std::find_if(report.findings.begin(), report.findings.end(), [&](const Finding& each) {
            return each.id == finding.cause->id && each.target == finding.cause->target;
        });
    const bool is_less = found == report.findings.end() ||
                         (is_decisive(report, finding) && !is_decisive(report, *found)) ||
                         found->level < finding.level;
    return is_less ? nullptr : &*found;
}

std::string finding_name(const Finding& finding) {
    const bool plain = finding.target == "system" || finding.target == "process";
    return finding.id + (plain ? "" : " of " + finding.target);
}

}  // namespace rocenv
