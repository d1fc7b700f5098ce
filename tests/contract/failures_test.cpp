// SPDX-License-Identifier: MIT
// Every write of every set made to fail, not to stick or never to return; then a reset.
#include <array>
#include <cerrno>
#include <functional>
#include <set>
#include <vector>

#include "contract/scene.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace failures_test {

namespace {

// Every machine with every profile that fits it.
template <class Body>
void for_each_pair(
    Body body, std::vector<std::string> (*profiles)(const std::string&) = different_profiles_for) {
    for (const auto& machine : machine_names()) {
        for (const auto& profile : profiles(machine)) {
            INFO(machine << " " << profile);
            body(cut_machine(machine), profile);
        }
    }
}

std::size_t writes_of_set(const MemoryFs& start, const std::string& profile) {
    Node node(start);
    node.set({profile});
    return node.kernel.writes.size();
}

// Checks the result of a reset after any result of a set.
void check_rollback(Node& node, const MemoryFs& start) {
    node.calm();
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start).empty());
    INFO(node.differs_from(start));
}

// Checks that a recommended target that failed has its old value, while the others keep the new
// one.
void check_put_back_alone(const Node& node, const MemoryFs& start, const SetResult& set) {
    std::set<Key> failed;
    for (const auto& finding : set.report.findings) {
        if (finding.outcome == Outcome::failed) {
            failed.insert({finding.id, finding.target});
        }
    }
    for (const auto& [key, write] : set.writes) {
        if (failed.contains(key)) {
            INFO(write.path);
            CHECK(*node.kernel.read(write.path) == *start.read(write.path));
        }
    }
}

// A set with a fault promises: 4, and everything is as before; 5, and what is not is named; else
// the journal knows the way back.
void check_fault(const MemoryFs& start, const std::string& profile,
                 const std::function<void(Node&)>& spoil) {
    Node node(start);
    spoil(node);
    const auto set = node.set({profile});
    INFO(printed(set));
    const int code = set.report.exit_code;
    const bool untouched = differences(start, node.kernel.memory()).empty();
    if (code == 4) {
        INFO(node.differs_from(start));
        CHECK(node.differs_from(start).empty());
    } else if (!untouched) {
        CHECK(node.store.text.has_value());
    }
    if (code < 4) {
        check_put_back_alone(node, start, set);
    }
    CHECK((code != 5 || !set.errors.empty() || set.report.summary.contains("failed")));
    check_rollback(node, start);
}

}  // namespace

TEST_CASE("contract: set and reset, each machine and profile", "[contract][long]") {
    for_each_pair(
        [](const MemoryFs& start, const std::string& profile) {
            Node node(start);
            const auto set = node.set({profile});
            INFO(printed(set));
            CHECK(set.report.exit_code < 4);
            const bool changed = !differences(start, node.kernel.memory()).empty();
            CHECK(node.store.text.has_value() == changed);
            for (const char* renumbered : {"hwmon", "/card", "renderD"}) {  // after a driver reload
                CHECK(node.store.text.value_or("").find(renumbered) == std::string::npos);
            }
            CHECK(node.status().exit_code == (changed ? 1 : 0));
            const auto writes = node.kernel.writes.size();
            CHECK(node.set({profile}).report.exit_code == set.report.exit_code);
            CHECK(node.kernel.writes.size() ==
                  writes);  // no target with the expected value is written
            check_rollback(node, start);
            CHECK(node.status().exit_code == 0);
            count_run("set and reset");
        },
        profiles_for);
}

TEST_CASE("contract: a dry run writes nothing", "[contract][long]") {
    for_each_pair(
        [](const MemoryFs& start, const std::string& profile) {
            Node node(start);
            SetRequest request;
            request.check.profiles = {profile};
            request.check.skip = reported_for_short_boards;
            request.dry_run = true;
            const auto dry =
                rocenv::set(request, node.kernel, MemoryFs(), Process(), node.store, {});
            CHECK(node.kernel.writes.empty());
            CHECK(node.store.appends == 0);
            CHECK(node.differs_from(start).empty());
            Node real(start);
            const auto set = real.set({profile});
            CHECK(dry.report.exit_code == set.report.exit_code);
            REQUIRE(dry.writes.size() == real.kernel.writes.size());
            for (std::size_t at = 0; at < dry.writes.size(); ++at) {
                const auto& write = dry.writes[at].write;
                CHECK((real.kernel.writes[at] == WriteCall{write.path, write.offset, write.bytes}));
            }
            count_run("dry run");
        },
        profiles_for);
}

namespace {

constexpr std::array write_errors{EINVAL, EIO, EBUSY, EPERM, ENOSPC};

}  // namespace

