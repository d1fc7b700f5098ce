// SPDX-License-Identifier: MIT
// reset --only and --skip: a part goes back, the rest stays as it is set and recorded, and the last
// part leaves nothing.
#include <algorithm>
#include <cerrno>
#include <set>

#include "contract/scene.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace parts_test {

namespace {

const std::string numa = "/proc/sys/kernel/numa_balancing";
const std::string profile = "mi300x-benchmark";

const MemoryFs& start() {
    return cut_machine("mi300x-spx");
}

ResetRequest only(const std::vector<std::string>& patterns) {
    ResetRequest request;
    request.only = patterns;
    return request;
}

std::vector<std::string> set_ids(Node& node) {
    std::set<std::string> ids;
    for (const auto& item : node.status().items) {
        ids.insert(item.key.id);
    }
    return {ids.begin(), ids.end()};
}

// The kernel refuses it under governor performance.
const std::string preference = "cpu.energy_preference";

bool stuck_preference(const SetResult& reset) {
    return std::any_of(reset.report.findings.begin(), reset.report.findings.end(),
                       [](const Finding& finding) {
                           return finding.id == preference && finding.outcome == Outcome::failed;
                       });
}

// Returns the lines of status for every target but those of this id.
std::string others(Node& node, const std::string& id) {
    std::string out;
    for (const auto& item : node.status().items) {
        if (item.key.id != id && item.key.id != preference) {
            out += item.key.id + " " + item.key.target + " " + item.baseline + " " + item.set +
                   " " + item.present + " " + item.by + "\n";
        }
    }
    return out;
}

void check_back(Node& node, const ResetRequest& request = {}) {
    const auto reset = node.reset(request);
    INFO(printed(reset) << node.differs_from(start()));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start()).empty());
    count_run("reset after a part");
}

void take_apart(const MemoryFs& machine, Node& node, const std::vector<std::string>& ids) {
    std::set<std::string> left(ids.begin(), ids.end());
    auto order = ids;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::string id = order[at];
        const std::string before = others(node, id);
        const auto reset = node.reset(only({id}));
        INFO(id << "\n" << printed(reset));
        const bool stuck = id == preference && at < ids.size() && stuck_preference(reset);
        if (stuck) {
            order.push_back(preference);  // once the governor is back
        } else {
            left.erase(id);
        }
        CHECK(reset.report.exit_code == (stuck ? 5 : 0));
        CHECK(others(node, id) == before);
        CHECK(node.status().open.empty());
        CHECK(set_ids(node) == std::vector<std::string>(left.begin(), left.end()));
        count_run("reset of a part");
    }
    INFO(node.differs_from(machine));
    CHECK(node.differs_from(machine).empty());
}

}  // namespace

TEST_CASE("contract: setting by setting goes back, in either order", "[contract]") {
    for (const auto& name : machine_names()) {
        for (const auto& second : different_profiles_for(name)) {
            for (const bool backwards : {false, true}) {
                INFO(name << " " << second << " " << backwards);
                Node node(cut_machine(name));
                node.set({second});
                auto ids = set_ids(node);
                if (backwards) {
                    std::reverse(ids.begin(), ids.end());
                }
                take_apart(cut_machine(name), node, ids);
            }
        }
    }
}

TEST_CASE("contract: parts of two sets go back to what was there before both", "[contract]") {
    Node node(start());
    node.set({profile});
    node.set({"env-check"}, "", {"gpu.determinism=1700", "cpu.governor=powersave"});
    const auto ids = set_ids(node);
    CHECK(std::find(ids.begin(), ids.end(), "cpu.governor") != ids.end());
    const auto reset = node.reset(only({"cpu.governor", "gpu.determinism"}));
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    const std::string governor = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
    CHECK(*node.kernel.read(governor) == *start().read(governor));
    CHECK(*node.kernel.read(numa) != *start().read(numa));
    node.set({profile});  // all over again, on what stayed
    check_back(node);
}

