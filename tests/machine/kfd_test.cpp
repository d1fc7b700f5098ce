// SPDX-License-Identifier: MIT
#include <cerrno>
#include <string>
#include <vector>

#include "os/fs/memory_fs.h"
#include "rocenv/machine.h"
#include "support/catch.h"

namespace kfd_test {

namespace {

using namespace rocenv;

const std::string topology = "/sys/class/kfd/kfd/topology";

std::string node_path(std::uint32_t index) {
    return topology + "/nodes/" + std::to_string(index);
}

void add_node(MemoryFs& fs, std::uint32_t index, const std::string& properties) {
    fs.add_file(node_path(index) + "/properties", properties);
}

std::string gpu_properties(std::uint64_t location, std::uint64_t domain = 0) {
    return "cpu_cores_count 0\nsimd_count 1216\nsimd_per_cu 4\nlocation_id " +
           std::to_string(location) + "\ndomain " + std::to_string(domain) +
           "\ndevice_id 29857\ngfx_target_version 90402\n";
}

MemoryFs& with_generation(MemoryFs& fs) {
    fs.add_file(topology + "/generation_id", "2\n");
    return fs;
}

void add_function(MemoryFs& fs, const std::string& bdf, const std::string& modalias) {
    fs.add_file(pci_path(bdf) + "/modalias", modalias + "\n");
}

const char* const mi300x = "pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00";

TEST_CASE("A node's properties are what its file says", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 0, "cpu_cores_count 96\nsimd_count 0\n");
    add_node(fs, 1, gpu_properties(1280));
    const Machine machine(fs);
    const auto& kfd = machine.kfd();
    CHECK(kfd.present);
    CHECK_FALSE(kfd.error);
    REQUIRE(kfd.nodes.size() == 2);
    CHECK_FALSE(kfd.nodes[0].is_gpu());
    CHECK(kfd.nodes[1].is_gpu());
    CHECK(kfd.nodes[1].get("simd_count") / kfd.nodes[1].get("simd_per_cu") == 304);
    CHECK(kfd.nodes[1].get("of_another_kernel") == 0);
    CHECK(kfd.hidden() == 0);
}

struct AddressCase {
    std::uint64_t location;
    std::uint64_t domain;
    const char* exact;
    const char* primary;
    std::uint32_t partition;
};

TEST_CASE("Where a node's GPU is, and which partition it is", "[kfd]") {
    const AddressCase cases[] = {{0x0500, 0, "0000:05:00.0", "0000:05:00.0", 0},
                                 {0x0507, 0, "0000:05:00.7", "0000:05:00.0", 7},
                                 {0xffff, 0, "0000:ff:1f.7", "0000:ff:1f.0", 7},
                                 {0x10000500, 0, "0000:05:00.0", "0000:05:00.0", 1},
                                 {0xf0000500, 1, "0001:05:00.0", "0001:05:00.0", 15},
                                 {0x0500, 0x10000, "10000:05:00.0", "10000:05:00.0", 0},
                                 {0x0500, 0xffffffff, "ffffffff:05:00.0", "ffffffff:05:00.0", 0}};
    for (const auto& item : cases) {
        CAPTURE(item.location, item.domain);
        KfdNode node;
        node.properties = {{"location_id", item.location}, {"domain", item.domain}};
        const auto address = kfd_address(node);
        CHECK(address.exact == item.exact);
        CHECK(address.primary == item.primary);
        CHECK(address.partition == item.partition);
    }
}

struct Scheme {
    const char* name;
    std::uint64_t step;
};

TEST_CASE("Eight partitions are one GPU, in order, however they are numbered", "[kfd]") {
    for (const Scheme& scheme : {Scheme{"function bits", 1}, Scheme{"bits 31:28", 0x10000000}}) {
        CAPTURE(scheme.name);
        MemoryFs fs;
        add_function(with_generation(fs), "0000:05:00.0", mi300x);
        for (std::uint32_t at = 0; at < 8; ++at) {
            add_node(fs, 8 - at, gpu_properties(0x0500 + at * scheme.step));  // last one first
        }
        const Machine machine(fs);
        REQUIRE(machine.gpus().size() == 1);
        const Gpu& gpu = machine.gpus()[0];
        CHECK(gpu.on_pci);
        CHECK(gpu.accelerator);
        REQUIRE(gpu.agents.size() == 8);
        for (std::uint32_t at = 0; at < 8; ++at) {
            CHECK(kfd_address(machine.kfd().nodes[gpu.agents[at]]).partition == at);
        }
    }
}

TEST_CASE("A GPU behind a domain of more than 16 bits is found on PCI", "[kfd]") {
    MemoryFs fs;
    add_function(with_generation(fs), "10000:05:00.0", mi300x);
    add_node(fs, 1, gpu_properties(0x0500, 0x10000));
    const Machine machine(fs);
    REQUIRE(machine.gpus().size() == 1);
    CHECK(machine.gpus()[0].on_pci);
    CHECK(machine.gpus()[0].agents.size() == 1);
}

TEST_CASE("Virtual functions are GPUs of their own", "[kfd]") {
    const char* vf = "pci:v00001002d000074B5sv00001002sd000074A1bc12sc00i00";
    MemoryFs fs;
    add_function(with_generation(fs), "0000:05:02.0", vf);
    add_function(fs, "0000:05:02.1", vf);
    add_node(fs, 1, gpu_properties(0x0510));
    add_node(fs, 2, gpu_properties(0x0511));
    const Machine machine(fs);
    REQUIRE(machine.gpus().size() == 2);
    CHECK(machine.gpus()[0].agents == std::vector<std::size_t>{0});
    CHECK(machine.gpus()[1].agents == std::vector<std::size_t>{1});
}

TEST_CASE("What the device cgroup denies is hidden, any other obstacle an error", "[kfd]") {
    MemoryFs fs;
    with_generation(fs);
    fs.add_error(node_path(1) + "/properties", EPERM);
    fs.add_error(node_path(2) + "/properties", EIO);
    fs.add_error(node_path(3) + "/properties", EACCES);
    fs.add_folder(node_path(4));
    const Machine machine(fs);
    const auto& nodes = machine.kfd().nodes;
    REQUIRE(nodes.size() == 4);
    CHECK(nodes[0].hidden);
    CHECK_FALSE(nodes[0].error);
    CHECK(machine.kfd().hidden() == 1);
    REQUIRE(nodes[1].error);
    CHECK(nodes[1].error->kind == ErrorKind::io);
    CHECK(nodes[1].error->path == node_path(2) + "/properties");
    REQUIRE(nodes[2].error);
    CHECK(nodes[2].error->kind == ErrorKind::not_permitted);
    REQUIRE(nodes[3].error);
    CHECK(nodes[3].error->kind == ErrorKind::not_here);
    CHECK(machine.gpus().empty());
}

TEST_CASE("Garbled properties are an error that names the file", "[kfd]") {
    const std::string cases[] = {"",
                                 "\n\n",
                                 std::string(100, '\0'),
                                 "simd_count\n",
                                 "simd_count -4\n",
                                 "simd_count 4 4\n",
                                 "simd_count 0x10\n",
                                 "simd_count 99999999999999999999\n",
                                 "simd_count 4\n\xff\xfe\n",
                                 "<html>\n"};
    for (const auto& text : cases) {
        CAPTURE(text);
        MemoryFs fs;
        add_node(with_generation(fs), 1, text);
        const Machine machine(fs);
        REQUIRE(machine.kfd().nodes.size() == 1);
        const auto& error = machine.kfd().nodes[0].error;
        REQUIRE(error);
        CHECK(error->kind == ErrorKind::garbled);
        CHECK(error->text.starts_with(node_path(1) + "/properties: "));
    }
}

TEST_CASE("NUL padding and blank lines around properties do no harm", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 1, "\nsimd_count 4 \r\n\n" + std::string(64, '\0'));
    const Machine machine(fs);
    CHECK_FALSE(machine.kfd().nodes[0].error);
    CHECK(machine.kfd().nodes[0].get("simd_count") == 4);
}

