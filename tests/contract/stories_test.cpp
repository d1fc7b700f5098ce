// SPDX-License-Identifier: MIT
// Events on a node between a set and a reset: other writers, second sets, holders, lost devices,
// another boot, other programs' journals.
#include <cerrno>

#include "contract/scene.h"
#include "os/fs/posix_fs.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace stories_test {

namespace {

const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0/";
const std::string governor = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const std::string numa = "/proc/sys/kernel/numa_balancing";
const std::string profile = "mi300x-benchmark";

const MemoryFs& start() {
    return cut_machine("mi300x-spx");
}

std::string outcome_of(const SetResult& result, const std::string& id) {
    for (const auto& finding : result.report.findings) {
        if (finding.id == id && finding.outcome != Outcome::ok) {
            return std::string(word_of(finding.outcome));
        }
    }
    return "ok";
}

std::string by(const Status& status, const Key& key) {
    for (const auto& item : status.items) {
        if (item.key == key) {
            return item.by;
        }
    }
    return "not in it";
}

void set_ended_well(Node& node) {
    const auto set = node.set({profile});
    INFO(printed(set));
    CHECK(set.report.exit_code == 0);
}

void check_back(Node& node, const ResetRequest& request = {}) {
    const auto reset = node.reset(request);
    INFO(printed(reset) << node.differs_from(start()));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start()).empty());
    count_run("story");
}

ResetRequest forced() {
    ResetRequest request;
    request.force = true;
    return request;
}

ResetRequest leaving(const std::string& name) {
    ResetRequest request;
    request.hold = name;
    return request;
}

}  // namespace

TEST_CASE("contract: a stranger's value is left alone, named, and put back when forced",
          "[contract]") {
    const std::map<std::string, std::pair<std::string, std::string>> changes{
        {numa, {"2\n", "kernel.numa_balancing"}},
        {governor, {"powersave\n", "cpu.governor"}},
        {"/sys/devices/system/cpu/cpu1/cpuidle/state2/disable", {"0\n", "cpu.idle"}}};
    for (const auto& [path, change] : changes) {
        INFO(path);
        Node node(start());
        set_ended_well(node);
        node.kernel.memory().add_file(path, change.first);
        const bool is_back = *start().read(path) == change.first;
        CHECK(node.status().exit_code == 5);
        const auto reset = node.reset();
        INFO(printed(reset));
        CHECK(reset.report.exit_code == (is_back ? 0 : 5));
        if (!is_back) {
            CHECK(outcome_of(reset, change.second) == "differs");
            CHECK(differences(start(), node.kernel.memory()).size() == 1);
            CHECK(node.reset().report.exit_code == 5);  // also later plain resets leave it
            check_back(node, forced());
        }
    }
}

TEST_CASE("contract: a stranger's value can be kept", "[contract]") {
    Node node(start());
    set_ended_well(node);
    node.kernel.memory().add_file(numa, "2\n");
    ResetRequest keep;
    keep.keep = {"kernel.*"};
    const auto reset = node.reset(keep);
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK(differences(start(), node.kernel.memory()) == std::vector<std::string>{numa});
    CHECK_FALSE(node.store.text);
}

TEST_CASE("contract: a stranger's limit of the clock is told from a lost one", "[contract]") {
    for (const auto& [clock, code] : {std::pair("2100", 0), std::pair("1500", 5)}) {
        Node node(start());
        set_ended_well(node);
        auto table = *node.kernel.read(gpu + "pp_od_clk_voltage");
        const auto at = table.find("1900");
        REQUIRE(at != std::string::npos);
        const std::string folder =
            "/sys/devices/" + start()
                                  .link("/sys/bus/pci/devices/0000:05:00.0")
                                  ->substr(std::size("../../../devices/") - 1);
        node.kernel.memory().add_file(folder + "/pp_od_clk_voltage", table.replace(at, 4, clock));
        CHECK(node.status().exit_code == (code == 0 ? 1 : 5));
        const auto reset = node.reset();
        INFO(clock << "\n" << printed(reset));
        CHECK(reset.report.exit_code == code);
        if (code == 0) {
            CHECK(node.differs_from(start()).empty());
        }
        count_run("story");
    }
}

