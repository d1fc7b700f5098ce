// SPDX-License-Identifier: MIT
#include "report/model/message.h"

#include "report/model/consequences.h"
#include "settings/have_codes.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns the value, in quotes for texts of variables, which may contain anything, and for prose.
std::string shown(const Finding& finding, const std::string& text) {
    const bool quoted =
        text.empty() || finding.id.starts_with("env.") || !have_code(finding.id, text).empty();
    return quoted ? "\"" + text + "\"" : text;
}

// Returns the predicate with the present value. Reports hold no value of a secret or of an unknown
// variable.
std::string state_of(const Finding& finding) {
    const bool is_variable = finding.id.starts_with("env.");
    if (!finding.have) {
        return !is_variable ? " has no value" : finding.expected ? " is not set" : " is set";
    }
    const bool one_word = is_variable || finding.have->find(' ') == std::string::npos;
    std::string out = (one_word ? " is " : " reports ") + shown(finding, *finding.have);
    if (finding.effective && *finding.effective != *finding.have) {
        out += " (read as " + shown_value(*finding.effective) + ")";
    }
    return out;
}

std::string expected_of(const Finding& finding) {
    return finding.expected ? ", expected " + shown(finding, *finding.expected) : "";
}

std::string reason_words(const Finding& finding) {
    switch (finding.reason) {
        case Reason::timeout:
            return "no answer in time";
        case Reason::permission:
            return "not permitted";
        case Reason::asleep:
            return "the device is suspended";
        case Reason::garbled:
            return "the answer is not valid";
        case Reason::hidden:
            return "hidden from this container";
        case Reason::error:
            return "it could not be read";
    }
    return "";
}

// Returns the difference. Without both texts it is a variable that should not be set, or has only a
// detail.
std::string difference_of(const Finding& finding) {
    if (const std::string some = some_devices(finding); !some.empty()) {
        return " is " + some;
    }
    const bool should_go = finding.have && !finding.expected && finding.detail.empty();
    return state_of(finding) + (should_go ? ", expected it to be unset" : expected_of(finding));
}

std::string change_of(const Finding& finding, DryRun dry_run) {
    const std::string verb = dry_run == DryRun::yes ? " would be changed" : " was changed";
    return verb + (finding.was ? " from " + shown(finding, *finding.was) : "") +
           (finding.have ? " to " + shown(finding, *finding.have) : "");
}

std::string failure_of(const Finding& finding) {
    const std::string what = finding.expected ? " to " + shown(finding, *finding.expected) : "";
    return " could not be set" + what + " and" + state_of(finding);
}

std::string predicate_of(const Finding& finding, DryRun dry_run) {
    switch (finding.outcome) {
        case Outcome::ok:
            return "";
        case Outcome::changed:
            return change_of(finding, dry_run);
        case Outcome::na:
            return " does not apply here";
        case Outcome::hidden:
            return finding.detail.empty() ? " is hidden from this container" : " is hidden";
        case Outcome::unknown:
            return " is unknown" + expected_of(finding) +
                   (finding.detail.empty() ? ": " + reason_words(finding) : "");
        case Outcome::differs:
            return difference_of(finding);
        case Outcome::unsafe:
            return state_of(finding) + expected_of(finding) + ", and the write was refused";
        case Outcome::failed:
            return failure_of(finding);
    }
    return "";
}

}  // namespace

std::string some_devices(const Finding& finding) {
    const bool any = finding.outcome == Outcome::differs && finding.expected == ">=1";
    return any && finding.devices && finding.devices->visible > 0
               ? number(finding.devices->visible) + " of " + counted(finding.devices->total, "GPU")
               : "";
}

std::string finding_message(const Finding& finding, DryRun dry_run) {
    if (finding.outcome == Outcome::ok) {
        return "";
    }
    return finding_name(finding) + predicate_of(finding, dry_run) +
           (finding.detail.empty() ? "" : ": " + finding.detail);
}

}  // namespace rocenv
