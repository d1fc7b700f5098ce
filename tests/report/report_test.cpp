// SPDX-License-Identifier: MIT
#include "rocenv/report.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/entries.h"
#include "support/catch.h"

namespace report_test {

namespace {

using namespace rocenv;

std::vector<Finding> findings_of(const std::vector<Assessment>& rows) {
    Expectation expectation;
    expectation.id = "cpu.test";
    expectation.level = Level::recommended;
    const Setting setting{.info = {.id = "cpu.test", .next_step = "rocenv set"}};
    return to_findings(expectation, setting, rows);
}

Target cpu(std::uint32_t number, std::string suffix = "") {
    return {"cpu", number, std::move(suffix)};
}

std::vector<std::string> targets(const std::vector<Finding>& findings) {
    std::vector<std::string> out;
    out.reserve(findings.size());
    for (const auto& finding : findings) {
        out.push_back(finding.target);
    }
    return out;
}

TEST_CASE("A grade lowers a finding's level, and never raises it", "[report]") {
    constexpr Grade slight{"slight", Level::info, "it matters less"};
    constexpr Grade grave{"grave", Level::required, "it matters more"};
    auto row = compared(cpu(0), "a", "b");
    for (const auto& [grade, level] :
         {std::pair{&slight, Level::info}, {&grave, Level::recommended}}) {
        row.grade = grade;
        CHECK(findings_of({row}).front().level == level);
    }
}

TEST_CASE("CPUs in equal state are one finding that counts them", "[report]") {
    std::vector<Assessment> rows;
    for (std::uint32_t at = 0; at < 384; ++at) {
        rows.push_back(compared(cpu(at), "performance", at == 7 ? "powersave" : "performance"));
    }
    const auto findings = findings_of(rows);
    REQUIRE(targets(findings) == std::vector<std::string>{"cpu0-6,8-383", "cpu7"});
    CHECK(findings[0].count == 383);
    CHECK(findings[0].counted);
    CHECK(findings[0].outcome == Outcome::ok);
    CHECK(findings[0].fix.empty());
    CHECK(findings[1].count == 1);
    CHECK(findings[1].counted);
    CHECK(findings[1].have == "powersave");
    CHECK(findings[1].expected == "performance");
    CHECK(findings[1].level == Level::recommended);
    CHECK(findings[1].fix == "rocenv set");
}

TEST_CASE("Whatever makes two CPUs different keeps them apart", "[report]") {
    const Assessment base = compared(cpu(0), "1", "2");
    std::vector<Assessment> others(5, base);
    others[0].have = "3";
    others[1].expected = "4";
    others[2].outcome = Outcome::na;
    others[3].target.suffix = "/C2";
    others[4].target.base = "policy";
    for (auto& other : others) {
        other.target.number = 1;
        CHECK(findings_of({base, other}).size() == 2);
    }
    Assessment equal = base;
    equal.target.number = 1;
    equal.detail = "the first one's is shown";
    CHECK(targets(findings_of({base, equal})) == std::vector<std::string>{"cpu0-1"});
}

TEST_CASE("CPUs that were changed from different values are told apart", "[report]") {
    std::vector<Assessment> rows;
    for (const auto& [number, was] :
         {std::pair(0U, "schedutil"), std::pair(1U, "powersave"), std::pair(2U, "schedutil")}) {
        rows.push_back(compared(cpu(number), "performance", "performance"));
        rows.back().outcome = Outcome::changed;
        rows.back().was = was;
    }
    const auto findings = findings_of(rows);
    REQUIRE(targets(findings) == std::vector<std::string>{"cpu0,2", "cpu1"});
    CHECK(findings[0].was == "schedutil");
    CHECK(findings[1].was == "powersave");
}

TEST_CASE("CPUs of which one went back and another did not are told apart", "[report]") {
    std::vector<Assessment> rows;
    for (const auto put_back : {PutBack::yes, PutBack::no, PutBack::not_tried, PutBack::none}) {
        rows.push_back(compared(cpu(static_cast<std::uint32_t>(rows.size())), "1", "2"));
        rows.back().put_back = put_back;
    }
    const auto findings = findings_of(rows);
    REQUIRE(findings.size() == 4);
    CHECK(findings[1].put_back == PutBack::no);
    CHECK(findings[3].put_back == PutBack::none);
}

TEST_CASE("What was changed has no next step, though its setting knows one", "[report]") {
    Assessment row = compared({}, "1", "2");
    CHECK(findings_of({row})[0].fix == "rocenv set");
    row.outcome = Outcome::changed;
    row.next_step = "what was to do before";
    CHECK(findings_of({row})[0].fix.empty());
}

TEST_CASE("A value that is not there is not an empty one", "[report]") {
    Assessment none = compared(cpu(0), "1", "");
    Assessment empty = compared(cpu(1), "1", "");
    none.have.reset();
    CHECK(findings_of({none, empty}).size() == 2);
}

Assessment broken(std::uint32_t number, ErrorKind kind) {
    const std::string path = "cpu" + std::to_string(number) + "/governor";
    return unreadable(cpu(number), Error{kind, 0, path, path + ": no answer"});
}

TEST_CASE("Unknown CPUs are one finding though each error names its own file", "[report]") {
    const auto findings =
        findings_of({broken(0, ErrorKind::io), broken(1, ErrorKind::io), broken(2, ErrorKind::io),
                     broken(3, ErrorKind::not_permitted), broken(4, ErrorKind::not_permitted)});
    REQUIRE(targets(findings) == std::vector<std::string>{"cpu0-4"});
    CHECK(findings[0].outcome == Outcome::unknown);
    CHECK(findings[0].detail == "cpu0/governor: no answer");
    CHECK(findings[0].count == 5);
}

TEST_CASE("GPUs stay single even when their state is equal", "[report]") {
    std::vector<Assessment> rows;
    for (const char* bdf : {"0000:05:00.0", "0000:26:00.0"}) {
        rows.push_back(compared({bdf, std::nullopt, ""}, "1900", "1900"));
    }
    const auto findings = findings_of(rows);
    CHECK(targets(findings) == std::vector<std::string>{"0000:05:00.0", "0000:26:00.0"});
    CHECK_FALSE(findings[0].counted);
    CHECK(findings[0].count == 1);
}

TEST_CASE("No two findings of an id have the same target and no CPU is lost", "[report]") {
    std::vector<Assessment> rows;
    for (std::uint32_t at = 0; at < 200; ++at) {
        for (const char* state : {"/C1", "/C2"}) {
            Assessment row = compared(cpu(at, state), "a", std::string(1, "abc"[at * at % 7 % 3]));
            row.outcome = at % 5 == 0 ? Outcome::unknown : row.outcome;
            rows.push_back(row);
        }
    }
    std::set<std::string> seen;
    std::size_t count = 0;
    for (const auto& finding : findings_of(rows)) {
        CHECK(seen.insert(finding.target).second);
        count += finding.count;
    }
    CHECK(count == 400);
}

TEST_CASE("CPUs that are told in any order are listed in theirs", "[report]") {
    std::vector<Assessment> rows;
    for (const std::uint32_t at : {0U, 1U, 10U, 11U, 2U}) {  // as names sort
        rows.push_back(compared(cpu(at), "1", "1"));
    }
    CHECK(targets(findings_of(rows)) == std::vector<std::string>{"cpu0-2,10-11"});
}

TEST_CASE("Only what is not settled has a next step", "[report]") {
    const std::pair<Outcome, bool> cases[] = {{Outcome::ok, false},     {Outcome::na, false},
                                              {Outcome::hidden, false}, {Outcome::unknown, true},
                                              {Outcome::differs, true}, {Outcome::unsafe, true},
                                              {Outcome::failed, true}};
    for (const auto& [outcome, has_step] : cases) {
        CAPTURE(word_of(outcome));
        Assessment row;
        row.outcome = outcome;
        // The setting's own step mends a difference; it does not help to read what cannot be read.
        const bool mends = has_step && outcome != Outcome::unknown;
        CHECK(findings_of({row})[0].fix == (mends ? "rocenv set" : ""));
        row.next_step = "own step";
        CHECK(findings_of({row})[0].fix == (has_step ? "own step" : ""));
    }
}

constexpr Outcome all_outcomes[] = {Outcome::ok,     Outcome::changed, Outcome::na,
                                    Outcome::hidden, Outcome::unknown, Outcome::differs,
                                    Outcome::unsafe, Outcome::failed};
constexpr Level all_levels[] = {Level::info, Level::recommended, Level::required};

Report judged(const std::vector<std::pair<Level, Outcome>>& rows, Strict strict) {
    Report report;
    for (const auto& [level, outcome] : rows) {
        Finding finding;
        finding.level = level;
        finding.outcome = outcome;
        report.findings.push_back(finding);
    }
    judge_check(report, strict);
    return report;
}

bool counts(Level level, Strict strict) {
    return level == Level::required || (level == Level::recommended && strict == Strict::yes);
}

// The exit status of check when this is all it found.
int expected_exit(Level level, Outcome outcome, Strict strict) {
    if (!counts(level, strict)) {
        return 0;
    }
    return outcome == Outcome::differs ? 1 : outcome == Outcome::unknown ? 3 : 0;
}

void check_alone(Level level, Outcome outcome, Strict strict) {
    CAPTURE(word_of(level), word_of(outcome), strict == Strict::yes);
    const auto report = judged({{level, outcome}}, strict);
    const int expected = expected_exit(level, outcome, strict);
    CHECK(report.exit_code == expected);
    CHECK(report.result == (expected == 1 ? "differs" : expected == 3 ? "unknown" : "ok"));
    CHECK(report.summary == std::map<std::string, std::size_t>{{std::string(word_of(outcome)), 1}});
}

TEST_CASE("The exit status of check for every outcome, level and strictness", "[report]") {
    for (const auto level : all_levels) {
        for (const auto outcome : all_outcomes) {
            check_alone(level, outcome, Strict::no);
            check_alone(level, outcome, Strict::yes);
        }
    }
}

TEST_CASE("A known fault is never masked by an unknown", "[report]") {
    using Rows = std::vector<std::pair<Level, Outcome>>;
    const Rows rows{{Level::required, Outcome::unknown}, {Level::required, Outcome::differs}};
    CHECK(judged(rows, Strict::no).exit_code == 1);
    CHECK(judged(Rows(rows.rbegin(), rows.rend()), Strict::no).exit_code == 1);
}

TEST_CASE("Strict lets a recommended fault win over a required unknown", "[report]") {
    const std::vector<std::pair<Level, Outcome>> rows{{Level::required, Outcome::unknown},
                                                      {Level::recommended, Outcome::differs}};
    CHECK(judged(rows, Strict::no).exit_code == 3);
    CHECK(judged(rows, Strict::yes).exit_code == 1);
}

TEST_CASE("Nothing found is as wanted, and judging twice counts once", "[report]") {
    Report report =
        judged({{Level::required, Outcome::ok}, {Level::info, Outcome::ok}}, Strict::no);
    judge_check(report, Strict::no);
    CHECK(report.summary == std::map<std::string, std::size_t>{{"ok", 2}});
    CHECK(judged({}, Strict::yes).exit_code == 0);
}

TEST_CASE("The sentence about several devices is in the plural", "[report]") {
    Report report;
    std::vector<Finding> findings(2);
    for (const char* target : {"0000:05:00.0", "0000:25:00.0"}) {
        auto& finding = findings[target[5] == '0' ? 0 : 1];
        finding.id = "rdma.count";
        finding.target = target;
        finding.outcome = Outcome::differs;
        finding.have = "no RDMA device";
    }
    const auto text_of = [&](const std::vector<const Finding*>& some) {
        return sentence(report, entries_of(some).front(), false);
    };
    CHECK(text_of({&findings[0]}) == "The device 0000:05:00.0 has no RDMA device");
    CHECK(text_of({&findings[0], &findings[1]}) ==
          "The devices 0000:05:00.0, 0000:25:00.0 have no RDMA devices");
}

TEST_CASE("Kinds of errors become the outcome they stand for", "[report]") {
    const std::pair<ErrorKind, Outcome> cases[] = {{ErrorKind::not_here, Outcome::unknown},
                                                   {ErrorKind::hidden, Outcome::hidden},
                                                   {ErrorKind::not_permitted, Outcome::unknown},
                                                   {ErrorKind::asleep, Outcome::unknown},
                                                   {ErrorKind::garbled, Outcome::unknown},
                                                   {ErrorKind::timed_out, Outcome::unknown},
                                                   {ErrorKind::io, Outcome::unknown},
                                                   {ErrorKind::bad_input, Outcome::unknown}};
    for (const auto& [kind, outcome] : cases) {
        const auto row = unreadable({}, Error{kind, 0, "/p", "/p: text"});
        CHECK(row.outcome == outcome);
        CHECK(row.detail == "/p: text");
    }
}

}  // namespace

}  // namespace report_test