TEST_CASE("contract: what is skipped stays", "[contract]") {
    Node node(start());
    node.set({profile});
    ResetRequest request;
    request.skip = {"kernel.*"};
    CHECK(node.reset(request).report.exit_code == 0);
    for (const auto& id : set_ids(node)) {
        CHECK(id.starts_with("kernel."));
    }
    CHECK(*node.kernel.read(numa) != *start().read(numa));
    check_back(node);
}

TEST_CASE("contract: a part that nobody set, a rehearsal, and names that are none", "[contract]") {
    Node node(start());
    node.set({profile});
    const auto text = node.store.text;
    const MemoryFs before = node.kernel.memory();
    const auto nothing = node.reset(only({"memory.*"}));
    CHECK(nothing.report.exit_code == 0);
    CHECK(nothing.report.notes.back() == "rocenv has set none of these");
    ResetRequest rehearsal = only({"cpu.*"});
    rehearsal.dry_run = true;
    const auto rehearsed = node.reset(rehearsal);
    CHECK(rehearsed.report.exit_code == 0);
    CHECK_FALSE(rehearsed.writes.empty());
    for (const auto& write : rehearsed.writes) {
        CHECK(write.key.id.starts_with("cpu."));
    }
    CHECK(node.reset(only({"cpu.governr"})).report.exit_code == 2);
    CHECK(node.store.text == text);
    CHECK(differences(before, node.kernel.memory()).empty());
    check_back(node);
}

TEST_CASE("contract: a stranger's value within a part, and beside it", "[contract]") {
    for (const char* part : {"kernel.*", "cpu.*"}) {
        INFO(part);
        Node node(start());
        node.set({profile});
        node.kernel.memory().add_file(numa, "2\n");
        const bool within = std::string_view(part) == "kernel.*";
        CHECK(node.reset(only({part})).report.exit_code == (within ? 5 : 0));
        CHECK(*node.kernel.read(numa) == "2\n");
        CHECK(node.reset(only({"gpu.*"})).report.exit_code == 0);
        CHECK(node.status().exit_code == 5);
        CHECK(node.reset().report.exit_code == 5);
        ResetRequest forced = only({"kernel.numa_balancing"});
        forced.force = true;
        check_back(node, forced);
    }
}

TEST_CASE("contract: set again over a stranger's value, then a part", "[contract]") {
    Node node(start());
    node.set({profile});
    node.kernel.memory().add_file(numa, "2\n");
    CHECK(node.reset(only({"kernel.numa_balancing"})).report.exit_code == 5);
    node.set({profile});
    CHECK(node.reset(only({"cpu.*"})).report.exit_code == 0);
    CHECK(node.reset().report.exit_code == 0);
    CHECK(differences(start(), node.kernel.memory()) == std::vector<std::string>{numa});
    CHECK(*node.kernel.read(numa) == "2\n");
}

TEST_CASE("contract: no part of what somebody holds, but what a dead run left goes first",
          "[contract]") {
    Node node(start());
    node.set({profile}, "job");
    const MemoryFs before = node.kernel.memory();
    ResetRequest part = only({"cpu.*"});
    part.force = true;
    CHECK(node.reset(part).report.exit_code == 1);
    CHECK(differences(before, node.kernel.memory()).empty());

    Node other(start());
    other.set({profile});
    other.set({nothing_expected}, "run/1-a", {"cpu.governor=powersave"});
    other.store.dead = {"run/1-a"};
    CHECK(other.reset(only({"gpu.*"})).report.exit_code == 0);
    CHECK(other.status().holders.empty());
    check_back(other);

    Node foreign(start());
    foreign.set({nothing_expected}, "", {"gpu.determinism=1700"});
    foreign.set({nothing_expected}, "run/1-a", {"kernel.numa_balancing=0"});
    foreign.store.dead = {"run/1-a"};
    foreign.kernel.memory().add_file(numa, "2\n");
    CHECK(foreign.reset(only({"gpu.*"})).report.exit_code == 5);
    CHECK(set_ids(foreign) == std::vector<std::string>{"kernel.numa_balancing"});
}

