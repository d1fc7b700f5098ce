// SPDX-License-Identifier: MIT
#include "fleet/compare/compare.h"

#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "support/catch.h"

namespace fleet_compare_test {

using namespace rocenv;
using namespace fleet_texts;

TEST_CASE("A node whose facts are not the majority's stands out though it is ok", "[fleet]") {
    Gathered all;
    all.take(all_of({node("n1"), node("n2"), node("n3"), node("n4", "5.15")}));
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n[1-3] 0", "n4 0 ! kernel.version system 5.15 <> 6.8"});
    CHECK(fleet.outliers == 1);
    CHECK(fleet.passing_outliers == 1);
    CHECK(fleet.exit_code == 0);
    CHECK(fleet.groups.front().model == "MI300X");
}

TEST_CASE("With --strict a node that stands out counts", "[fleet]") {
    Gathered all;
    all.take(all_of({node("n1"), node("n2"), node("n3"), node("n4", "5.15")}));
    CompareRequest strict;
    strict.strict = true;
    CHECK(all.compared(strict).exit_code == 1);
    Gathered unread;
    unread.take(all_of({node("n1"), node("n2"), node("n3"), node("n4", "")}));
    const FleetResult fleet = unread.compared(strict);
    CHECK(folds(fleet).back() == "n4 0 ? kernel.version system unread (permission) <> 6.8");
    CHECK(fleet.exit_code == 3);
}

TEST_CASE("Two nodes have no majority, and neither has one half against the other", "[fleet]") {
    Gathered two;
    two.take(all_of({node("n1"), node("n2", "5.15")}));
    const FleetResult pair = two.compared();
    CHECK(pair.outliers == 0);
    CHECK(!pair.groups.front().has_baseline);
    Gathered four;
    four.take(all_of({node("n1"), node("n2"), node("n3", "5.15"), node("n4", "5.15")}));
    const FleetResult fleet = four.compared();
    CHECK(folds(fleet) == Lines{"n[1-4] 0"});
    REQUIRE(fleet.groups.front().splits.size() == 1);
    CHECK(fleet.groups.front().splits.front().sides.front().names == "n[3-4]");
    CHECK(fleet.without_majority == 1);
    CHECK(fleet.exit_code == 0);
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("4 nodes: 4 pass; 1 fact without a majority\n"));
    CHECK(human.find("no majority: kernel.version: 5.15 on n[3-4], 6.8 on n[1-2]") != human.npos);
    CHECK(render_fleet_prometheus(fleet).find("rocenv_fleet_facts_without_majority 1\n") !=
          std::string::npos);
    CHECK(strictly({node("n1"), node("n2"), node("n3", "5.15"), node("n4", "5.15")}) == 1);
    CHECK(strictly({node("n1", ""), node("n2", ""), node("n3", ""), node("n4", "")}) == 3);
}

TEST_CASE("Nodes of other models and --group-by are no peers", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("m1", "5.15")};
    reports.back().facts.front().value = "0x740f";
    Gathered models;
    models.take(all_of(reports));
    CHECK(models.compared().groups.size() == 2);
    Gathered by;
    by.take(all_of({node("n1"), node("n2"), node("n3"), node("n4", "5.15"), node("n5", "5.15")}));
    CompareRequest request;
    request.group_by = {"kernel.version"};
    const FleetResult fleet = by.compared(request);
    REQUIRE(fleet.groups.size() == 2);
    CHECK(fleet.groups.front().by.front().second == "6.8");
    CHECK(fleet.outliers == 0);
}

TEST_CASE("One policy of many differs by its number", "[fleet]") {
    const auto with = [](const std::string& name, std::vector<Row> policies) {
        NodeReport out = node(name);
        out.facts.insert(out.facts.end(), policies.begin(), policies.end());
        return out;
    };
    const Row alike{.id = "cpu.governor", .target = "policy0-383", .value = "performance"};
    Gathered all;
    all.take(all_of(
        {with("n1", {alike}), with("n2", {alike}), with("n3", {alike}),
         with("n4", {{.id = "cpu.governor", .target = "policy0-6,8-383", .value = "performance"},
                     {.id = "cpu.governor", .target = "policy7", .value = "powersave"}})}));
    CHECK(folds(all.compared()).back() == "n4 0 ! cpu.governor policy7 powersave <> performance");
}

TEST_CASE("Mixed profiles are a warning, and their facts are compared all the same", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4"),
                                    node("n5", "5.15")};
    for (const std::size_t at : {3U, 4U}) {
        reports[at].digest = "00000000000000bb";
        reports[at].findings = {
            {.id = "cpu.smt", .value = "on", .outcome = "differs", .level = "info"}};
    }
    Gathered all;
    all.take(all_of(reports));
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n[1-3] 0", "n4 0", "n5 0 ! kernel.version system 5.15 <> 6.8"});
    REQUIRE(fleet.warnings.size() == 1);
    CHECK(fleet.warnings.front().find("00000000000000bb on 2") != std::string::npos);
}

