// SPDX-License-Identifier: MIT
// Faults that a fleet must report although every node by itself passes.
#include "fleet/compare/compare.h"

#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "support/catch.h"

namespace doubts_test {

using namespace rocenv;
using namespace fleet_texts;

TEST_CASE("Of two nodes both sides of what differs are told", "[fleet]") {
    Gathered two;
    two.take(all_of({node("n1"), node("n2", "5.15")}));
    const FleetResult fleet = two.compared();
    CHECK(uncompared(fleet) == Lines{"two that differ, of which neither is the majority: n[1-2]"});
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.find("they differ: kernel.version: 6.8 on n1, 5.15 on n2") != human.npos);
    CHECK(strictly({node("n1"), node("n2", "5.15")}) == 1);
    CHECK(strictly({node("n1"), node("n2")}) == 0);
}

TEST_CASE("Who is compared with no other is named, and counts unless it is the only one",
          "[fleet]") {
    NodeReport bare = node("b1");
    bare.has_facts = false;
    bare.facts.clear();
    NodeReport lone = node("m1");
    lone.facts.front().value = "0x740f";
    NodeReport mixed = node("x1");
    mixed.facts.push_back({.id = "gpu.model", .target = "g2", .value = "0x740f"});
    NodeReport hidden = node("u1", "");
    hidden.facts.front().value = "";
    Gathered all;
    all.take(all_of({node("n1"), node("n2"), node("n3"), bare, lone, mixed, hidden}));
    const FleetResult fleet = all.compared();
    CHECK(uncompared(fleet) ==
          Lines{"fewer than three of mixed models (MI210 + MI300X): x1",
                "none of its facts could be read: u1", "the only one of its model: m1",
                "without facts (check --facts), compared by findings alone: b1"});
    CHECK(fleet.uncompared_count == 4);
    CHECK(strictly({node("n1"), node("n2"), node("n3"), lone}) == 0);
    CHECK(strictly({node("n1"), node("n2"), node("n3"), bare}) == 3);
}

TEST_CASE("A node that lacks what the others were asked stands out", "[fleet]") {
    const auto asked = [](const std::string& name, std::vector<Row> findings) {
        NodeReport out = node(name);
        out.findings = std::move(findings);
        return out;
    };
    const Row count{.id = "gpu.count", .value = "8"};
    const Row link{.id = "pci.link", .target = "0000:05:00.0", .value = "x16"};
    Row na = count;
    na.outcome = "na";
    Gathered all;
    all.take(all_of({asked("n1", {count, link}), asked("n2", {count, link}),
                     asked("n3", {count, link}), asked("n4", {link}), asked("n5", {na, link}),
                     asked("n6", {count, {.id = "pci.link", .target = "0000:06:00.0"}})}));
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n[1-3] 0", "n4 0 ? gpu.count system not in the report <> ok",
                                "n5 0 ? gpu.count system na <> ok",
                                "n6 0 ? pci.link 0000:05:00.0 not in the report <> ok"});
    CHECK(fleet.passing_outliers == 3);
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("6 nodes: 6 pass; 3 outliers\n"));
    CHECK(human.find("gpu.count: not in the report, peers have ok (passes)") != human.npos);
    CHECK(human.find("gpu.count: na, peers have ok (passes)") != human.npos);
    CHECK(human.find("pci.link 0000:05:00.0: not in the report") != human.npos);
}

TEST_CASE("A node that passes what its peers fail has no row", "[fleet]") {
    NodeReport good = node("n4");
    good.findings = {{.id = "cpu.smt", .value = "1"}};
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), good};
    for (std::size_t at = 0; at < 3; ++at) {
        reports[at].findings = {
            {.id = "cpu.smt", .value = "7", .outcome = "differs", .level = "recommended"}};
    }
    Gathered all;
    const FleetResult fleet = all.take(all_of(reports)).compared();
    CHECK(fleet.rows.size() == 1);
    CHECK(fleet.rows.front().kind == FleetRowKind::warn);
}

