// SPDX-License-Identifier: MIT
// The edges of a set and a reset: a full disk, a helper that dies, rehearsals, planted records,
// other devices, growth.
#include <algorithm>
#include <cerrno>
#include <iostream>

#include "contract/scene.h"
#include "support/catch.h"
#include "transaction/journal/journal_grammar.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace edges_test {

namespace {

const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0/";
const std::string governor = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const std::string profile = "mi300x-benchmark";
const std::string run = "run/101-aaaa0001";

const MemoryFs& start() {
    return cut_machine("mi300x-spx");
}

ResetRequest leaving(const std::string& name) {
    ResetRequest request;
    request.hold = name;
    return request;
}

void check_back(Node& node, const ResetRequest& request = {}) {
    const auto reset = node.reset(request);
    INFO(printed(reset) << node.differs_from(start()));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start()).empty());
    count_run("edge");
}

bool names(const SetResult& result, const Key& key) {
    return std::any_of(result.report.findings.begin(), result.report.findings.end(),
                       [&](const Finding& finding) {
                           return finding.id == key.id && finding.target == key.target &&
                                  finding.outcome == Outcome::failed;
                       });
}

// The journal with one entry replaced, its lines as this program writes them.
std::string planted(const std::string& text, const Key& key, const Recorded& entry) {
    JournalText out;
    Records records;
    for (const auto line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
        const auto read = parse_line(line, second_format);
        if (read && read->record.size() > 2 && read->record[0] == "entry" &&
            read->record[1] == key.id && read->record[2] == key.target) {
            records.push_back(entry_record(key, entry, second_format));
        } else if (read && read->record[0] != "boot") {
            records.push_back(read->record);
        }
    }
    return out.add(records, "", second_format);
}

}  // namespace

TEST_CASE("edges: a full disk stops no reset", "[contract]") {
    for (const bool spare : {true, false}) {
        for (const bool force : {true, false}) {
            Node node(start());
            REQUIRE(node.set({profile}).report.exit_code == 0);
            CHECK(node.store.spare > 0);
            node.store.has_room = false;
            node.store.spare = spare ? node.store.spare : 0;
            ResetRequest request;
            request.force = force;
            check_back(node, request);
        }
    }
}

TEST_CASE("edges: a full disk, and others hold", "[contract]") {
    Node node(start());
    REQUIRE(node.set({"host"}, "", {"cpu.governor=powersave"}).report.exit_code == 0);
    const MemoryFs plain(node.kernel.memory());
    REQUIRE(node.set({profile}, run).report.exit_code == 0);
    node.store.has_room = false;
    const auto left = node.reset(leaving(run));
    INFO(printed(left));
    CHECK(left.report.exit_code == 0);
    CHECK(differences(plain, node.kernel.memory()).empty());
    check_back(node);
}

TEST_CASE("edges: a set that restores remains first takes no spare room for its own writes",
          "[contract]") {
    const auto killed = [](Node& node) {
        node.kernel.after = [](std::size_t at) {
            if (at == 2) {
                throw Death{};
            }
        };
        CHECK_FALSE(node.survives([&] { node.set({profile}); }));
        node.calm();
    };
    Node whole(start());
    REQUIRE(whole.set({profile}).report.exit_code == 0);
    Node twin(start());
    killed(twin);
    REQUIRE(twin.set({profile}).report.exit_code == 0);
    const auto first = twin.kernel.writes.size() - whole.kernel.writes.size();
    REQUIRE(first > 3);

    Node node(start());
    killed(node);
    node.kernel.fail(first, ENOSPC);
    const auto set = node.set({profile});
    INFO(printed(set));
    CHECK(names(set, {"gpu.determinism", "0000:05:00.0"}));
    node.calm();
    check_back(node);
}

TEST_CASE("edges: a rollback names only what is still not restored", "[contract]") {
    Node node(start());
    node.kernel.half_do(0, EIO);  // a recommended value, whose restore is refused twice
    node.kernel.fail(1, EBUSY);
    node.kernel.fail(2, EBUSY);
    node.caller.interrupted = [&] { return node.kernel.writes.size() > 4; };
    const auto set = node.set({profile});
    INFO(printed(set));
    CHECK(set.report.exit_code == 4);
    CHECK(node.differs_from(start()).empty());
    CHECK(printed(set).find("could not be restored") == std::string::npos);
    count_run("edge");
}