TEST_CASE("contract: two sets, one reset", "[contract]") {
    for (const auto& second : {"env-check", "host-benchmark", "rccl-multinode", "mi300x"}) {
        INFO(second);
        Node node(start());
        set_ended_well(node);
        node.set({second}, "", {"gpu.determinism=1500", "cpu.governor=powersave"});
        CHECK(by(node.status(), {"gpu.determinism", "0000:05:00.0"}) == "rocenv");
        for (const auto& item : node.status().items) {
            if (item.key.id == "cpu.governor") {
                CHECK((item.baseline == "schedutil" && item.set == "powersave"));
            }
        }
        check_back(node);
    }
}

TEST_CASE("contract: what a stranger changed between two sets", "[contract]") {
    Node node(start());
    node.set({"env-check"}, "", {"cpu.governor=powersave"});
    node.kernel.memory().add_file(governor, "ondemand\n");  // ours before
    set_ended_well(node);
    check_back(node);
    // Not ours before: what the second set found there is what comes back.
    MemoryFs changed(start());
    changed.add_file(numa, "3\n");
    Node other(start());
    other.set({"host"}, "", {"kernel.numa_balancing=1"});
    other.kernel.memory().add_file(numa, "3\n");
    other.set({profile});
    const auto reset = other.reset();
    INFO(printed(reset) << other.differs_from(changed));
    CHECK(reset.report.exit_code == 0);
    CHECK(other.differs_from(changed).empty());
}

TEST_CASE("contract: holders in every order of leaving", "[contract]") {
    for (const auto& order : {std::pair("a", "b"), std::pair("b", "a")}) {
        Node node(start());
        CHECK(node.set({profile}, "a").report.exit_code == 0);
        CHECK(node.set({profile}, "b").report.exit_code == 0);
        CHECK(node.status().holders == std::vector<std::string>{"a", "b"});
        CHECK(node.reset().report.exit_code == 1);  // held
        CHECK(node.reset(leaving("nobody")).report.exit_code == 0);
        CHECK(node.reset(leaving(order.first)).report.exit_code == 0);
        CHECK_FALSE(differences(start(), node.kernel.memory()).empty());
        check_back(node, leaving(order.second));
    }
    Node node(start());
    node.set({profile}, "a");
    node.set({profile}, "b");
    check_back(node, forced());
}

TEST_CASE("contract: a second holder that wants another value", "[contract]") {
    Node node(start());
    node.set({profile}, "a");
    const auto other = node.set({profile}, "b", {"cpu.governor=powersave"});
    INFO(printed(other));
    CHECK(outcome_of(other, "cpu.governor") == "unsafe");
    CHECK(other.report.exit_code == 1);
    CHECK(*node.kernel.read(governor) == "performance\n");
    const auto plain = node.set({profile}, "", {"gpu.determinism=1500"});
    CHECK(outcome_of(plain, "gpu.determinism") == "unsafe");
    const auto own = node.set({profile}, "a", {"gpu.determinism=1500"});
    INFO(printed(own));
    CHECK(outcome_of(own, "gpu.determinism") == "unsafe");  // b relies on it as well
    node.reset(leaving("b"));
    CHECK(node.set({profile}, "a", {"gpu.determinism=1500"}).report.exit_code == 0);
    check_back(node, leaving("a"));
}

TEST_CASE("contract: a holder on top of a plain set", "[contract]") {
    Node node(start());
    node.set({"host"}, "", {"cpu.governor=powersave"});
    const MemoryFs plain(node.kernel.memory());
    CHECK(node.set({profile}, "job").report.exit_code == 0);
    CHECK(*node.kernel.read(governor) == "performance\n");
    CHECK(node.reset(leaving("job")).report.exit_code == 0);
    CHECK(differences(plain, node.kernel.memory()).empty());
    check_back(node);
}

TEST_CASE("contract: a holder is killed at each write, the other leaves", "[contract]") {
    Node whole(start());
    whole.set({"host"}, "a");
    const auto first = whole.kernel.writes.size();
    whole.set({profile}, "b");
    for (auto at = first; at < whole.kernel.writes.size(); at += stride) {
        Node node(start());
        node.set({"host"}, "a");
        node.kernel.after = [&](std::size_t now) {
            if (now == at) {
                throw Death{};
            }
        };
        CHECK_FALSE(node.survives([&] { node.set({profile}, "b"); }));
        node.calm();
        node.reset(leaving("a"));
        check_back(node, leaving("b"));
        CHECK(node.status().exit_code == 0);
    }
}

