// SPDX-License-Identifier: MIT
// Every setting that can be set, on the machines of its cases: what a set writes, how a refused
// write ends, and that a reset brings back every byte. A new setting is among them by its cases.
#include <array>
#include <cerrno>
#include <set>

#include "contract/scene.h"
#include "settings/shape_cases.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace shapes_test {

namespace {

constexpr std::array refusals{EBUSY, EINVAL};
constexpr std::size_t most_refused = 3;  // writes of a case

bool can_be_set(const std::string& id) {
    const Info& info = find_setting(id)->info;
    return !info.places.empty() && info.scope == Scope::node;
}

SetResult set_of(Node& node, const cases::Case& test) {
    return node.set({nothing_expected}, "", {test.id + "=" + test.expected});
}

bool has(const SetResult& result, Outcome outcome) {
    const auto& findings = result.report.findings;
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& each) { return each.outcome == outcome; });
}

void check_reset(Node& node, const MemoryFs& start) {
    node.calm();
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start) == "");
}

// A set of a required value fails as a whole where one write is refused, and leaves nothing.
void check_refused(const cases::Case& test, const MemoryFs& start, std::size_t write, int err) {
    Node node(start);
    node.kernel.fail(write, err);
    const auto set = set_of(node, test);
    INFO("write " << write << ", errno " << err << "\n" << printed(set));
    CHECK(set.report.exit_code == 4);
    CHECK(has(set, Outcome::failed));
    CHECK(node.differs_from(start) == "");
}

// Returns whether the emulated kernel accepts the state that a reset would restore. It rejects some
// that real drivers accept, for example the performance level high.
bool is_emulated(const cases::Case& test, const MemoryFs& start) {
    MemoryFs kernel(start);
    const Machine machine(start);
    for (const auto& each : baseline_of(*find_setting(test.id), {machine, test.process})) {
        for (const auto& write : each.back ? each.back->writes : std::vector<Write>()) {
            if (kernel.write(write.path, write.offset, write.bytes)) {
                return false;
            }
        }
    }
    return differences(start, kernel).empty();
}

void check_set(const cases::Case& test, const MemoryFs& start) {
    Node node(start);
    const auto set = set_of(node, test);
    INFO(test.place << ": " << test.name << "\n" << printed(set));
    REQUIRE_FALSE(node.kernel.writes.empty());
    CHECK(has(set, Outcome::changed));
    CHECK_FALSE(has(set, Outcome::failed));
    const auto writes = node.kernel.writes.size();
    (void)set_of(node, test);
    CHECK(node.kernel.writes.size() ==
          writes);  // no target with the expected value is written again
    check_reset(node, start);
    for (std::size_t at = 0; at < std::min(writes, most_refused); ++at) {
        for (const int err : refusals) {
            check_refused(test, start, at, err);
        }
    }
}

bool differs(const cases::Case& test) {
    return !test.changes.empty() && test.bug.empty() &&
           std::any_of(test.expects.begin(), test.expects.end(),
                       [](const auto& each) { return each.outcome == "differs"; });
}

}  // namespace

TEST_CASE("contract: every setting is set and reset on the machines of its cases", "[contract]") {
    std::set<std::string> expected;
    std::set<std::string> written;
    for (const Setting* setting : all_settings()) {
        const std::string id(setting->info.id);
        if (id != "env." && can_be_set(id)) {
            expected.insert(id);
        }
    }
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto start = cases::machine_of(test);
            if (expected.contains(test.id) && differs(test) && is_emulated(test, *start)) {
                check_set(test, *start);
                written.insert(test.id);
            }
        }
    }
    CHECK(written == expected);
}

}  // namespace shapes_test