TEST_CASE("edges: remains that are not whole are not hidden by a hold that holds nothing",
          "[contract]") {
    const auto kill = [](Node& node, std::size_t at, int how) {
        node.store.dies_at = at;
        node.store.how = how;
        CHECK_FALSE(node.survives([&] { node.set({profile}); }));
        node.calm();
        node.kernel.memory().add_file(governor, "ondemand\n");
    };
    for (const std::size_t at : {0U, 1U}) {
        for (const int how : {0, 1, 2, 3}) {
            if (at == 1 && how == 2) {
                continue;  // the set is whole, and not a remain
            }
            Node one(start());
            kill(one, at, how);
            const auto plain = one.reset();
            Node other(start());
            kill(other, at, how);
            const auto left = other.reset(leaving("other-job"));
            INFO(at << " " << how << printed(plain) << printed(left));
            CHECK(left.report.exit_code == plain.report.exit_code);
            count_run("edge", 2);
        }
    }
}

TEST_CASE("edges: a run ends as usual beside a dead run whose value was changed by hand",
          "[contract]") {
    const std::string dead = "run/102-aaaa0002";
    const std::string balancing = "/proc/sys/kernel/numa_balancing";
    Node node(start());
    REQUIRE(node.set({nothing_expected}, dead, {"cpu.governor=powersave"}).report.exit_code == 0);
    REQUIRE(node.set({nothing_expected}, run, {"kernel.numa_balancing=0"}).report.exit_code == 0);
    node.store.dead = {dead};
    node.kernel.memory().add_file(governor, "ondemand\n");
    const auto left = node.reset(leaving(run));
    INFO(printed(left));
    CHECK(left.report.exit_code == 5);
    CHECK(*node.kernel.read(balancing) == *start().read(balancing));
    CHECK(node.status().holders.empty());
    CHECK(*node.kernel.read(governor) == "ondemand\n");
    count_run("edge");
}

TEST_CASE("edges: without room for the way back nothing is set", "[contract]") {
    Node node(start());
    node.store.has_room = false;
    const auto set = node.set({profile});
    INFO(printed(set));
    CHECK(set.report.exit_code == 4);
    CHECK(node.kernel.writes.empty());
    CHECK(node.differs_from(start()).empty());
}

TEST_CASE("edges: what could not be read when a set ended is ours", "[contract]") {
    const auto silent = [](const std::string& path) {
        return path.find("0000:05:00.0") != std::string::npos &&
               path.find("pp_od_clk_voltage") != std::string::npos;
    };
    Node whole(start());
    whole.set({profile});
    for (std::size_t at = 0; at < whole.kernel.writes.size(); ++at) {
        INFO("silent after write " << at);
        Node node(start());
        node.kernel.after = [&](std::size_t now) {
            if (now == at) {
                node.kernel.unreadable = silent;
            }
        };
        const auto set = node.set({profile});
        INFO(printed(set));
        node.calm();
        check_back(node);
    }
}

TEST_CASE("edges: a rehearsed reset lists the first writes of the reset, in their order",
          "[contract]") {
    struct Story {
        const char* name;
        std::function<void(Node&)> prepare;
        ResetRequest request;
    };
    ResetRequest kept;
    kept.keep = {"cpu.governor"};
    ResetRequest forced;
    forced.force = true;
    const auto two_holders = [](Node& node) {
        node.set({profile}, "a");
        node.set({"host"}, "b", {"kernel.numa_balancing=0"});
        node.set({"env-check"}, "b");
    };
    const Story stories[] = {{"plain", [](Node& node) { node.set({profile}); }, {}},
                             {"two sets",
                              [](Node& node) {
                                  node.set({profile});
                                  node.set({"env-check"}, "", {"cpu.governor=powersave"});
                              },
                              {}},
                             {"one of two holders", two_holders, leaving("a")},
                             {"the other", two_holders, leaving("b")},
                             {"a run under a set",
                              [](Node& node) {
                                  node.set({"host"});
                                  node.set({profile}, run);
                              },
                              leaving(run)},
                             {"kept", [](Node& node) { node.set({profile}); }, kept},
                             {"a stranger",
                              [](Node& node) {
                                  node.set({profile});
                                  node.kernel.memory().add_file(governor, "powersave\n");
                              },
                              {}},
                             {"a stranger, forced",
                              [](Node& node) {
                                  node.set({profile});
                                  node.kernel.memory().add_file(governor, "powersave\n");
                              },
                              forced},
                             {"a cut set",
                              [](Node& node) {
                                  node.kernel.after = [](std::size_t now) {
                                      if (now == 4) {
                                          throw Death{};
                                      }
                                  };
                                  node.survives([&] { node.set({profile}); });
                                  node.calm();
                              },
                              {}}};
    for (const auto& story : stories) {
        INFO(story.name);
        Node node(start());
        story.prepare(node);
        const auto before = node.kernel.writes.size();
        const auto journal = node.store.text;
        ResetRequest dry = story.request;
        dry.dry_run = true;
        const auto rehearsed = node.reset(dry);
        CHECK(node.kernel.writes.size() == before);
        CHECK(node.store.text == journal);
        const auto reset = node.reset(story.request);
        CHECK(rehearsed.report.exit_code == reset.report.exit_code);
        REQUIRE(node.kernel.writes.size() - before >= rehearsed.writes.size());
        for (std::size_t at = 0; at < rehearsed.writes.size(); ++at) {
            const auto& write = rehearsed.writes[at].write;
            CHECK((node.kernel.writes[before + at] ==
                   WriteCall{write.path, write.offset, write.bytes}));
        }
        CHECK((rehearsed.writes.empty() == (node.kernel.writes.size() == before)));
        count_run("rehearsed reset");
    }
}

