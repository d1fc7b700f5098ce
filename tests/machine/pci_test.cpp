// SPDX-License-Identifier: MIT
#include <cerrno>
#include <string>
#include <vector>

#include "machine/pci/pci.h"
#include "os/fs/memory_fs.h"
#include "rocenv/machine.h"
#include "support/catch.h"

namespace pci_test {

namespace {

using namespace rocenv;
using Names = std::vector<std::string>;

const std::string gpu = "0000:05:00.0";
const char* const mi300x = "pci:v00001002d000074A1sv00001002sd000074A1bc12sc00i00";

void add(MemoryFs& fs, const std::string& bdf, const std::string& file, const std::string& text) {
    fs.add_file(pci_path(bdf) + "/" + file, text);
}

TEST_CASE("One modalias identifies a function", "[pci]") {
    MemoryFs fs;
    add(fs, gpu, "modalias", std::string(mi300x) + "\n");
    add(fs, "10000:e1:00.1", "modalias", "pci:v00008086d00001901sv00001028sd00000001bc06sc04i01\n");
    const Machine machine(fs);
    REQUIRE(machine.pci());
    const auto& functions = *machine.pci();
    REQUIRE(functions.size() == 2);
    CHECK(functions[0].bdf == gpu);
    CHECK(functions[0].vendor == amd_vendor);
    CHECK(functions[0].device == 0x74a1);
    CHECK(functions[0].class_code == 0x120000);
    CHECK(functions[1].class_code == 0x060401);
    CHECK_FALSE(functions[1].error);
}

TEST_CASE("Without a modalias that can be understood three files do", "[pci]") {
    for (const char* alias : {"", "usb:v0000", "pci:v", "pci:v0000100", "pci:vbc00sc00i00", "bc",
                              "pci:v0000zzzzd000074A1bc12sc00i00"}) {
        CAPTURE(alias);
        MemoryFs fs;
        add(fs, gpu, "modalias", std::string(alias) + "\n");
        add(fs, gpu, "vendor", "0x1002\n");
        add(fs, gpu, "device", "0x74a1\n");
        add(fs, gpu, "class", "0x120000\n");
        const Machine machine(fs);
        REQUIRE(machine.pci()->size() == 1);
        const PciFunction& function = machine.pci()->front();
        CHECK_FALSE(function.error);
        CHECK(function.device == 0x74a1);
        CHECK(function.class_code == 0x120000);
    }
}

TEST_CASE("An address is domain:bus:device.function, in hexadecimal digits", "[pci]") {
    for (const char* address :
         {"0000:05:00.0", "10000:e1:1f.7", "ffff:ff:00.a", "00000000000000000:05:00.0"}) {
        INFO(address);
        CHECK(is_pci_address(address));
    }
    for (const char* other :
         {"", "05:00.0", "000:05:00.0", "0000:5:00.0", "0000:05:0.0", "0000:05:00", "0000:05:00.",
          "0000:05:00.00", "0000:05:00:0", "0000:05.00.0", "00g0:05:00.0", "0000:05:00.g",
          "0000:05:00.0:1", "0000:0x:00.0"}) {
        INFO(other);
        CHECK_FALSE(is_pci_address(other));
    }
}

TEST_CASE("A modalias is one only with every letter at its position", "[pci]") {
    for (const char* alias : {"pci:vbc12345678", "pci:v00001002x000074A1bc12sc00i00",
                              "pci:v00001002d000074A1bc12xx00i00"}) {
        CAPTURE(alias);
        MemoryFs fs;
        add(fs, gpu, "modalias", alias);
        const Machine machine(fs);
        CHECK(machine.pci()->front().error != nullptr);  // there are no other files
    }
}

TEST_CASE("A function that cannot be identified says which file is the reason", "[pci]") {
    for (const char* text : {"", "1002\n", "0x\n", "0xzz\n", "0x100000000\n", "-1\n"}) {
        CAPTURE(text);
        MemoryFs fs;
        add(fs, gpu, "vendor", text);
        const Machine machine(fs);
        const auto& error = machine.pci()->front().error;
        REQUIRE(error);
        CHECK(error->kind == ErrorKind::garbled);
        CHECK(error->path == pci_path(gpu) + "/vendor");
    }
    MemoryFs vanished;
    vanished.add_folder(pci_path(gpu));
    const Machine machine(vanished);
    REQUIRE(machine.pci()->front().error);
    CHECK(machine.pci()->front().error->kind == ErrorKind::not_here);
}

TEST_CASE("A modalias that cannot be read is not worked around", "[pci]") {
    MemoryFs fs;
    fs.add_error(pci_path(gpu) + "/modalias", EIO);
    add(fs, gpu, "vendor", "0x1002\n");
    const Machine machine(fs);
    REQUIRE(machine.pci()->front().error);
    CHECK(machine.pci()->front().error->err == EIO);
    CHECK(machine.gpus().empty());
}

TEST_CASE("Only names that are bus addresses are functions", "[pci]") {
    MemoryFs fs;
    for (const char* name : {"pci0000:00", "0000:05:00", "05:00.0", "0000:05:00.0.1", "000:05:00.0",
                             "0000:5:00.0", "0000:05:0.0", "000g:05:00.0", "x"}) {
        add(fs, name, "modalias", mi300x);
    }
    CHECK(Machine(fs).pci()->empty());
    MemoryFs none;
    CHECK(Machine(none).pci().is(ErrorKind::not_here));
}

TEST_CASE("GPUs are AMD's display functions and accelerators", "[pci]") {
    MemoryFs fs;
    add(fs, "0000:01:00.0", "modalias",
        "pci:v00001002d00001478sv00000000sd00000000bc06sc04i00\n");  // a bridge
    add(fs, "0000:02:00.0", "modalias",
        "pci:v000010DEd00002330sv00000000sd00000000bc03sc02i00\n");  // not AMD
    add(fs, "0000:03:00.0", "modalias", "pci:v00001002d00001636sv00000000sd00000000bc03sc00i00\n");
    add(fs, "0000:05:00.0", "modalias", mi300x);
    add(fs, "0000:05:00.1", "modalias",
        "pci:v00001002d000074A1sv00000000sd00000000bc04sc03i00\n");  // audio
    fs.add_link(pci_path("0000:05:00.0") + "/driver", "../../../bus/pci/drivers/amdgpu");
    const Machine machine(fs);
    REQUIRE(machine.gpus().size() == 2);
    CHECK_FALSE(machine.gpus()[0].accelerator);
    CHECK(machine.gpus()[0].driver.empty());
    CHECK(machine.gpus()[1].accelerator);
    CHECK(machine.gpus()[1].driver == "amdgpu");
}

TEST_CASE("A virtual function split off for a guest is not one more GPU", "[pci]") {
    MemoryFs fs;
    add(fs, "0000:05:00.0", "modalias", mi300x);
    add(fs, "0000:05:02.0", "modalias", mi300x);
    fs.add_link(pci_path("0000:05:02.0") + "/physfn", "../0000:05:00.0");
    const Machine machine(fs);
    REQUIRE(machine.gpus().size() == 1);
    CHECK(machine.gpus()[0].bdf == "0000:05:00.0");
}

TEST_CASE("RDMA NICs are the functions behind InfiniBand and Slingshot entries", "[pci]") {
    MemoryFs fs;
    fs.add_link("/sys/class/infiniband/mlx5_1/device", "../../../0000:c1:00.0");
    fs.add_link("/sys/devices/pci0000:00/0000:0c:00.0/infiniband/mlx5_0/device",
                "../../../0000:0c:00.0");
    fs.add_link("/sys/class/infiniband/mlx5_0",
                "../../devices/pci0000:00/0000:0c:00.0/infiniband/mlx5_0");
    fs.add_link("/sys/class/infiniband/mlx5_bond/device", "../../../0000:c1:00.0");
    fs.add_link("/sys/class/infiniband/siw0/device", "../../../virtual");
    fs.add_folder("/sys/class/infiniband/rxe0");
    fs.add_link("/sys/class/cxi/cxi0/device", "../../../0000:d1:00.0");
    CHECK(*Machine(fs).rdma_nics() == Names{"0000:0c:00.0", "0000:c1:00.0", "0000:d1:00.0"});
    MemoryFs none;
    CHECK(Machine(none).rdma_nics()->empty());
}

TEST_CASE("The bridges above a function, root first", "[pci]") {
    MemoryFs fs;
    fs.add_link(pci_path(gpu), "../../../devices/pci0000:00/0000:00:01.1/0000:03:00.0/" + gpu);
    fs.add_link(pci_path("0000:e0:01.0"), "../../../devices/pci0000:e0/0000:e0:01.0");
    const Machine machine(fs);
    CHECK(*machine.bridges_above(gpu) == Names{"0000:00:01.1", "0000:03:00.0"});
    CHECK(machine.bridges_above("0000:e0:01.0")->empty());
    CHECK(machine.bridges_above("0000:ff:00.0").is(ErrorKind::not_here));
}

struct SleepCase {
    const char* status;
    bool asleep;
};

TEST_CASE("A device that sleeps is told before it is woken", "[pci]") {
    for (const SleepCase& item : {SleepCase{"active\n", false}, SleepCase{"unsupported\n", false},
                                  SleepCase{"resuming\n", false}, SleepCase{"suspended\n", true},
                                  SleepCase{"suspending\n", true}, SleepCase{"error\n", false}}) {
        CAPTURE(item.status);
        MemoryFs fs;
        add(fs, gpu, "power/runtime_status", item.status);
        const auto error = Machine(fs).asleep(gpu);
        CHECK(error.has_value() == item.asleep);
        CHECK((!error || error->kind == ErrorKind::asleep));
        CHECK((!error || error->text.starts_with(gpu + " is suspend")));
    }
    MemoryFs fs;
    CHECK_FALSE(Machine(fs).asleep(gpu));
    fs.add_error(pci_path(gpu) + "/power/runtime_status", EACCES);
    CHECK(Machine(fs).asleep(gpu)->kind == ErrorKind::not_permitted);
}

// A 4 KiB configuration space, written word by word.
class Config {
   public:
    Config& put(std::size_t offset, std::uint32_t word) {
        for (std::size_t at = 0; at < 4; ++at) {
            bytes_[offset + at] = static_cast<char>(word >> 8 * at & 0xff);
        }
        return *this;
    }
    // An extended capability and where the next one is.
    Config& capability(std::size_t offset, std::uint32_t id, std::uint32_t next) {
        return put(offset, id | 1U << 16 | next << 20);
    }
    Result<std::optional<Acs>> acs(std::size_t readable = 4096, std::uint64_t size = 4096) const {
        MemoryFs fs;
        fs.add_config(pci_path(gpu) + "/config", bytes_.substr(0, readable), size);
        const PciConfig config(fs, gpu);
        const auto extended = config.is_extended();
        if (!extended) {
            return extended.error();
        }
        return *extended ? read_acs(config) : std::optional<Acs>();
    }

