// SPDX-License-Identifier: MIT
#include "fleet/read/gather.h"

#include <random>

#include "fleet/report_texts.h"
#include "support/catch.h"
#include "util/text.h"

namespace gather_test {

using namespace rocenv;
using namespace fleet_texts;

namespace {

NodeReport report_of(const std::string& node) {
    return {
        .node = node,
        .facts = {{.id = "gpu.model", .value = "0x74a1"}, {.id = "kernel.version", .value = "6.8"}},
        .findings = {{.id = "gpu.count", .value = "8"}}};
}

std::string names_of(const Sweep& sweep) {
    std::string out;
    for (const auto& [name, node] : sweep.nodes) {
        out += (out.empty() ? "" : ",") + std::string(name) + ":" + number(node.line);
    }
    return out;
}

std::string problems_of(const Problems& problems) {
    std::string out;
    for (const auto& problem : problems.all) {
        out += (out.empty() ? "" : "; ") + number(problem.line) + " " + problem.text;
    }
    return out;
}

// "NODES | PROBLEMS" of a text.
std::string printed(std::string_view text, std::size_t piece = 1 << 20) {
    Gathered all;
    all.take(text, all.sweep, piece);
    return names_of(all.sweep) + " | " + problems_of(all.problems);
}

const std::string a = text_of(report_of("a"));
const std::string b = text_of(report_of("b"), "\n");
const std::string c = text_of(report_of("c"));

}  // namespace

TEST_CASE("Reports stand one behind another, in any layout", "[fleet]") {
    CHECK(printed(a + b + c) == "a:1,b:2,c:13 | ");
    CHECK(printed("[" + a + "," + b + "," + c + "]\n") == "a:1,b:2,c:13 | ");
    CHECK(printed("gpu7: " + a + "gpu8: " + c) == "a:1,c:2 | ");
    CHECK(printed("\xef\xbb\xbf" + a) == "a:1 | ");
    for (const std::size_t piece : {1U, 7U, 64U, 1000U}) {
        CHECK(printed(a + "noise\n" + b.substr(0, 200) + c, piece) ==
              printed(a + "noise\n" + b.substr(0, 200) + c));
    }
}

TEST_CASE("Names that clush -b puts above the reports are passed over", "[fleet]") {
    const std::string rule = "---------------\n";
    const std::string text =
        rule + "gpu001\n" + rule + a + rule + "gpu[002-004] (3)\n" + rule + b + c;
    for (const std::size_t piece : {1U, 13U, 1000U, 1U << 20U}) {
        CHECK(printed(text, piece) == "a:4,b:8,c:19 | ");
    }
    CHECK(printed(rule + "gpu001\n" + rule) == " | 0 holds no report");
    CHECK(printed(rule + "gpu001: ssh: connect\n" + a) ==
          "a:3 | 1 text that is not a report of rocenv check: ---------------");
    CHECK(printed(rule + "gpu001\n" + rule + "ssh: no route\n" + a) ==
          "a:5 | 4 text that is not a report of rocenv check: ssh: no route");
}

TEST_CASE("What is no report is named by its line and stops nothing", "[fleet]") {
    CHECK(printed("") == " | 0 is empty");
    CHECK(printed("[]\n") == " | 0 holds no report");
    CHECK(printed("srun: error\nmore\n" + a) ==
          "a:3 | 1 text that is not a report of rocenv check: srun: error");
    CHECK(printed("{\"a\": 1}\n" + a) == "a:2 | 1 JSON that is not a report of rocenv check");
    CHECK(printed(b.substr(0, b.size() / 2) + a) == "a:6 | 1 a report that is cut off");
    CHECK(printed(a + b.substr(0, b.size() / 2)) == "a:1 | 2 a report that is cut off");
    CHECK(printed(a.substr(0, a.size() - 1) + a.substr(0, 100) + c) ==
          "a:1,c:1 | 1 a report that is cut off");
}

TEST_CASE("A report that says what none says is garbled", "[fleet]") {
    const auto with = [](std::string text, const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
        return printed(text + c);
    };
    CHECK(with(b, "\"exit\": 0", "\"exit\": 7") ==
          "c:12 | 1 a report that is garbled in its exit (line 6)");
    CHECK(with(a, "\"6.8\"}]", "68}]") == "c:2 | 1 a report that is garbled in its facts (line 1)");
    CHECK(with(a, "2026-11-22T", "22 Nov 26 ").starts_with("c:2 | 1 a report that has no time"));
    CHECK(with(a, "\"hostname\": \"a\"", "\"hostname\": \"\"")
              .starts_with("c:2 | 1 a report that names no node"));
    CHECK(with(a, "\"command\": \"check\"", "\"command\": \"set\"") ==
          "c:2 | 1 JSON that is a report of rocenv set, not of check (node a)");
    CHECK(with(a, "report/1", "report/2") ==
          "c:2 | 1 JSON that is rocenv.report/2, not rocenv.report/1 (node a)");
    CHECK(with(a, "\"exit\": 0", "\"exit\": 0, \"exit\": 0")
              .starts_with("c:2 | 1 a report that is garbled in its exit"));
    CHECK(with(a, "\"exit\": 0", "\"exit\": 00")
              .starts_with("c:2 | 1 a report that is garbled in its exit"));
    CHECK(with(a, "\"hostname\": \"a\"", "\"hostname\": \"  \"")
              .starts_with("c:2 | 1 a report that names no node"));
}

TEST_CASE("Members of other versions are passed over, and absent ones are absent", "[fleet]") {
    std::string newer = a;
    newer.insert(newer.find("\"exit\""),
                 R"("ids": [{"x": [1, -2.5e3, true, null, {"y": "\u00e9"}]}], )");
    CHECK(printed(newer) == "a:1 | ");
    NodeReport older = report_of("old");
    older.has_facts = false;
    older.facts.clear();
    Gathered all;
    all.take(text_of(older));
    CHECK(all.problems.all.empty());
    CHECK(!all.pools.reports.rows().front().has_facts);
}

TEST_CASE("A finding in words of another version counts as unknown, and is named once", "[fleet]") {
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    const std::string vital = changed(a, "\"required\"", "\"vital\"");
    CHECK(printed(vital + changed(c, "\"required\"", "\"vital\"")) ==
          "a:1,c:2 | 1 a finding says \"level vital\", which this version does not know: such "
          "findings count as unknown");
    Gathered all;
    all.take(vital);
    CHECK(all.pools.reports.rows().front().exit_code == 3);
    CHECK(printed(changed(a, "\"outcome\": \"ok\"", "\"outcome\": \"pending\""))
              .starts_with("a:1 | 1 a finding says \"outcome pending\""));
    CHECK(printed(
              changed(a, "\"outcome\": \"ok\"", "\"outcome\": \"unknown\", \"reason\": \"tired\""))
              .starts_with("a:1 | 1 a finding says \"reason tired\""));
    CHECK(printed(changed(a, "\"outcome\": \"ok\"", "\"outcome\": \"ok\", \"waived\": null")) ==
          "a:1 | ");
}

TEST_CASE("Fractions of a second are read, and sort as times", "[fleet]") {
    NodeReport later = report_of("a");
    later.time = "2026-11-22T10:00:01.25Z";
    CHECK(printed(text_of(later) + a) == "a:1 | ");
    CHECK(printed(a + text_of(later)) == "a:2 | ");
    later.time = "2026-11-22T10:00:01.Z";
    CHECK(printed(text_of(later)).starts_with(" | 1 a report that has no time"));
}

TEST_CASE("What a report was asked for makes it incomplete, and so does its deadline", "[fleet]") {
    const auto is_whole = [](const std::string& members) {
        NodeReport report = report_of("a");
        report.more = members;
        Gathered all;
        all.take(text_of(report));
        return all.sweep.nodes.at("a").complete;
    };
    CHECK(is_whole(""));
    CHECK(is_whole(R"(, "scope": "node")"));
    CHECK(is_whole(R"(, "scope": "all", "strict": true, "deadline_reached": false)"));
    CHECK_FALSE(is_whole(R"(, "scope": "process")"));
    CHECK_FALSE(is_whole(R"(, "only": ["*"])"));
    CHECK_FALSE(is_whole(R"(, "skip": ["gpu.xgmi"])"));
    CHECK_FALSE(is_whole(R"(, "deadline_reached": true)"));
    CHECK(printed(text_of({.node = "a", .more = R"(, "deadline_reached": 1)"}))
              .starts_with(" | 1 a report that is garbled"));
}

TEST_CASE("Each report of another schema or command is named with its node", "[fleet]") {
    const auto other = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    const std::string newer = other(b, "report/1", "report/2");
    const std::string set = other(c, "\"check\"", "\"set\"");
    CHECK(printed(a + newer + newer + set) ==
          "a:1 | 2 JSON that is rocenv.report/2, not rocenv.report/1 (node b); "
          "13 JSON that is rocenv.report/2, not rocenv.report/1 (node b); "
          "24 JSON that is a report of rocenv set, not of check (node c)");
    std::string many;
    for (int at = 0; at < 40; ++at) {
        many += other(a, "report/1", "report/2");
    }
    Gathered all;
    all.take(many);
    CHECK(all.problems.unread_inputs == 40);
    REQUIRE(all.problems.all.size() == 21);
    CHECK(all.problems.all.back().text ==
          "20 more places that hold no report of rocenv check, up to here");
}

TEST_CASE("Reading goes on behind whatever holds no report", "[fleet]") {
    std::string log;
    while (log.size() < (std::size_t{17} << 20)) {
        log += "a line of a log that says nothing\n";
    }
    Gathered all;
    all.take(a + log + c);
    CHECK(all.sweep.nodes.size() == 2);
    CHECK(all.problems.unread_inputs == 1);
    Gathered line;
    line.take(a + std::string(std::size_t{17} << 20, 'x') + "\n" + c);
    CHECK(line.sweep.nodes.size() == 2);
}

TEST_CASE("A report that is too large is named, and the next one read", "[fleet]") {
    std::string large = a;
    large.insert(large.find("\"exit\""), "\"x\": \"" + std::string(3 << 20, 'x') + "\", ");
    CHECK(printed(large + c) == "c:2 | 1 a report that is larger than 2 MiB");
    CHECK(printed(std::string(5 << 20, '{') + "\n" + c) ==
          "c:2 | 1 JSON that is not a report of rocenv check");
}

TEST_CASE("Equal reports are kept once", "[fleet]") {
    Gathered all;
    for (int node = 0; node < 100; ++node) {
        all.take(text_of(report_of("n" + std::to_string(node))));
    }
    CHECK(all.sweep.nodes.size() == 100);
    CHECK(all.pools.reports.rows().size() == 1);
    CHECK(all.pools.facts.rows().size() == 2);
}

TEST_CASE("Settings that were not asked for do not count", "[fleet]") {
    NodeReport bad = report_of("a");
    bad.exit = 1;
    bad.findings.push_back({.id = "kernel.thp", .value = "x", .outcome = "differs"});
    Gathered all({}, {"kernel.*"});
    all.take(text_of(bad));
    CHECK(all.pools.reports.rows().front().exit_code == 0);
    CHECK(all.pools.facts.rows().size() == 1);
}

// Three reports of which the middle one is damaged: the others are read whatever it is, and where
// it is not, a problem names it.
TEST_CASE("Of 2,000 damaged inputs nothing is lost but what is named", "[fleet]") {
    std::mt19937 chance(18);
    const auto upto = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(chance);
    };
    const std::string pieces[] = {
        "\"",   "{",    "}",  "\\u",         "\n",   std::string(1, '\0'),
        "\xff", "[[[[", ",,", "1e999999999", "null", "\"schema\": \"rocenv.report/1\""};
    const auto damage = [&](std::string text) {
        for (auto times = upto(2); times < 3; ++times) {
            const auto at = upto(text.size() - 1);
            switch (upto(4)) {
                case 0:
                    text[at] = static_cast<char>(upto(255));
                    break;
                case 1:
                    text.erase(at, upto(text.size() / 2));
                    break;
                case 2:
                    text.insert(at, pieces[upto(std::size(pieces) - 1)]);
                    break;
                case 3:
                    text.insert(at, text.substr(upto(text.size() - 1), upto(200)));
                    break;
                default:
                    text.resize(at + 1);
            }
        }
        return text;
    };
    const std::string middle[] = {text_of(report_of("middle")), text_of(report_of("middle"), "\n")};
    for (int run = 0; run < 2000; ++run) {
        const std::string text = a + damage(middle[run % 2]) + c;
        CAPTURE(run, text);
        Gathered all;
        all.take(text, all.sweep, 1 + upto(500));
        REQUIRE(all.sweep.nodes.contains("a"));
        REQUIRE(all.sweep.nodes.contains("c"));
        REQUIRE(all.sweep.nodes.size() + all.problems.all.size() >= 3);
        (void)all.compared();
    }
}

}  // namespace gather_test