TEST_CASE("edges: a journal chooses nothing", "[contract]") {
    const Key key{"cpu.governor", "policy0"};
    const auto entry = [](const std::string& path, const std::string& bytes) {
        return Recorded{
            "x", {{{path, std::nullopt, bytes}}, {{{path, Codec::line, 0}, "x", ""}}}, ""};
    };
    const Recorded plants[] = {entry("/etc/passwd", "x\n"), entry(governor, "performance\nevil\n"),
                               entry("/sys/../etc/shadow", "x\n"),
                               entry("/sys/kernel/mm/transparent_hugepage/enabled", "always\n")};
    for (const auto& plant : plants) {
        INFO(plant.back.writes[0].path);
        Node node(start());
        node.set({profile});
        node.store.text = planted(*node.store.text, key, plant);
        const auto before = node.kernel.writes.size();
        const auto reset = node.reset();
        INFO(printed(reset));
        CHECK(reset.report.exit_code == 5);
        CHECK(names(reset, key));
        for (auto at = before; at < node.kernel.writes.size(); ++at) {
            const auto& write = node.kernel.writes[at];
            CHECK_FALSE((write.path == plant.back.writes[0].path &&
                         write.bytes == plant.back.writes[0].bytes));
        }
        CHECK(differences(start(), node.kernel.memory()).size() == 1);  // the others are back
        count_run("planted record");
    }
}

TEST_CASE("edges: another device at the same address is named and not written", "[contract]") {
    Node node(start());
    REQUIRE(node.set({profile}, "", {"gpu.determinism=1900"}).report.exit_code == 0);
    const auto level = *node.kernel.read(gpu + "power_dpm_force_performance_level");
    const MemoryFs whole(node.kernel.memory());
    const std::string folder =
        "/sys/devices/" +
        whole.link("/sys/bus/pci/devices/0000:05:00.0")->substr(std::size("../../../devices/") - 1);
    const auto unique_id = whole.read(folder + "/unique_id");
    REQUIRE(unique_id);
    node.kernel.memory().add_file(folder + "/unique_id", "1234567890abcdef\n");
    const auto status = node.status();
    CHECK(status.exit_code == 5);
    CHECK(std::count_if(status.items.begin(), status.items.end(), [](const StatusItem& item) {
              return item.by == "another device" && item.key.target == "0000:05:00.0";
          }) == 1);
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(names(reset, {"gpu.determinism", "0000:05:00.0"}));
    CHECK(*node.kernel.read(gpu + "power_dpm_force_performance_level") == level);
    CHECK(*node.kernel.read(governor) == *start().read(governor));
    node.kernel.memory().add_file(folder + "/unique_id", *unique_id);
    check_back(node);
}

