// SPDX-License-Identifier: MIT
#include "report/finding_lines.h"

#include "report/model/message.h"
#include "util/text.h"

namespace rocenv {

std::string finding_headline(const Finding& finding) {
    const bool nameless = finding.outcome == Outcome::differs && !finding.have && !finding.expected;
    if (nameless) {
        return printable(finding.detail.empty() ? "expected to be unset" : finding.detail, uncut);
    }
    if (std::string some = some_devices(finding); !some.empty()) {
        return some;
    }
    std::string line = have_text(finding);
    if (finding.outcome == Outcome::unknown) {
        line += " (" + std::string(word_of(finding.reason)) + ")";
    }
    return printable(
        line + (finding.expected ? ", expected " + shown_value(*finding.expected) : ""), uncut);
}

std::vector<std::string> finding_lines(const Finding& finding) {
    std::vector<std::string> lines;
    if (!finding.detail.empty()) {
        lines.push_back(printable(finding.detail, uncut));
    }
    if (finding.waived) {
        lines.push_back(printable("waived: " + finding.waived->ticket + ", until " +
                                      finding.waived->until + ": " + finding.waived->why,
                                  uncut));
    }
    if (!finding.fix.empty()) {
        lines.push_back(printable("next: " + finding.fix, uncut));
    }
    return lines;
}

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
        return shown_value(*finding.have);
    }
    if (finding.outcome == Outcome::unknown && !finding.effective) {
        return "could not be read";
    }
    return finding.id.starts_with("env.") ? "not set" : "not there";
}

}  // namespace rocenv
