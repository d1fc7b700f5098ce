// SPDX-License-Identifier: MIT
#include "commands/topology/topology.h"
#include "machine/gpu/gpu_models.h"

#include <cerrno>
#include <string>

#include "commands/topology/rocminfo.h"
#include "machine/host/cpus.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace topology_test {

namespace {

using namespace rocenv;
using Cpus = std::vector<std::uint32_t>;

const std::string nodes = "/sys/class/kfd/kfd/topology/nodes/";

void add_gpu(MemoryFs& fs, std::uint32_t node, std::uint64_t bus, std::uint64_t partition = 0) {
    fs.add_file(nodes + std::to_string(node) + "/properties",
                "simd_count 152\nsimd_per_cu 4\ndevice_id 29857\nlocation_id " +
                    std::to_string(bus * 256 + partition) + "\n");
}

void add_link(MemoryFs& fs, std::uint32_t from, std::uint32_t to, std::uint32_t type,
              std::uint32_t weight) {
    fs.add_file(nodes + std::to_string(from) + "/io_links/" + std::to_string(to) + "/properties",
                "type " + std::to_string(type) + "\nnode_to " + std::to_string(to) + "\nweight " +
                    std::to_string(weight) + "\n");
}

void add_function(MemoryFs& fs, const std::string& path, const std::string& numa) {
    const std::string bdf = path.substr(path.rfind('/') + 1);
    fs.add_link(pci_path(bdf), "../../../devices/" + path);
    fs.add_file(pci_path(bdf) + "/numa_node", numa + "\n");
    fs.add_file(pci_path(bdf) + "/local_cpulist", "0-3\n");
}

void add_nic(MemoryFs& fs, const std::string& name, const std::string& path,
             const std::string& numa) {
    add_function(fs, path, numa);
    fs.add_link("/sys/class/infiniband/" + name + "/device",
                "../../../" + path.substr(path.rfind('/') + 1));
}

std::optional<std::string> value(const Topology& topology, const std::string& key) {
    for (const auto& one : topology_values(topology)) {
        if (one.key == key) {
            return one.value.value_or("null");
        }
    }
    return std::nullopt;
}

struct HopCase {
    std::uint32_t weight;
    const char* hops;
};

TEST_CASE("Hops of xGMI are told from the weight, where it says", "[topology]") {
    const HopCase cases[] = {{13, "0"}, {15, "1"},    {30, "2"},   {45, "3"},
                             {41, "1"}, {20, "null"}, {0, "null"}, {90, "6"}};
    for (const auto& item : cases) {
        CAPTURE(item.weight);
        MemoryFs fs;
        add_gpu(fs, 1, 5);
        add_gpu(fs, 2, 9);
        add_link(fs, 1, 2, 11, item.weight);
        const auto topology = read_topology(Machine(fs));
        CHECK(value(topology, "gpu.0.to.1.hops") == item.hops);
        CHECK(value(topology, "gpu.0.to.1.type") == "xgmi");
        CHECK_FALSE(value(topology, "gpu.1.to.0.hops"));
    }
}

// A GPU that PCI lists, with its driver or without one.
void add_on_pci(MemoryFs& fs, const std::string& bdf, const std::string& driver) {
    add_function(fs, "pci0000:00/0000:00:01.0/" + bdf, "0");
    fs.add_file(pci_path(bdf) + "/modalias",
                "pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00\n");
    if (!driver.empty()) {
        fs.add_link(pci_path(bdf) + "/driver", "../../../bus/pci/drivers/" + driver);
    }
}

TEST_CASE("GPUs without an agent are listed apart, and move no index", "[topology]") {
    MemoryFs fs;
    add_gpu(fs, 1, 5);
    add_gpu(fs, 2, 7);
    add_on_pci(fs, "0000:05:00.0", "amdgpu");
    add_on_pci(fs, "0000:06:00.0", "");
    add_on_pci(fs, "0000:07:00.0", "amdgpu");
    add_on_pci(fs, "0000:08:00.0", "amdgpu");
    add_on_pci(fs, "0000:09:00.0", "vfio-pci");
    fs.add_file("/sys/bus/pci/slots/21/address", "0000:06:00\n");
    fs.add_file("/sys/bus/pci/slots/4-1/address", "0000:09\n");
    fs.add_file("/sys/bus/pci/slots/7/address", "0000:00:01\n");
    const auto topology = read_topology(Machine(fs));
    REQUIRE(topology.gpus.size() == 2);
    CHECK(value(topology, "gpu.1.bdf") == "0000:07:00.0");
    REQUIRE(topology.missing.size() == 3);
    CHECK(topology.missing[0].pci.bdf == "0000:06:00.0");
    CHECK(topology.missing[0].code == "no-driver");
    CHECK(topology.missing[0].slot == "21");
    CHECK(topology.missing[0].name == "AMD Instinct MI300X");
    CHECK(topology.missing[1].code == "no-kfd-node");
    CHECK(topology.missing[1].slot == "7");  // slot of the bridge above it
    CHECK(topology.missing[2].code == "vfio");
    CHECK(topology.missing[2].slot == "4-1");
    const auto text = render_topology_human(topology, Colour::no);
    for (const std::string_view line :
         {"The GPU at 0000:06:00.0 (slot 21) has no driver.\n",
          "The GPU at 0000:08:00.0 (slot 7) has no KFD node.\n",
          "The GPU at 0000:09:00.0 (slot 4-1) is bound to vfio-pci.\n",
          "Indices moved: with them, 1 would be 2.\n",
          "2 agents on 2 physical GPUs, 3 GPUs without an agent\n"}) {
        CHECK(text.find(line) != text.npos);
    }
}

TEST_CASE("What a container hides or nobody could read is not missing", "[topology]") {
    MemoryFs fs;
    add_gpu(fs, 1, 5);
    add_on_pci(fs, "0000:05:00.0", "amdgpu");
    add_on_pci(fs, "0000:06:00.0", "amdgpu");
    SECTION("a hidden node may be of the other GPU") {
        fs.add_error(nodes + "2/properties", EPERM);
        CHECK(read_topology(Machine(fs)).missing.empty());
    }
    SECTION("a node that cannot be read, too") {
        fs.add_error(nodes + "2/properties", EIO);
        CHECK(read_topology(Machine(fs)).missing.empty());
    }
    SECTION("without either it has none") {
        CHECK(read_topology(Machine(fs)).missing.size() == 1);
    }
}

TEST_CASE("Each GPU in partitions moves as many indices as it has agents", "[topology]") {
    MemoryFs fs;
    for (std::uint32_t node = 1; node <= 4; ++node) {
        add_gpu(fs, node, node <= 2 ? 5 : 7, (node - 1) % 2);
    }
    add_on_pci(fs, "0000:05:00.0", "amdgpu");
    add_on_pci(fs, "0000:06:00.0", "");
    add_on_pci(fs, "0000:07:00.0", "amdgpu");
    const auto text = render_topology_human(read_topology(Machine(fs)), Colour::no);
    CHECK(text.find("with it, 2-3 would be 4-5.") != text.npos);
}

TEST_CASE("A node that is missing is a CPU's, one that is hidden is nobody's", "[topology]") {
    MemoryFs fs;
    add_gpu(fs, 1, 5);
    fs.add_error(nodes + "2/properties", 1);
    add_link(fs, 1, 0, 2, 20);
    add_link(fs, 1, 2, 11, 15);
    const auto topology = read_topology(Machine(fs));
    REQUIRE(topology.links.size() == 1);
    CHECK(topology.links[0].to_kind == TopologyLink::End::cpu);
    CHECK(topology.links[0].to == 0);
    CHECK(topology.links[0].type == "pcie");
    CHECK(topology.hidden == 1);
}

TEST_CASE("GPUs of one bus number in different domains are two", "[topology]") {
    MemoryFs fs;
    for (const char* node : {"4", "5"}) {
        fs.add_file(nodes + node + "/properties",
                    std::string("simd_count 912\nsimd_per_cu 4\nlocation_id 512\ndomain ") +
                        (*node == '4' ? "0" : "1") + "\n");
    }
    const auto topology = read_topology(Machine(fs));
    REQUIRE(topology.physical.size() == 2);
    CHECK(topology.gpus[0].bdf == "0000:02:00.0");
    CHECK(topology.gpus[1].bdf == "0001:02:00.0");
}

TEST_CASE("ROCr counts by node, we by address", "[topology]") {
    MemoryFs fs;
    add_gpu(fs, 1, 0xc5);
    add_gpu(fs, 2, 0x05);
    const auto topology = read_topology(Machine(fs));
    CHECK(value(topology, "gpu.0.bdf") == "0000:05:00.0");
    CHECK(value(topology, "gpu.0.rocr_index") == "1");
    CHECK(value(topology, "gpu.1.rocr_index") == "0");
}

TEST_CASE("How near a NIC is", "[topology]") {
    MemoryFs fs;
    add_gpu(fs, 1, 0x05);
    add_function(fs, "pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:05:00.0", "0");
    add_nic(fs, "same", "pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:01.0/0000:06:00.0", "0");
    add_nic(fs, "root", "pci0000:00/0000:00:03.1/0000:07:00.0", "0");
    add_nic(fs, "numa", "pci0000:40/0000:40:03.1/0000:41:00.0", "0");
    add_nic(fs, "away", "pci0000:80/0000:80:03.1/0000:81:00.0", "1");
    add_nic(fs, "none", "pci0000:c0/0000:c0:03.1/0000:c1:00.0", "-1");
    const auto topology = read_topology(Machine(fs));
    REQUIRE(topology.nics.size() == 5);
    const auto& nearest = topology.physical[0].nearest;
    CHECK(nearest[0] == Nearness::same_switch);
    CHECK(nearest[1] == Nearness::same_root);
    CHECK(nearest[2] == Nearness::same_numa);
    CHECK(nearest[3] == Nearness::far);
    CHECK_FALSE(nearest[4]);
    CHECK(value(topology, "gpu.0.nic") == "same");
}

TEST_CASE("Equally near NICs are dealt out, a far one is not near", "[topology]") {
    MemoryFs fs;
    for (std::uint32_t at = 0; at < 2; ++at) {
        const std::string number = std::to_string(at + 1);
        add_gpu(fs, at + 1, at + 1);
        add_function(fs, "pci0000:00/0000:00:0" + number + ".1/0000:0" + number + ":00.0", "0");
        add_nic(fs, "mlx5_" + number,
                "pci0000:40/0000:40:0" + number + ".1/0000:4" + number + ":00.0", "0");
    }
    add_gpu(fs, 3, 0x83);
    add_function(fs, "pci0000:80/0000:80:01.1/0000:83:00.0", "1");
    const auto topology = read_topology(Machine(fs));
    CHECK(value(topology, "gpu.0.nic") == "mlx5_1");
    CHECK(value(topology, "gpu.1.nic") == "mlx5_2");
    CHECK(value(topology, "gpu.2.nic") == "null");
}

TEST_CASE("CPUs: memory-only nodes, half of SMT, no NUMA", "[topology]") {
    MemoryFs fs;
    const std::string cpu = "/sys/devices/system/cpu/";
    fs.add_file(cpu + "online", "0-2\n");
    for (const char* one : {"0", "1", "2"}) {
        const std::string folder = cpu + "cpu" + one + "/topology/";
        fs.add_file(folder + "physical_package_id", "0\n");
        fs.add_file(folder + "core_siblings_list", "0-2\n");
        fs.add_file(folder + "thread_siblings_list", *one == '1' ? "1\n" : "0,2\n");
    }
    fs.add_file("/proc/meminfo", "MemTotal:  2048 kB\n");
    const auto plain = read_cpu_topology(fs);
    REQUIRE(plain);
    CHECK(plain->cores == 2);
    CHECK_FALSE(plain->threads_per_core());
    REQUIRE(plain->numa.size() == 1);
    CHECK(plain->numa[0].memory_bytes == 2048U * 1024);

    fs.add_file("/sys/devices/system/node/online", "0,2\n");
    fs.add_file("/sys/devices/system/node/node0/cpulist", "0-2\n");
    fs.add_file("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:  1024 kB\n");
    fs.add_file("/sys/devices/system/node/node2/cpulist", "\n");
    fs.add_file("/sys/devices/system/node/node2/meminfo", "Node 2 MemTotal:  4096 kB\n");
    const auto side = read_cpu_topology(fs);
    REQUIRE(side);
    REQUIRE(side->numa.size() == 2);
    CHECK(side->numa[0].cpus == Cpus{0, 1, 2});
    CHECK(side->numa[0].package == 0U);
    CHECK(side->numa[1].node == 2);
    CHECK(side->numa[1].cpus.empty());
    CHECK_FALSE(side->numa[1].package);
    CHECK(side->numa[1].memory_bytes == 4096U * 1024);

    fs.add_file("/sys/devices/system/node/node2/cpulist", "soon\n");
    CHECK(read_cpu_topology(fs).is(ErrorKind::garbled));
}

TEST_CASE("Names by id and revision", "[topology]") {
    CHECK(marketing_name(0x74a1, 0) == "AMD Instinct MI300X");
    CHECK(marketing_name(0x66a1, 2) == "AMD Instinct MI60 / MI50");
    CHECK(marketing_name(0x66a1, 6) == "AMD Radeon Pro VII");
    CHECK(marketing_name(0x66a1, std::nullopt).empty());  // two names
    CHECK(marketing_name(0x74a1, std::nullopt) == "AMD Instinct MI300X");
    CHECK(marketing_name(0x74a1, 0xff).empty());
    CHECK(marketing_name(0x1234, 0).empty());
}

TEST_CASE("Of a GPU's caches the first and the last two are read", "[topology]") {
    MemoryFs fs;
    add_gpu(fs, 1, 5);
    for (std::uint32_t at = 0; at < 12; ++at) {
        const bool last = at == 11;
        fs.add_file(nodes + "1/caches/" + std::to_string(at) + "/properties",
                    std::string("level ") +
                        (last       ? "3"
                         : at == 10 ? "2"
                                    : "1") +
                        "\nsize " + std::to_string(at + 1) +
                        "\ncache_line_size 128\nsibling_map 1,1,0\n");
    }
    const Machine machine(fs);
    const auto caches = machine.cache_ends(machine.kfd().nodes[0]);
    REQUIRE(caches);
    REQUIRE(caches->size() == 3);
    CHECK((*caches)[0].bytes == 1024);
    CHECK((*caches)[1].bytes == 11U * 1024);
    CHECK((*caches)[2].level == 3);
    const std::string page = render_rocminfo(read_hsa_system(machine));
    CHECK(page.find("    L2:                      11(0xb) KB ") != std::string::npos);
    CHECK(page.find("  Cacheline Size:          128(0x80) ") != std::string::npos);
    CHECK(page.find("  Uuid:                    GPU-XX ") != std::string::npos);
    CHECK(page.find("\n  Name:") == std::string::npos);  // not reported by this kernel
}

}  // namespace

}  // namespace topology_test
