// SPDX-License-Identifier: MIT
// Configuration space of a PCI function. Its header is one read of 64 bytes, which anybody may
// make; beyond it each word is a read of its own: a transaction on the bus, and some chips lock up
// on undefined space (linux drivers/pci/pci-sysfs.c pci_read_config), so the lists of capabilities
// are followed and never swept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/pci/pcie_path.h"
#include "rocenv/fs.h"
#include "rocenv/machine.h"

namespace rocenv {

// PCIe access control services, extended capability 0x000d (linux include/uapi/linux/pci_regs.h).
struct Acs {
    std::uint16_t offset = 0;      // of the capability
    std::uint16_t capability = 0;  // bits the function implements
    std::uint16_t control = 0;     // bits that are on
};

namespace acs {
constexpr std::uint16_t control_offset = 6;  // from the start of the capability
constexpr std::uint16_t source_validation = 0x01;
constexpr std::uint16_t request_redirect = 0x04;
constexpr std::uint16_t completion_redirect = 0x08;
constexpr std::uint16_t egress_control = 0x20;
// What sends peer traffic through the root complex. Upstream forwarding governs forwarding only.
constexpr std::uint16_t redirect = request_redirect | completion_redirect | egress_control;
}  // namespace acs

class PciConfig {
   public:
    // Reads nothing yet; `fs` must outlive it.
    PciConfig(const Fs& fs, const std::string& bdf);

    // The 4 bytes at a multiple of 4. Errors: not_permitted when the caller may see 64 bytes only,
    // io when the device answers all ones (gone or unpowered; of a word that may be all ones by
    // itself ask `raw_word`), garbled when the file ends before.
    Result<std::uint32_t> word(std::uint16_t offset) const;
    Result<std::uint32_t> raw_word(std::uint16_t offset) const;
    // The 2 bytes at an even offset, out of its word.
    Result<std::uint16_t> half(std::uint16_t offset) const;

    // Whether there is space beyond the first 256 bytes. Told by the size of the file alone,
    // without asking the device.
    Result<bool> is_extended() const;

    // The offset of a capability of the first 256 bytes (0x10: PCI Express); nullopt when the
    // function has none. Errors: as word(), and garbled when the list loops or leads out.
    Result<std::optional<std::uint16_t>> capability(std::uint8_t id) const;
    // The same of a function with extended space (0x0001: AER, 0x000d: ACS).
    Result<std::optional<std::uint16_t>> extended_capability(std::uint16_t id) const;

    // The 2 bytes at an offset into a capability; nullopt when the function has no such capability.
    // PCI Express: the one of every PCIe function, id 0x10.
    Result<std::optional<std::uint16_t>> express_register(std::uint16_t offset) const;
    Result<std::optional<std::uint16_t>> extended_register(std::uint16_t id,
                                                           std::uint16_t offset) const;

   private:
    struct Found {
        std::uint16_t id = 0;
        std::uint16_t offset = 0;
    };
    // A list as far as it was followed: no further than to what was asked for.
    struct List {
        std::uint16_t next = 0;  // 0: it ends here
        std::set<std::uint16_t> visited{};
        std::vector<Found> found{};
        std::optional<Error> error{};
    };
    using Step = void (PciConfig::*)(List& list) const;
    const Result<std::string>& header() const;
    Result<std::uint32_t> identity() const;
    Result<std::uint32_t> word_beyond_header(std::uint16_t offset) const;
    List start() const;
    void step(List& list) const;
    void step_extended(List& list) const;
    Result<std::optional<std::uint16_t>> register_in(
        const Result<std::optional<std::uint16_t>>& capability, std::uint16_t offset) const;
    Result<std::optional<std::uint16_t>> find(List& list, std::uint16_t id, Step follow) const;

    const Fs& fs_;
    std::string path_;
    mutable std::optional<Result<std::string>> header_;
    mutable std::optional<List> list_;
    mutable std::optional<List> extended_;
};

// The ACS capability of a function with extended space; nullopt when it has none. Errors: those of
// PciConfig::extended_capability(); a caller who may see 64 bytes only is never told "no ACS".
Result<std::optional<Acs>> read_acs(const PciConfig& config);

// The bits as lspci prints them: "SrcValid+ TransBlk- ReqRedir+ …" (pciutils ls-ecaps.c cap_acs).
std::string acs_bits(std::uint16_t word);

// What many settings need of one PCI function: configuration space, link, error counters, driver.
// Each part is read when somebody first asks for it, and once for all who ask: a Machine keeps one
// reader for each function that anybody asked about (Machine::reader_of). Nothing is read of a
// function that sleeps by whoever asks asleep() first; the reader itself does not look.

// How bad the errors of one file of counters are (linux drivers/pci/pcie/aer.c aer_stats_attrs).
enum class AerSeverity { correctable, nonfatal, fatal };

// Errors of one kind since boot: "RxErr", 12. The sum is among them where it is all there is.
struct AerCounter {
    std::string name;
    std::uint64_t count = 0;
};

class PciReader {
   public:
    // Reads nothing yet; `fs` must outlive it.
    PciReader(const Fs& fs, std::string bdf);

    const PciConfig& config() const { return config_; }

    // Returns the counters of one severity, in the kernel's order. Errors: not_here where the
    // function has no AER, where firmware handles it, or before Linux 4.19.
    const Result<std::vector<AerCounter>>& aer(AerSeverity severity) const;

    // Returns how many fatal errors were reported to a root port from below since boot. Errors:
    // not_here where the function is none, or as above.
    Result<std::uint64_t> fatal_messages() const;

    // Returns the link, both ends 0 where the function has none.
    const Result<LinkState>& link() const;
    // The same read anew, for a link that may have been on its way when it was looked at.
    void read_link_again() const;

    // Returns the link that tells where the function lies in the tree of devices.
    const Result<std::string>& path() const;

    // Returns the driver's name, "" when none is bound.
    const Result<std::string>& driver() const;

   private:
    Result<std::vector<AerCounter>> read_aer(const std::string& file) const;

    const Fs& fs_;
    std::string bdf_;
    PciConfig config_;
    mutable std::array<std::optional<Result<std::vector<AerCounter>>>, 3> aer_;
    mutable std::optional<Result<LinkState>> link_;
    mutable std::optional<Result<std::string>> path_;
    mutable std::optional<Result<std::string>> driver_;
};

}  // namespace rocenv