TEST_CASE("Holes among the nodes are left out", "[kfd]") {
    MemoryFs fs;
    with_generation(fs);
    for (const std::uint32_t index : {1U, 2U, 10U, 64U}) {  // neither node 0 nor the 64th partition
        add_node(fs, index, gpu_properties(0x0500 + index * 0x100));
    }
    fs.add_file(topology + "/nodes/README", "");
    fs.add_folder(topology + "/nodes/99999999999999999999");
    const Machine machine(fs);
    std::vector<std::uint32_t> indices;
    for (const auto& node : machine.kfd().nodes) {
        CHECK_FALSE(node.error);
        indices.push_back(node.index);
    }
    CHECK(indices == std::vector<std::uint32_t>{1, 2, 10, 64});
}

TEST_CASE("Sixty-four partitions on eight GPUs, one of them missing", "[kfd]") {
    MemoryFs fs;
    with_generation(fs);
    for (std::uint32_t at = 0; at < 63; ++at) {
        add_node(fs, 2 + at, gpu_properties(0x0500 + at / 8 * 0x1000 + at % 8));
    }
    for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
        const std::string digit(1, "0123456789abcdef"[gpu]);
        add_function(fs, "0000:" + digit + "5:00.0", mi300x);
    }
    const Machine machine(fs);
    REQUIRE(machine.gpus().size() == 8);
    for (std::size_t gpu = 0; gpu < 8; ++gpu) {
        CHECK(machine.gpus()[gpu].agents.size() == (gpu < 7 ? 8 : 7));
    }
}

