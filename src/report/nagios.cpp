// SPDX-License-Identifier: MIT
// A check for Nagios, Icinga, Checkmk and similar tools, by the guidelines of the monitoring
// plugins (https://www.monitoring-plugins.org/doc/guidelines.html, read 2026-11): one line "SERVICE
// STATUS: text|performance data". The set of counts is fixed, so that graphs have no gaps.
#include <algorithm>

#include "report/brief.h"
#include "report/render.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int nagios_ok = 0;
constexpr int nagios_warning = 1;
constexpr int nagios_critical = 2;
constexpr int nagios_unknown = 3;

constexpr std::size_t longest_text = 80;

std::string status_word(int status) {
    switch (status) {
        case nagios_ok:
            return "OK";
        case nagios_warning:
            return "WARNING";
        case nagios_critical:
            return "CRITICAL";
        default:
            return "UNKNOWN";
    }
}

template <typename Belongs>
std::string how_many(const Report& report, const Belongs& belongs) {
    return number(std::count_if(report.findings.begin(), report.findings.end(), belongs));
}

std::string count_text(const Report& report, Level level, Outcome outcome) {
    return how_many(report, [&](const Finding& each) {
        return each.level == level && each.outcome == outcome && !each.waived;
    });
}

std::string count_text(const Report& report, Outcome outcome) {
    return how_many(report, [&](const Finding& each) { return each.outcome == outcome; });
}

// Returns parts of the form label=value;warning;critical;minimum. Any value above a limit of 0
// exceeds the limit.
std::string performance_data(const Report& report) {
    const std::string limits = report.strict == Strict::yes ? ";;0;0" : ";0;;0";
    const auto waived = how_many(report, [](const Finding& each) { return each.waived; });
    return "required_differs=" + count_text(report, Level::required, Outcome::differs) + ";;0;0" +
           " required_unknown=" + count_text(report, Level::required, Outcome::unknown) + ";;;0" +
           " recommended_differs=" + count_text(report, Level::recommended, Outcome::differs) +
           limits +
           " recommended_unknown=" + count_text(report, Level::recommended, Outcome::unknown) +
           ";;;0" + " ok=" + count_text(report, Outcome::ok) + ";;;0" +
           " na=" + count_text(report, Outcome::na) + ";;;0" +
           " hidden=" + count_text(report, Outcome::hidden) + ";;;0" + " waived=" + waived + ";;;0";
}

}  // namespace

int nagios_status(const Report& report) {
    if (report.exit_code != exit_ok) {
        return report.exit_code == exit_differs ? nagios_critical : nagios_unknown;
    }
    const bool differs =
        std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
            return finding.level == Level::recommended && finding.outcome == Outcome::differs &&
                   !finding.waived;
        });
    return differs ? nagios_warning : nagios_ok;
}

std::string render_nagios(const Report& report) {
    const std::string start = "ROCENV " + status_word(nagios_status(report)) + ": ";
    const std::string none =
        start + (report.findings.empty() ? "nothing was checked" : "all checks passed");
    return brief_line(report, {start, none}, longest_text) + " | " + performance_data(report) +
           "\n";
}

std::string nagios_failure(const std::string& reason) {
    constexpr std::size_t longest_reason = 200;
    std::string text = printable(reason, longest_reason);
    std::replace(text.begin(), text.end(), '|', '/');
    return "ROCENV " + status_word(nagios_unknown) + ": " + text + "\n";
}

}  // namespace rocenv
