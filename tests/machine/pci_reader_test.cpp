// SPDX-License-Identifier: MIT
#include "machine/pci/pci.h"

#include <cerrno>
#include <map>
#include <string>

#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace pci_reader_test {

namespace {

using namespace rocenv;

const std::string function = "0000:05:00.0";
const std::string folder = "/sys/bus/pci/devices/" + function;

// Counts how often each file is asked for.
class CountingFs final : public Fs {
   public:
    explicit CountingFs(const Fs& inner) : inner_(inner) {}
    Result<std::string> read(const std::string& path) const override {
        ++asked[path];
        return inner_.read(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        ++asked[path + "@" + std::to_string(offset)];
        return inner_.read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        return inner_.list(path);
    }
    Result<std::string> link(const std::string& path) const override {
        ++asked[path];
        return inner_.link(path);
    }
    Result<std::uint64_t> size(const std::string& path) const override { return inner_.size(path); }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return inner_.capacity(path);
    }
    bool is_real() const override { return false; }

    mutable std::map<std::string, int> asked;

   private:
    const Fs& inner_;
};

// A header with a list: PCI Express at 0x40, power management at 0x80.
std::string config_bytes() {
    std::string bytes(4096, '\0');
    const auto put = [&](std::size_t at, std::initializer_list<int> values) {
        for (const int value : values) {
            bytes[at++] = static_cast<char>(value);
        }
    };
    put(0x00, {0x02, 0x10, 0xa1, 0x74, 0x06, 0x04, 0x10, 0x00});
    put(0x34, {0x40});
    put(0x40, {0x10, 0x80, 0x02, 0x00});
    put(0x48, {0x37, 0x59, 0x04, 0x00});
    put(0x80, {0x01, 0x00, 0x03, 0x00});
    put(0x100, {0x01, 0x00, 0x01, 0x00});
    return bytes;
}

TEST_CASE("A function's capabilities are found, and each word is read once", "[pci]") {
    MemoryFs fs;
    fs.add_config(folder + "/config", config_bytes(), 4096);
    const CountingFs counting(fs);
    const Machine machine(counting);
    for (int round = 0; round < 2; ++round) {
        const PciConfig& config = machine.reader_of(function).config();
        CHECK(*config.word(0) == 0x74a11002);
        CHECK(*config.half(4) == 0x0406);
        CHECK(**config.capability(0x10) == 0x40);
        CHECK(**config.capability(0x01) == 0x80);
        CHECK_FALSE(config.capability(0x11)->has_value());
        CHECK(*config.half(0x48) == 0x5937);
        CHECK(*config.half(0x4a) == 0x0004);
        CHECK(**config.extended_capability(0x0001) == 0x100);
        CHECK_FALSE(config.extended_capability(0x000d)->has_value());
    }
    CHECK(counting.asked[folder + "/config@0"] == 1);
    CHECK(counting.asked[folder + "/config@64"] == 1);
    CHECK(counting.asked[folder + "/config@256"] == 1);
}

TEST_CASE("Of a list no more is read than what is asked for", "[pci]") {
    MemoryFs fs;
    fs.add_config(folder + "/config", config_bytes(), 4096);
    const CountingFs counting(fs);
    const PciConfig config(counting, function);
    CHECK(**config.capability(0x10) == 0x40);
    CHECK(counting.asked.count(folder + "/config@128") == 0);
}

TEST_CASE("Capabilities that nobody may read are not missing", "[pci]") {
    MemoryFs fs;
    fs.add_config(folder + "/config", config_bytes().substr(0, 64), 4096);
    const PciConfig config(fs, function);
    CHECK(*config.half(4) == 0x0406);
    CHECK(config.capability(0x10).is(ErrorKind::not_permitted));
    CHECK(config.extended_capability(0x0001).is(ErrorKind::not_permitted));
}

TEST_CASE("A function that is gone, short or looping is an error, never without", "[pci]") {
    MemoryFs fs;
    fs.add_config(folder + "/config", std::string(4096, '\xff'), 4096);
    CHECK(PciConfig(fs, function).capability(0x10).is(ErrorKind::io));
    fs.add_config(folder + "/config", "", 4096);
    CHECK(PciConfig(fs, function).capability(0x10).is(ErrorKind::garbled));
    std::string looping = config_bytes();
    looping[0x81] = 0x40;
    fs.add_config(folder + "/config", looping, 4096);
    CHECK(PciConfig(fs, function).capability(0x11).is(ErrorKind::garbled));
    CHECK(**PciConfig(fs, function).capability(0x01) == 0x80);
    fs.add_config(folder + "/config", std::string(4096, '\0'), 4096);
    CHECK(PciConfig(fs, function).capability(0x10).is(ErrorKind::garbled));
    CHECK(PciConfig(fs, function).extended_capability(0x0001).is(ErrorKind::garbled));
    std::string none = config_bytes();
    none[6] = 0;  // no list
    fs.add_config(folder + "/config", none, 4096);
    CHECK_FALSE(PciConfig(fs, function).capability(0x10)->has_value());
}

TEST_CASE("Error counters are told without their sum", "[pci]") {
    MemoryFs fs;
    fs.add_file(folder + "/aer_dev_correctable",
                "RxErr 5120\nBadTLP 833\nReceiver Error 2\nTOTAL_ERR_COR 5953\n");
    const CountingFs counting(fs);
    const PciReader reader(counting, function);
    const auto& counters = reader.aer(AerSeverity::correctable);
    REQUIRE(counters);
    REQUIRE(counters->size() == 3);
    CHECK(counters->at(0).name == "RxErr");
    CHECK(counters->at(0).count == 5120);
    CHECK(counters->at(2).name == "Receiver Error");
    CHECK(reader.aer(AerSeverity::correctable)->size() == 3);
    CHECK(counting.asked[folder + "/aer_dev_correctable"] == 1);
    CHECK(reader.aer(AerSeverity::fatal).is(ErrorKind::not_here));
}

TEST_CASE("Error counters that are none are garbled", "[pci]") {
    for (const std::string text : {"", "\n", "RxErr\n", "RxErr x\nTOTAL_ERR_COR 0\n", "RxErr 0\n",
                                   "RxErr -1\nTOTAL_ERR_COR 0\n"}) {
        CAPTURE(text);
        MemoryFs fs;
        fs.add_file(folder + "/aer_dev_fatal", text);
        CHECK(PciReader(fs, function).aer(AerSeverity::fatal).is(ErrorKind::garbled));
    }
}

TEST_CASE("A driver is named, none is none, and what cannot be told is an error", "[pci]") {
    MemoryFs fs;
    CHECK(PciReader(fs, function).driver().is(ErrorKind::not_here));
    fs.add_file(folder + "/vendor", "0x1002\n");
    CHECK(*PciReader(fs, function).driver() == "");
    fs.add_link(folder + "/driver", "../../../bus/pci/drivers/vfio-pci");
    CHECK(*PciReader(fs, function).driver() == "vfio-pci");
    MemoryFs broken;
    broken.add_error(folder + "/driver", EIO);
    CHECK_FALSE(PciReader(broken, function).driver().ok());
}

}  // namespace

}  // namespace pci_reader_test
