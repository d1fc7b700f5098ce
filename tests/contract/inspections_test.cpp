// SPDX-License-Identifier: MIT
// A reader during sets and resets gets the true state, or a message that they are at work.
#include "contract/scene.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace inspections_test {

namespace {

const std::string profile = "mi300x-benchmark";

std::size_t reads_of_status(Node& node) {
    std::size_t reads = 0;
    node.kernel.unreadable = [&](const std::string&) {
        ++reads;
        return false;
    };
    (void)node.status();
    node.calm();
    return reads;
}

// At read `first` the node is reset, at read `last` set again: then the journal is the same as
// before.
Status status_with_change(Node& node, std::size_t first, std::size_t last) {
    std::size_t reads = 0;
    bool inside = false;
    node.kernel.unreadable = [&](const std::string&) {
        if (inside) {
            return false;
        }
        inside = true;
        if (reads == first) {
            (void)node.reset();
        } else if (reads == last) {
            (void)node.set({profile});
        }
        ++reads;
        inside = false;
        return false;
    };
    Status status = node.status();
    node.calm();
    return status;
}

}  // namespace

TEST_CASE("looks: a reset and a set during a look are nobody else's doing", "[contract]") {
    Node node(cut_machine("mi300x-spx"));
    REQUIRE(node.set({profile}).report.exit_code == 0);
    const auto journal = node.store.text;
    const std::size_t reads = reads_of_status(node);
    REQUIRE(reads > 20);
    const std::size_t meanwhile = reads / 4;
    for (std::size_t at = 0; at + meanwhile < reads; at += 5 * stride) {
        const Status status = status_with_change(node, at, at + meanwhile);
        INFO("at read " << at << " of " << reads);
        REQUIRE(node.store.text == journal);
        CHECK(status.exit_code == 1);
        CHECK(status.open.empty());
        for (const auto& item : status.items) {
            CHECK(item.by != "baseline");
        }
    }
}

}  // namespace inspections_test
