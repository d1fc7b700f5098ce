// SPDX-License-Identifier: MIT
// reset --keep: what is accepted as it is, whose record of it goes, and whose stays.
#include "contract/scene.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace keeps_test {

namespace {

const std::string numa = "/proc/sys/kernel/numa_balancing";
const std::string zone = "/proc/sys/vm/zone_reclaim_mode";

const MemoryFs& start() {
    return cut_machine("mi300x-spx");
}

ResetRequest keeping(const std::string& pattern, const std::string& hold = "") {
    ResetRequest request;
    request.keep = {pattern};
    request.hold = hold;
    return request;
}

// Returns the values that status lists as recorded.
std::string recorded(Node& node) {
    std::string out;
    for (const auto& item : node.status().items) {
        out += (out.empty() ? "" : " ") + item.key.id;
    }
    return out;
}

std::string differing(const Node& node) {
    return join(differences(start(), node.kernel.memory()), " ");
}

}  // namespace

TEST_CASE("keeps: a reset that is refused keeps every record", "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "job", {"kernel.numa_balancing=0"});
    ResetRequest part = keeping("kernel.*");
    part.only = {"kernel.*"};
    CHECK(node.reset(part).report.exit_code == 1);
    CHECK(recorded(node) == "kernel.numa_balancing");
    CHECK(node.reset(keeping("kernel.*")).report.exit_code == 1);
    CHECK(recorded(node) == "kernel.numa_balancing");
    ResetRequest leaving;
    leaving.hold = "job";
    CHECK(node.reset(leaving).report.exit_code == 0);
    CHECK(node.differs_from(start()).empty());
}

TEST_CASE("keeps: of what a dead run has set, whatever else is held", "[contract]") {
    for (const bool leaves : {false, true}) {
        CAPTURE(leaves);
        Node node(start());
        node.set({nothing_expected}, "job", {"cpu.governor=performance"});
        node.set({nothing_expected}, "run/1-a", {"kernel.numa_balancing=0"});
        node.store.dead = {"run/1-a"};
        const auto reset = node.reset(keeping("kernel.*", leaves ? "job" : ""));
        INFO(printed(reset));
        CHECK(reset.report.exit_code == (leaves ? 0 : 1));
        CHECK(*node.kernel.read(numa) == "0\n");
        CHECK(recorded(node).find("kernel") == std::string::npos);
        ResetRequest leaving;
        leaving.hold = "job";
        CHECK(node.reset(leaving).report.exit_code == 0);
        CHECK(differing(node) == numa);
    }
}

TEST_CASE("keeps: what another job wants as well is not given up", "[contract]") {
    for (const std::string first : {"first", "run/1-a"}) {
        CAPTURE(first);
        Node node(start());
        node.set({nothing_expected}, first, {"kernel.numa_balancing=0"});
        node.set({nothing_expected}, "second", {"kernel.numa_balancing=0"});
        const auto reset = node.reset(keeping("kernel.*", first));
        INFO(printed(reset));
        CHECK(reset.report.exit_code == 0);
        CHECK(
            (join(reset.report.notes, "; ").find("is not kept, because other holders rely on it") !=
             std::string::npos) == first.starts_with("run/"));
        CHECK(*node.kernel.read(numa) == "0\n");
        ResetRequest leaving;
        leaving.hold = "second";
        CHECK(node.reset(leaving).report.exit_code == 0);
        CHECK(node.differs_from(start()).empty());
    }
}

TEST_CASE("keeps: of several sets all that was recorded", "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "", {"kernel.numa_balancing=2"});
    node.set({nothing_expected}, "", {"kernel.numa_balancing=0", "cpu.governor=performance"});
    CHECK(node.reset(keeping("kernel.*")).report.exit_code == 0);
    CHECK(differing(node) == numa);
    CHECK(*node.kernel.read(numa) == "0\n");
    CHECK_FALSE(node.store.text);
}

TEST_CASE("keeps: what a dead run has set beside a part", "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "", {"kernel.zone_reclaim_mode=1"});
    node.set({nothing_expected}, "run/1-a", {"kernel.numa_balancing=0"});
    node.store.dead = {"run/1-a"};
    ResetRequest part = keeping("kernel.numa*");
    part.only = {"kernel.zone*"};
    CHECK(node.reset(part).report.exit_code == 0);
    CHECK(differing(node) == numa);
    CHECK_FALSE(node.store.text);
}

TEST_CASE("keeps: a reset that is refused is not ok", "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "job", {"kernel.numa_balancing=0"});
    const auto refused = node.reset();
    CHECK(refused.report.exit_code == 1);
    CHECK(refused.report.result == "differs");
    ResetRequest part;
    part.only = {"kernel.*"};
    CHECK(node.reset(part).report.result == "differs");
}

TEST_CASE("keeps: beside a file that is gone strangers' values are told apart", "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "", {"kernel.numa_balancing=0", "kernel.zone_reclaim_mode=1"});
    node.kernel.memory().remove(zone);
    CHECK(node.reset().report.exit_code == 5);
    CHECK(*node.kernel.read(numa) == *start().read(numa));
    node.kernel.memory().add_file(zone, "4\n");  // another writer's
    CHECK(node.reset().report.exit_code == 5);
    CHECK(*node.kernel.read(zone) == "4\n");
    node.kernel.memory().add_file(zone, "1\n");
    ResetRequest forced;
    forced.force = true;
    CHECK(node.reset(forced).report.exit_code == 0);
    CHECK(node.differs_from(start()).empty());
}

}  // namespace keeps_test
