// SPDX-License-Identifier: MIT
#include "fleet/example_fleet.h"

#include <algorithm>
#include <iterator>

#include "util/text.h"

namespace rocenv {

namespace example_fleet {

struct Kind {
    const char* id;
    const char* why;
    const char* expected;
    const char* other;
    const char* fix;
    Level level;
};

constexpr Kind kinds[] = {
    {"kernel.numa_balancing", "Pages that move while a kernel runs stall it.", "0", "1",
     "sudo rocenv set -p mi300x --only kernel.numa_balancing", Level::required},
    {"cpu.governor", "Keeps the cores that launch kernels at full clock.", "performance",
     "schedutil", "sudo rocenv set -p mi300x --only cpu.governor", Level::recommended},
    {"gpu.count", "A GPU that fell off the bus takes the whole job with it.", "8", "7",
     "look for its address in the kernel's log", Level::required},
    {"gpu.xgmi", "Collectives take the slowest path of all.", "7 links", "6 links",
     "reseat the GPU", Level::required},
    {"gpu.vbios", "Nodes of one cluster should have one firmware.", "113-M3000100-103",
     "113-M3000100-101", "flash it with AMD's tool", Level::recommended},
    {"pci.acs", "ACS sends traffic between GPUs over the root complex.", "0x0000", "0x001d",
     "sudo rocenv set -p mi300x --only pci.acs", Level::required},
    {"memory.online", "A DIMM that is not there slows all channels.", "2.2 TiB", "2.1 TiB", "",
     Level::info},
};

}  // namespace example_fleet

using example_fleet::kinds;

ExampleFleet::ExampleFleet(std::size_t nodes) {
    add_findings();
    add_facts();
    add_reports();
    add_groups();
    add_nodes(nodes);
    add_remarks();
    add_earlier();
}

void ExampleFleet::add_findings() {
    for (const auto& kind : kinds) {
        result.settings.push_back({kind.id, kind.why, "ROCm documentation, 2026-07",
                                   "lost at reboot; a unit that runs rocenv at boot keeps it"});
        for (std::size_t i = 0; i < 21; ++i) {
            FleetFinding finding;
            finding.id = kind.id;
            finding.target = keep("0000:" + bare_hex(i * 4 + 5, 2) + ":00.0");
            finding.level = kind.level;
            finding.expected = kind.expected;
            finding.have = kind.expected;
            common_.push_back(static_cast<FleetIndex>(result.findings.size()));
            result.findings.push_back(finding);
        }
    }
    std::sort(result.settings.begin(), result.settings.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
}

void ExampleFleet::add_facts() {
    for (std::size_t i = 0; i < 250; ++i) {
        const std::string_view target = keep("0000:" + bare_hex(i % 64, 2) + ":00.0");
        result.facts.push_back({kinds[i % std::size(kinds)].id, target, kinds[i % 7].expected, ""});
    }
    result.facts.push_back({"gpu.vbios", "0000:05:00.0", std::nullopt, "permission"});
}

// The number of a finding that is as one of the common ones but differs.
FleetIndex ExampleFleet::variant(std::size_t kind, FleetFinding finding) {
    finding.outcome = Outcome::differs;
    finding.have = kinds[kind % std::size(kinds)].other;
    finding.fix = kinds[kind % std::size(kinds)].fix;
    finding.detail = keep("kind " + number(kind) + " <b>of</b> " + std::string(hostile_names[1]));
    if (kind % 5 == 3) {
        finding.outcome = Outcome::unknown;
        finding.reason = Reason::permission;
        finding.have.reset();
    }
    if (kind % 6 == 4) {
        finding.waived = true;
        finding.ticket = "OPS-1412";
        finding.until = "2027-01-31";
        finding.waived_why = "the board is on order";
    }
    result.findings.push_back(finding);
    return static_cast<FleetIndex>(result.findings.size() - 1);
}

void ExampleFleet::add_reports() {
    auto& facts = lists_.emplace_back();
    for (FleetIndex i = 0; i < result.facts.size(); ++i) {
        facts.push_back(i);
    }
    for (std::size_t kind = 0; kind < 20; ++kind) {
        auto& findings = lists_.emplace_back(common_);
        FleetReport report;
        report.version = "0.1.0";
        report.profiles = "mi300x + site";
        report.profile_digest = "63e1b165005b8aa4";
        report.kernel = "6.8.0-51-generic";
        report.result = "ok";
        if (kind > 0) {
            const std::size_t index = (kind % std::size(kinds)) * 21 + kind;
            findings[index] = variant(kind, result.findings[findings[index]]);
            const FleetFinding& outlier = result.findings[findings[index]];
            const bool counts = outlier.level == Level::required && !outlier.waived;
            report.exit_code = !counts ? 0 : outlier.outcome == Outcome::unknown ? 3 : 1;
            report.result = word_of(outlier.outcome);
        }
        report.findings = findings;
        report.facts = facts;
        report.has_facts = true;
        result.reports.push_back(report);
    }
}

void ExampleFleet::add_groups() {
    for (const auto& [model, product] :
         {std::pair{"MI300X", "AS-8125GS-TNMR2"}, std::pair{"MI300X", "PowerEdge XE9680"},
          std::pair{"MI210", "<script>alert(3)</script>"}}) {
        FleetGroup group;
        group.model = model;
        group.product = product;
        group.profile_digest = "63e1b165005b8aa4";
        group.profiles = "mi300x + site";
        group.has_baseline = true;
        for (std::size_t kind = 0; kind < result.reports.size(); ++kind) {
            FleetFold fold;
            fold.exit_code = result.reports[kind].exit_code;
            if (kind > 0) {
                const FleetFinding& outlier = result.findings[common_.size() + kind - 1];
                fold.differences.push_back(
                    {FleetSubject::finding, outlier.id, std::string(outlier.target),
                     outlier.have ? "differs: have " + std::string(*outlier.have)
                                  : "unread (permission)",
                     "ok", outlier.outcome == Outcome::unknown});
            }
            group.folds.push_back(fold);
        }
        result.groups.push_back(group);
    }
}

void ExampleFleet::add_nodes(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::string name = "gpu" +
                           std::string(4 - std::min<std::size_t>(4, number(i + 1).size()), '0') +
                           number(i + 1);
        if (i % 97 == 96) {
            name = std::string(hostile_names[i / 97 % std::size(hostile_names)]) + number(i);
        }
        FleetNode node;
        node.name = keep(name);
        node.time = keep("2026-11-22T18:" + number(10 + i % 50) + ":07Z");
        node.file = keep("sweep/gpu" + number(i + 1) + ".json");
        node.line = 1;
        node.report = static_cast<FleetIndex>(i % 23 == 5 ? i % 20 : 0);
        node.group = static_cast<FleetIndex>(i % 8 == 7 ? 1 : i % 40 == 9 ? 2 : 0);
        node.fold = node.report;
        const auto index = static_cast<FleetIndex>(result.nodes.size());
        FleetGroup& group = result.groups[node.group];
        FleetFold& fold = group.folds[node.fold];
        group.nodes.push_back(index);
        fold.nodes.push_back(index);
        fold.names += (fold.names.empty() ? "" : ",") + name;
        group.names += (group.names.empty() ? "" : ",") + name;
        result.outliers += node.report > 0 ? 1 : 0;
        result.passing_outliers += node.report > 0 && fold.exit_code == 0 ? 1 : 0;
        result.nodes.push_back(node);
    }
}

void ExampleFleet::add_remarks() {
    for (std::size_t kind = 1; kind < 8; ++kind) {
        const FleetFinding& outlier = result.findings[common_.size() + kind - 1];
        result.tallies.push_back({outlier.id, outlier.level, outlier.outcome, outlier.waived,
                                  outlier.ticket, outlier.fix, kind * 9, kind * 9,
                                  "gpu[0006-" + number(100 * kind) + "]"});
    }
    add_rows();
    result.groups[0].splits.push_back(
        {"cpu.microcode",
         "socket0",
         {{"0xa101148", 1100, "gpu[0001-1100]"}, {"0xa101154", 1090, "gpu[1101-2190]"}}});
    result.groups[0].without_majority = 1;
    result.without_majority = 1;
    result.uncompared.push_back({"the only one of <b>its</b> model", "ws1", 1, false});
    result.uncompared_count = 1;
    result.items.push_back(result.findings[common_.size()]);
    result.groups[0].findings.push_back(0);
    result.problems.push_back(
        {FleetProblem::Kind::broken, "sweep/gpu0999.json", 3, "the report ends in a text"});
    result.problems.push_back(
        {FleetProblem::Kind::foreign, "sweep/<b>notes</b>.txt", 0, "no report of rocenv check"});
    result.warnings.push_back("Nodes were judged by 2 versions of the profile mi300x.");
    result.oldest = "2026-11-22T18:10:07Z";
    result.newest = "2026-11-22T18:59:07Z";
    result.missing = "gpu[5001-5003]";
    result.missing_count = 3;
    result.reports_read = result.nodes.size() + 12;
    result.superseded = 12;
}

void ExampleFleet::add_rows() {
    for (FleetIndex kind = 1; kind < 20; ++kind) {
        FleetRow row;
        const auto index = static_cast<FleetIndex>(common_.size() + kind - 1);
        const FleetFinding& outlier = result.findings[index];
        if (outlier.waived || outlier.level == Level::info) {
            continue;
        }
        row.kind = outlier.level != Level::required      ? FleetRowKind::warn
                   : outlier.outcome == Outcome::unknown ? FleetRowKind::unknown
                                                         : FleetRowKind::fail;
        row.findings = {index};
        row.ids = {outlier.id};
        row.steps = {{"", outlier.fix}};
        for (FleetIndex node = 0; node < result.nodes.size(); ++node) {
            if (result.nodes[node].report == kind) {
                row.nodes.push_back(node);
                row.names += std::string(row.names.empty() ? "" : ",") +
                             std::string(result.nodes[node].name);
            }
        }
        if (kind == 6) {
            row.steps = {{"MI210", "sudo rocenv set -p mi200"}, {"MI300X", outlier.fix}};
        }
        result.rows.push_back(row);
    }
}

void ExampleFleet::add_earlier() {
    FleetSince since;
    since.folder = "sweep-of-monday";
    since.nodes = result.nodes.size() + 1;
    since.added = "gpu4999";
    since.added_count = 1;
    since.gone = "<b>old</b>,gpu5001";
    since.gone_count = 2;
    since.unchanged = result.nodes.size() - std::min<std::size_t>(result.nodes.size(), 2);
    since.changes.push_back(
        {{0},
         "gpu0001",
         {{FleetSubject::fact, "kernel.release", "system", "6.8.0-51-generic", "6.8.0-49-generic"},
          {FleetSubject::finding, "gpu.count", "system", "ok", "differs: have 7"}}});
    since.growths.push_back(
        {0, "pci.aer", "0000:05:00.0", "correctable", 3, 18446744073709551615U, true});
    result.since = since;
}

}  // namespace rocenv