TEST_CASE("contract: journals that are not ours", "[contract]") {
    for (const std::string text :
         {"hello\n", "rocenv-journal\t0\t00000000\n", "rocenv-journal\t2\t00000000\n"}) {
        Node node(start());
        node.store.text = text;
        const bool other = text.find("\t0\t") != std::string::npos;  // a format of its own
        CHECK(node.reset().report.exit_code == (other ? 3 : 5));
        CHECK(node.set({profile}).report.exit_code == 3);
        CHECK(node.status().exit_code == 3);
        CHECK(node.kernel.writes.empty());
        CHECK(node.store.text == text);
    }
}

TEST_CASE("contract: a GPU is gone between set and reset", "[contract]") {
    Node node(start());
    set_ended_well(node);
    const MemoryFs whole(node.kernel.memory());
    node.kernel.memory().remove("/sys/bus/pci/devices/0000:05:00.0");
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(outcome_of(reset, "gpu.determinism") == "failed");
    CHECK(*node.kernel.read(governor) == *start().read(governor));  // the others are back
    // It comes back with what it had.
    node.kernel.memory().add_link("/sys/bus/pci/devices/0000:05:00.0",
                                  *whole.link("/sys/bus/pci/devices/0000:05:00.0"));
    check_back(node);
}

TEST_CASE("contract: a CPU is gone between set and reset, and given up", "[contract]") {
    Node node(start());
    set_ended_well(node);
    node.kernel.memory().remove("/sys/devices/system/cpu/cpu3/cpuidle");
    node.kernel.memory().remove("/sys/devices/system/cpu/cpufreq/policy3");
    CHECK(node.reset().report.exit_code == 5);
    ResetRequest keep;
    keep.keep = {"cpu.*"};
    const auto reset = node.reset(keep);
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK_FALSE(node.store.text);
}

TEST_CASE("contract: unsafe is refused, unless allowed", "[contract]") {
    Node node(cut_machine("vfio"));
    const auto refused = node.set({"rccl-multinode"});
    INFO(printed(refused));
    CHECK(outcome_of(refused, "pci.acs") == "unsafe");
    CHECK(refused.report.exit_code == 1);
    for (const auto& write : node.kernel.writes) {
        CHECK_FALSE(write.path.ends_with("/config"));
    }
    SetRequest request;
    request.check.profiles = {"rccl-multinode"};
    request.allow = {"pci.*"};
    const auto allowed =
        rocenv::set(request, node.kernel, MemoryFs(), Process(), node.store, node.caller);
    CHECK(outcome_of(allowed, "pci.acs") == "changed");
    CHECK(node.reset().report.exit_code == 0);
    CHECK(node.differs_from(cut_machine("vfio")).empty());
}

TEST_CASE("contract: above what the GPU states nothing is written", "[contract]") {
    Node node(start());
    const auto set = node.set({profile}, "", {"gpu.determinism=2200"});
    CHECK(set.report.exit_code == 2);
    CHECK(join(set.errors, " ").find("2100") != std::string::npos);
    CHECK(node.kernel.writes.empty());
    CHECK_FALSE(node.store.text);
}

TEST_CASE("contract: a limit at the maximum is not told as lost", "[contract]") {
    Node node(start());
    const auto set = node.set({profile}, "", {"gpu.determinism=2100"});
    INFO(printed(set));
    const auto status = node.status();
    CHECK(status.exit_code == 1);
    for (const auto& item : status.items) {
        if (item.key.id == "gpu.determinism") {
            CHECK(item.set == "2100");
            CHECK(item.present == "2100");
        }
    }
    check_back(node);
}

TEST_CASE("contract: never r, and auto before another mode", "[contract]") {
    for (const auto& machine : machine_names()) {
        Node node(cut_machine(machine));
        node.set({"env-check"});
        node.reset();
        for (const auto& write : node.kernel.writes) {
            CHECK_FALSE((write.path.ends_with("pp_od_clk_voltage") && write.bytes[0] == 'r'));
        }
    }
}

TEST_CASE("contract: to the kernel's defaults, and back", "[contract]") {
    Node node(start());
    node.set({profile});
    MemoryFs tuned(node.kernel.memory());
    Node unknown(tuned);  // no record of its old values
    ResetRequest request;
    request.to_defaults = true;
    const auto defaults = unknown.reset(request);
    INFO(printed(defaults));
    CHECK(defaults.report.exit_code == 0);
    CHECK(*unknown.kernel.read(gpu + "power_dpm_force_performance_level") == "auto\n");
    CHECK(*unknown.kernel.read(governor) == "performance\n");  // no default is known
    CHECK(unknown.reset().report.exit_code == 0);
    CHECK(unknown.differs_from(tuned).empty());
}