TEST_CASE("No KFD is no error, a KFD that cannot be listed is one", "[kfd]") {
    MemoryFs none;
    CHECK_FALSE(Machine(none).kfd().present);
    CHECK_FALSE(Machine(none).kfd().error);
    MemoryFs denied;
    denied.add_error(topology + "/nodes", EACCES);
    const Machine machine(denied);
    CHECK(machine.kfd().present);
    REQUIRE(machine.kfd().error);
    CHECK(machine.kfd().error->kind == ErrorKind::not_permitted);
}

// A machine whose topology changes while its nodes are read.
class ChangingFs final : public Fs {
   public:
    explicit ChangingFs(const MemoryFs& inner, bool changes) : inner_(inner), changes_(changes) {}

    Result<std::string> read(const std::string& path) const override {
        if (path == topology + "/generation_id") {
            return std::to_string(changes_ ? ++generation_ : generation_) + "\n";
        }
        return inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        return inner_.read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override { return inner_.link(path); }
    Result<std::uint64_t> size(const std::string& path) const override { return inner_.size(path); }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return inner_.capacity(path);
    }
    bool is_real() const override { return false; }

   private:
    const MemoryFs& inner_;
    const bool changes_;
    mutable int generation_ = 7;
};

TEST_CASE("A topology that changed while it was read is an error", "[kfd]") {
    MemoryFs fs;
    add_node(fs, 1, gpu_properties(0x0500));
    const ChangingFs changing(fs, true);
    const Machine machine(changing);
    REQUIRE(machine.kfd().error);
    CHECK(machine.kfd().error->kind == ErrorKind::io);
    CHECK(machine.kfd().error->text.find("keeps changing") != std::string::npos);
    const ChangingFs steady(fs, false);
    CHECK_FALSE(Machine(steady).kfd().error);
}

TEST_CASE("A GPU that KFD knows and PCI does not is a GPU", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 1, gpu_properties(0x0500));
    const Machine machine(fs);
    REQUIRE(machine.gpus().size() == 1);
    CHECK(machine.gpus()[0].bdf == "0000:05:00.0");
    CHECK(machine.gpus()[0].device == 0x74a1);
    CHECK_FALSE(machine.gpus()[0].on_pci);
}

