// SPDX-License-Identifier: MIT
// topo on a machine with one bad file, each kind of file in each way: every format is still made,
// and a GPU's values equal those of the whole machine, or are null.
#include "commands/topology/rocminfo.h"
#include "machine/host/cpus.h"
#include "support/catch.h"
#include "support/faulty_fs.h"

namespace topology_faults_test {

namespace {

using namespace rocenv;

Topology read_all(const Fs& fs) {
    Topology topology = read_topology(Machine(fs));
    if (const auto side = read_cpu_topology(fs)) {
        topology.cpu_topology = *side;
    } else {
        topology.notes.push_back(side.error().text);
    }
    return topology;
}

std::map<std::string, std::optional<std::string>> values_of(const Topology& topology) {
    std::map<std::string, std::optional<std::string>> values;
    for (const auto& one : topology_values(topology)) {
        values.emplace(one.key, one.value);
    }
    return values;
}

// Returns whether a value depends on the other devices, as the nearest NIC does.
bool follows_others(const std::string& key) {
    return key.ends_with(".nic") || key.ends_with(".rocr_index");
}

// Keys whose value is another than on the whole machine; empty when a GPU is missing, which
// renumbers the others.
std::string wrong_values(const Topology& whole, const Topology& topology) {
    if (topology.gpus.size() != whole.gpus.size()) {
        return {};
    }
    const auto good = values_of(whole);
    std::string wrong;
    for (const auto& [key, value] : values_of(topology)) {
        const auto known = good.find(key);
        if (key.starts_with("gpu.") && value && !follows_others(key) &&
            (known == good.end() || known->second != value)) {
            wrong += key + "=" + *value + " ";
        }
    }
    return wrong;
}

std::string all_formats(const Topology& topology, const Machine& machine) {
    return render_topology_human(topology, Colour::no) + render_topology_json(topology) +
           render_topology_svg(topology) + render_rocminfo(read_hsa_system(machine));
}

// Reads the machine once for each fault of each kind of file, or for one fault in `every_fault`.
void check_bad_files(std::size_t every_fault) {
    const MemoryFs& machine = machine_fs("mi300x-tuned");
    const FaultyFs whole(machine);
    const Topology good = read_all(whole);
    REQUIRE(good.gpus.size() == 8);
    REQUIRE(good.notes.empty());
    read_hsa_system(Machine(whole));
    const auto questions = whole.questions;
    std::set<std::pair<Operation, std::string>> seen;
    std::size_t asked = 0;
    std::size_t tried = 0;
    for (const auto& [operation, path] : questions) {
        if (!seen.emplace(operation, kind_of(path)).second) {
            continue;
        }
        for (const auto& [name, answer] : faults_of(operation)) {
            if (++asked % every_fault != 0) {
                continue;
            }
            const FaultyFs fs(machine, Fault{operation, path, answer});
            const Topology topology = read_all(fs);
            INFO(path << " " << name << " operation " << static_cast<int>(operation));
            CHECK(wrong_values(good, topology).empty());
            CHECK(all_formats(topology, Machine(fs)).find('\x01') == std::string::npos);
            ++tried;
        }
    }
    CHECK(tried > 150 / every_fault);
}

TEST_CASE("A sample of bad files makes topo report no wrong value", "[topology][bad-input]") {
    check_bad_files(5);  // not a factor of the number of faults
}

TEST_CASE("No bad file makes topo report a wrong value", "[topology][bad-input][long]") {
    check_bad_files(1);
}

}  // namespace

}  // namespace topology_faults_test