TEST_CASE("contract: the way out of a failed reset to defaults names the journal", "[contract]") {
    Node node(start());
    node.set({profile});
    Node unknown(MemoryFs(node.kernel.memory()));
    unknown.kernel.half_do(0, EIO);
    for (std::size_t at = 1; at < 40; ++at) {
        unknown.kernel.fail(at, EBUSY);
    }
    ResetRequest request;
    request.to_defaults = true;
    request.state = "/elsewhere";
    const auto left = unknown.reset(request);
    INFO(printed(left));
    CHECK(std::any_of(left.report.findings.begin(), left.report.findings.end(),
                      [](const Finding& finding) {
                          return finding.fix.find("reset --state /elsewhere") != std::string::npos;
                      }));
}

TEST_CASE("contract: a machine of full size", "[contract][long]") {
    const auto& big = machine_fs("mi300x-spx");
    Node whole(big);
    CHECK(whole.set({profile}).report.exit_code == 0);
    CHECK(whole.kernel.writes.size() > 800);
    CHECK(whole.reset().report.exit_code == 0);
    CHECK(whole.differs_from(big).empty());
    Node probe(big);
    const auto writes = probe.set({profile}).writes;
    for (std::size_t at = 0; at < writes.size(); ++at) {
        // The first, the middle and the last write of each setting.
        const auto same = [&](std::size_t index) {
            return index < writes.size() && writes[index].key.id == writes[at].key.id;
        };
        std::size_t first = at;
        std::size_t last = at;
        while (first > 0 && same(first - 1)) {
            --first;
        }
        while (same(last + 1)) {
            ++last;
        }
        if (at != first && at != last && at != (first + last) / 2) {
            continue;
        }
        INFO("write " << at << " of " << writes.size());
        Node failing(big);
        failing.kernel.fail(at, EIO);
        const auto set = failing.set({profile});
        CHECK((set.report.exit_code == 4 || set.report.exit_code == 0));
        failing.calm();
        CHECK(failing.reset().report.exit_code == 0);
        CHECK(failing.differs_from(big).empty());
        Node dying(big);
        dying.kernel.after = [&](std::size_t now) {
            if (now == at) {
                throw Death{};
            }
        };
        CHECK_FALSE(dying.survives([&] { dying.set({profile}); }));
        dying.calm();
        CHECK(dying.reset().report.exit_code == 0);
        CHECK(dying.differs_from(big).empty());
        count_run("fault on a machine of full size", 2);
    }
}

TEST_CASE("contract: a journal of the first format is put back by every later program",
          "[contract]") {
    const std::string path = std::string(ROCENV_SOURCE_DIR) + "/tests/contract/journal-1.txt";
    Node node(cut_machine("mi300x-spx-epp"));
    node.set({"mi300x-benchmark"});
    const auto file = real_fs()->read(path);
    REQUIRE(file);
    node.store.text = *file;
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(cut_machine("mi300x-spx-epp")).empty());
}

TEST_CASE("contract: a set that finds another's remains says so", "[contract]") {
    for (const bool in_reset : {false, true}) {
        Node node(start());
        if (in_reset) {
            set_ended_well(node);
        }
        const auto last = node.kernel.writes.size() + 3;
        node.kernel.after = [&](std::size_t now) {
            if (now == last) {
                throw Death{};
            }
        };
        CHECK_FALSE(node.survives([&] { in_reset ? node.reset() : node.set({profile}); }));
        node.calm();
        const auto set = node.set({profile});
        INFO(printed(set));
        REQUIRE(set.warnings.size() == 1);
        CHECK(
            set.warnings[0].starts_with(in_reset ? "an earlier reset did" : "an earlier set did"));
        check_back(node);
    }
}

TEST_CASE("contract: what a killed set left on a lost GPU can be given up", "[contract]") {
    Node node(start());
    node.kernel.after = [&](std::size_t now) {
        if (now == 8) {
            throw Death{};
        }
    };
    CHECK_FALSE(node.survives([&] { node.set({profile}); }));
    node.calm();
    node.kernel.memory().remove("/sys/bus/pci/devices/0000:05:00.0");
    CHECK(node.reset().report.exit_code == 5);
    CHECK(node.set({profile}).report.exit_code == 5);
    ResetRequest keep;
    keep.keep = {"gpu.*", "pci.*"};  // it is not known how far that set came
    const auto reset = node.reset(keep);
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 0);
    CHECK_FALSE(node.store.text);
}

}  // namespace stories_test
