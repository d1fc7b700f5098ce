// SPDX-License-Identifier: MIT
// What check and set share: the profile resolved for this machine, and every setting it names
// judged. So the two cannot disagree.
#pragma once

#include <optional>
#include <vector>

#include "check/check.h"
#include "check/set_command.h"
#include "check/waivers.h"

namespace rocenv {

struct Judged {
    Want want;
    const Setting* setting;
    std::vector<Assessment> rows;
    std::vector<Finding> findings{};  // where rows are not kept
};

// A row for each CPU, with the writes that would set it, is what most of check's memory would hold;
// only who sets needs them once they are told.
enum class Rows { kept, told };

struct Evaluation {
    CheckResult result;  // head, notes and errors of the report; no findings yet
    std::vector<Judged> judged;
    std::vector<Finding> extra;  // of no setting: why `auto` fell back, TunableOp's result files
    SettableWants settable;
    Waivers waivers;
    bool filtered = false;  // --only or --skip: not all of the profile was judged
};

Evaluation evaluate_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                            const Process& process, Rows rows);

// Fills the report's findings from what was judged, and marks those that are waived.
void add_findings(Evaluation& evaluation, const CheckRequest& request, const Machine& machine);

}  // namespace rocenv