TEST_CASE("A selection of facts alone compares the nodes", "[fleet]") {
    Gathered all({"kernel.version"});
    all.take(all_of({node("n1"), node("n2"), node("n3"), node("n4", "5.15")}));
    const FleetResult fleet = all.compared();
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("4 nodes: 4 pass; 1 outlier\n"));
    CHECK(human.find("kernel.version: 5.15, peers have 6.8 (passes)") != human.npos);
    CHECK(fleet.exit_code == 0);
}

TEST_CASE("Reports of containers are told apart", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4")};
    reports[3].container = true;
    Gathered all;
    all.take(all_of(reports));
    const FleetResult fleet = all.compared();
    CHECK(folds(fleet) == Lines{"n[1-3] 0", "n4 0"});
    CHECK(fleet.groups.front().folds.back().container);
    CHECK(fleet.outliers == 0);
}

TEST_CASE("A report whose status is not what its findings say counts as the worse", "[fleet]") {
    NodeReport lie = node("n1");
    lie.findings = {{.id = "gpu.count", .value = "7", .outcome = "differs"}};
    NodeReport word = node("n2");
    word.result = "differs";
    NodeReport strict = node("n3");
    strict.findings = {
        {.id = "gpu.count", .value = "7", .outcome = "differs", .level = "recommended"}};
    strict.exit = 1;
    Gathered all;
    all.take(all_of({lie, word, strict}));
    const FleetResult fleet = all.compared();
    CHECK(fleet.with_status[1] == 3);
    CHECK(warnings(fleet) ==
          "2 nodes whose report has another status than its findings; the "
          "worse counts: n[1-2]; 1 node checked with --strict, which made the status: n3");
}

TEST_CASE("A result that this rocenv does not know is not ok", "[fleet]") {
    NodeReport newer = node("n1");
    newer.result = "degraded";
    NodeReport worse = node("n2");
    worse.result = "degraded";
    worse.exit = 1;
    Gathered all;
    all.take(all_of({newer, worse}));
    const FleetResult fleet = all.compared();
    CHECK(fleet.with_status[3] == 1);
    CHECK(fleet.with_status[1] == 1);
}

TEST_CASE("A list of reports that is cut off is named", "[fleet]") {
    const std::string one = text_of(node("n1"));
    for (const auto& text : {"[" + one + ",", "[[" + one + "]", "[" + one, one + "\n["}) {
        INFO(text.front() << text.back());
        Gathered all;
        all.take(text);
        const FleetResult fleet = all.compared();
        REQUIRE(fleet.problems.size() == 1);
        CHECK(fleet.problems.front().text == "a list of reports that is cut off");
        CHECK(fleet.exit_code == 3);
    }
    for (const auto& text : {"[" + one + "]", "[[" + one + "]]\n", one + "]", "[]" + one}) {
        Gathered all;
        all.take(text);
        CHECK(all.compared().problems.empty());
    }
}

TEST_CASE("Filtered, a report is judged as strictly as it was", "[fleet]") {
    NodeReport strict = node("n1");
    strict.findings = {
        {.id = "gpu.count", .value = "7", .outcome = "differs", .level = "recommended"}};
    strict.exit = 1;
    strict.more = R"(, "strict": true)";
    Gathered all({"gpu.*"});
    all.take(text_of(strict));
    CHECK(all.compared().with_status[1] == 1);
}

TEST_CASE("A waiver that has ended or says nothing does not count", "[fleet]") {
    constexpr std::int64_t now = 1795341660;  // 2026-11-22T10:01:00Z
    const auto waived = [&](const std::string& waiver) {
        NodeReport out = node("n1");
        out.findings = {{.id = "gpu.count",
                         .value = "7",
                         .outcome = "differs",
                         .more = R"(, "waived": )" + waiver}};
        Gathered all({}, {}, now);
        all.take(text_of(out));
        const FleetResult fleet = all.compared();
        return number(fleet.exit_code) + " " + warnings(fleet);
    };
    CHECK(waived(R"({"ticket": "T1", "until": "2026-11-22"})") == "0 ");
    const std::string lapsed =
        "1 1 node with waivers that have expired or are incomplete; the waived findings count: n1";
    CHECK(waived(R"({"ticket": "T1", "until": "2026-11-21"})") == lapsed);
    CHECK(waived(R"({"ticket": "T1", "until": "soon"})") == lapsed);
    CHECK(waived("{}") == lapsed);
}