TEST_CASE("contract: what does not come back alone ends its part, and others are compared",
          "[contract]") {
    const auto& machine = cut_machine("mi300x-spx-epp");
    Node node(machine);
    node.set({profile});
    CHECK(node.reset(only({preference})).report.exit_code == 5);
    CHECK(node.status().exit_code == 1);
    node.kernel.memory().add_file(numa, "2\n");
    CHECK(node.reset(only({"kernel.numa_balancing"})).report.exit_code == 5);
    CHECK(node.set({nothing_expected}, "", {"pci.relaxed_ordering=off"}).report.exit_code != 5);
    CHECK(*node.kernel.read(numa) == "2\n");
    CHECK(node.reset(only({"cpu.*"})).report.exit_code == 0);
    CHECK(node.reset().report.exit_code == 5);
    CHECK(differences(machine, node.kernel.memory()) == std::vector<std::string>{numa});
}

TEST_CASE("contract: what a death left goes first, whole, and is told so", "[contract]") {
    Node node(start());
    node.set({profile});
    node.kernel.before = [first = node.kernel.writes.size()](std::size_t now) {
        if (now == first + 3) {
            throw Death{};
        }
    };
    CHECK_FALSE(node.survives([&] { node.reset(); }));
    node.calm();
    const auto reset = node.reset(only({"cpu.governor"}));
    CHECK(reset.report.exit_code == 0);
    CHECK(join(reset.report.notes, "; ") ==
          "what a killed set, reset or run had left was restored first; rocenv has set none of "
          "these");
    CHECK(node.differs_from(start()).empty());
}

TEST_CASE("contract: what a departed job's reset got stuck in goes back to the plain set's value",
          "[contract]") {
    Node node(start());
    node.set({nothing_expected}, "", {"kernel.numa_balancing=2", "gpu.determinism=1700"});
    node.set({nothing_expected}, "job", {"kernel.numa_balancing=0", "cpu.governor=performance"});
    for (std::size_t more = 0; more < 100; ++more) {
        node.kernel.fail(node.kernel.writes.size() + more, EIO);
    }
    ResetRequest leaving;
    leaving.hold = "job";
    CHECK(node.reset(leaving).report.exit_code == 5);
    node.calm();
    CHECK(node.reset(only({"gpu.determinism"})).report.exit_code == 0);
    CHECK(*node.kernel.read(numa) == "2\n");
    check_back(node);
}

TEST_CASE("contract: what is kept of a part is of that part", "[contract]") {
    Node node(start());
    node.set({profile});
    node.kernel.memory().add_file(numa, "2\n");
    ResetRequest request = only({"kernel.*"});
    request.keep = {"*"};
    CHECK(node.reset(request).report.exit_code == 0);
    CHECK(set_ids(node).size() > 1);
    CHECK(node.reset().report.exit_code == 0);
    CHECK(differences(start(), node.kernel.memory()) == std::vector<std::string>{numa});
}

TEST_CASE("contract: no part of a damaged journal", "[contract]") {
    Node node(start());
    node.set({profile});
    node.store.text->replace(node.store.text->size() / 2, 1, "#");
    const MemoryFs before = node.kernel.memory();
    CHECK(node.reset(only({"cpu.*"})).report.exit_code == 3);
    CHECK(differences(before, node.kernel.memory()).empty());
}

TEST_CASE("contract: parts on a full disk", "[contract]") {
    for (const bool spare : {true, false}) {
        INFO(spare);
        Node node(start());
        node.set({profile});
        node.store.has_room = false;
        node.store.spare = spare ? node.store.spare : 0;
        const auto reset = node.reset(only({"cpu.*"}));
        INFO(printed(reset));
        CHECK(reset.report.exit_code == (spare ? 0 : 3));
        CHECK(node.status().open.empty());
        CHECK(*node.kernel.read(numa) != *start().read(numa));
        node.store.has_room = true;
        check_back(node);
    }
}

}  // namespace parts_test
