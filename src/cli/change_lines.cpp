// SPDX-License-Identifier: MIT
#include "cli/change_lines.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_line = 900;  // RFC 3164 allows 1024 with what is in front

// Findings of one setting whose targets are the same now.
struct ChangeLine {
    const Finding* first;
    std::size_t findings = 0;
    std::size_t targets = 0;
    bool alike = true;  // they were the same before
};

std::vector<ChangeLine> folded(const std::vector<Finding>& findings) {
    std::vector<ChangeLine> out;
    for (const auto& finding : findings) {
        if (finding.outcome != Outcome::changed) {
            continue;
        }
        auto same = std::find_if(out.begin(), out.end(), [&](const ChangeLine& change) {
            return change.first->id == finding.id && change.first->have == finding.have;
        });
        if (same == out.end()) {
            same = out.insert(out.end(), ChangeLine{&finding});
        }
        same->findings += 1;
        same->targets += finding.count;
        same->alike = same->alike && same->first->was == finding.was;
    }
    return out;
}

std::string targets_of(const ChangeLine& change) {
    std::string count = number(change.targets) + " targets";
    if (change.findings > 1) {
        return count;
    }
    return change.first->target + (change.targets > 1 ? " (" + count + ")" : "");
}

}  // namespace

std::vector<std::string> change_lines(const Report& report, const std::string& user) {
    std::vector<std::string> out;
    for (const auto& change : folded(report.findings)) {
        const Finding& first = *change.first;
        const std::string was = change.alike ? first.was.value_or("unknown") : "not the same";
        out.push_back(printable(first.id + " " + targets_of(change) + ": was " + was + ", is " +
                                    first.have.value_or("unknown") + " (" + report.command +
                                    " by " + user + ")",
                                longest_line));
    }
    return out;
}

}  // namespace rocenv
