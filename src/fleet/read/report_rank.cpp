// SPDX-License-Identifier: MIT
#include "fleet/read/report_rank.h"

#include <algorithm>
#include <tuple>

#include "fleet/compare/groups.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

auto rank_of(const Sweep::Node& node, const FleetPools& pools) {
    const FleetReport& report = pools.reports.rows()[node.report];
    const auto told =
        std::count_if(report.findings.begin(), report.findings.end(), [&](FleetIndex index) {
            const FleetFinding& finding = pools.findings.rows()[index];
            return !finding.waived && !is_quiet(finding.outcome);
        });
    return std::tuple(node.whole, !node.future, node.time, report.exit_code != exit_ok,
                      report.exit_code == exit_differs, told);
}

void add_text(std::string& out, std::string_view text) {
    out += number(text.size()) + ':';
    out += text;
}

void add_text(std::string& out, const std::optional<std::string_view>& text) {
    out += text ? "" : "-";
    add_text(out, text.value_or(std::string_view()));
}

// All that a report says, as bytes that do not depend on what was read before.
std::string bytes_of(const FleetReport& report, const FleetPools& pools) {
    std::string out;
    for (const auto text : {report.version, report.profiles, report.profile_digest, report.kernel,
                            report.only, report.skip, report.scope}) {
        add_text(out, text);
    }
    for (const auto index : report.findings) {
        const FleetFinding& row = pools.findings.rows()[index];
        out += number(static_cast<int>(row.outcome)) + (row.waived ? "w" : "");
        for (const auto text : {row.id, row.target, row.detail, row.fix, row.ticket, row.until}) {
            add_text(out, text);
        }
        add_text(out, row.want);
        add_text(out, row.have);
        for (const auto& count : row.counters) {
            add_text(out, count.name);
            out += number(count.count);
        }
    }
    for (const auto index : report.facts) {
        const FleetFact& row = pools.facts.rows()[index];
        add_text(out, row.id);
        add_text(out, row.target);
        add_text(out, row.value);
    }
    return out;
}

}  // namespace

bool is_better(const Sweep::Node& node, const Sweep::Node& other, const FleetPools& pools) {
    const auto here = rank_of(node, pools);
    const auto there = rank_of(other, pools);
    if (here != there) {
        return there < here;
    }
    if (node.report != other.report) {
        const auto& rows = pools.reports.rows();
        const std::string bytes = bytes_of(rows[node.report], pools);
        const std::string others = bytes_of(rows[other.report], pools);
        if (bytes != others) {
            return others < bytes;
        }
    }
    return std::tie(other.boot_id, other.file, other.line) <
           std::tie(node.boot_id, node.file, node.line);
}

MachineIdentity identity_of(const FleetReport& report, const FleetPools& pools) {
    const GroupKey key = group_key(report, pools, {"gpu.count"});
    return {key.product, key.model, key.by.front().second};
}

std::string machine_words(const MachineIdentity& machine) {
    const std::string gpus =
        machine.models.empty()
            ? ""
            : (machine.gpus.empty() ? "" : machine.gpus + " x ") + machine.models;
    return machine.product + (machine.product.empty() || gpus.empty() ? "" : ", ") + gpus;
}

}  // namespace rocenv
