// SPDX-License-Identifier: MIT
// Several who want something of one node: what each was promised stays so, and what is said of it
// is so.
#include <algorithm>

#include "contract/scene.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace holds_test {

namespace {

const std::string policy = "/sys/devices/system/cpu/cpufreq/policy0/";
const std::string preference = policy + "energy_performance_preference";
const std::string numa = "/proc/sys/kernel/numa_balancing";
const std::string watchdog = "/proc/sys/kernel/nmi_watchdog";
const std::string run = "run/101-aaaa0001";

const MemoryFs& start() {
    static const MemoryFs machine = [] {
        MemoryFs fs(cut_machine("mi300x-spx"));
        for (const std::string cpu : {"0", "1", "2", "3"}) {
            const std::string folder = "/sys/devices/system/cpu/cpufreq/policy" + cpu + "/";
            fs.add_file(folder + "energy_performance_preference", "balance_performance\n");
            fs.add_file(folder + "energy_performance_available_preferences",
                        "default performance balance_performance balance_power power\n");
        }
        return fs;
    }();
    return machine;
}

ResetRequest leaving(const std::string& name) {
    ResetRequest request;
    request.hold = name;
    return request;
}

void check_back(Node& node) {
    ResetRequest force;
    force.force = true;
    const auto reset = node.reset(force);
    INFO(printed(reset) << node.differs_from(start()));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start()).empty());
    count_run("several holders");
}

const Finding* finding_of(const SetResult& result, const std::string& id) {
    const auto found = std::find_if(result.report.findings.begin(), result.report.findings.end(),
                                    [&](const Finding& finding) { return finding.id == id; });
    return found == result.report.findings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("holds: a run gives back what its side effect took from a job", "[contract]") {
    Node node(start());
    REQUIRE(node.set({nothing_expected}, "", {"cpu.governor=powersave"}).report.exit_code == 0);
    const auto job = node.set({nothing_expected}, "job", {"cpu.energy_preference=power"});
    INFO(printed(job));
    REQUIRE(job.report.exit_code == 0);
    REQUIRE(*node.kernel.read(preference) == "power\n");
    REQUIRE(node.set({nothing_expected}, run, {"cpu.governor=performance"}).report.exit_code == 0);
    REQUIRE(*node.kernel.read(preference) == "performance\n");
    const auto reset = node.reset(leaving(run));
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK(*node.kernel.read(preference) == "power\n");
    check_back(node);
}

TEST_CASE("holds: what a side effect made of a value stays while a job wants just that",
          "[contract]") {
    Node node(start());
    REQUIRE(node.set({nothing_expected}, run, {"cpu.governor=performance"}).report.exit_code == 0);
    REQUIRE(node.set({nothing_expected}, "job", {"cpu.energy_preference=performance"})
                .report.exit_code == 0);
    CHECK(node.reset(leaving(run)).report.exit_code == 0);
    CHECK(*node.kernel.read(preference) == "performance\n");
    check_back(node);
}

TEST_CASE("holds: one item is not promised to two at two values", "[contract]") {
    Node node(start());
    REQUIRE(node.set({nothing_expected}, "a", {"kernel.numa_balancing=0"}).report.exit_code == 0);
    node.kernel.memory().add_file(numa, "2\n");  // another writer
    const auto other = node.set({nothing_expected}, "b", {"kernel.numa_balancing=2"});
    INFO(printed(other));
    CHECK(other.report.exit_code == 1);
    REQUIRE(finding_of(other, "kernel.numa_balancing") != nullptr);
    CHECK(finding_of(other, "kernel.numa_balancing")->outcome == Outcome::unsafe);
    CHECK(finding_of(other, "kernel.numa_balancing")->fix ==
          "If that job has ended: sudo rocenv reset --hold a");
    CHECK(node.set({nothing_expected}, "a", {"kernel.numa_balancing=0"}).report.exit_code == 0);
    check_back(node);
}

TEST_CASE("holds: what could not be set is not held", "[contract]") {
    Node node(start());
    for (std::size_t write = 0;; ++write) {  // up to the one that is its
        REQUIRE(write < 100);
        node.kernel.fail(node.kernel.writes.size() + write, EIO);
        const auto first = node.set({"host"}, "a");
        const auto* finding = finding_of(first, "kernel.numa_balancing");
        node.calm();
        if (finding != nullptr && finding->outcome == Outcome::failed) {
            break;
        }
        node.reset(leaving("a"));
        node.kernel.writes.clear();
    }
    const auto second = node.set({nothing_expected}, "b", {"kernel.numa_balancing=2"});
    INFO(printed(second));
    CHECK(second.report.exit_code == 0);
    CHECK(*node.kernel.read(numa) == "2\n");
    check_back(node);
}

TEST_CASE("holds: a value set to what was there first is rocenv's, not changed since",
          "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "", {"kernel.numa_balancing=0"});
    node.set({nothing_expected}, "", {"kernel.numa_balancing=1"});
    CHECK(node.status().exit_code == 1);
    CHECK(node.reset().report.exit_code == 0);
    check_back(node);
}

TEST_CASE("holds: a dry run tells what would be put back first, and what is set then",
          "[contract]") {
    Node node(start());
    REQUIRE(node.set({nothing_expected}, run, {"kernel.nmi_watchdog=0", "kernel.numa_balancing=0"})
                .report.exit_code == 0);
    node.store.dead = {run};
    const MemoryFs before(node.kernel.memory());
    const auto text = node.store.text;
    node.dry_run = true;
    const auto rehearsed = node.set({nothing_expected}, "", {"kernel.numa_balancing=0"});
    node.dry_run = false;
    INFO(printed(rehearsed));
    CHECK(rehearsed.report.exit_code == 0);
    CHECK(node.kernel.memory() == before);
    CHECK(node.store.text == text);
    CHECK(rehearsed.warnings.size() == 1);
    node.kernel.writes.clear();
    REQUIRE(node.set({nothing_expected}, "", {"kernel.numa_balancing=0"}).report.exit_code == 0);
    REQUIRE(rehearsed.writes.size() == node.kernel.writes.size());
    for (std::size_t at = 0; at < rehearsed.writes.size(); ++at) {
        CHECK(rehearsed.writes[at].write.path == node.kernel.writes[at].path);
        CHECK(rehearsed.writes[at].write.bytes == node.kernel.writes[at].bytes);
    }
    CHECK(*node.kernel.read(watchdog) == *start().read(watchdog));
    check_back(node);
}

}  // namespace holds_test