TEST_CASE("A waiver that ends between the report and now does not count", "[fleet]") {
    NodeReport report = node("n1");
    report.findings = {{.id = "gpu.count",
                        .value = "7",
                        .outcome = "differs",
                        .more = R"(, "waived": {"ticket": "T1", "until": "2026-11-23"})"}};
    Gathered all({}, {}, 1795341660 + 3 * 86400);
    all.take(text_of(report));
    CHECK(all.compared().exit_code == 1);
}

TEST_CASE("What is required and failed is not as wanted", "[fleet]") {
    NodeReport report = node("n1");
    report.findings = {{.id = "gpu.count", .value = "7", .outcome = "failed"}};
    Gathered all;
    all.take(text_of(report));
    CHECK(all.compared().exit_code == 1);
}

TEST_CASE("Reports without a finding are not as wanted", "[fleet]") {
    NodeReport empty = node("n1");
    empty.judged = false;
    NodeReport other = node("n2");
    other.judged = false;
    Gathered all;
    all.take(all_of({empty, other}));
    const FleetResult fleet = all.compared();
    CHECK(fleet.with_status[0] == 0);
    CHECK(fleet.unjudged == 2);
    CHECK(fleet.exit_code == 3);
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("2 nodes: 0 pass, 2 not judged"));
    CHECK(human.find("UNKNOWN  2 nodes  n[1-2]  the report holds no finding\n") != human.npos);
    CHECK(render_fleet_prometheus(fleet).find("node_exit_status{") == std::string::npos);
    CHECK(strictly({empty, node("n2"), node("n3")}) == 1);
    NodeReport bad = node("n1");
    bad.findings = {{.id = "gpu.count", .value = "7", .outcome = "differs"}};
    empty.time = "2026-11-22T11:00:00Z";
    Gathered newer;
    newer.take(all_of({bad, empty}));
    CHECK(newer.compared().exit_code == 1);
}

TEST_CASE("One report without a finding beside others that pass is unknown in all forms",
          "[fleet]") {
    NodeReport part = node("n1");
    part.judged = false;
    part.more = R"(, "only": ["pci.acs"])";
    NodeReport bare = node("n2");
    bare.judged = false;
    for (const auto& empty : {part, bare}) {
        Gathered all;
        all.take(all_of({empty, node("n3"), node("n4")}));
        const FleetResult fleet = all.compared();
        CHECK(fleet.exit_code == 3);
        CHECK(fleet.with_status[0] == 2);
        CHECK(fleet.unjudged == 1);
        const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
        CHECK(human.starts_with("3 nodes: 2 pass, 1 not judged"));
        CHECK_FALSE(render_fleet_human(fleet, Detail::quiet, Colour::no).empty());
        const std::string json = render_fleet_json(fleet);
        CHECK(json.find("\"exit\": 3,\n  \"summary\"") != json.npos);
        CHECK(json.find(R"("unjudged": 1)") != json.npos);
        const std::string metrics = render_fleet_prometheus(fleet);
        CHECK(metrics.find("rocenv_fleet_exit_status 3\n") != metrics.npos);
        CHECK(metrics.find("rocenv_fleet_nodes{result=\"unjudged\"} 1\n") != metrics.npos);
    }
}

