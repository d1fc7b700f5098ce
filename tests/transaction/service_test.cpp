// SPDX-License-Identifier: MIT
#include "transaction/service.h"

#include "support/catch.h"

namespace service_test {

namespace {

using namespace rocenv;

Finding changed(const std::string& id, const std::string& target, const std::string& was,
                const std::string& have, std::size_t count = 1) {
    Finding finding;
    finding.id = id;
    finding.target = target;
    finding.outcome = Outcome::changed;
    finding.was = was;
    finding.have = have;
    finding.count = count;
    return finding;
}

std::vector<std::string> lines_of(std::vector<Finding> findings, const std::string& user = "eve") {
    Report report;
    report.command = "set";
    report.findings = std::move(findings);
    return change_lines(report, user);
}

}  // namespace

TEST_CASE("changes: one target is named, many of one value are counted") {
    CHECK(lines_of({changed("a.b", "system", "1", "0")}) ==
          std::vector<std::string>{"a.b system: was 1, is 0 (set by eve)"});
    CHECK(lines_of({changed("a.b", "x", "1", "0"), changed("a.b", "y", "1", "0"),
                    changed("c.d", "cpu0-3", "on", "off", 4)}) ==
          std::vector<std::string>{"a.b 2 targets: was 1, is 0 (set by eve)",
                                   "c.d cpu0-3 (4 targets): was on, is off (set by eve)"});
}

TEST_CASE("changes: what was there is told where it is alike, and values are kept apart") {
    CHECK(lines_of({changed("a.b", "x", "1", "0"), changed("a.b", "y", "2", "0"),
                    changed("a.b", "z", "1", "7")}) ==
          std::vector<std::string>{"a.b 2 targets: was not the same, is 0 (set by eve)",
                                   "a.b z: was 1, is 7 (set by eve)"});
}

TEST_CASE("changes: what was not changed is no line, and no value makes a second one") {
    auto same = changed("a.b", "system", "1", "1");
    same.outcome = Outcome::ok;
    CHECK(lines_of({same}).empty());
    CHECK(lines_of({changed("a.b", "system", "1", "0\nx")}, "e\nve") ==
          std::vector<std::string>{"a.b system: was 1, is 0\\x0ax (set by e\\x0ave)"});
}

}  // namespace service_test