TEST_CASE("edges: what is given up is printed, kept aside once, and out of the way", "[contract]") {
    Node node(start());
    node.set({profile}, "job");
    node.kernel.memory().remove("/sys/bus/pci/devices/0000:05:00.0");
    ResetRequest forget;
    forget.forget = true;
    ResetRequest dry = forget;
    dry.dry_run = true;
    const auto text = node.store.text;
    CHECK(node.reset(dry).report.exit_code == 0);
    CHECK(node.store.text == text);
    const auto forgotten = node.reset(forget);
    INFO(printed(forgotten));
    CHECK(forgotten.report.exit_code == 0);
    CHECK(node.store.aside == text);
    CHECK(node.status().exit_code == 0);
    CHECK(node.reset(forget).report.exit_code == 0);  // the journal has no records to forget
    CHECK(node.set({profile}).report.exit_code <= 1);
}

TEST_CASE("edges: thousands of runs under a set leave the journal as one does",
          "[contract][long]") {
    Node node(start());
    REQUIRE(node.set({"host"}, "", {"cpu.governor=powersave"}).report.exit_code == 0);
    const MemoryFs plain(node.kernel.memory());
    std::size_t first = 0;
    std::size_t most = 0;
    const std::size_t runs = 10000;
    for (std::size_t at = 0; at < runs; ++at) {
        node.set({"host"}, run, {"cpu.governor=performance"});
        most = std::max(most, node.store.text->size());
        node.reset(leaving(run));
        first = at == 0 ? node.store.text->size() : first;
        node.kernel.writes.clear();
    }
    UNSCOPED_INFO("bytes after one run " << first << ", after all " << node.store.text->size()
                                         << ", at most " << most);
    std::cout << "journal: " << first << " bytes after one run under a set, "
              << node.store.text->size() << " after " << runs << ", " << most
              << " at most in between\n";
    CHECK(node.store.text->size() <= first + 8);  // numbers have more digits
    CHECK(differences(plain, node.kernel.memory()).empty());
    check_back(node);
}

TEST_CASE("edges: sets, jobs and runs that overlap for ever leave no more than the living",
          "[contract][long]") {
    Node node(start());
    std::size_t early = 0;
    for (std::size_t at = 0; at < 300; ++at) {
        node.set({"host"}, "", {"kernel.thp=" + std::string(at % 2 == 0 ? "always" : "never")});
        node.set({"host"}, "job-" + number(at), {"kernel.numa_balancing=0"});
        node.set({"host"}, "run/" + number(at) + "-aaaa0001", {"kernel.numa_balancing=0"});
        if (at > 0) {
            node.reset(leaving("job-" + number(at - 1)));
            node.reset(leaving("run/" + number(at - 1) + "-aaaa0001"));
        }
        early = at == 20 ? node.store.text->size() : early;
    }
    CHECK(node.store.text->size() <= early + 256);
    node.reset(leaving("job-299"));
    node.reset(leaving("run/299-aaaa0001"));
    check_back(node);
}

TEST_CASE("edges: a journal of the first format is continued in it until nothing is left",
          "[contract]") {
    const auto in_first_format = [](const std::string& text) {
        Records records;
        for (const auto line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
            const auto read = parse_line(line, second_format);
            if (read && read->record[0] == "entry") {
                const Key key{read->record[1], read->record[2]};
                records.push_back(
                    entry_record(key, *entry_of(read->record, second_format), first_format));
            } else if (read && read->record[0] != "boot") {
                records.push_back(read->record);
            }
        }
        JournalText out;
        return out.add(records, "", first_format);
    };
    for (const bool shortened : {false, true}) {
        Node node(start());
        node.set({profile});
        node.store.text = in_first_format(shortened ? *node.store.text : node.store.unshortened);
        CHECK(node.status().exit_code == 1);
        node.set({"env-check"}, "", {"cpu.governor=powersave"});
        node.set({"host"}, run);
        CHECK(node.store.text->starts_with(first_line(first_format)));
        CHECK(node.reset(leaving(run)).report.exit_code == 0);
        CHECK(node.store.text->starts_with(first_line(first_format)));
        check_back(node);
        node.set({profile});
        CHECK(node.store.text->starts_with(first_line(second_format)));
    }
}