TEST_CASE("A node without a selected finding is not judged", "[fleet]") {
    const auto with_links = [](const std::string& name) {
        NodeReport out = node(name);
        out.findings = {{.id = "gpu.xgmi", .value = "8"}};
        return out;
    };
    const std::string reports =
        all_of({with_links("n1"), with_links("n2"), with_links("n3"), node("n4")});
    const auto human = [](const FleetResult& fleet) {
        return render_fleet_human(fleet, Detail::normal, Colour::no);
    };
    Gathered some({"gpu.xgmi"});
    const FleetResult fleet = some.take(reports).compared();
    CHECK(fleet.exit_code == 3);
    CHECK(fleet.with_status[0] == 3);
    CHECK(fleet.unjudged == 1);
    CHECK(human(fleet).starts_with("4 nodes: 3 pass, 1 not judged"));
    CHECK(human(fleet).find("UNKNOWN  1 node  n4  --only and --skip select no finding of the "
                            "report\n") != std::string::npos);
    CHECK(fleet.precedence.empty());  // the report is complete
    Gathered facts({"kernel.version"});
    CHECK(facts.take(reports).compared().unjudged == 0);
    Gathered none({}, {"*"});
    const FleetResult nothing = none.take(reports).compared();
    CHECK(nothing.unjudged == 4);
    CHECK(nothing.exit_code == 3);
}

TEST_CASE("--only of a fleet does not change which report counts", "[fleet]") {
    NodeReport whole = node("n1");
    NodeReport part = node("n1");
    part.time = "2026-11-22T11:00:00Z";
    part.findings = {{.id = "gpu.xgmi", .value = "8"}};
    part.more = R"(, "only": ["gpu.xgmi"])";
    Gathered all({"gpu.xgmi"});
    const FleetResult fleet = all.take(all_of({whole, part})).compared();
    CHECK(fleet.exit_code == 3);
    CHECK(fleet.unjudged == 1);
    CHECK(fleet.nodes.front().time == whole.time);
}

TEST_CASE("A report with a scope of another version is incomplete", "[fleet]") {
    for (const auto& [scope, is_known] : {std::pair("node", true), std::pair("all", true),
                                          std::pair("gpu", false), std::pair("10.1.2.3", false)}) {
        NodeReport report = node("n1");
        report.more = R"(, "scope": ")" + std::string(scope) + '"';
        Gathered all;
        const FleetResult fleet = all.take(text_of(report)).compared();
        INFO(scope);
        CHECK(fleet.exit_code == (is_known ? 0 : 3));
        CHECK(fleet.problems.size() == (is_known ? 0 : 1));
        if (!is_known) {
            const std::string word = scope == std::string_view("gpu") ? "gpu" : "(no word)";
            CHECK(fleet.problems.front().text ==
                  "a report says \"scope " + word +
                      "\", which this version does not know: such reports are incomplete");
            const FleetReport& counted = fleet.reports[fleet.nodes.front().report];
            CHECK(counted.because.starts_with("no complete report, only one of check --scope "));
        }
    }
}

TEST_CASE("A status that --strict made is said to be", "[fleet]") {
    NodeReport strict = node("n1");
    strict.findings = {
        {.id = "gpu.count", .value = "7", .outcome = "differs", .level = "recommended"}};
    strict.exit = 1;
    strict.more = R"(, "strict": true)";
    Gathered all;
    all.take(text_of(strict));
    CHECK(warnings(all.compared()) == "1 node checked with --strict, which made the status: n1");
}

TEST_CASE("Several machines of one name are named, and a reboot is none", "[fleet]") {
    const auto at = [](const std::string& time, const std::string& boot) {
        NodeReport out = node("n1");
        out.time = "2026-11-22T" + time + "Z";
        out.boot = boot;
        return out;
    };
    const auto printed = [](const std::vector<NodeReport>& reports) {
        Gathered all;
        all.take(all_of(reports));
        return warnings(all.compared());
    };
    const std::string several =
        "several machines report as one node (their boot ids alternate); only one of them "
        "counts: n1";
    CHECK(printed({at("10:00:00", "A"), at("11:00:00", "B"), at("12:00:00", "A")}) == several);
    CHECK(printed({at("10:00:00", "A"), at("10:00:30", "B")}) == several);
    CHECK(printed({at("10:00:00", "A"), at("10:30:00", "B")}).empty());
    Gathered twins;
    twins.take(all_of({at("10:00:00", "A"), at("10:00:30", "B")}));
    CHECK(twins.compared().exit_code == 3);
    Gathered rebooted;
    rebooted.take(all_of({at("10:00:00", "A"), at("10:30:00", "B")}));
    CHECK(rebooted.compared().exit_code == 0);
    CHECK(printed({node("n1"), node("N1"), node("n1.site"), node("n2")}) ==
          "names that differ in case or domain only are nodes of their own: N1,n1,n1.site");
}

