// SPDX-License-Identifier: MIT
// Rows of a fleet by cause, and the sentences about them.
#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "fleet/print/sentences.h"
#include "support/catch.h"

namespace fleet_rows_test {

using namespace rocenv;
using namespace fleet_texts;

namespace {

// "KIND NAMES: SENTENCE" of each row.
Lines rows(const FleetResult& fleet) {
    Lines out;
    for (const auto& row : fleet.rows) {
        out.push_back(std::string(word_of(row.kind)) + " " + row.names + ": " +
                      row_sentence(fleet, row));
    }
    return out;
}

FleetResult fleet_of(const std::vector<NodeReport>& reports) {
    Gathered all;
    all.take(all_of(reports));
    return all.compared();
}

Row fallen(const std::string& target) {
    return {
        .id = "gpu.count", .target = target, .value = "fallen off the bus", .outcome = "differs"};
}

NodeReport with(const std::string& name, std::vector<Row> findings, int exit = 1) {
    NodeReport out = node(name);
    out.findings = std::move(findings);
    out.exit = exit;
    return out;
}

const std::string by_count = R"(, "cause": {"id": "gpu.count", "target": "0000:85:00.0"})";

Row consequence() {
    return {.id = "gpu.xgmi", .value = "7 of 8 GPUs", .outcome = "differs", .more = by_count};
}

Row advice(const std::string& value) {
    return {.id = "cpu.governor", .value = value, .outcome = "differs", .level = "recommended"};
}

}  // namespace

TEST_CASE("fleet rows: a consequence makes no row of its own", "[fleet]") {
    const auto fleet = fleet_of({with("n1", {fallen("0000:85:00.0"), consequence()}),
                                 with("n2", {fallen("0000:85:00.0")}),
                                 with("n3", {{.id = "gpu.count", .value = "8"}}, 0)});
    CHECK(rows(fleet) ==
          Lines{"fail n[1-2]: gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus"});
}

TEST_CASE("fleet rows: a finding whose cause is left out stands for itself", "[fleet]") {
    Gathered all({}, {"gpu.count"});
    all.take(all_of({with("n1", {fallen("0000:85:00.0"), consequence()}), node("n2")}));
    CHECK(rows(all.compared()) == Lines{"fail n1: gpu.xgmi: 7 of 8 GPUs, expected 1"});
}

TEST_CASE("fleet rows: an empty value has a word", "[fleet]") {
    const Row row{.id = "env.NCCL_DEBUG", .value = "", .outcome = "differs"};
    CHECK(rows(fleet_of({with("n1", {row})})) ==
          Lines{"fail n1: env.NCCL_DEBUG: empty, expected 1"});
}

TEST_CASE("fleet rows: another version without causes has those that are known", "[fleet]") {
    auto old = with("n2", {fallen("0000:85:00.0"), consequence()});
    old.findings[1].more.clear();
    Gathered all;
    std::string text = text_of(with("n1", {fallen("0000:85:00.0"), consequence()}));
    text.replace(text.find("0.1.0"), 5, "0.2.0");
    all.take(text + text_of(old));
    CHECK(rows(all.compared()) ==
          Lines{"fail n[1-2]: gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus"});
}

TEST_CASE("fleet rows: other devices are one row, and the sentence says so", "[fleet]") {
    const auto fleet =
        fleet_of({with("n1", {fallen("0000:85:00.0")}), with("n2", {fallen("0000:05:00.0")})});
    CHECK(rows(fleet) == Lines{"fail n[1-2]: gpu.count: a GPU has fallen off the PCIe bus (not "
                               "the same on each)"});
}

TEST_CASE("fleet rows: largest first, each node that does not pass in one row", "[fleet]") {
    const Row aer{
        .id = "pci.aer", .target = "0000:01:00.0", .value = "fatal 1", .outcome = "differs"};
    const Row unread{.id = "gpu.model", .outcome = "unknown", .more = R"(, "reason": "timeout")"};
    const auto fleet = fleet_of({with("n1", {fallen("0000:85:00.0"), aer}), with("n2", {aer}),
                                 with("n3", {aer}), with("n4", {unread}, 3),
                                 with("n5", {aer, unread}), with("n6", {{.id = "pci.aer"}}, 0)});
    CHECK(rows(fleet) ==
          Lines{"fail n[2-3,5]: pci.aer: 0000:01:00.0: fatal 1, expected 1",
                "fail n1: gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus (also "
                "pci.aer)",
                "unknown n4: gpu.model: no answer in time"});
    CHECK(fleet.with_status[1] == 4);
    CHECK(fleet.with_status[3] == 1);
}

TEST_CASE("fleet rows: each reason of an unread check has its words", "[fleet]") {
    for (const auto& reason : words_of<Reason>()) {
        const Row unread{
            .id = "gpu.model", .outcome = "unknown", .more = ", \"reason\": \"" + reason + "\""};
        const auto fleet = fleet_of({with("n1", {unread}, 3)});
        CAPTURE(reason);
        CHECK(rows(fleet).front().starts_with("unknown n1: gpu.model: "));
    }
}

TEST_CASE("fleet rows: what all nodes report stands once", "[fleet]") {
    const auto fleet =
        fleet_of({with("n1", {advice("powersave")}, 0), with("n2", {advice("powersave")}, 0),
                  with("n3", {advice("powersave"), fallen("0000:85:00.0")})});
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("3 nodes: 2 pass, 1 FAIL; 1 recommendation not met"));
    CHECK(human.find("all 3 nodes: cpu.governor: powersave, expected 1 (recommended)\n") !=
          human.npos);
    CHECK(human.find("WARN") == human.npos);
}