TEST_CASE("edges: a set that died has not recorded others' values for good", "[contract]") {
    const std::vector<std::string> numa{"kernel.numa_balancing=0"};
    Node whole(start());
    whole.set({"host"}, "a", numa);
    const auto first = whole.kernel.writes.size();
    whole.set({profile});
    for (const std::string& other : {std::string(), std::string("b"), run}) {
        for (auto at = first; at < whole.kernel.writes.size(); ++at) {
            INFO("held by \"" << other << "\", death after write " << at);
            Node node(start());
            node.set({"host"}, "a", numa);
            node.kernel.after = [at](std::size_t now) {
                if (now == at) {
                    throw Death{};
                }
            };
            node.survives([&] { node.set({profile}, other); });
            node.calm();
            node.store.dead = {run};
            const auto left = node.reset(leaving("a"));
            INFO(printed(left));
            CHECK(left.report.exit_code == 0);
            CHECK(differences(start(), node.kernel.memory()).empty());
            check_back(node);
        }
    }
}

TEST_CASE("edges: the last name may be one whose set died", "[contract]") {
    Node node(start());
    node.set({"host"}, "a", {"kernel.numa_balancing=0"});
    const auto writes = node.kernel.writes.size();
    node.kernel.after = [writes](std::size_t now) {
        if (now == writes) {
            throw Death{};
        }
    };
    CHECK_FALSE(node.survives([&] { node.set({profile}, "b"); }));
    node.calm();
    node.reset();  // refused while names are held, but what died goes back
    node.reset(leaving("a"));
    node.reset(leaving("b"));
    CHECK(differences(start(), node.kernel.memory()).empty());
    CHECK_FALSE(node.store.text);
}

TEST_CASE("edges: a journal of the first format that lacks a line is damaged", "[contract]") {
    Node node(start());
    node.set({profile});
    JournalText first;
    Records records;
    const std::string text = *node.store.text;
    for (const auto line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
        const auto read = parse_line(line, second_format);
        const bool dropped =
            read && read->record[0] == "entry" && read->record[1] == "kernel.numa_balancing";
        if (read && read->record[0] == "entry" && !dropped) {
            const Key key{read->record[1], read->record[2]};
            records.push_back(
                entry_record(key, *entry_of(read->record, second_format), first_format));
        } else if (read && !dropped && read->record[0] != "boot" && read->record[0] != "whole") {
            records.push_back(read->record);
        }
    }
    node.store.text = first.add(records, "", first_format);
    CHECK(node.status().exit_code == 3);
    const auto writes = node.kernel.writes.size();
    CHECK(node.set({"host"}).report.exit_code == 3);
    CHECK(node.kernel.writes.size() == writes);
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(names(reset, {"kernel.numa_balancing", "system"}));
    CHECK(node.store.text.has_value());
}

TEST_CASE("edges: of another device at a recorded address nothing is set", "[contract]") {
    Node node(start());
    REQUIRE(node.set({profile}, "", {"gpu.determinism=1900"}).report.exit_code == 0);
    const std::string folder = "/sys/devices/" + start()
                                                     .link("/sys/bus/pci/devices/0000:05:00.0")
                                                     ->substr(std::size("../../../devices/") - 1);
    node.kernel.memory().add_file(folder + "/unique_id", "1234567890abcdef\n");
    const auto set = node.set({profile}, "", {"gpu.determinism=1500"});
    INFO(printed(set));
    for (const auto& finding : set.report.findings) {
        if (finding.id == "gpu.determinism" && finding.target == "0000:05:00.0") {
            CHECK(finding.outcome == Outcome::unsafe);
        }
    }
    for (const auto& write : set.writes) {
        CHECK_FALSE((write.key == Key{"gpu.determinism", "0000:05:00.0"}));
    }
}

TEST_CASE("edges: a sleeping device is named, not woken, and put back when it is awake",
          "[contract]") {
    Node node(start());
    REQUIRE(node.set({profile}, "", {"gpu.determinism=1900"}).report.exit_code == 0);
    const std::string folder = "/sys/devices/" + start()
                                                     .link("/sys/bus/pci/devices/0000:05:00.0")
                                                     ->substr(std::size("../../../devices/") - 1);
    const auto before = start().read(folder + "/power/runtime_status");
    node.kernel.memory().add_file(folder + "/power/runtime_status", "suspended\n");
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(names(reset, {"gpu.determinism", "0000:05:00.0"}));
    for (const auto& write : reset.writes) {
        CHECK_FALSE((write.key == Key{"gpu.determinism", "0000:05:00.0"}));
    }
    node.kernel.memory().add_file(folder + "/power/runtime_status",
                                  before ? *before : std::string("active\n"));
    CHECK(node.reset().report.exit_code == 0);
    CHECK_FALSE(node.store.text);
}

}  // namespace edges_test
