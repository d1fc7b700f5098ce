// SPDX-License-Identifier: MIT
#include "os/emulation/kernel_rules.h"

#include <cerrno>
#include <string>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "support/kernel_machine.h"
#include "support/machines.h"

namespace kernel_rules_test {

namespace {

using namespace rocenv;

// 0, or the errno.
int write(MemoryFs& machine, const std::string& path, const std::string& bytes) {
    const auto error = machine.write(path, std::nullopt, bytes);
    return error ? error->err : 0;
}

std::string text(const Fs& machine, const std::string& path) {
    const auto content = machine.read(path);
    return content ? *content : content.error().text;
}

const std::string thp = "/sys/kernel/mm/transparent_hugepage/enabled";
const std::string policy = "/sys/devices/system/cpu/cpufreq/policy0/";

MemoryFs policy_machine() {
    MemoryFs machine;
    machine.add_file(policy + "scaling_governor", "powersave\n");
    machine.add_file(policy + "scaling_available_governors", "performance powersave\n");
    machine.add_file(policy + "energy_performance_preference", "balance_performance\n");
    machine.add_file(policy + "energy_performance_available_preferences",
                     "default performance balance_performance power \n");
    return machine;
}

TEST_CASE("kernel rules: brackets move to a word that is offered") {
    MemoryFs machine;
    machine.add_file(thp, "always [madvise] never\n");
    CHECK(write(machine, thp, "never\n") == 0);
    CHECK(text(machine, thp) == "always madvise [never]\n");
    CHECK(write(machine, thp, "sometimes") == EINVAL);
    CHECK(write(machine, thp, "") == EINVAL);
    CHECK(text(machine, thp) == "always madvise [never]\n");
}

TEST_CASE("kernel rules: governor and energy preference depend on each other") {
    auto machine = policy_machine();
    const auto governor = policy + "scaling_governor";
    const auto preference = policy + "energy_performance_preference";
    CHECK(write(machine, governor, "schedutil") == EINVAL);
    CHECK(write(machine, preference, "fast") == EINVAL);
    CHECK(write(machine, governor, "performance\n") == 0);
    CHECK(text(machine, governor) == "performance\n");
    CHECK(text(machine, preference) == "performance\n");
    CHECK(write(machine, preference, "power") == EBUSY);
    CHECK(write(machine, preference, "performance") == 0);
    CHECK(write(machine, governor, "powersave") == 0);
    CHECK(text(machine, preference) == "performance\n");
    CHECK(write(machine, preference, "power") == 0);
    CHECK(text(machine, preference) == "power\n");
}

TEST_CASE("kernel rules: without a list of governors every word is one") {
    MemoryFs machine;
    machine.add_file(policy + "scaling_governor", "powersave\n");
    CHECK(write(machine, policy + "scaling_governor", "ondemand") == 0);
    CHECK(text(machine, policy + "scaling_governor") == "ondemand\n");
}

TEST_CASE("kernel rules: numbers and their ranges") {
    struct Case {
        const char* path;
        const char* bytes;
        int err;
        const char* after;
    };
    const auto one =
        GENERATE(Case{"/proc/sys/kernel/numa_balancing", "4\n", 0, "4\n"},
                 Case{"/proc/sys/kernel/numa_balancing", "5", EINVAL, "1\n"},
                 Case{"/proc/sys/kernel/numa_balancing", "-1", EINVAL, "1\n"},
                 Case{"/proc/sys/kernel/numa_balancing", "\n", EINVAL, "1\n"},
                 Case{"/proc/sys/kernel/numa_balancing", "0 1", 0, "0\n"},
                 Case{"/proc/sys/kernel/nmi_watchdog", "0", 0, "0\n"},
                 Case{"/proc/sys/kernel/nmi_watchdog", "2", EINVAL, "1\n"},
                 Case{"/proc/sys/vm/compaction_proactiveness", "100", 0, "100\n"},
                 Case{"/proc/sys/vm/compaction_proactiveness", "101", EINVAL, "1\n"},
                 Case{"/sys/devices/system/cpu/cpufreq/boost", "0", 0, "0\n"},
                 Case{"/sys/devices/system/cpu/cpufreq/policy3/boost", "2", EINVAL, "1\n"},
                 Case{"/sys/devices/system/cpu/intel_pstate/no_turbo", "0", 0, "0\n"},
                 Case{"/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "7", 0, "1\n"},
                 Case{"/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "0", 0, "0\n"},
                 Case{"/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "no", EINVAL, "1\n"});
    MemoryFs machine;
    machine.add_file(one.path, "1\n");
    CAPTURE(one.path, one.bytes);
    CHECK(write(machine, one.path, one.bytes) == one.err);
    CHECK(text(machine, one.path) == one.after);
}

TEST_CASE("kernel rules: other files refuse, missing ones are missing, errors stay theirs") {
    MemoryFs machine;
    machine.add_file("/proc/version", "Linux\n");
    machine.add_folder("/sys/boost");
    machine.add_error(policy + "scaling_governor", EBUSY);
    CHECK(write(machine, "/proc/version", "x") == EACCES);
    CHECK(write(machine, thp, "always") == ENOENT);
    CHECK(write(machine, "/sys/boost", "1") == EISDIR);
    CHECK(write(machine, policy + "scaling_governor", "performance") == EBUSY);
    const auto error = machine.write("/proc/version", std::nullopt, "x");
    CHECK(error->text == "cannot write /proc/version: EACCES (Permission denied)");
}

TEST_CASE("kernel rules: configuration space is changed at its offset, through links") {
    MemoryFs machine;
    const std::string real = "/sys/devices/pci0000:00/0000:00:01.1";
    machine.add_config(real + "/config", std::string(64, '\x11'), 4096);
    machine.add_link("/sys/bus/pci/devices/0000:00:01.1",
                     "../../../devices/pci0000:00/0000:00:01.1");
    const std::string path = "/sys/bus/pci/devices/0000:00:01.1/config";
    CHECK_FALSE(machine.write(path, 6, std::string("\0\x1d", 2)));
    CHECK(*machine.read_at(real + "/config", 5, 4) == std::string("\x11\0\x1d\x11", 4));
    CHECK(*machine.size(path) == 4096);
    CHECK(machine.read(path)->size() == 64);
    CHECK(machine.write(path, 63, "ab")->err == EFBIG);
    CHECK(machine.write(path, std::nullopt, "ab")->err == EACCES);
    machine.add_file(thp, "[always] never\n");
    CHECK(machine.write(thp, 0, "never")->err == EINVAL);
}

TEST_CASE("kernel rules: the star of a policy moves, in either spelling") {
    MemoryFs machine;
    const std::string path = "/sys/bus/pci/devices/0000:05:00.0/pm_policy/soc_pstate";
    machine.add_file(path, "0 : soc_pstate_default*\n1 : soc_pstate_0\n");
    CHECK(write(machine, path, "1\n") == 0);
    CHECK(text(machine, path) == "0 : soc_pstate_default\n1 : soc_pstate_0*\n");
    CHECK(write(machine, path, "2") == EINVAL);
    CHECK(write(machine, path, "") == EINVAL);
    machine.add_file(path, "0 : soc_pstate_default\n1 : soc_pstate_0 *\n");
    CHECK(write(machine, path, "0") == 0);
    CHECK(text(machine, path) == "0 : soc_pstate_default *\n1 : soc_pstate_0\n");
}

// A GPU of 2100 MHz without a limit.
class Gpu {
   public:
    Gpu() {
        machine.add_file(real + "/power_dpm_force_performance_level", "auto\n");
        machine.add_file(real + "/pp_od_clk_voltage", table("132", "2100", "1300"));
        machine.add_link("/sys/bus/pci/devices/0000:c5:00.0",
                         "../../../devices/pci0000:c0/0000:c5:00.0");
        machine.add_link("/sys/class/drm/card0", "../../devices/pci0000:c0/0000:c5:00.0/drm/card0");
        machine.add_link(real + "/drm/card0/device", "../../../0000:c5:00.0");
        machine.add_file("/sys/class/kfd/kfd/topology/nodes/0/properties",
                         "location_id 0\ndomain 0\nmax_engine_clk_fcompute 3000\n");
        machine.add_file("/sys/class/kfd/kfd/topology/nodes/3/properties",
                         "location_id 50435\ndomain 0\nmax_engine_clk_fcompute 2100\n");
    }
    static std::string table(const std::string& lower, const std::string& upper,
                             const std::string& memory) {
        return "OD_SCLK:\n0: " + lower + "Mhz\n1: " + upper +
               "Mhz\nOD_MCLK:\n0: 900Mhz\n1: " + memory + "Mhz\n";
    }
    int level(const std::string& word) {
        return write(machine, folder + "power_dpm_force_performance_level", word);
    }
    int clocks(const std::string& command) {
        return write(machine, folder + "pp_od_clk_voltage", command);
    }
    std::string level() const {
        return text(machine, folder + "power_dpm_force_performance_level");
    }
    std::string clocks() const { return text(machine, folder + "pp_od_clk_voltage"); }

    MemoryFs machine;
    std::string folder = "/sys/bus/pci/devices/0000:c5:00.0/";
    const std::string real = "/sys/devices/pci0000:c0/0000:c5:00.0";
};

TEST_CASE("kernel rules: a clock limit is stored, committed, and lost with the level") {
    Gpu gpu;
    CHECK(gpu.clocks("s 1 1900\n") == EINVAL);
    CHECK(gpu.level("perf_determinism") == 0);
    CHECK(gpu.level() == "perf_determinism\n");
    CHECK(gpu.clocks("s 1 2101\n") == EINVAL);
    CHECK(gpu.clocks("s 1 1900\n") == 0);
    CHECK(gpu.clocks() == Gpu::table("132", "2100", "1300"));
    CHECK(gpu.clocks("c\n") == 0);
    CHECK(gpu.clocks() == Gpu::table("132", "1900", "1300"));
    CHECK(gpu.level("perf_determinism") == 0);
    CHECK(gpu.clocks() == Gpu::table("132", "1900", "1300"));
    CHECK(gpu.level("auto") == 0);
    CHECK(gpu.clocks() == Gpu::table("132", "2100", "1300"));
    CHECK(gpu.level("perf_determinism") == 0);
    CHECK(gpu.clocks("c") == 0);
    CHECK(gpu.clocks() == Gpu::table("132", "2100", "1300"));
}

TEST_CASE("kernel rules: stored clocks outlive a change from one level to another, not auto") {
    Gpu gpu;
    gpu.folder = "/sys/class/drm/card0/device/";
    CHECK(gpu.level("manual") == 0);
    CHECK(gpu.clocks("s 0 500\n") == 0);
    CHECK(gpu.clocks("s 1 1700\n") == 0);
    CHECK(gpu.clocks("m 1 1200\n") == 0);
    CHECK(gpu.clocks("c\n") == 0);
    CHECK(gpu.clocks() == Gpu::table("500", "1700", "1200"));
    CHECK(gpu.level("perf_determinism") == 0);
    CHECK(gpu.clocks() == Gpu::table("500", "2100", "1200"));
    CHECK(gpu.clocks("c\n") == 0);  // the leftover memory limit becomes one of the graphics clock
    CHECK(gpu.clocks() == Gpu::table("500", "1200", "1200"));
}

TEST_CASE("kernel rules: a refused level drops the limit though the word stays") {
    Gpu gpu;
    REQUIRE(gpu.level("perf_determinism") == 0);
    REQUIRE(gpu.clocks("s 1 1900\n") == 0);
    REQUIRE(gpu.clocks("c\n") == 0);
    CHECK(gpu.level("high") == EINVAL);
    CHECK(gpu.level() == "perf_determinism\n");
    CHECK(gpu.clocks() == Gpu::table("132", "2100", "1300"));
}

TEST_CASE("kernel rules: clock commands that make no sense are refused") {
    Gpu gpu;
    REQUIRE(gpu.level("manual") == 0);
    for (const char* command : {"", "r", "r\n", "s", "s 1", "s 2 1900", "s 1 fast", "m 0 900",
                                "s 1 1900 1", "c c", "x 1 1"}) {
        CAPTURE(command);
        CHECK(gpu.clocks(command) == EINVAL);
    }
    CHECK(gpu.clocks("s 1 100\n") == 0);  // below the lower end: refused when committed
    CHECK(gpu.clocks("c\n") == EINVAL);
    CHECK(gpu.clocks() == Gpu::table("132", "2100", "1300"));
}

TEST_CASE("kernel rules: the table of older drivers keeps its form") {
    Gpu gpu;
    gpu.machine.add_file(gpu.real + "/pp_od_clk_voltage",
                         "GFXCLK:\nS: 19Mhz *\n0: 500Mhz\n1: 800Mhz *\n2: 1700MHz \nMCLK:\n"
                         "0: 400Mhz\n1: 1600Mhz *\n");
    REQUIRE(gpu.level("perf_determinism") == 0);
    REQUIRE(gpu.clocks("s 1 1500\n") == 0);
    REQUIRE(gpu.clocks("c\n") == 0);
    CHECK(gpu.clocks() ==
          "GFXCLK:\nS: 19Mhz *\n0: 500Mhz\n1: 800Mhz *\n2: 1500MHz \nMCLK:\n"
          "0: 400Mhz\n1: 1600Mhz *\n");
}

TEST_CASE("kernel rules: a fixture machine is tuned, and its copy is not") {
    MemoryFs machine(machine_fs("mi300x-spx"));
    const MemoryFs before(machine);
    const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0/";
    REQUIRE(machine == before);
    CHECK(write(machine, gpu + "power_dpm_force_performance_level", "perf_determinism") == 0);
    CHECK(write(machine, gpu + "pp_od_clk_voltage", "s 1 1900\n") == 0);
    CHECK(write(machine, gpu + "pp_od_clk_voltage", "c\n") == 0);
    CHECK(text(machine, gpu + "pp_od_clk_voltage").find("1: 1900Mhz") != std::string::npos);
    CHECK_FALSE(machine == before);
    CHECK(differences(before, machine).size() == 2);
    CHECK(write(machine, gpu + "power_dpm_force_performance_level", "auto") == 0);
    CHECK(differences(before, machine).empty());
    CHECK(machine == before);
}

TEST_CASE("kernel machine: writes fail, do not stick, half work or never return, as told") {
    auto memory = policy_machine();
    memory.add_file("/sys/devices/system/cpu/cpufreq/boost", "0\n");
    memory.add_file(policy + "boost", "0\n");
    KernelMachine machine(memory);
    const auto governor = policy + "scaling_governor";
    machine.fail(0, EIO);
    machine.ignore(1);
    machine.hang(2);
    machine.half_do(3, EIO);
    CHECK(machine.write(governor, {}, "performance")->err == EIO);
    CHECK_FALSE(machine.write(governor, {}, "performance"));
    CHECK(machine.write(governor, {}, "performance")->kind == ErrorKind::timed_out);
    CHECK(machine.memory() == memory);
    CHECK(machine.write(governor, {}, "performance")->err == EIO);
    CHECK(text(machine, governor) == "performance\n");
    machine.governor_turns_boost_on = true;
    CHECK_FALSE(machine.write(governor, {}, "powersave"));
    CHECK(text(machine, policy + "boost") == "1\n");
    CHECK(text(machine, "/sys/devices/system/cpu/cpufreq/boost") == "1\n");
    machine.before = [](std::size_t at) {
        if (at == 5) {
            throw Death();
        }
    };
    CHECK_THROWS_AS(machine.write(governor, {}, "performance"), Death);
    CHECK(text(machine, governor) == "powersave\n");
    CHECK(machine.writes.size() == 6);
    CHECK(machine.writes[4] == WriteCall{governor, {}, "powersave"});
}

}  // namespace

}  // namespace kernel_rules_test
