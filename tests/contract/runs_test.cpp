// SPDX-License-Identifier: MIT
// Holds of `run --tune`: each puts back what it set, and no more; what a dead one left goes back
// first.
#include <algorithm>

#include "contract/scene.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace runs_test {

namespace {

const std::string governor = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const std::string numa = "/proc/sys/kernel/numa_balancing";
const std::string thp = "/sys/kernel/mm/transparent_hugepage/enabled";
const std::string boost = "/sys/devices/system/cpu/cpufreq/boost";
const std::string profile = "mi300x-benchmark";
const std::string one = "run/101-aaaa0001";
const std::string two = "run/102-aaaa0002";

const MemoryFs& start() {
    return cut_machine("mi300x-spx");
}

ResetRequest leaving(const std::string& name) {
    ResetRequest request;
    request.hold = name;
    return request;
}

std::string outcome_of(const SetResult& result, const std::string& id) {
    for (const auto& finding : result.report.findings) {
        if (finding.id == id && finding.outcome != Outcome::ok) {
            return std::string(word_of(finding.outcome));
        }
    }
    return "ok";
}

void begins(Node& node, const std::string& name, const std::vector<std::string>& overrides = {},
            const std::string& of = profile) {
    const auto set = node.set({of}, name, overrides);
    INFO(printed(set));
    CHECK(set.report.exit_code == 0);
}

void ends(Node& node, const std::string& name, int code = 0) {
    const auto reset = node.reset(leaving(name));
    INFO(printed(reset));
    CHECK(reset.report.exit_code == code);
    count_run("end of a run");
}

void check_as(const Node& node, const MemoryFs& expected) {
    const auto others = differences(expected, node.kernel.memory());
    INFO(join(others, ", "));
    CHECK(others.empty());
}

void check_back(const Node& node) {
    INFO(node.differs_from(start()));
    CHECK(node.differs_from(start()).empty());
}

// Runs the command until it dies after each of its writes and records in turn.
template <class Prepare, class Command, class Check>
void with_every_death(Prepare prepare, Command command, Check check) {
    Node whole(start());
    prepare(whole);
    const auto first_write = whole.kernel.writes.size();
    const auto first_append = whole.store.appends;
    command(whole);
    const auto visit = [&](auto set_death) {
        Node node(start());
        prepare(node);
        set_death(node);
        CHECK_FALSE(node.survives([&] { command(node); }));
        node.calm();
        check(node);
        count_run("death of a run");
    };
    for (auto at = first_write; at < whole.kernel.writes.size(); at += stride) {
        INFO("after write " << at);
        visit([&](Node& node) {
            node.kernel.after = [at](std::size_t now) {
                if (now == at) {
                    throw Death{};
                }
            };
        });
    }
    for (auto at = first_append; at < whole.store.appends; ++at) {
        for (const int how : {0, 1, 2, 3}) {
            INFO("at record " << at << " way " << how);
            visit([&](Node& node) {
                node.store.dies_at = at;
                node.store.how = how;
            });
        }
    }
}

}  // namespace

TEST_CASE("runs: what it set goes back with it", "[contract]") {
    Node node(start());
    begins(node, one);
    CHECK_FALSE(differences(start(), node.kernel.memory()).empty());
    CHECK(node.status().holders == std::vector{one});
    CHECK(node.reset().report.exit_code == 1);  // it lives
    ends(node, one);
    check_back(node);
}

TEST_CASE("runs: a plain set below stays as it is", "[contract]") {
    Node node(start());
    node.set({"host"}, "", {"cpu.governor=powersave", "kernel.numa_balancing=0"});
    const MemoryFs plain(node.kernel.memory());
    begins(node, one);
    CHECK(*node.kernel.read(governor) == "performance\n");
    ends(node, one);
    check_as(node, plain);
    CHECK(node.reset().report.exit_code == 0);
    check_back(node);
}

TEST_CASE("runs: two of the same profile, values go back with the last", "[contract]") {
    for (const auto& [first, second] : {std::pair(one, two), std::pair(two, one)}) {
        Node node(start());
        begins(node, one);
        const MemoryFs tuned(node.kernel.memory());
        begins(node, two);
        ends(node, first);
        check_as(node, tuned);
        ends(node, second);
        check_back(node);
    }
}