TEST_CASE("Findings are counted over all nodes, waived ones apart", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4")};
    reports[1].exit = 1;
    reports[1].findings = {{.id = "gpu.count", .target = "g1", .value = "x", .outcome = "differs"},
                           {.id = "gpu.count", .target = "g2", .value = "x", .outcome = "differs"}};
    reports[2].findings = {
        {.id = "gpu.count",
         .target = "g1",
         .value = "x",
         .outcome = "differs",
         .more = R"(, "waived": {"ticket": "T1", "until": "2099-01-01", "why": "w"})"}};
    Gathered all;
    all.take(all_of(reports));
    const FleetResult fleet = all.compared();
    REQUIRE(fleet.tallies.size() == 2);
    CHECK(fleet.tallies[0].nodes == 1);
    CHECK(fleet.tallies[0].targets == 2);
    CHECK(fleet.tallies[1].waived);
    CHECK(fleet.tallies[1].ticket == "T1");
    CHECK(fleet.outliers == 1);
    CHECK(fleet.exit_code == 1);
}

TEST_CASE("Who is missing, stale or not expected is named, and that is unknown", "[fleet]") {
    Gathered all;
    all.take(all_of({node("n1"), node("n2"), node("n3"), node("x1")}));
    CompareRequest request;
    request.expect = {"n1", "n2", "n3", "n4", "n5"};
    const FleetResult fleet = all.compared(request);
    CHECK(fleet.missing == "n[4-5]");
    CHECK(fleet.unexpected == "x1");
    CHECK(fleet.exit_code == 3);
    Gathered old;
    old.take(all_of({node("n1"), node("n2")}));
    CompareRequest fresh;
    fresh.max_age_seconds = 60;
    fresh.now_seconds = 1795341661;  // 2026-11-22T10:01:01Z
    const FleetResult stale = old.compared(fresh);
    CHECK(stale.stale == "n[1-2]");
    CHECK(stale.nodes.empty());
    CHECK(stale.exit_code == 3);
}

TEST_CASE("Two sweeps: new, gone, changed and counted since", "[fleet]") {
    const auto counted = [](const std::string& name, int count, const std::string& kernel) {
        NodeReport out = node(name, kernel);
        out.findings = {{.id = "pci.aer",
                         .value = "x",
                         .more = ", \"counters\": {\"fatal\": " + std::to_string(count) + "}"}};
        return out;
    };
    Gathered all;
    all.take(all_of({counted("n1", 5, "6.8"), counted("n2", 1, "6.9"), node("n4")}));
    Sweep then;
    all.take(all_of({counted("n1", 3, "6.8"), counted("n2", 1, "6.8"), node("n3")}), then);
    CompareRequest request;
    request.since = &then;
    const FleetResult fleet = all.compared(request);
    const FleetSince& since = *fleet.since;
    CHECK(since.added == "n4");
    CHECK(since.gone == "n3");
    CHECK(since.unchanged == 0);
    REQUIRE(since.changes.size() == 1);
    CHECK(since.changes.front().names == "n2");
    CHECK(since.changes.front().differences.front().others == "6.8");
    REQUIRE(since.growths.size() == 1);
    CHECK(since.growths.front().was == 3);
    CHECK(since.growths.front().now == 5);
    CHECK(since.growths.front().same_boot);
}

TEST_CASE("A reference replaces the majority", "[fleet]") {
    Gathered all;
    all.take(all_of({node("n1", "5.15"), node("n2", "5.15"), node("n3")}));
    CompareRequest request;
    request.reference = FleetReference{"n3", all.sweep.nodes.at("n3").report, {}};
    CHECK(folds(all.compared(request)) ==
          Lines{"n3 0", "n[1-2] 0 ! kernel.version system 5.15 <> 6.8"});
}

TEST_CASE("No text of a report reaches a terminal as it is", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4", "\\u001b[31m")};
    reports[3].node = "\\u001b]0;x\\u0007";
    Gathered all;
    all.take(all_of(reports) + "\x1b[2J\n");
    const FleetResult fleet = all.compared();
    const std::string human = render_fleet_human(fleet, Detail::everything, Colour::no);
    CHECK(human.find('\x1b') == std::string::npos);
    CHECK(human.find("\\x1b[31m") != std::string::npos);
    CHECK(render_fleet_prometheus(fleet).find('\x1b') == std::string::npos);
    CHECK(render_fleet_json(fleet).find('\x1b') == std::string::npos);
}

TEST_CASE("No report at all is unknown", "[fleet]") {
    Gathered all;
    const FleetResult fleet = all.compared();
    CHECK(fleet.exit_code == 3);
    CHECK(!render_fleet_human(fleet, Detail::normal, Colour::no).empty());
}

}  // namespace fleet_compare_test
