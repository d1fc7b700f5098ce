// SPDX-License-Identifier: MIT
#include "rocenv/report.h"

#include <algorithm>
#include <tuple>

#include "check/target_groups.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// A next step names the device that it is about.
std::string addressed(std::string step, const std::string& target) {
    constexpr std::string_view placeholder = "BDF";
    for (auto at = step.find(placeholder); is_pci_address(target) && at != std::string::npos;
         at = step.find(placeholder, at + target.size())) {
        step.replace(at, placeholder.size(), target);
    }
    return step;
}

Finding from(const Expectation& expectation, const Setting& setting, const Assessment& row) {
    Finding finding;
    finding.id = expectation.id;
    finding.target = row.target.text();
    finding.level =
        row.grade == nullptr ? expectation.level : std::min(expectation.level, row.grade->at_most);
    finding.outcome = row.outcome;
    finding.reason = row.reason;
    finding.expected = row.expected;
    finding.have = row.have;
    finding.was = row.was;
    finding.put_back = row.put_back;
    finding.effective = row.effective;
    finding.devices = row.devices;
    if (!row.by_variable.empty() && !is_quiet(row.outcome)) {
        finding.cause = Cause{"env." + std::string(row.by_variable), "process"};
    }
    finding.counters = row.counters;
    finding.detail = row.detail;
    finding.remark = row.remark;
    finding.aside = row.aside;
    if (!is_quiet(row.outcome) && row.outcome != Outcome::changed) {
        finding.fix = row.next_step.empty() && row.outcome != Outcome::unknown
                          ? std::string(setting.info.next_step)
                          : row.next_step;
        finding.fix = addressed(std::move(finding.fix), finding.target);
    }
    return finding;
}

// Returns the values that must be equal for two CPUs to be reported as one. The detail is that of
// the first: an error's sentence contains one CPU's own file.
auto likeness(const Assessment& row) {
    return std::tie(row.outcome, row.expected, row.have, row.was, row.put_back);
}

}  // namespace

std::vector<Finding> to_findings(const Expectation& expectation, const Setting& setting,
                                 const std::vector<Assessment>& assessments) {
    const auto groups = grouped_by_target(assessments, likeness);
    std::vector<Finding> findings;
    findings.reserve(groups.size());
    for (const auto& group : groups) {
        findings.push_back(from(expectation, setting, *group.first));
        if (!group.numbers.empty()) {
            findings.back().target = group.target();
            findings.back().count = group.numbers.size();
            findings.back().counted = true;
        }
    }
    return findings;
}

std::string finding_fingerprint(const Report& report, const Finding& finding) {
    return bare_hex(fnv1a(report.node.hostname + "\n" + finding.id + "\n" + finding.target), 16);
}

bool is_decisive(const Report& report, const Finding& finding) {
    const Level least = report.strict == Strict::yes ? Level::recommended : Level::required;
    return finding.level >= least && !finding.waived;
}

void judge_check(Report& report, Strict strict) {
    report.strict = strict;
    bool differs = false;
    bool unknown = false;
    report.summary.clear();
    for (const auto& finding : report.findings) {
        ++report.summary[std::string(word_of(finding.outcome))];
        const bool counts = is_decisive(report, finding);
        differs = differs || (counts && finding.outcome == Outcome::differs);
        unknown = unknown || (counts && finding.outcome == Outcome::unknown);
    }
    report.exit_code = differs ? exit_differs : unknown ? exit_unknown : exit_ok;
    report.result = differs ? "differs" : unknown ? "unknown" : "ok";
}

void judge_set(Report& report, Aftermath aftermath) {
    report.summary.clear();
    std::map<Outcome, bool> required;
    for (const auto& finding : report.findings) {
        ++report.summary[std::string(word_of(finding.outcome))];
        required[finding.outcome] |= finding.level == Level::required && !finding.waived;
    }
    if (aftermath != Aftermath::done || required[Outcome::failed]) {
        report.exit_code = aftermath == Aftermath::stuck ? exit_stuck : exit_rolled_back;
        report.result = "failed";
        return;
    }
    const bool differs = required[Outcome::unsafe] || required[Outcome::differs];
    report.exit_code = differs ? exit_differs : required[Outcome::unknown] ? exit_unknown : exit_ok;
    report.result = required[Outcome::unsafe]    ? "unsafe"
                    : differs                    ? "differs"
                    : required[Outcome::unknown] ? "unknown"
                                                 : "ok";
    if (report.exit_code == exit_ok && required.contains(Outcome::changed)) {
        report.result = "changed";
    }
}

}  // namespace rocenv
