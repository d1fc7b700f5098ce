// SPDX-License-Identifier: MIT
#include "commands/topology/binding.h"

#include <algorithm>
#include <string>

#include "cli/commands.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "support/kernel_machine.h"
#include "support/machines.h"
#include "util/text.h"

namespace binding_test {

namespace {

using namespace rocenv;
using Cpus = std::vector<std::uint32_t>;
using Lists = std::vector<std::string>;

// Cores and L3 groups of a node: CPU n is the first thread of core n, CPU n + cores the second.
struct Cores {
    std::uint32_t cores;
    std::uint32_t per_l3;
    bool smt;
};

void add_cpus(MemoryFs& fs, Cores node) {
    const std::string folder = "/sys/devices/system/cpu/cpu";
    const auto both = [&](std::uint32_t first, std::uint32_t end) {
        Cpus cpus;
        for (std::uint32_t thread = 0; thread < (node.smt ? 2U : 1U); ++thread) {
            for (std::uint32_t core = first; core < end; ++core) {
                cpus.push_back(core + thread * node.cores);
            }
        }
        return number_list(cpus);
    };
    for (std::uint32_t core = 0; core < node.cores; ++core) {
        const std::uint32_t first = core / node.per_l3 * node.per_l3;
        for (std::uint32_t cpu : {core, core + node.cores}) {
            const std::string own = folder + number(cpu);
            fs.add_file(own + "/topology/thread_siblings_list", both(core, core + 1));
            fs.add_file(own + "/cache/index2/level", "2\n");
            fs.add_file(own + "/cache/index3/level", "3\n");
            fs.add_file(own + "/cache/index3/shared_cpu_list", both(first, first + node.per_l3));
            if (!node.smt) {
                break;
            }
        }
    }
}

// One agent for each list of CPUs near it, which agents `each` times have.
Topology agents_near(const Lists& near, std::size_t each) {
    Topology topology;
    for (const auto& list : near) {
        for (std::size_t at = 0; at < each; ++at) {
            Agent agent;
            agent.cpus = list;
            agent.rocr_index = topology.gpus.size();
            topology.gpus.push_back(agent);
        }
    }
    return topology;
}

Lists division_of(const Fs& fs, const Topology& topology, CpuDivision division = {}) {
    Lists lists;
    for (const auto& agent : topology.gpus) {
        const auto cpus = cpus_for_agent(fs, topology, agent, division);
        lists.push_back(!cpus ? cpus.error().text : *cpus ? number_list(**cpus) : "null");
    }
    return lists;
}

struct NodeCase {
    const char* name;
    Cores cores;
    Lists near;
    std::size_t each;  // agents with each of these lists
    CpuDivision division;
    Lists expected;  // lists of the first agents
};

const Lists mi250x_near{"48-63", "16-31", "0-15", "32-47"};
const Lists mi250x_near_smt{"48-63,112-127", "16-31,80-95", "0-15,64-79", "32-47,96-111"};
const Lists mi300x_near{"0-95,192-287", "96-191,288-383"};
const Lists mi300a_near{"0-23,96-119", "24-47,120-143", "48-71,144-167", "72-95,168-191"};

// The first row is the table of docs.olcf.ornl.gov/systems/frontier_user_guide.html and
// docs.lumi-supercomputer.eu, 2026-11.
const NodeCase node_cases[] = {
    {"MI250X, SMT off",
     {64, 8, false},
     mi250x_near,
     2,
     {},
     {"48-55", "56-63", "16-23", "24-31", "0-7", "8-15", "32-39", "40-47"}},
    {"MI250X",
     {64, 8, true},
     mi250x_near_smt,
     2,
     {},
     {"48-55,112-119", "56-63,120-127", "16-23,80-87", "24-31,88-95", "0-7,64-71", "8-15,72-79",
      "32-39,96-103", "40-47,104-111"}},
    {"MI250X, first cores reserved",
     {64, 8, true},
     mi250x_near_smt,
     2,
     {false, true},
     {"49-55,113-119", "57-63,121-127", "17-23,81-87", "25-31,89-95", "1-7,65-71", "9-15,73-79",
      "33-39,97-103", "41-47,105-111"}},
    {"MI250X, the NUMA node",
     {64, 8, true},
     mi250x_near_smt,
     2,
     {true, false},
     {"48-63,112-127", "48-63,112-127", "16-31,80-95"}},
    {"MI250X, the NUMA node without first cores",
     {64, 8, false},
     mi250x_near,
     2,
     {true, true},
     {"49-55,57-63", "49-55,57-63", "17-23,25-31"}},
    {"MI300X SPX",
     {192, 8, true},
     mi300x_near,
     4,
     {},
     {"0-23,192-215", "24-47,216-239", "48-71,240-263", "72-95,264-287", "96-119,288-311",
      "120-143,312-335", "144-167,336-359", "168-191,360-383"}},
    {"MI300X CPX: 32 agents on 12 L3",
     {192, 8, true},
     mi300x_near,
     32,
     {},
     {"0-2,192-194", "3-5,195-197", "6-7,198-199", "8-10,200-202", "11-13,203-205", "14-15,206-207",
      "16-18,208-210"}},
    {"MI300A SPX", {96, 8, true}, mi300a_near, 1, {}, mi300a_near},
    {"MI300A TPX",
     {96, 8, true},
     mi300a_near,
     3,
     {},
     {"0-7,96-103", "8-15,104-111", "16-23,112-119", "24-31,120-127"}},
    {"MI300A CPX",
     {96, 8, true},
     mi300a_near,
     6,
     {},
     {"0-3,96-99", "4-7,100-103", "8-11,104-107", "12-15,108-111", "16-19,112-115", "20-23,116-119",
      "24-27,120-123"}},
    {"a remainder of L3", {40, 8, false}, {"0-39"}, 3, {}, {"0-15", "16-31", "32-39"}},
    {"a remainder of agents and cores",
     {16, 8, false},
     {"0-15"},
     5,
     {},
     {"0-2", "3-5", "6-7", "8-11", "12-15"}},
    {"more agents than cores", {2, 2, true}, {"0-3"}, 4, {}, {"0,2", "0,2", "1,3", "1,3"}},
    {"L3 beyond the NUMA node",
     {16, 16, true},
     {"0-7,16-23", "8-15,24-31"},
     2,
     {},
     {"0-3,16-19", "4-7,20-23", "8-11,24-27", "12-15,28-31"}},
    {"an L3 of one core, reserved", {2, 1, false}, {"0-1"}, 1, {false, true}, {""}},
};

TEST_CASE("Agents of one NUMA node get disjoint CPUs by L3", "[topology]") {
    for (const auto& item : node_cases) {
        CAPTURE(item.name);
        MemoryFs fs;
        add_cpus(fs, item.cores);
        auto found = division_of(fs, agents_near(item.near, item.each), item.division);
        REQUIRE(found.size() >= item.expected.size());
        found.resize(item.expected.size());
        CHECK(found == item.expected);
    }
}

TEST_CASE("Every division uses each CPU once", "[topology]") {
    for (std::size_t each = 1; each <= 96; ++each) {
        CAPTURE(each);
        MemoryFs fs;
        add_cpus(fs, {192, 8, true});
        Cpus all;
        for (const auto& list : division_of(fs, agents_near({mi300x_near[1]}, each))) {
            const auto cpus = parse_number_list(list);
            REQUIRE(cpus);
            CHECK_FALSE(cpus->empty());
            all.insert(all.end(), cpus->begin(), cpus->end());
        }
        std::sort(all.begin(), all.end());
        CHECK(number_list(all) == mi300x_near[1]);
    }
}

TEST_CASE("What the kernel does not say of caches and cores", "[topology]") {
    const auto topology = agents_near({"0-7"}, 2);
    MemoryFs fs;
    CHECK(division_of(fs, topology) == Lists{"0-3", "4-7"});
    CHECK(division_of(fs, agents_near({"0-7"}, 2), {true, false}) == Lists{"0-7", "0-7"});

    SECTION("a mask instead of a list") {
        for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
            const std::string folder =
                "/sys/devices/system/cpu/cpu" + number(cpu) + "/cache/index3";
            fs.add_file(folder + "/level", "3\n");
            fs.add_file(folder + "/shared_cpu_map", cpu < 6 ? "0000003f\n" : "00000001,000000c0\n");
        }
        CHECK(division_of(fs, topology) == Lists{"0-5", "6-7"});
    }
    SECTION("a garbled mask") {
        fs.add_file("/sys/devices/system/cpu/cpu0/cache/index3/level", "3\n");
        fs.add_file("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_map", "all\n");
        CHECK(division_of(fs, topology)[0] ==
              "/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_map: is not a valid mask of "
              "CPUs");
    }
    SECTION("a file that cannot be read") {
        fs.add_error("/sys/devices/system/cpu/cpu0/cache/index3/level", 5);
        CHECK_FALSE(cpus_for_agent(fs, topology, topology.gpus[0], {}).ok());
    }
    SECTION("which CPUs are near") {
        auto unknown = topology;
        unknown.gpus[0].cpus.reset();
        unknown.gpus[1].cpus.reset();
        CHECK(division_of(fs, unknown) == Lists{"null", "null"});
    }
}

Output bound(const Fs& fs, TopoOptions options) {
    options.bind_format = format_named<BindFormat>("taskset");
    return run_topo(options, fs, Process{}, std::nullopt);
}

TEST_CASE("On its own machine a rank gets the CPUs that the process may use", "[topology]") {
    KernelMachine machine(machine_fs("mi250x"));
    machine.real = true;
    TopoOptions options;
    options.bind = 1;
    machine.memory().add_file("/proc/self/status", "Cpus_allowed_list:\t0-59,122\n");
    CHECK(bound(machine, options).out == "--cpu-list 56-59,122\n");

    machine.memory().add_file("/proc/self/status", "Cpus_allowed_list:\t0-47\n");
    const Output none = bound(machine, options);
    CHECK(none.exit_code == 3);
    CHECK(none.out.empty());
    CHECK(none.err.find(": 56-63,120-127") != std::string::npos);
    CHECK(none.err.find("the CPUs 0-47 only") != std::string::npos);

    SECTION("the whole node is what the kernel says") {
        options.bind_scope = BindScope::numa;
        CHECK(bound(machine, options).out == "--cpu-list 48-63,112-127\n");
    }
    SECTION("another machine's CPUs are not this process's") {
        machine.real = false;
        CHECK(bound(machine, options).out == "--cpu-list 56-63,120-127\n");
    }
}

}  // namespace

}  // namespace binding_test