TEST_CASE("A report from the future is named, and is not fresh", "[fleet]") {
    CompareRequest request;
    request.now_seconds = 1795340000;  // 2026-11-22T09:33:20Z
    Gathered all({}, {}, request.now_seconds);
    all.take(all_of({node("n1"), node("n2"), node("n3")}));
    const FleetResult fleet = all.compared(request);
    CHECK(fleet.future == "n[1-3]");
    CHECK(fleet.newest.empty());
    CHECK(fleet.exit_code == 0);
    Gathered fresh({}, {}, request.now_seconds);
    fresh.take(all_of({node("n1"), node("n2"), node("n3")}));
    request.max_age_seconds = 3600;
    CHECK(fresh.compared(request).exit_code == 3);
}

TEST_CASE("What counts most is told first", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4", "5.15")};
    reports[3].exit = 1;
    reports[3].findings = {
        {.id = "a.info", .value = "x", .outcome = "differs", .level = "info"},
        {.id = "b.recommended", .value = "x", .outcome = "differs", .level = "recommended"},
        {.id = "c.unknown", .outcome = "unknown", .more = R"(, "reason": "timeout")"},
        {.id = "d.required", .value = "x", .outcome = "differs"}};
    Gathered all;
    all.take(all_of(reports));
    const FleetResult fleet = all.compared();
    std::string ids;
    for (const auto& each : fleet.groups.front().folds.back().differences) {
        ids += std::string(each.id) + " ";
    }
    CHECK(ids == "d.required c.unknown b.recommended kernel.version a.info ");
    const std::string human = render_fleet_human(fleet, Detail::everything, Colour::no);
    CHECK(human.find("      required d.required: differs: have x") != human.npos);
}

TEST_CASE("Of an odd profile all that is not ok is told", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4")};
    reports[3].digest = "00000000000000bb";
    reports[3].findings = {
        {.id = "cpu.smt", .value = "on", .outcome = "differs", .level = "recommended"}};
    Gathered all;
    all.take(all_of(reports));
    const FleetResult fleet = all.compared();
    CHECK(fleet.outliers == 0);
    CHECK(!fleet.groups.back().findings_compared);
    const std::string human = render_fleet_human(fleet, Detail::everything, Colour::no);
    CHECK(human.find("  not compared: cpu.smt differs\n") != human.npos);
}

TEST_CASE("More than ten facts without a majority are folded", "[fleet]") {
    std::vector<NodeReport> reports{node("n1"), node("n2"), node("n3"), node("n4")};
    for (std::size_t at = 0; at < reports.size(); ++at) {
        for (int suffix = 0; suffix < 12; ++suffix) {
            const std::string id = "x.id" + std::to_string(10 + suffix);
            reports[at].facts.push_back({.id = id, .value = at < 2 ? "a" : "b"});
        }
        for (int gpu = 0; gpu < 8; ++gpu) {
            reports[at].facts.push_back({.id = "gpu.vbios",
                                         .target = "g" + std::to_string(gpu),
                                         .value = at < 2 ? "a" : "b"});
        }
    }
    Gathered all;
    all.take(all_of(reports));
    const std::string human = render_fleet_human(all.compared(), Detail::normal, Colour::no);
    CHECK(human.find("no majority: gpu.vbios g0 and 7 more: a on n[1-2], b on n[3-4]") !=
          human.npos);
    CHECK(human.find("  and 3 more without a majority (-v)\n") != human.npos);
}

