// SPDX-License-Identifier: MIT
// What a node's other reports say against the one that counts.
#include "fleet/compare/settle.h"

#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "support/catch.h"

namespace settle_test {

using namespace rocenv;
using namespace fleet_texts;

namespace {

constexpr std::int64_t now = 1795341660;  // 2026-11-22T10:01:00Z

NodeReport at(const std::string& time, NodeReport report = node("n1")) {
    report.time = "2026-11-22T" + time + "Z";
    return report;
}

NodeReport bad(NodeReport report, const std::string& id = "gpu.count") {
    report.findings = {{.id = id, .value = "7", .outcome = "differs"}};
    report.exit = 1;
    return report;
}

NodeReport asked(NodeReport report, const std::string& members) {
    report.more = ", " + members;
    return report;
}

struct Told {
    int exit = 0;
    int strict = 0;
    std::string because;
    std::string warnings;
    std::size_t future = 0;
};

Told told_in_order(const std::vector<NodeReport>& reports) {
    Told out;
    for (const bool strict : {false, true}) {
        Gathered all({}, {}, now);
        all.take(all_of(reports));
        CompareRequest request;
        request.now_seconds = now;
        request.strict = strict;
        const FleetResult fleet = all.compared(request);
        (strict ? out.strict : out.exit) = fleet.exit_code;
        out.warnings = warnings(fleet);
        out.because = fleet.groups.front().folds.front().because;
        out.future = fleet.future_count;
    }
    return out;
}

// The same in whatever order.
Told told(std::vector<NodeReport> reports) {
    Told out = told_in_order(reports);
    std::reverse(reports.begin(), reports.end());
    const Told reversed = told_in_order(reports);
    CHECK(reversed.exit == out.exit);
    CHECK(reversed.strict == out.strict);
    CHECK(reversed.because == out.because);
    return out;
}

}  // namespace

TEST_CASE("A report from the future is never dropped", "[fleet]") {
    const Told calm = told({at("10:00:00"), at("10:03:00")});
    CHECK(calm.exit == 0);
    CHECK(calm.strict == 1);
    CHECK(calm.future == 1);
    CHECK(calm.warnings ==
          "1 node with a report from the future, of a clock that is wrong (in f.json:2): n1");
    const Told worse = told({at("10:00:00"), bad(at("10:03:00"))});
    CHECK(worse.exit == 1);
    CHECK(worse.because == "a report from the future: required gpu.count differs");
}

TEST_CASE("A newer report of a part counts where it is worse", "[fleet]") {
    const Told skip =
        told({at("09:00:00"), bad(asked(at("09:30:00"), R"("skip": ["host.rivals"])"))});
    CHECK(skip.exit == 1);
    CHECK(skip.because == "a newer report of check --skip host.rivals: required gpu.count differs");
    CHECK(skip.warnings ==
          "1 report of check --skip host.rivals is newer than the full one and does not replace it "
          "(in f.json:2): n1");
    const Told older =
        told({at("09:30:00"), bad(asked(at("09:00:00"), R"("skip": ["host.rivals"])"))});
    CHECK(older.exit == 0);
    CHECK(older.warnings.empty());
}

TEST_CASE("Of two reports of different parts the worse counts", "[fleet]") {
    const NodeReport gpus = bad(asked(at("09:00:00"), R"("only": ["gpu.count"])"));
    const NodeReport cpus = asked(at("09:30:00"), R"("only": ["cpu.smt"])");
    CHECK(told({gpus, cpus}).exit == 1);
    CHECK(told({gpus, cpus}).because ==
          "a report of check --only gpu.count: required gpu.count differs");
    CHECK(told({gpus, asked(at("09:10:00"), R"("only": ["gpu.count"])"), cpus}).exit == 0);
}

TEST_CASE("Of two machines of one name the worse counts, and both are named", "[fleet]") {
    const auto machine = [](const std::string& product, const std::string& boot) {
        NodeReport out = node("n1");
        out.facts.push_back({.id = "host.product", .value = product});
        out.boot = boot;
        return out;
    };
    const Told two =
        told({bad(at("09:00:00", machine("A", "b1"))), at("09:30:00", machine("B", "b2"))});
    CHECK(two.exit == 1);
    CHECK(two.because == "another machine of this name: required gpu.count differs");
    CHECK(
        two.warnings.starts_with("several machines report as one node (A, MI300X; B, MI300X; "
                                 "f.json:"));
    CHECK(told({at("09:00:00", machine("A", "b1")), at("09:30:00", machine("B", "b2"))}).strict ==
          1);
    const Told reboot =
        told({bad(at("09:00:00", machine("A", "b1"))), at("09:30:00", machine("A", "b2"))});
    CHECK(reboot.exit == 0);
    CHECK(reboot.warnings.empty());
    NodeReport lost = bad(at("09:00:00", machine("A", "b1")));
    NodeReport repaired = at("09:30:00", machine("A", "b2"));
    lost.facts.push_back({.id = "gpu.count", .value = "7"});
    repaired.facts.push_back({.id = "gpu.count", .value = "8"});
    CHECK(told({lost, repaired}).exit == 0);
    CHECK(told({lost, repaired}).warnings.empty());
}

TEST_CASE("A worse report that one of another profile took the place of is named", "[fleet]") {
    NodeReport other = at("09:30:00");
    other.digest = "00000000000000bb";
    const Told profile = told({bad(at("09:00:00")), other});
    CHECK(profile.exit == 0);
    CHECK(profile.strict == 1);
    CHECK(profile.warnings ==
          "1 node whose older report, by another profile or in a container or out of it, was worse "
          "than the one that counts: n1");
    NodeReport container = at("09:30:00");
    container.container = true;
    CHECK(told({bad(at("09:00:00")), container}).strict == 1);
    CHECK(told({bad(at("09:00:00")), at("09:30:00")}).warnings.empty());
    CHECK(told({bad(at("09:00:00")), at("09:10:00"), other}).warnings.empty());
}

TEST_CASE("What is old does not hide what is fresh and bad", "[fleet]") {
    const auto with_age = [](const std::vector<NodeReport>& reports) {
        Gathered all({}, {}, now);
        all.take(all_of(reports));
        CompareRequest request;
        request.now_seconds = now;
        request.max_age_seconds = 3600;
        return all.compared(request).exit_code;
    };
    const std::string only = R"("only": ["gpu.count"])";
    CHECK(with_age({at("08:00:00"), bad(asked(at("09:30:00"), only))}) == 1);
    CHECK(with_age({at("08:00:00"), asked(at("09:30:00"), only)}) == 3);
    CHECK(with_age({at("08:00:00"), bad(at("10:30:00"))}) == 1);
}

TEST_CASE("Two reports of one second count alike in whatever order", "[fleet]") {
    const auto odd = [](const NodeReport& first, const NodeReport& second) {
        Gathered all;
        all.take(all_of({node("n2"), node("n3"), node("n4"), first, second}));
        return all.compared().odd;
    };
    CHECK(odd(node("n1"), node("n1", "5.15")) == odd(node("n1", "5.15"), node("n1")));
}

TEST_CASE("A fold says which report made its status", "[fleet]") {
    Gathered all({}, {}, now);
    all.take(all_of({at("09:00:00"), bad(at("10:03:00"))}));
    const FleetResult fleet = all.compared();
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.find("by a report from the future: required gpu.count differs") != human.npos);
    const std::string because = "a report from the future: required gpu.count differs\"";
    CHECK(render_fleet_json(fleet).find("\"because\": \"" + because) != std::string::npos);
    CHECK(render_fleet_html(fleet).find(because) != std::string::npos);
}

}  // namespace settle_test