TEST_CASE("Links of a node, in the order of where they lead", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 1, gpu_properties(0x0500));
    fs.add_file(node_path(1) + "/io_links/0/properties", "type 11\nnode_to 3\nweight 15\n");
    fs.add_file(node_path(1) + "/io_links/1/properties", "type 2\nnode_to 0\nweight 20\n");
    fs.add_file(node_path(1) + "/p2p_links/0/properties", "type 2\nnode_to 2\nweight 40\n");
    const Machine machine(fs);
    const auto found = machine.links_of(machine.kfd().nodes[0]);
    REQUIRE(found);
    const auto& links = *found;
    REQUIRE(links.size() == 3);
    CHECK(links[0].to == 0);
    CHECK(links[0].type == link_pcie);
    CHECK(links[1].to == 2);
    CHECK(links[2].type == link_xgmi);
    CHECK(links[2].weight == 15);
    CHECK(links[2].from == 1);
}

TEST_CASE("Memory banks are added up by heap, none is not zero", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 1, gpu_properties(0x0500));
    fs.add_file(node_path(1) + "/mem_banks/0/properties", "heap_type 1\nsize_in_bytes 100\n");
    fs.add_file(node_path(1) + "/mem_banks/1/properties", "heap_type 2\nsize_in_bytes 20\n");
    fs.add_file(node_path(1) + "/mem_banks/2/properties", "heap_type 0\nsize_in_bytes 3\n");
    const Machine machine(fs);
    const auto& node = machine.kfd().nodes[0];
    CHECK(*machine.bank_bytes(node, {1, 2}) == 120U);
    CHECK(*machine.bank_bytes(node, {0}) == 3U);
    CHECK_FALSE(machine.bank_bytes(node, {4})->has_value());
}

TEST_CASE("The first and last caches of a node have their size in bytes", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 1, gpu_properties(0x0500));
    const std::string caches = node_path(1) + "/caches/";
    const std::string of_level_1 = "level 1\nsize 32\ncache_line_size 128\nsibling_map 1,0,0\n";
    for (const char* name : {"0", "1", "2"}) {
        fs.add_file(caches + name + "/properties", of_level_1);
    }
    fs.add_file(caches + "10/properties", "level 3\nsize 262144\ncache_line_size 64\n");
    const Machine machine(fs);
    const auto found = machine.cache_ends(machine.kfd().nodes[0]);
    REQUIRE(found);
    REQUIRE(found->size() == 3);
    CHECK(found->front().level == 1);
    CHECK(found->front().bytes == 32768);
    CHECK(found->front().line_bytes == 128);
    CHECK(found->back().level == 3);
    CHECK(found->back().bytes == 268435456);
}

TEST_CASE("A node without links or banks has none, one that cannot be read is an error", "[kfd]") {
    MemoryFs fs;
    add_node(with_generation(fs), 1, gpu_properties(0x0500));
    const Machine machine(fs);
    const auto& node = machine.kfd().nodes[0];
    CHECK(machine.links_of(node)->empty());
    CHECK_FALSE(machine.bank_bytes(node, {1})->has_value());
    fs.add_file(node_path(1) + "/io_links/0/properties", "type 11\n");
    fs.add_file(node_path(1) + "/io_links/1/properties", "garbled\n");
    fs.add_error(node_path(1) + "/mem_banks/0/properties", EIO);
    CHECK(machine.links_of(node).is(ErrorKind::garbled));
    CHECK(machine.bank_bytes(node, {1}).is(ErrorKind::io));
}

struct GfxCase {
    std::uint64_t version;
    const char* name;
};

TEST_CASE("Target versions have the names compilers know", "[kfd]") {
    for (const GfxCase& item : {GfxCase{0, ""}, GfxCase{90006, "gfx906"}, GfxCase{90010, "gfx90a"},
                                GfxCase{90402, "gfx942"}, GfxCase{90500, "gfx950"},
                                GfxCase{110000, "gfx1100"}, GfxCase{100306, "gfx1036"}}) {
        CHECK(gfx_name(item.version) == item.name);
    }
}

}  // namespace

}  // namespace kfd_test
