// SPDX-License-Identifier: MIT
// The common part of check and set: the profile resolved for this machine, with every setting in it
// judged. The two commands therefore cannot disagree.
#pragma once

#include <optional>
#include <vector>

#include "check/check.h"
#include "check/set_command.h"
#include "check/waivers.h"

namespace rocenv {

// A judged setting with one expected value.
struct Judged {
    Expectation expectation;
    const Setting* setting;
    std::vector<Assessment> rows;
    std::vector<Finding> findings{};  // used if rows are not kept
};

// Rule for the rows after their findings are made. One row for each CPU, with the writes that set
// it, would be most of check's memory. Only set needs them later.
enum class Rows { kept, reported };

// The judged profile.
struct Evaluation {
    CheckResult result;  // head, notes and errors of the report, without findings
    std::vector<Judged> judged;
    std::vector<Finding> extra;  // without a setting: fallback of `auto`, TunableOp's result files
    SettableExpectations settable;
    Waivers waivers;
    bool filtered = false;  // --only or --skip limited the judged settings
};

// Resolves the profiles of a request and judges each setting in them, in the order of the profile.
// Faults of the request, a profile or a file are in `result.errors`; settings are then not judged.
Evaluation evaluate_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                            const Process& process, Rows rows);

// Moves the findings of all judged settings, then the extra ones, to the report. Sets their causes,
// marks waived ones, and sets device names, notes and the command for all. Call it once.
void add_findings(Evaluation& evaluation, const CheckRequest& request, const Machine& machine);

}  // namespace rocenv
