// SPDX-License-Identifier: MIT
#include "machine/pci/pci_reader.h"

#include <algorithm>

#include <memory>
#include <utility>

#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

PciReader::PciReader(const Fs& fs, std::string bdf)
    : fs_(fs), bdf_(std::move(bdf)), config_(fs, bdf_) {}

// "RxErr 0" a line and a sum; older documents show names of several words.
Result<std::vector<AerCounter>> PciReader::read_aer(const std::string& file) const {
    const std::string path = pci_path(bdf_) + "/" + file;
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    std::vector<AerCounter> counters;
    for (const auto line : split(trim(*text), '\n')) {
        const auto blank = line.rfind(' ');
        const auto count = blank == line.npos ? std::nullopt : parse_number(line.substr(blank + 1));
        if (!count) {
            return garbled(path, "is not a valid list of counters: " + quoted_value(line));
        }
        counters.push_back({std::string(trim(line.substr(0, blank))), *count});
    }
    if (counters.empty() || !counters.back().name.starts_with("TOTAL_")) {
        return garbled(path, "does not end with a sum");
    }
    // A kind that has no name of its own is in the sum alone.
    const bool named = std::any_of(counters.begin(), counters.end() - 1,
                                   [](const AerCounter& each) { return each.count > 0; });
    if (named || counters.back().count == 0) {
        counters.pop_back();
    }
    return counters;
}

const Result<std::vector<AerCounter>>& PciReader::aer(AerSeverity severity) const {
    constexpr std::array files{"aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal"};
    const auto at = static_cast<std::size_t>(severity);
    if (!aer_[at]) {
        aer_[at] = read_aer(files[at]);
    }
    return *aer_[at];
}

Result<std::uint64_t> PciReader::fatal_messages() const {
    const std::string path = pci_path(bdf_, "/aer_rootport_total_err_fatal");
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    const auto count = parse_number(trim(*text));
    return count ? Result(*count)
                 : garbled(path, "is not a valid number: " + quoted_value(trim(*text)));
}

const Result<LinkState>& PciReader::link() const {
    if (!link_) {
        link_ = read_link_state(fs_, bdf_, LinkRead::once);
    }
    return *link_;
}

void PciReader::read_link_again() const {
    link_ = read_link_state(fs_, bdf_, LinkRead::again);
}

const Result<std::string>& PciReader::path() const {
    if (!path_) {
        path_ = fs_.link(pci_path(bdf_));
    }
    return *path_;
}

const Result<std::string>& PciReader::driver() const {
    if (!driver_) {
        auto target = fs_.link(pci_path(bdf_, "/driver"));
        if (target) {
            driver_ = target->substr(target->rfind('/') + 1);
        } else if (target.is(ErrorKind::not_here) && exists(fs_, pci_path(bdf_))) {
            driver_ = std::string();
        } else {
            driver_ = target.error();
        }
    }
    return *driver_;
}

const PciReader& Machine::reader_of(const std::string& bdf) const {
    auto& reader = readers_[bdf];
    if (!reader) {
        reader = std::make_unique<PciReader>(fs_, bdf);
    }
    return *reader;
}

Machine::Machine(const Fs& fs, GpusFrom gpus_from) : fs_(fs), gpus_from_(gpus_from) {}
Machine::~Machine() = default;

}  // namespace rocenv
