// SPDX-License-Identifier: MIT
// Reports for the tests of the formats that other programs read.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rocenv/report.h"

namespace rocenv::formats_scene {

inline Finding finding(const std::string& id, const std::string& target, Level level,
                       Outcome outcome, const std::string& have = "") {
    Finding out;
    out.id = id;
    out.target = target;
    out.level = level;
    out.outcome = outcome;
    out.have = have.empty() ? std::nullopt : std::optional(have);
    return out;
}

inline Finding waived(Finding finding) {
    finding.waived = Waived{"OPS-1", "2027-01-31", "a spare"};
    return finding;
}

inline Report judged(std::vector<Finding> findings, Strict strict = Strict::no) {
    Report report;
    report.command = "check";
    report.profiles = {"mi300x", "site"};
    report.profile_digest = "00aa";
    report.time = "2026-11-20T19:31:07Z";
    report.node.hostname = "gpu001";
    report.findings = std::move(findings);
    judge_check(report, strict);
    return report;
}

// Text with special characters of every format, in every member of a report.
inline Report hostile(const std::string& evil, Outcome outcome) {
    auto one = finding("env." + evil, evil, Level::required, outcome, evil);
    one.expected = evil;
    one.detail = evil;
    one.fix = evil;
    one.counters = {{evil, 3}};
    auto other = one;
    other.waived = Waived{evil, evil, evil};
    Report report = judged({one, other});
    report.profiles = {evil};
    report.profile_digest = evil;
    report.gpus = evil;
    report.notes = {evil};
    report.node.hostname = evil;
    return report;
}

// The hostile texts themselves.
inline std::vector<std::string> evils() {
    return {"<a href=\"x\">&amp;]]></failure>",
            "a\n::error title=x::forged\r\n##[error]x",
            "a\" 1\nforged{x=\"\\",
            "a | 'b=c';1;2|d",
            std::string("\0\x1b[31m\xff\xc2\x85\x7f", 10),
            "\uFFFE\uFFFF\u202e",
            "%25%0A,:"};
}

}  // namespace rocenv::formats_scene