TEST_CASE("fleet rows: waived and optional findings make none", "[fleet]") {
    auto optional = advice("powersave");
    optional.level = "info";
    auto waived = fallen("0000:85:00.0");
    waived.more = R"(, "waived": {"ticket": "OPS-1", "until": "2099-01-01", "why": "known"})";
    CHECK(rows(fleet_of({with("n1", {optional, waived}, 0), node("n2")})).empty());
}

TEST_CASE("fleet rows: outliers pass, and name what differs", "[fleet]") {
    const auto fleet = fleet_of({node("n1"), node("n2"), node("n3"), node("n4", "5.15")});
    CHECK(rows(fleet) == Lines{"outlier n4: kernel.version: 5.15, peers have 6.8 (passes)"});
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("4 nodes: 4 pass; 1 outlier\n"));
}

TEST_CASE("fleet rows: a node that misses a recommendation is no outlier by it", "[fleet]") {
    const auto fleet = fleet_of({node("n1"), node("n2"), node("n3"), with("n4", {advice("x")}, 0)});
    CHECK(fleet.outliers == 1);
    CHECK(rows(fleet) == Lines{"warn n4: cpu.governor: x, expected 1"});
}

TEST_CASE("fleet rows: the next step of each model", "[fleet]") {
    auto one = advice("x");
    auto other = advice("x");
    one.more = R"(, "fix": "sudo rocenv set -p mi300x")";
    other.more = R"(, "fix": "sudo rocenv set -p mi200")";
    auto mi210 = with("n2", {other}, 0);
    mi210.facts[0].value = "0x740f";
    const auto fleet = fleet_of({with("n1", {one}, 0), mi210, node("n3")});
    REQUIRE(fleet.rows.size() == 1);
    Lines steps;
    for (const auto& step : fleet.rows.front().steps) {
        steps.push_back(step.model + ": " + std::string(step.fix));
    }
    CHECK(steps == Lines{"MI210: sudo rocenv set -p mi200", "MI300X: sudo rocenv set -p mi300x"});
    const auto equal = fleet_of({with("n1", {one}, 0), with("n2", {one}, 0), node("n3")});
    REQUIRE(equal.rows.front().steps.size() == 1);
    CHECK(equal.rows.front().steps.front().model.empty());
}

TEST_CASE("fleet rows: the first line adds up with the nodes that are expected", "[fleet]") {
    Gathered all;
    all.take(all_of({node("n1"), with("n2", {fallen("0000:85:00.0")})}));
    CompareRequest request;
    request.expect = {"n1", "n2", "n3", "n4"};
    const auto fleet = all.compared(request);
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.starts_with("4 nodes expected: 1 pass, 1 FAIL, 2 MISSING"));
    CHECK(human.find("\nMISSING  2 nodes  n[3-4]  no report\n") != human.npos);
    const std::string coloured = render_fleet_human(fleet, Detail::normal, Colour::yes);
    CHECK(coloured.starts_with(style_code::fail));
}

TEST_CASE("fleet rows: lines fit the screen", "[fleet]") {
    const auto fleet = fleet_of({with("n1", {fallen("0000:85:00.0")}), with("n2", {advice("x")}, 0),
                                 node("n3", "5.15"), node("n4")});
    const auto widest = [&](std::size_t width) {
        std::size_t out = 0;
        const std::string text =
            render_fleet_human(fleet, Detail::everything, Screen(Colour::no, width));
        for (const auto line : split(text, '\n')) {
            out = std::max(out, line.size());
        }
        return out;
    };
    CHECK(widest(60) <= 60);
    CHECK(widest(80) <= 80);
    CHECK(widest(110) > 80);
}

TEST_CASE("fleet rows: at most 20 lines, then a count", "[fleet]") {
    std::vector<NodeReport> reports;
    for (int at = 1; at <= 25; ++at) {
        reports.push_back(
            with("n" + number(at),
                 {{.id = "gpu.vram", .value = "v" + number(at), .outcome = "differs"}}));
    }
    const FleetResult fleet = fleet_of(reports);
    const std::string human = render_fleet_human(fleet, Detail::normal, Colour::no);
    CHECK(human.find("and 5 more rows (-v lists all)\n") != human.npos);
    std::size_t lines = 0;
    for (auto at = human.find("\nFAIL"); at != human.npos; at = human.find("\nFAIL", at + 1)) {
        ++lines;
    }
    CHECK(lines == 20);
    CHECK(render_fleet_human(fleet, Detail::everything, Colour::no).find("v25") != human.npos);
}

}  // namespace fleet_rows_test
