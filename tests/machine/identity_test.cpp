// SPDX-License-Identifier: MIT
#include "machine/identity.h"

#include "os/fs/forwarding_fs.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace identity_test {

namespace {

using namespace rocenv;

const std::string bdf = "0000:05:00.0";
const std::string folder = "/sys/bus/pci/devices/" + bdf + "/";
const char* const mi300x = "pci:v00001002d000074A1sv00001002sd000074A2bc12sc00i00\n";
const char* const bridge = "pci:v00001022d000014ABsv00000000sd00000000bc06sc04i00\n";

MemoryFs with_gpu() {
    MemoryFs fs;
    fs.add_file(folder + "modalias", mi300x);
    fs.add_file(folder + "unique_id", "8a4c1b2f3d5e6071\n");
    fs.add_file(folder + "serial_number", "692251000123\n");
    return fs;
}

std::string identity(const MemoryFs& fs, const std::string& target = bdf) {
    return identity_of(Machine(fs), target);
}

// Counts what is read.
class CountingFs final : public ForwardingFs {
   public:
    explicit CountingFs(const Fs& fs) : fs_(fs) {}
    Result<std::string> read(const std::string& path) const override {
        ++reads;
        return ForwardingFs::read(path);
    }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t>,
                               std::string_view) override {
        return errno_error("write", path, 1);
    }
    mutable std::size_t reads = 0;

   private:
    const Fs& inner() const override { return fs_; }
    const Fs& fs_;
};

}  // namespace

TEST_CASE("identity: ids, and a GPU's numbers", "[identity]") {
    CHECK(identity(with_gpu()) ==
          "1002:74a1 1002:74a2 unique_id=8a4c1b2f3d5e6071 serial=692251000123");
    MemoryFs fs;
    fs.add_file(folder + "modalias", bridge);
    fs.add_file(folder + "unique_id", "8a4c1b2f3d5e6071\n");
    CHECK(identity(fs) == "1022:14ab 0000:0000");  // no GPU is asked for a GPU's files
}

TEST_CASE("identity: what is no device has none", "[identity]") {
    for (const char* target : {"", "system", "process", "policy0", "cpu3/C2", "0000:05:00.0/x",
                               "05:00.0", "../0000:05:00.0"}) {
        CAPTURE(target);
        CHECK(identity(with_gpu(), target).empty());
    }
    CHECK(identity(with_gpu(), "0000:06:00.0").empty());
}

TEST_CASE("identity: what cannot be read or makes no sense is left out", "[identity]") {
    const std::string ids = "1002:74a1 1002:74a2";
    for (const char* text :
         {"", "\n", "0000000000000000\n", "0\n", "two words\n", "\x1b[2J\n", "\xff\n", "a\nb\n"}) {
        CAPTURE(text);
        MemoryFs fs = with_gpu();
        fs.add_file(folder + "unique_id", text);
        fs.add_file(folder + "serial_number", text);
        CHECK(identity(fs) == ids);
    }
    MemoryFs fs = with_gpu();
    fs.add_file(folder + "serial_number", std::string(65, '1'));
    fs.remove(folder + "unique_id");
    CHECK(identity(fs) == ids);
    fs.add_error(folder + "serial_number", 5);
    CHECK(identity(fs) == ids);
    fs.add_error(folder + "modalias", 5);
    CHECK(identity(fs).empty());
}

TEST_CASE("identity: without a modalias the ids are told, the subsystem is not", "[identity]") {
    MemoryFs fs = with_gpu();
    fs.remove(folder + "modalias");
    fs.add_file(folder + "vendor", "0x1002\n");
    fs.add_file(folder + "device", "0x74a1\n");
    fs.add_file(folder + "class", "0x120000\n");
    CHECK(identity(fs) == "1002:74a1 unique_id=8a4c1b2f3d5e6071 serial=692251000123");
    CHECK(same_device(identity(with_gpu()), identity(fs)));
}

TEST_CASE("identity: a device that sleeps is not touched", "[identity]") {
    MemoryFs fs = with_gpu();
    fs.add_file(folder + "power/runtime_status", "suspended\n");
    CHECK(identity(fs) == "1002:74a1 1002:74a2");
    CHECK(same_device(identity(with_gpu()), identity(fs)));
}

