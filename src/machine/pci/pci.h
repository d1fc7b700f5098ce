// SPDX-License-Identifier: MIT
// Configuration space of a PCI function. Its header is one read of 64 bytes, allowed for every
// user. Each word beyond is a read of its own: a transaction on the bus, and some chips lock up on
// undefined space (linux drivers/pci/pci-sysfs.c pci_read_config). So the lists of capabilities are
// followed and the space is never scanned.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
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
    std::uint16_t offset = 0;      // offset of the capability
    std::uint16_t capability = 0;  // bits that the function implements
    std::uint16_t control = 0;     // bits that are on
};

namespace acs {
constexpr std::uint16_t control_offset = 6;  // from the start of the capability
constexpr std::uint16_t source_validation = 0x01;
constexpr std::uint16_t request_redirect = 0x04;
constexpr std::uint16_t completion_redirect = 0x08;
constexpr std::uint16_t egress_control = 0x20;
// The bits that send peer traffic through the root complex. Upstream forwarding affects forwarding
// only.
constexpr std::uint16_t redirect = request_redirect | completion_redirect | egress_control;
}  // namespace acs

// A reader of one configuration space.
class PciConfig {
   public:
    // Stores its arguments only; `fs` must outlive it.
    PciConfig(const Fs& fs, const std::string& bdf);

    // Returns the 4 bytes at a multiple of 4 as a little-endian number. Fails with `not_permitted`
    // if the caller may read only 64 bytes, with `garbled` if the file ends before, and with `io`
    // if the device returns all ones (gone or unpowered). Use raw_word() for a word that may be all
    // ones.
    Result<std::uint32_t> word(std::uint16_t offset) const;
    // Returns the word as it is, also if it is all ones.
    Result<std::uint32_t> raw_word(std::uint16_t offset) const;
    // Returns the 2 bytes at an even offset. Fails like word() for the 4 bytes around them.
    Result<std::uint16_t> half(std::uint16_t offset) const;

    // Returns true if the space exceeds 256 bytes, by the size of the file, without access to the
    // device. Fails with `garbled` below 256 bytes.
    Result<bool> is_extended() const;

    // Returns the offset of a capability in the first 256 bytes (0x10: PCI Express); std::nullopt
    // if the function has none. Fails like word(), and with `garbled` if the list loops or leaves
    // the space.
    Result<std::optional<std::uint16_t>> capability(std::uint8_t id) const;
    // Returns the offset of an extended capability (0x0001: AER, 0x000d: ACS); std::nullopt if the
    // function has none. Fails like capability(). Requires is_extended(): without extended space it
    // fails with `not_permitted`.
    Result<std::optional<std::uint16_t>> extended_capability(std::uint16_t id) const;

    // Returns the 2 bytes at an even offset into the capability PCI Express (id 0x10); std::nullopt
    // if the function lacks it. Fails like capability().
    Result<std::optional<std::uint16_t>> express_register(std::uint16_t offset) const;
    // Returns the same of an extended capability, by its id.
    Result<std::optional<std::uint16_t>> extended_register(std::uint16_t id,
                                                           std::uint16_t offset) const;

   private:
    struct Found {
        std::uint16_t id = 0;
        std::uint16_t offset = 0;
    };
    // A list of capabilities, as far as it was followed.
    struct List {
        std::uint16_t next = 0;  // 0: end of the list
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

// Returns the ACS capability of a function with extended space; std::nullopt if it has none. Fails
// like PciConfig::extended_capability(); a caller that may read only 64 bytes gets an error, never
// "no ACS".
Result<std::optional<Acs>> read_acs(const PciConfig& config);

// Returns the bits as lspci prints them: "SrcValid+ TransBlk- ReqRedir+ …" (pciutils ls-ecaps.c
// cap_acs).
std::string acs_bits(std::uint16_t word);

// Common data of one PCI function: configuration space, link, error counters, driver. Each part is
// read once, at its first use: a Machine keeps one reader for each used function
// (Machine::reader_of). The caller must check asleep() first, so that a suspended function is not
// read.

// The severity of the errors in one file of counters (linux drivers/pci/pcie/aer.c
// aer_stats_attrs).
enum class AerSeverity { correctable, nonfatal, fatal };

// Errors of one kind since boot: "RxErr", 12. The sum is an entry only if no kind is named.
struct AerCounter {
    std::string name;
    std::uint64_t count = 0;
};

// A reader of one function that caches each part.
class PciReader {
   public:
    // Stores its arguments only; `fs` must outlive it.
    PciReader(const Fs& fs, std::string bdf);

    // Returns the configuration space of the function.
    const PciConfig& config() const { return config_; }

    // Returns the counters of one severity, in the kernel's order. Fails with `not_here` if the
    // function has no AER, if firmware handles it, or before Linux 4.19, and with `garbled` for
    // other content.
    const Result<std::vector<AerCounter>>& aer(AerSeverity severity) const;

    // Returns the number of fatal errors reported to a root port from below since boot. Fails with
    // `not_here` if the function is not a root port, or as above.
    Result<std::uint64_t> fatal_messages() const;

    // Returns the link; both ends are 0 if the function has none. Fails like read_link_state().
    const Result<LinkState>& link() const;
    // Reads the link again, for one that may have been in training.
    void read_link_again() const;

    // Returns the link target that shows the function's location in the device tree.
    const Result<std::string>& path() const;

    // Returns the driver's name; "" if none is bound. Fails with `not_here` if the function
    // is missing.
    const Result<std::string>& driver() const;

   private:
    Result<std::vector<AerCounter>> read_aer(const std::string& file) const;

    // Answers that only some functions are asked for: 700 bytes each, and a node has thousands.
    struct Answers {
        std::array<std::optional<Result<std::vector<AerCounter>>>, 3> aer;
        std::optional<Result<LinkState>> link;
        std::optional<Result<std::string>> path;
        std::optional<Result<std::string>> driver;
    };
    Answers& answers() const;

    const Fs& fs_;
    std::string bdf_;
    PciConfig config_;
    mutable std::unique_ptr<Answers> answers_;
};

}  // namespace rocenv
