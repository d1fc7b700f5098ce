// SPDX-License-Identifier: MIT
// The references that nodes are compared with, and those that they are not.
#include "fleet/compare/reference.h"

#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "support/catch.h"

namespace reference_test {

using namespace rocenv;
using namespace fleet_texts;

namespace {

NodeReport with_fact(const std::string& name, const std::string& id, const std::string& value) {
    NodeReport out = node(name);
    out.facts.push_back({.id = id, .value = value});
    return out;
}

// Returns the result with the first node as the reference.
FleetResult with_reference(const std::vector<NodeReport>& reports) {
    Gathered all;
    all.take(all_of(reports));
    CompareRequest request;
    request.strict = true;
    request.reference = FleetReference{"n1", all.sweep.nodes.at("n1").report, {}};
    return all.compared(request);
}

}  // namespace

TEST_CASE("A fact that the reference could not read is told", "[fleet]") {
    const FleetResult fleet =
        with_reference({node("n1", ""), node("n2"), node("n3"), node("n4", "5.15")});
    CHECK(warnings(fleet) ==
          "not compared, because the reference n1 could not read: kernel.version");
    CHECK(fleet.outliers == 0);
    CHECK(fleet.exit_code == 1);
}

TEST_CASE("A reference that is not as wanted is named, and is not what most nodes say", "[fleet]") {
    NodeReport bad = node("n1");
    bad.exit = 1;
    bad.findings = {{.id = "gpu.count", .value = "7", .outcome = "differs"}};
    NodeReport good = node("n2");
    good.findings = {{.id = "gpu.count", .value = "8"}};
    NodeReport third = good;
    third.node = "n3";
    const FleetResult fleet = with_reference({bad, good, third});
    CHECK(warnings(fleet) ==
          "the reference n1 does not pass itself (differs), so good nodes may differ from it");
    CHECK(fleet.groups.front().findings.empty());
}

TEST_CASE("What a reference profile does not want has its majority", "[fleet]") {
    Gathered all;
    all.take(all_of({with_fact("n1", "cpu.smt", "on"), with_fact("n2", "cpu.smt", "on"),
                     with_fact("n3", "cpu.smt", "on"), with_fact("n4", "cpu.smt", "off")}));
    CompareRequest request;
    request.strict = true;
    request.reference = FleetReference{
        "good.toml",
        std::nullopt,
        {all.pools.facts.keep({all.pools.keep("kernel.version"), all.pools.keep("system"),
                               all.pools.keep("6.8"), all.pools.keep("")})}};
    const FleetResult fleet = all.compared(request);
    CHECK(folds(fleet) == Lines{"n[1-3] 0", "n4 0 ! cpu.smt system off <> on"});
    CHECK(fleet.exit_code == 1);
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.find("cpu.smt: off, peers have on (passes)") != human.npos);
}

TEST_CASE("Findings that were compared with nobody's are told", "[fleet]") {
    std::vector<NodeReport> reports;
    for (int at = 1; at < 5; ++at) {
        reports.push_back(node("n" + number(at)));
        reports.back().digest = "d" + number(at);
    }
    Gathered all;
    all.take(all_of(reports));
    const FleetResult fleet = all.compared();
    CHECK(uncompared(fleet) ==
          Lines{"by findings, of which fewer than three were checked with one profile: n[1-4]"});
    CHECK(warnings(fleet) ==
          "nodes of one kind were checked with 4 profiles of different content (digest d1 on 1, "
          "d2 on 1, d3 on 1 and 1 more); findings are compared within each");
    CHECK(strictly(reports) == 1);
}

TEST_CASE("Groups without a majority list no differences", "[fleet]") {
    NodeReport lone = node("n1");
    lone.findings = {
        {.id = "cpu.smt", .value = "on", .outcome = "differs", .level = "recommended"}};
    Gathered all;
    all.take(text_of(lone));
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n1 0"});
    CHECK(!fleet.groups.front().findings_compared);
    const std::string human = render_fleet_human(fleet, Detail::everything, Colour::no);
    CHECK(human.find("  not compared: cpu.smt differs\n") != human.npos);
}

TEST_CASE("What an older version does not look at makes no node an odd one", "[fleet]") {
    const auto of_version = [](const NodeReport& report, const std::string& version) {
        std::string out = text_of(report);
        return out.replace(out.find("0.1.0"), 5, version);
    };
    std::string text;
    for (int at = 1; at < 5; ++at) {
        text += of_version(with_fact("n" + number(at), "cpu.microcode", "0xa"), "0.1.0");
    }
    text += of_version(node("n5"), "0.0.9");
    Gathered all;
    all.take(text);
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n[1-4] 0", "n5 0"});
    CHECK(fleet.outliers == 0);
    CHECK(warnings(fleet) ==
          "the reports are of several versions of rocenv (0.0.9 on 1 node, 0.1.0 on 4 nodes); not "
          "checked by 0.0.9 and not compared: cpu.microcode");
    // The same version is expected to look at the same.
    Gathered same;
    same.take(
        all_of({with_fact("n1", "cpu.microcode", "0xa"), with_fact("n2", "cpu.microcode", "0xa"),
                with_fact("n3", "cpu.microcode", "0xa"), node("n4")}));
    CHECK(same.compared().outliers == 1);
}

TEST_CASE("Sizes of memory that are one percent apart are alike", "[fleet]") {
    const auto outliers_and_splits = [](const std::vector<std::string>& sizes) {
        std::vector<NodeReport> reports;
        for (std::size_t at = 0; at < sizes.size(); ++at) {
            reports.push_back(with_fact("n" + number(at + 1), "memory.total", sizes[at]));
        }
        Gathered all;
        all.take(all_of(reports));
        const FleetResult fleet = all.compared();
        return number(fleet.outliers) + " " + number(fleet.without_majority);
    };
    CHECK(outliers_and_splits({"2272 GiB", "2280 GiB", "2288 GiB"}) == "0 0");
    CHECK(outliers_and_splits({"2272 GiB", "2272 GiB", "2272 GiB", "2288 GiB"}) == "0 0");
    CHECK(outliers_and_splits({"2272 GiB", "2326528 MiB", "2280 GiB", "2240 GiB"}) == "1 0");
    CHECK(outliers_and_splits({"1 GiB", "2 GiB", "3 GiB"}) == "0 1");
    CHECK(are_alike("100 GiB", "101 GiB", 1));
    CHECK(!are_alike("100 GiB", "102 GiB", 1));
    CHECK(!are_alike("100 GiB", "101 GiB", 0));
    CHECK(!are_alike("100", "100 GiB", 1));
}

TEST_CASE("A recording has no process to compare", "[fleet]") {
    Gathered all;
    all.take(all_of({with_fact("n1", "limits.memlock", "unlimited"),
                     with_fact("n2", "limits.memlock", "unlimited"),
                     with_fact("n3", "limits.memlock", "unlimited")}));
    FleetReport recording = all.pools.reports.rows()[all.sweep.nodes.at("n1").report];
    recording.recording = true;
    recording.facts = recording.facts.first(2);
    Sweep::Node lone = all.sweep.nodes.at("n1");
    lone.report = all.pools.reports.keep(recording);
    all.sweep.nodes["t1"] = lone;
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n[1-3],t1 0"});
}

}  // namespace reference_test