   private:
    std::string bytes_ = "\x02\x10" + std::string(4094, '\0');
};

constexpr std::uint32_t aer_id = 0x0001;
constexpr std::uint32_t acs_id = 0x000d;

TEST_CASE("ACS is found at the end of the list", "[pci]") {
    const auto acs = Config()
                         .capability(0x100, aer_id, 0x2a0)
                         .capability(0x2a0, acs_id, 0x400)
                         .put(0x2a4, 0x001d005f)
                         .acs();
    REQUIRE(acs);
    REQUIRE(acs->has_value());
    CHECK((*acs)->offset == 0x2a0);
    CHECK((*acs)->capability == 0x005f);
    CHECK((*acs)->control == 0x001d);
}

void check_none(const Result<std::optional<Acs>>& acs) {
    REQUIRE(acs);
    CHECK_FALSE(acs->has_value());
}

TEST_CASE("No ACS is said only where the whole list says so", "[pci]") {
    check_none(Config().acs());  // first header zero
    check_none(Config().acs(256, 256));
    check_none(Config().capability(0x100, aer_id, 0).acs());
    check_none(Config().capability(0x100, aer_id, 0x200).capability(0x200, 0x3, 0).acs());
    check_none(Config().capability(0x100, aer_id, 0xffc).capability(0xffc, 0x3, 0).acs());
}

TEST_CASE("What only root may see is not permitted, never missing", "[pci]") {
    const auto full = Config().capability(0x100, acs_id, 0).put(0x104, 0x001d005f);
    for (const std::size_t readable : {0U, 64U, 256U, 258U}) {
        CAPTURE(readable);
        const auto acs = full.acs(readable);
        REQUIRE(acs.is(ErrorKind::not_permitted));
        CHECK(acs.error().path == pci_path(gpu) + "/config");
        CHECK(acs.error().text.find("root") != std::string::npos);
    }
}

TEST_CASE("A space that ends inside the list is garbled", "[pci]") {
    const auto config = Config().capability(0x100, aer_id, 0x200).capability(0x200, acs_id, 0);
    CHECK(config.acs(0x200).is(ErrorKind::garbled));
    CHECK(config.acs(0x204).is(ErrorKind::garbled));
    const auto last = Config().capability(0x100, aer_id, 0xffc).capability(0xffc, acs_id, 0).acs();
    REQUIRE(last.is(ErrorKind::garbled));
    CHECK(last.error().text.starts_with(pci_path(gpu) + "/config: "));
}

TEST_CASE("All ones are a device that is gone", "[pci]") {
    CHECK(Config().put(0x100, 0xffffffff).acs().is(ErrorKind::io));
    CHECK(Config().capability(0x100, aer_id, 0x200).put(0x200, 0xffffffff).acs().is(ErrorKind::io));
    const auto acs = Config().capability(0x100, acs_id, 0).put(0x104, 0xffffffff).acs();
    REQUIRE(acs.is(ErrorKind::io));
    CHECK(acs.error().text.find("only ones") != std::string::npos);
}

TEST_CASE("A list that loops or leaves extended space is garbled", "[pci]") {
    const Config cases[] = {Config().capability(0x100, aer_id, 0x100),
                            Config().capability(0x100, aer_id, 0x200).capability(0x200, 0x3, 0x100),
                            Config().capability(0x100, aer_id, 0x200).capability(0x200, 0x3, 0x200),
                            Config().capability(0x100, aer_id, 0x0fc),
                            Config().capability(0x100, aer_id, 0x004)};
    for (const auto& config : cases) {
        const auto acs = config.acs();
        REQUIRE(acs.is(ErrorKind::garbled));
        CHECK(acs.error().text.find("list of extended capabilities is broken at 0x") !=
              std::string::npos);
    }
}

TEST_CASE("The longest list there can be is followed to its end", "[pci]") {
    Config config;
    for (std::uint32_t at = 0x100; at < 0xff8; at += 8) {
        config.capability(at, 0x3, at + 8);
    }
    config.capability(0xff8, acs_id, 0).put(0xffc, 0x0001001f);
    const auto acs = config.acs();
    REQUIRE(acs);
    REQUIRE(acs->has_value());
    CHECK((*acs)->offset == 0xff8);
}

TEST_CASE("A config file that cannot be looked at is an error", "[pci]") {
    MemoryFs none;
    CHECK(read_acs(PciConfig(none, gpu)).is(ErrorKind::not_here));
}

// 256 is the one size that says there is no extended space. A folder copied without root's rights
// holds 64 bytes, an interrupted copy none.
TEST_CASE("A config file of any other size is unknown, not without ACS", "[pci]") {
    for (const std::size_t size : {0U, 64U, 255U}) {
        CAPTURE(size);
        CHECK_FALSE(Config().acs(size, size).ok());
    }
}

TEST_CASE("A config file whose every read fails is unknown, not without ACS", "[pci]") {
    MemoryFs fs;
    fs.add_error(pci_path(gpu) + "/config", EIO);
    CHECK_FALSE(read_acs(PciConfig(fs, gpu)).ok());
}

TEST_CASE("ACS bits read as lspci prints them", "[pci]") {
    CHECK(acs_bits(0) ==
          "SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-");
    CHECK(acs_bits(0x001d) ==
          "SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-");
    CHECK(acs_bits(0xffff).find('-') == std::string::npos);
}

}  // namespace

}  // namespace pci_test
