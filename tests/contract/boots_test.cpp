// SPDX-License-Identifier: MIT
// A journal and the boot it belongs to: what may be of another boot is kept, nothing is written,
// until it is given up.
#include "contract/scene.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace boots_test {

namespace {

const std::string boot_id = "/proc/sys/kernel/random/boot_id";
const std::string this_boot = "8a3c5f1e-7d2b-4c6a-9e0f-1b2c3d4e5f60\n";
const std::string other_boot = "00000000-1111-2222-3333-444444444444\n";
const std::string profile = "mi300x-benchmark";

const MemoryFs& start() {
    return cut_machine("mi300x-spx");
}

// The machine this program runs on, its journal on a disk.
struct RealNode : Node {
    RealNode() : Node(start()) {
        kernel.real = true;
        kernel.memory().add_file(boot_id, this_boot);
        store.in_memory = false;
    }
};

struct SetNode : RealNode {
    SetNode() {
        const auto done = set({profile});
        INFO(printed(done));
        CHECK(done.report.exit_code == 0);
        CHECK(store.text.has_value());
    }
};

ResetRequest forgetting() {
    ResetRequest request;
    request.forget = true;
    return request;
}

// Makes the boot id missing, empty, garbled, another one.
const std::vector<std::pair<std::string, std::function<void(Node&)>>>& disguises() {
    static const std::vector<std::pair<std::string, std::function<void(Node&)>>> all{
        {"missing", [](Node& node) { node.kernel.memory().remove(boot_id); }},
        {"empty", [](Node& node) { node.kernel.memory().add_file(boot_id, ""); }},
        {"garbled", [](Node& node) { node.kernel.memory().add_file(boot_id, "no id\n"); }},
        {"unread",
         [](Node& node) {
             node.kernel.unreadable = [](const std::string& path) { return path == boot_id; };
         }},
        {"another", [](Node& node) { node.kernel.memory().add_file(boot_id, other_boot); }}};
    return all;
}

// But for the boot id, which the tests change.
bool is_as_at_start(Node& node) {
    node.kernel.memory().add_file(boot_id, *start().read(boot_id));
    return differences(start(), node.kernel.memory()).empty();
}

}  // namespace

TEST_CASE("boots: a journal that may be of another boot is kept and nothing is written",
          "[contract]") {
    for (const auto& [how, disguise] : disguises()) {
        INFO("boot id " << how);
        SetNode node;
        const auto text = node.store.text;
        const auto writes = node.kernel.writes.size();
        disguise(node);
        for (const auto& result : {node.reset(), node.set({profile}), node.set({profile}, "job")}) {
            INFO(printed(result));
            CHECK(result.report.exit_code == 3);
            REQUIRE_FALSE(result.errors.empty());
        }
        CHECK(node.status().exit_code == 3);
        CHECK(node.kernel.writes.size() == writes);
        CHECK(node.store.text == text);

        node.kernel.unreadable = nullptr;
        node.kernel.memory().add_file(boot_id, this_boot);
        CHECK(node.reset().report.exit_code == 0);  // the journal lost no values
        CHECK(is_as_at_start(node));
        count_run("story of a boot");
    }
}

TEST_CASE("boots: --forget leads out, and prints what is given up", "[contract]") {
    for (const auto& [how, disguise] : disguises()) {
        INFO("boot id " << how);
        SetNode node;
        const auto text = node.store.text;
        const auto writes = node.kernel.writes.size();
        disguise(node);
        const auto forgotten = node.reset(forgetting());
        INFO(printed(forgotten));
        CHECK(forgotten.report.exit_code == 0);
        CHECK(node.kernel.writes.size() == writes);
        CHECK_FALSE(node.store.text.has_value());
        CHECK(node.store.aside == text);
        std::size_t governors = 0;
        for (const auto& finding : forgotten.report.findings) {
            governors +=
                finding.id == "cpu.governor" && finding.expected == "schedutil" ? finding.count : 0;
        }
        CHECK(governors == 4);
        CHECK(node.reset().report.exit_code == 0);
        count_run("story of a boot");
    }
}

TEST_CASE("boots: a journal in memory cannot be of another boot", "[contract]") {
    for (const auto& [how, disguise] : disguises()) {
        INFO("boot id " << how);
        SetNode node;
        node.store.in_memory = true;
        disguise(node);
        const auto reset = node.reset();
        INFO(printed(reset));
        CHECK(reset.report.exit_code == 0);
        CHECK_FALSE(node.store.text.has_value());
        CHECK(is_as_at_start(node));
        count_run("story of a boot");
    }
}

TEST_CASE("boots: without a boot id nothing is set on the real machine", "[contract]") {
    for (const bool in_memory : {true, false}) {
        for (std::size_t at = 0; at < 4; ++at) {  // "another" is one
            RealNode node;
            node.store.in_memory = in_memory;
            disguises()[at].second(node);
            const auto set = node.set({profile});
            INFO(disguises()[at].first << "\n" << printed(set));
            CHECK(set.report.exit_code == 3);
            CHECK(node.kernel.writes.empty());
            CHECK_FALSE(node.store.text.has_value());
        }
    }
}

TEST_CASE("boots: under a sysroot no boot id is asked", "[contract]") {
    for (const auto& [how, disguise] : disguises()) {
        INFO("boot id " << how);
        for (const bool before : {true, false}) {
            Node node(start());
            node.store.in_memory = false;
            if (before) {
                disguise(node);
            }
            CHECK(node.set({profile}).report.exit_code == 0);
            if (!before) {
                disguise(node);
            }
            CHECK(node.status().exit_code == 1);
            CHECK(node.reset().report.exit_code == 0);
            CHECK(is_as_at_start(node));
        }
    }
}

}  // namespace boots_test
