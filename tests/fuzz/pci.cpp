// SPDX-License-Identifier: MIT
// Configuration space of a PCI function. The first two bytes of an input state its readable size
// and its size. Lists of capabilities end, lead to the capabilities that they name, and are not
// swept. A caller without the right to read is never informed that a capability is missing.
#include <algorithm>
#include <array>

#include "fuzz/fuzz.h"
#include "machine/pci/pci.h"
#include "os/fs/forwarding_fs.h"
#include "os/fs/memory_fs.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace pci_fuzz {

namespace {

const std::string bdf = "0000:05:00.0";

// Counts the reads, each of which is a transaction on the bus.
class CountingFs final : public ForwardingFs {
   public:
    explicit CountingFs(const Fs& fs) : fs_(fs) {}
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        ++reads;
        demand(size == 64 || (size == 4 && offset >= 64 && offset % 4 == 0 && offset < 4096),
               "beyond the header words are read, one at a time");
        return fs_.read_at(path, offset, size);
    }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t>,
                               std::string_view) override {
        return garbled(path, "is never written");
    }
    mutable std::size_t reads = 0;

   protected:
    const Fs& inner() const override { return fs_; }

   private:
    const Fs& fs_;
};

void check_found(const PciConfig& config, const Result<std::optional<std::uint16_t>>& found,
                 std::uint16_t id, std::uint16_t mask, std::uint16_t lowest) {
    if (!found) {
        return demand_message(found.error());
    }
    if (*found) {
        const auto header = config.word(**found);
        demand(**found >= lowest && **found % 4 == 0, "a capability lies in its space");
        demand(header && (*header & mask) == id, "a capability is the one that was asked for");
    }
}

void check_capabilities(const PciConfig& config) {
    for (const std::uint8_t id : std::array<std::uint8_t, 4>{0x01, 0x05, 0x10, 0x11}) {
        check_found(config, config.capability(id), id, 0xff, 64);
    }
    for (const std::uint16_t id : std::array<std::uint16_t, 4>{0x0001, 0x000d, 0x0010, 0x001d}) {
        check_found(config, config.extended_capability(id), id, 0xffff, 0x100);
    }
    for (const std::uint16_t offset : std::array<std::uint16_t, 5>{0x02, 0x04, 0x0c, 0x12, 0x28}) {
        if (const auto value = config.express_register(offset); !value) {
            demand_message(value.error());
        }
        (void)config.extended_register(0x0001, offset);
    }
}

}  // namespace

}  // namespace pci_fuzz

void fuzz_pci(std::string_view bytes) {
    using namespace pci_fuzz;
    if (bytes.size() < 2) {
        return;
    }
    const std::uint64_t size = (bytes[1] & 1) != 0 ? 4096 : 256;
    const std::size_t readable = (bytes[0] & 3) == 0   ? 64
                                 : (bytes[0] & 3) == 1 ? static_cast<unsigned char>(bytes[0])
                                                       : size;
    std::string content(bytes.substr(2, size));
    content.resize(size);
    content.resize(std::min<std::size_t>(readable, size));
    MemoryFs machine;
    machine.add_config(pci_path(bdf) + "/config", content, size);
    const CountingFs fs(machine);
    const PciConfig config(fs, bdf);
    check_capabilities(config);
    const auto acs = read_acs(config);
    const bool extended = config.is_extended() && *config.is_extended();
    demand(readable != 64 || !extended || !acs, "who may see 64 bytes is never told of no ACS");
    if (acs && *acs) {
        demand(is_plain(acs_bits((*acs)->control)), "bits are words");
    }
    demand(fs.reads < 48 + 480 + 200, "lists are followed, not swept", number(fs.reads));
}

}  // namespace rocenv::fuzz
