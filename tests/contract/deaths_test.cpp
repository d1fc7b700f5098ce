// SPDX-License-Identifier: MIT
// Death around every write and every journal record, of a set and of a reset; then a reset.
#include "contract/scene.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace deaths_test {

namespace {

const std::vector<std::pair<std::string, std::string>> pairs{
    {"mi300x-spx", "mi300x-benchmark"}, {"mi300x-tuned", "mi300x-benchmark"},
    {"mi300a", "mi300a-benchmark"},     {"mi210", "mi200-benchmark"},
    {"mi350x", "mi350x-benchmark"},     {"old-kfd", "host-benchmark"},
    {"vfio", "rccl-multinode"},         {"mi300x-spx-epp", "mi300x-benchmark"},
    {"mi300x-spx", "env-check"}};

struct Length {
    std::size_t writes;
    std::size_t appends;
};

void kill_at_write(Node& node, std::size_t number, bool before) {
    auto& hook = before ? node.kernel.before : node.kernel.after;
    hook = [number](std::size_t now) {
        if (now == number) {
            throw Death{};
        }
    };
}

void check_back(Node& node, const MemoryFs& start) {
    node.calm();
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    INFO(node.differs_from(start));
    CHECK(node.differs_from(start).empty());
}

// The command dies at each of its writes and records in turn; `prepare` comes before it.
template <class Prepare, class Command>
void die_everywhere(
    const MemoryFs& start, const char* what, Prepare prepare, Command command,
    const std::function<void(Node&)>& between = [](Node&) {}) {
    Node whole(start);
    prepare(whole);
    const std::size_t first_write = whole.kernel.writes.size();
    const std::size_t first_append = whole.store.appends;
    command(whole);
    const auto try_death = [&](const auto& arm) {
        Node node(start);
        prepare(node);
        arm(node);
        node.survives([&] { command(node); });
        node.calm();
        between(node);
        check_back(node, start);
        count_run(what);
    };
    for (auto at = first_write; at < whole.kernel.writes.size(); at += stride) {
        INFO("write " << at);
        try_death([&](Node& node) { kill_at_write(node, at, true); });
        try_death([&](Node& node) { kill_at_write(node, at, false); });
    }
    for (auto at = first_append; at < whole.store.appends; ++at) {
        for (const int how : {0, 1, 2}) {
            INFO("record " << at << " " << how);
            try_death([&](Node& node) {
                node.store.dies_at = at;
                node.store.how = how;
            });
        }
    }
}

}  // namespace

TEST_CASE("contract: death everywhere in set", "[contract]") {
    for (const auto& [machine, profile] : pairs) {
        INFO(machine << " " << profile);
        die_everywhere(
            cut_machine(machine), "death in set", [](Node&) {},
            [name = profile](Node& node) { node.set({name}); });
    }
}

TEST_CASE("contract: death everywhere in reset", "[contract]") {
    for (const auto& [machine, profile] : pairs) {
        INFO(machine << " " << profile);
        die_everywhere(
            cut_machine(machine), "death in reset",
            [name = profile](Node& node) { node.set({name}); }, [](Node& node) { node.reset(); });
    }
}

// Whenever it dies, the next one of the same kind ends it, and the rest is still set.
TEST_CASE("contract: death everywhere in a reset of a part", "[contract]") {
    ResetRequest part;
    part.only = {"cpu.*"};
    for (const auto& [machine, profile] : pairs) {
        INFO(machine << " " << profile);
        const auto set = [name = profile](Node& node) { node.set({name}); };
        const auto command = [&](Node& node) { node.reset(part); };
        Node undisturbed(cut_machine(machine));
        set(undisturbed);
        command(undisturbed);
        die_everywhere(
            cut_machine(machine), "death in a reset of a part", set, command, [&](Node& node) {
                const auto again = node.reset(part);
                INFO(printed(again));
                CHECK(again.report.exit_code == 0);
                CHECK(differences(undisturbed.kernel.memory(), node.kernel.memory()).empty());
            });
    }
}

TEST_CASE("contract: death in the second set, and a set after a death", "[contract]") {
    const auto& start = cut_machine("mi300x-spx");
    const auto other = [](Node& node) {
        node.set({"env-check"}, "", {"gpu.determinism=1700", "cpu.governor=powersave"});
    };
    die_everywhere(
        start, "death in the second set", [](Node& node) { node.set({"mi300x-benchmark"}); },
        other);
    die_everywhere(
        start, "death in set, then a set", [](Node&) {},
        [](Node& node) { node.set({"mi300x-benchmark"}); }, other);
    die_everywhere(
        start, "death in reset, then a set", [](Node& node) { node.set({"mi300x-benchmark"}); },
        [](Node& node) { node.reset(); }, other);
}

TEST_CASE("contract: the journal cut at every byte", "[contract][long]") {
    const auto& start = cut_machine("old-kfd");
    Node whole(start);
    whole.set({"host-benchmark"});
    // As a death leaves it: once it is shortened the file is written at once, and a cut is damage.
    for (const std::string& text : {whole.store.unshortened}) {
        const auto writing = text.rfind('\n', text.find("\twriting\t")) + 1;
        for (std::size_t size = 0; size < text.size(); size += stride) {
            Node node(whole.kernel.memory());
            node.store.text = text.substr(0, size);
            const auto reset = node.reset();
            INFO(size << " of " << text.size() << "\n" << printed(reset));
            const bool back = differences(start, node.kernel.memory()).empty();
            // Cut within the baseline what was recorded is back, and the rest is said to be
            // unknown.
            CHECK((back || size < writing));
            CHECK((back ? reset.report.exit_code == 0 || size < writing
                        : reset.report.exit_code == 5 || reset.writes.empty()));
            count_run("journal cut at a byte");
        }
    }
}

TEST_CASE("contract: the journal cut at every record", "[contract]") {
    for (const auto& [machine, profile] : pairs) {
        const auto& start = cut_machine(machine);
        Node whole(start);
        whole.set({profile});
        // Once it is shortened the file is written at once, and not to be cut (damage_test).
        for (const std::string& text : {whole.store.unshortened}) {
            auto at = text.find('\n', text.find("\twriting\t"));
            for (; at < text.size(); at = text.find('\n', at + 1)) {
                Node node(whole.kernel.memory());
                node.store.text = text.substr(0, at + 1);
                INFO(machine << " " << profile << " at " << at);
                check_back(node, start);
                count_run("journal cut at a record");
            }
        }
    }
}

}  // namespace deaths_test