TEST_CASE("identity: one device is one, another is another", "[identity]") {
    const std::string whole = "1002:74a1 1002:74a2 unique_id=8a serial=69";
    const std::vector<std::string> same{
        whole,
        "",
        "1002:74a1",
        "1002:74a1 1002:74a2",
        "1002:74a1 1002:74a2 serial=69",
        "1002:74a1 unique_id=8a",
        "unique_id=8a",
        "1002:74a1 1002:74a2 unique_id=8a serial=69 later=1",
        "1002:74a1 1002:74a2 serial=69 unique_id=8a",
    };
    const std::vector<std::string> other{
        "1002:74a0 1002:74a2 unique_id=8a serial=69",
        "1002:74a1 1002:74a1 unique_id=8a serial=69",
        "1002:74a1 1002:74a2 unique_id=8b serial=69",
        "1002:74a1 1002:74a2 unique_id=8a serial=70",
        "1002:74a1 1002:74a2 serial=",
        "15b3:1021",
        "unique_id=8b",
    };
    for (const auto& identity : same) {
        CAPTURE(identity);
        CHECK(same_device(whole, identity));
        CHECK(same_device(identity, whole));
    }
    for (const auto& identity : other) {
        CAPTURE(identity);
        CHECK_FALSE(same_device(whole, identity));
        CHECK_FALSE(same_device(identity, whole));
    }
}

TEST_CASE("identity: no two GPUs of a machine are alike where the driver numbers them",
          "[identity]") {
    const Machine machine(machine_fs("mi300x-spx"));
    std::vector<std::string> identities;
    for (const auto& gpu : machine.gpus()) {
        identities.push_back(identity_of(machine, gpu.bdf));
        CHECK(identities.back().find(" unique_id=") != std::string::npos);
        CHECK(same_device(identities.back(), identity_of(machine, gpu.bdf)));
    }
    REQUIRE(identities.size() == 8);
    CHECK_FALSE(same_device(identities[0], identities[1]));
}

TEST_CASE("identity: of many functions it reads what the inventory has not", "[identity]") {
    MemoryFs fs = with_gpu();
    std::vector<std::string> functions{bdf};
    for (int at = 0; at < 2000; ++at) {
        functions.push_back("0001:" + bare_hex(static_cast<std::uint64_t>(at / 32), 2) + ":" +
                            bare_hex(static_cast<std::uint64_t>(at % 32), 2) + ".0");
        fs.add_file("/sys/bus/pci/devices/" + functions.back() + "/modalias", bridge);
    }
    const CountingFs counting(fs);
    {
        const Machine machine(counting);
        CHECK(identity_of(machine, functions[7]) == "1022:14ab 0000:0000");
        CHECK(counting.reads == 1);
    }
    const Machine machine(counting);
    REQUIRE(machine.pci()->size() == 2001);
    counting.reads = 0;
    for (const auto& function : functions) {
        CHECK_FALSE(identity_of(machine, function).empty());
    }
    CHECK(counting.reads == 3);  // reads of the GPU: its state of sleep and two numbers
}

TEST_CASE("identity: an interface is known by its function and its network namespace",
          "[identity]") {
    MemoryFs fs = with_gpu();
    fs.add_link("/sys/class/net/ens6np0/device", "../../../" + bdf);
    const Machine machine(fs);
    const auto files = identity_of(machine, "net.rp_filter", "ens6np0");
    CHECK(files.starts_with("1002:74a1"));
    CHECK(files.ends_with(" at=" + bdf));
    CHECK(identity_of(machine, "pci.acs", bdf) == identity_of(machine, bdf));
    fs.add_link("/proc/self/ns/net", "net:[4026531840]");
    const auto here = identity_of(machine, "net.rp_filter", "ens6np0");
    CHECK(here == files + " netns=4026531840");
    CHECK(identity_of(machine, "net.rp_filter", "gone0") == " netns=4026531840");
    CHECK(same_device(files, here));
    CHECK(same_device(here, here));
    const std::string elsewhere = files + " netns=4026532999";
    CHECK_FALSE(same_device(here, elsewhere));
    CHECK(changed_identity(here, elsewhere).starts_with("this is another network namespace"));
    CHECK(changed_identity(here, "15b3:1021 at=" + bdf + " netns=4026531840")
              .starts_with("another device is at this address now"));
}

}  // namespace identity_test