TEST_CASE("runs: each takes back its own, in any order", "[contract]") {
    for (const bool swapped : {false, true}) {
        Node node(start());
        begins(node, one, {}, "host");  // numa_balancing and governor
        const MemoryFs before(node.kernel.memory());
        begins(node, two);
        ends(node, swapped ? one : two);
        CHECK(*node.kernel.read(numa) == "0\n");  // both want it
        if (!swapped) {
            check_as(node, before);
        }
        ends(node, swapped ? two : one);
        check_back(node);
    }
}

TEST_CASE("runs: another value of a held item is unsafe", "[contract]") {
    Node node(start());
    begins(node, one);
    const auto other = node.set({profile}, two, {"cpu.governor=powersave"});
    CHECK(outcome_of(other, "cpu.governor") == "unsafe");
    CHECK(*node.kernel.read(governor) == "performance\n");
    const auto job = node.set({profile}, "job", {"gpu.determinism=1500"});
    CHECK(outcome_of(job, "gpu.determinism") == "unsafe");
    // A refused value has no hold: it is restored although another run expected a different one.
    ends(node, one);
    CHECK(*node.kernel.read(governor) == "performance\n");  // the job's
    ends(node, "job");
    CHECK(*node.kernel.read(governor) == *start().read(governor));
    ends(node, two);
    check_back(node);
}

