// SPDX-License-Identifier: MIT
#include "check/healing.h"

#include <algorithm>
#include <string_view>

#include "settings/have_codes.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// A value that a node may leave by itself. An empty list of values stands for every value.
struct HealingRow {
    std::string_view id;
    std::string_view values;  // codes of prose, or words, by blanks
};

// The states of interfaces are those of linux Documentation/networking/operstates.rst (6.12).
constexpr HealingRow healing_rows[] = {
    {"gpu.count", "no-driver no-kfd-node not-set-up no-render-node"},
    {"rdma.count", "no-rdma-device"},
    {"rdma.port", ""},
    {"net.link", "no-carrier down lowerlayerdown dormant testing notpresent unknown"},
};

bool heals(const HealingRow& row, const std::string& have) {
    const std::string code = have_code(row.id, have);
    const auto parts = split(code.empty() ? std::string_view(have) : std::string_view(code), '+');
    return row.values.empty() || std::all_of(parts.begin(), parts.end(), [&](const auto part) {
               return contains_word(row.values, part);
           });
}

// A driver that is not loaded has no value.
bool finding_heals(const Finding& finding) {
    if (finding.outcome == Outcome::unknown) {
        return true;
    }
    if (finding.id == "gpu.driver") {
        return !finding.have;
    }
    const auto* row = std::find_if(std::begin(healing_rows), std::end(healing_rows),
                                   [&](const HealingRow& each) { return each.id == finding.id; });
    return row != std::end(healing_rows) && finding.have && heals(*row, *finding.have);
}

}  // namespace

bool may_heal(const Report& report) {
    const bool failed = report.exit_code == exit_differs || report.exit_code == exit_unknown;
    return failed &&
           std::all_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
               const bool counts =
                   is_decisive(report, finding) &&
                   (finding.outcome == Outcome::differs || finding.outcome == Outcome::unknown);
               return !counts || finding.cause || finding_heals(finding);
           });
}

}  // namespace rocenv
