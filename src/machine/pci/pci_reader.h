// SPDX-License-Identifier: MIT
// What many settings need of one PCI function: configuration space, link, error counters, driver.
// Each part is read when somebody first asks for it, and once for all who ask: a Machine keeps one
// reader for each function that anybody asked about (Machine::reader_of). Nothing is read of a
// function that sleeps by whoever asks asleep() first; the reader itself does not look.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/pci/pci_config.h"
#include "machine/pci/pcie_path.h"
#include "rocenv/machine.h"

namespace rocenv {

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