TEST_CASE("runs: beside jobs, whoever leaves first", "[contract]") {
    const std::vector<std::string> names{one, "job-a", two, "job-b"};
    std::vector<std::size_t> order{0, 1, 2, 3};
    do {
        Node node(start());
        begins(node, one, {}, "host");
        begins(node, "job-a");
        begins(node, two);
        begins(node, "job-b", {}, "host");
        INFO(names[order[0]] << " " << names[order[1]] << " " << names[order[2]]);
        for (const auto at : order) {
            CHECK(*node.kernel.read(numa) == "0\n");
            ends(node, names[at]);
        }
        check_back(node);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("runs: a job that remains keeps what it wants, and no more goes than was set for the run",
          "[contract]") {
    Node node(start());
    begins(node, "job", {}, "host");
    const MemoryFs job(node.kernel.memory());
    begins(node, one);
    ends(node, one);
    check_as(node, job);
    ends(node, "job");
    check_back(node);
}

TEST_CASE("runs: side effects stay as long as what brought them", "[contract]") {
    Node node(start());
    begins(node, one, {}, "host");
    REQUIRE(*node.kernel.read(boost) == "1\n");  // the governor turned it on
    begins(node, two, {}, "host");
    ends(node, one);
    CHECK(*node.kernel.read(boost) == "1\n");
    ends(node, two);
    check_back(node);
}

TEST_CASE("runs: a dead one is named, and the next command puts back what it set", "[contract]") {
    for (const std::string next : {"set", "reset", "run", "leave"}) {
        INFO(next);
        Node node(start());
        node.set({"host"}, "", {"cpu.governor=powersave"});
        const MemoryFs plain(node.kernel.memory());
        begins(node, "job", {"cpu.governor=powersave"}, "host");
        begins(node, one, {"cpu.governor=powersave"});
        node.store.dead = {one};
        const auto status = node.status();
        CHECK(status.dead == std::vector{one});
        CHECK(join(status.notes, " ").find(one + " was killed") != std::string::npos);
        if (next == "set" || next == "run") {
            const auto set =
                node.set({"host"}, next == "run" ? two : "", {"cpu.governor=powersave"});
            INFO(printed(set));
            CHECK(join(set.warnings, " ").find(one + " was killed") != std::string::npos);
        } else {
            const auto reset = node.reset(next == "leave" ? leaving("job") : ResetRequest());
            INFO(printed(reset));
            CHECK(reset.report.exit_code == (next == "leave" ? 0 : 1));  // held by the job
        }
        CHECK(node.status().dead.empty());
        check_as(node, plain);
        for (const auto& name : node.status().holders) {
            ends(node, name);
        }
        CHECK(node.reset().report.exit_code == 0);
        check_back(node);
    }
}

TEST_CASE("runs: a reset of a node where only the dead hold something is not refused",
          "[contract]") {
    Node node(start());
    begins(node, one);
    begins(node, two);
    node.store.dead = {one, two};
    CHECK(node.reset().report.exit_code == 0);
    check_back(node);
}

TEST_CASE("runs: a dry run buries nobody", "[contract]") {
    Node node(start());
    begins(node, one);
    node.store.dead = {one};
    const auto journal = node.store.text;
    const auto writes = node.kernel.writes.size();
    SetRequest request;
    request.check.profiles = {profile};
    request.dry_run = true;
    const auto set =
        rocenv::set(request, node.kernel, MemoryFs(), Process(), node.store, node.caller);
    CHECK(outcome_of(set, "cpu.governor") != "unsafe");
    ResetRequest dry;
    dry.dry_run = true;
    node.reset(dry);
    CHECK(node.store.text == journal);
    CHECK(node.kernel.writes.size() == writes);
    CHECK(node.reset().report.exit_code == 0);
    check_back(node);
}

TEST_CASE("runs: death while it is set leaves nothing behind, beside a job", "[contract]") {
    const auto prepare = [](Node& node) { begins(node, "job", {}, "host"); };
    Node model(start());
    prepare(model);
    const MemoryFs& job = model.kernel.memory();
    with_every_death(
        prepare, [](Node& node) { node.set({profile}, one); },
        [&](Node& node) {
            node.store.dead = {one};
            const auto set = node.set({"host"}, two);
            INFO(printed(set));
            CHECK(set.report.exit_code == 0);
            check_as(node, job);
            ends(node, two);
            check_as(node, job);
            ends(node, "job");
            check_back(node);
        });
}

TEST_CASE("runs: death while it is put back takes nothing from a job or a plain set",
          "[contract]") {
    const auto prepare_others = [](Node& node) {
        node.set({"host"}, "", {"kernel.thp=never", "cpu.governor=powersave"});
        REQUIRE(node.kernel.read(thp)->find("[never]") != std::string::npos);
        begins(node, "job", {"cpu.governor=powersave"}, "host");
    };
    Node model(start());
    prepare_others(model);
    const MemoryFs& others = model.kernel.memory();
    const auto prepare = [&](Node& node) {
        prepare_others(node);
        begins(node, one, {"cpu.governor=powersave"});
    };
    for (const bool with_set : {true, false}) {
        with_every_death(
            prepare, [](Node& node) { node.reset(leaving(one)); },
            [&](Node& node) {
                node.store.dead = {one};
                const auto next =
                    with_set ? node.set({"host"}, two, {"cpu.governor=powersave"}) : node.reset();
                INFO(printed(next));
                CHECK(next.report.exit_code == (with_set ? 0 : 1));
                check_as(node, others);
                for (const auto& name : node.status().holders) {
                    ends(node, name);
                }
                CHECK(node.reset().report.exit_code == 0);
                check_back(node);
            });
    }
}

TEST_CASE("runs: a stranger's value is left alone and named, and is what the next run finds",
          "[contract]") {
    Node node(start());
    begins(node, one);
    node.kernel.memory().add_file(numa, "2\n");
    MemoryFs strange(start());
    strange.add_file(numa, "2\n");
    ends(node, one, 5);
    check_as(node, strange);
    begins(node, two);
    CHECK(*node.kernel.read(numa) == "0\n");
    ends(node, two);
    check_as(node, strange);
    // A run of another owner does not affect it.
    Node other(start());
    begins(other, one);
    other.kernel.memory().add_file(numa, "2\n");
    ends(other, one, 5);
    other.set({"host"}, two, {"kernel.numa_balancing=2"});
    ends(other, two);
    check_as(other, strange);
    CHECK(other.reset().report.exit_code == 5);
    ResetRequest force;
    force.force = true;
    CHECK(other.reset(force).report.exit_code == 0);
    check_back(other);
}

TEST_CASE("runs: a set on top keeps its side of the story", "[contract]") {
    // The plain set's governor turns boost on once more over the run's value.
    Node node(start());
    begins(node, one, {"kernel.numa_balancing=0"}, "host");
    node.set({"mi300x"}, "", {"kernel.nmi_watchdog=0"});
    ends(node, one);
    CHECK(node.reset().report.exit_code == 0);
    check_back(node);
}

}  // namespace runs_test