TEST_CASE("No name looks like several, and no label like another", "[fleet]") {
    std::vector<NodeReport> reports{node("n1,n2"), node("n[3-4]"), node("n 5")};
    Gathered all;
    all.take(all_of(reports));
    CHECK(all.compared().groups.front().names == "\"n 5\",\"n1,n2\",\"n[3-4]\"");
    Gathered hostile;
    hostile.take(all_of({node("a\\u0001"), node("a\\\\x01")}));
    const std::string metrics = render_fleet_prometheus(hostile.compared());
    CHECK(metrics.find("node=\"a\\\\x01\"") != metrics.npos);
    CHECK(metrics.find("node=\"a\\\\\\\\x01\"") != metrics.npos);
}

TEST_CASE("No series of Prometheus stands twice", "[fleet]") {
    const auto of = [](const std::string& name, const std::string& one, const std::string& two) {
        NodeReport out = node(name, one);
        out.facts.push_back({.id = "os.release", .value = two});
        return out;
    };
    Gathered all;
    all.take(all_of({of("n1", "a", "b,os.release=c"), of("n2", "a,os.release=b", "c")}));
    CompareRequest request;
    request.group_by = {"kernel.version", "os.release"};
    const std::string metrics = render_fleet_prometheus(all.compared(request));
    CHECK(metrics.find(R"(by="kernel.version=a,os.release=b\\\\,os.release\\\\=c")") !=
          metrics.npos);
    CHECK(metrics.find(R"(by="kernel.version=a\\\\,os.release\\\\=b,os.release=c")") !=
          metrics.npos);
}

TEST_CASE("What is lost or lived with since an earlier sweep is a change", "[fleet]") {
    const auto with = [](const std::string& name, std::vector<Row> findings) {
        NodeReport out = node(name);
        out.findings = std::move(findings);
        return out;
    };
    const Row count{.id = "gpu.count", .value = "8"};
    const Row waived{.id = "gpu.count",
                     .value = "7",
                     .outcome = "differs",
                     .more = R"(, "waived": {"ticket": "T1", "until": "2999-01-01"})"};
    NodeReport bare = with("n3", {count});
    bare.has_facts = false;
    bare.facts.clear();
    Gathered all;
    all.take(all_of({with("n1", {}), with("n2", {waived}), bare}));
    Sweep then;
    all.take(all_of({with("n1", {count}), with("n2", {count}), with("n3", {count})}), then);
    CompareRequest request;
    request.since = &then;
    const FleetResult fleet = all.compared(request);
    std::string printed;
    for (const auto& change : fleet.since->changes) {
        for (const auto& each : change.differences) {
            printed += change.names + " " + std::string(each.id) + " " + each.here + " <> " +
                       each.others + "; ";
        }
    }
    CHECK(printed ==
          "n1 gpu.count not in the report <> ok; "
          "n2 gpu.count waived (T1): differs: have 7, want 1 <> ok; "
          "n3 facts not in the report <> 2 of them; ");
}

TEST_CASE("What a reference is not for is named", "[fleet]") {
    NodeReport other = node("m1");
    other.facts.front().value = "0x740f";
    Gathered all;
    all.take(all_of({node("n1"), node("n2"), other}));
    CompareRequest request;
    request.strict = true;
    request.reference = FleetReference{"n1", all.sweep.nodes.at("n1").report, {}};
    const FleetResult fleet = all.compared(request);
    CHECK(warnings(fleet) ==
          "the group MI210 (m1) is not compared with the reference n1, which is of another model");
    CHECK(fleet.exit_code == 3);
    NodeReport bare = node("n1");
    bare.has_facts = false;
    bare.facts.clear();
    Gathered without;
    without.take(all_of({node("n2"), node("n3"), node("n4"), bare}));
    request.reference = FleetReference{"n1", without.sweep.nodes.at("n1").report, {}};
    CHECK(warnings(without.compared(request)) ==
          "the reference n1 has no facts (check --facts), so each group is compared with its "
          "majority");
}

}  // namespace doubts_test