TEST_CASE("contract: every write fails in turn", "[contract][long]") {
    for_each_pair([](const MemoryFs& start, const std::string& profile) {
        const auto writes = writes_of_set(start, profile);
        for (std::size_t at = 0; at < writes; at += stride) {
            for (const int err : write_errors) {
                INFO("write " << at << " errno " << err);
                check_fault(start, profile, [&](Node& node) { node.kernel.fail(at, err); });
            }
            INFO("write " << at << " took effect and failed");
            check_fault(start, profile, [&](Node& node) { node.kernel.half_do(at, EIO); });
            count_run("failing write", write_errors.size() + 1);
        }
    });
}

TEST_CASE("contract: every write in turn does not stick, or never returns", "[contract][long]") {
    for_each_pair([](const MemoryFs& start, const std::string& profile) {
        const auto writes = writes_of_set(start, profile);
        for (std::size_t at = 0; at < writes; at += stride) {
            INFO("write " << at);
            check_fault(start, profile, [&](Node& node) { node.kernel.ignore(at); });
            check_fault(start, profile, [&](Node& node) { node.kernel.hang(at); });
            count_run("write that does not stick or return", 2);
        }
    });
}

TEST_CASE("contract: the journal cannot be written", "[contract][long]") {
    for_each_pair([](const MemoryFs& start, const std::string& profile) {
        for (const std::size_t at : {0U, 1U}) {
            Node node(start);
            node.store.fails_at = at;
            const auto set = node.set({profile});
            INFO(printed(set));
            const bool needed = writes_of_set(start, profile) > 0;
            CHECK((set.report.exit_code == 4) == needed);
            CHECK(differences(start, node.kernel.memory()).empty());
            check_rollback(node, start);
            count_run("full disk");
        }
    });
}

TEST_CASE("contract: interrupted before each write", "[contract][long]") {
    for_each_pair([](const MemoryFs& start, const std::string& profile) {
        const auto writes = writes_of_set(start, profile);
        for (std::size_t at = 0; at <= writes; at += stride) {
            Node node(start);
            node.caller.interrupted = [&] { return node.kernel.writes.size() >= at; };
            const auto set = node.set({profile});
            INFO(printed(set));
            CHECK(set.report.exit_code == 4);
            CHECK(node.differs_from(start).empty());
            check_rollback(node, start);
            count_run("interruption");
        }
    });
}

namespace {

// A set to which a signal comes when `comes` is first true at a read or a question about signals.
struct Signalled {
    explicit Signalled(const MemoryFs& start) : node(start) {}
    SetResult set(const std::string& profile, const std::function<bool()>& comes) {
        const auto interrupts = [this, comes] {
            came = came || comes();
            return came;
        };
        node.kernel.unreadable = [interrupts](const std::string&) { return interrupts() && false; };
        node.caller.interrupted = interrupts;
        return node.set({profile});
    }
    Node node;
    bool came = false;
};

}  // namespace

TEST_CASE("contract: a set is final with its end record, for signals, too", "[contract]") {
    const std::string machine = machine_names().front();
    const MemoryFs& start = cut_machine(machine);
    const std::string profile = different_profiles_for(machine).front();
    INFO(machine << " " << profile);
    Node whole(start);
    std::size_t first = 0;  // read after the last write
    whole.kernel.after = [&](std::size_t) { first = whole.kernel.reads; };
    const auto set = whole.set({profile});
    const std::size_t reads = whole.kernel.reads;
    REQUIRE(!whole.kernel.writes.empty());
    REQUIRE(first < reads);
    constexpr std::size_t samples = 60;
    std::set<int> codes;
    for (std::size_t at = first; at < reads; at += 1 + (reads - first) / samples) {
        INFO("a signal at read " << at << " of " << reads);
        Signalled one(start);
        bool is_final = false;
        const auto result = one.set(profile, [&] {
            is_final = one.node.store.appends > 1;  // the baseline is the first
            return one.node.kernel.reads > at;
        });
        INFO(printed(result));
        const bool stays = !one.came || is_final;
        CHECK(result.report.exit_code == (stays ? set.report.exit_code : 4));
        const auto& expected = stays ? whole.kernel.memory() : start;
        CHECK(differences(expected, one.node.kernel.memory()).empty());
        CHECK(one.node.store.text.has_value() == stays);
        codes.insert(result.report.exit_code);
        check_rollback(one.node, start);
        count_run("signal after the last write");
    }
    CHECK(codes.contains(4));

    Signalled late(start);
    const auto done = late.set(profile, [&] { return late.node.store.appends > 1; });
    INFO(printed(done));
    CHECK(done.report.exit_code == set.report.exit_code);
    CHECK(differences(whole.kernel.memory(), late.node.kernel.memory()).empty());
    CHECK(late.node.status().exit_code == 1);
    check_rollback(late.node, start);
}

}  // namespace failures_test
