// SPDX-License-Identifier: MIT
#include "report/model/consequences.h"

#include <algorithm>

#include "settings/have_codes.h"

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

Remedy remedy_of(const Report& report, const Finding& finding) {
    const Finding* cause = cause_of(report, finding);
    const Finding& origin = cause == nullptr ? finding : *cause;
    if (origin.outcome == Outcome::unknown) {
        return remedy_of_unknown(origin.reason);
    }
    Remedy out =
        remedy_of_difference(origin.id, origin.have ? have_code(origin.id, *origin.have) : "");
    const bool is_optional = origin.level == Level::info;
    out.jobs = is_optional ? Jobs::safe : out.jobs;
    return out;
}

bool is_trivial_target(const std::string& target) {
    return target == "system" || target == "process";
}

std::string finding_name(const Finding& finding) {
    return finding.id + (is_trivial_target(finding.target) ? "" : " of " + finding.target);
}

}  // namespace rocenv
