// SPDX-License-Identifier: MIT
// Every read of set, reset and status fails in turn, as when its helper dies: a value that could
// not be read is never reported as gone, as unchanged, or as another writer's.
#include "contract/scene.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace reads_test {

namespace {

const std::vector<std::pair<std::string, std::string>> pairs = {{"mi300x-spx", "env-check"},
                                                                {"old-kfd", "host-benchmark"}};

bool blames_others(const SetResult& result) {
    for (const auto& finding : result.report.findings) {
        if (finding.detail.find("changed outside rocenv") != std::string::npos) {
            return true;
        }
    }
    return false;
}

void check_rollback(Node& node, const MemoryFs& start) {
    node.calm();
    const bool changed = !differences(start, node.kernel.memory()).empty();
    CHECK((!changed || node.status().exit_code != 0));
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK_FALSE(blames_others(reset));
    CHECK(node.differs_from(start).empty());
}

// `command` with each of its reads lost, on a node that `before` has made ready.
template <class Before, class Command>
void lose_each_read(const char* what, Before before, Command command) {
    for (const auto& [machine, profile] : pairs) {
        const MemoryFs& start = cut_machine(machine);
        for (std::size_t at = 0;; at += stride) {
            Node node(start);
            before(node, profile);
            const std::size_t earlier = node.kernel.reads;
            node.kernel.fail_read(earlier + at);
            INFO(what << " on " << machine << ", read " << at);
            command(node, profile);
            if (node.kernel.reads <= earlier + at) {
                break;
            }
            count_run(what);
            check_rollback(node, start);
        }
    }
}

void was_set(Node& node, const std::string& profile) {
    REQUIRE(node.set({profile}).report.exit_code < 4);
}

void nothing(const Node& /*node*/, const std::string& /*profile*/) {}

}  // namespace

TEST_CASE("contract: each read of set is lost", "[contract][long]") {
    lose_each_read("set with a lost read", nothing, [](Node& node, const std::string& profile) {
        const auto start = node.kernel.memory();
        const auto result = node.set({profile});
        INFO(printed(result));
        CHECK_FALSE(blames_others(result));
        CHECK((result.report.exit_code != 4 || node.differs_from(start).empty()));
        CHECK((node.kernel.memory() == start || node.store.text.has_value()));
    });
}

TEST_CASE("contract: each read of reset is lost", "[contract]") {
    lose_each_read("reset with a lost read", was_set, [](Node& node, const std::string&) {
        const auto start = node.kernel.memory();
        const auto result = node.reset();
        INFO(printed(result));
        CHECK_FALSE(blames_others(result));
        CHECK((node.kernel.memory() == start || result.report.exit_code != 3));
    });
}

TEST_CASE("contract: each read of status is lost", "[contract]") {
    lose_each_read("status with a lost read", was_set, [](Node& node, const std::string&) {
        const auto status = node.status();
        CHECK(status.exit_code != 0);
        CHECK(status.exit_code != 5);
    });
}

}  // namespace reads_test
