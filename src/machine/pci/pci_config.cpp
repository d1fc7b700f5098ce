// SPDX-License-Identifier: MIT
#include "machine/pci/pci_config.h"

#include <algorithm>

#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t header_size = 64;
constexpr std::uint16_t legacy_size = 256;
constexpr std::uint16_t first_header = 0x100;
constexpr std::uint16_t acs_id = 0x000d;
constexpr std::uint32_t all_ones = 0xffffffff;
constexpr std::size_t most_headers = 480;  // 4 KiB less 256 bytes, 8 bytes each, as the kernel

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t word = 0;
    for (std::size_t at = bytes.size(); at-- > 0;) {
        word = word << 8 | static_cast<unsigned char>(bytes[at]);
    }
    return word;
}

Error needs_root(const std::string& path, std::uint16_t offset) {
    return {ErrorKind::not_permitted, 0, path,
            path + ": not readable at " + hex(offset, 3) +
                "; beyond 64 bytes it needs root (CAP_SYS_ADMIN)"};
}

}  // namespace

PciConfig::PciConfig(const Fs& fs, const std::string& bdf)
    : fs_(fs), path_(pci_path(bdf, "/config")) {}

const Result<std::string>& PciConfig::header() const {
    if (!header_) {
        header_ = fs_.read_at(path_, 0, header_size);
    }
    return *header_;
}

Result<std::uint32_t> PciConfig::word_beyond_header(std::uint16_t offset) const {
    const auto bytes = fs_.read_at(path_, offset, 4);
    if (!bytes) {
        return bytes.error();
    }
    if (bytes->size() == 4) {
        return little_endian(*bytes);
    }
    // Where the first word beyond what anybody may read is missing, it is the right that is.
    return offset < legacy_size || offset == first_header
               ? needs_root(path_, offset)
               : garbled(path_, "ends in the middle of its extended space");
}

Result<std::uint32_t> PciConfig::raw_word(std::uint16_t offset) const {
    if (offset >= header_size) {
        return word_beyond_header(offset);
    }
    const auto& bytes = header();
    if (!bytes) {
        return bytes.error();
    }
    if (bytes->size() < header_size) {
        return garbled(path_, "is " + number(bytes->size()) + " bytes long, not at least 64");
    }
    return little_endian(std::string_view(*bytes).substr(offset, 4));
}

Result<std::uint32_t> PciConfig::word(std::uint16_t offset) const {
    auto word = raw_word(offset);
    if (word && *word == all_ones) {
        return Error{ErrorKind::io, 0, path_,
                     path_ + ": the file contains only ones, so the device is gone or off"};
    }
    return word;
}

Result<std::uint16_t> PciConfig::half(std::uint16_t offset) const {
    const auto whole = word(static_cast<std::uint16_t>(offset & ~3U));
    if (!whole) {
        return whole.error();
    }
    return static_cast<std::uint16_t>(*whole >> (offset & 2U) * 8);
}

Result<bool> PciConfig::is_extended() const {
    const auto size = fs_.size(path_);
    if (!size) {
        return size.error();
    }
    if (*size < legacy_size) {
        return garbled(path_, "is " + number(*size) + " bytes long, not 256 or 4096");
    }
    return *size > legacy_size;
}

// Every function has a vendor: a header of zeros is none, and its empty lists say nothing.
Result<std::uint32_t> PciConfig::identity() const {
    const auto first = word(0);
    return first && (*first & 0xffff) == 0 ? garbled(path_, "names no vendor") : first;
}

// The list starts at 0x34 where bit 4 of the status register says that there is one.
PciConfig::List PciConfig::start() const {
    constexpr std::uint32_t has_list = 1U << 20;
    List list;
    const auto known = identity();
    const auto status = known ? raw_word(4) : known;
    const auto first = status ? raw_word(0x34) : status;
    if (!first) {
        list.error = first.error();
    } else if ((*status & has_list) != 0) {
        list.next = static_cast<std::uint16_t>(*first & 0xfc);
    }
    return list;
}

void PciConfig::step(List& list) const {
    const std::uint16_t at = list.next;
    list.next = 0;
    if (at < header_size || !list.visited.insert(at).second) {
        list.error = garbled(path_, "the list of capabilities is broken at " + hex(at, 2));
        return;
    }
    const auto header = word(at);
    if (!header) {
        list.error = header.error();
        return;
    }
    list.found.push_back({static_cast<std::uint16_t>(*header & 0xff), at});
    list.next = static_cast<std::uint16_t>(*header >> 8 & 0xfc);
}

void PciConfig::step_extended(List& list) const {
    const std::uint16_t at = list.next;
    list.next = 0;
    if (at < first_header || list.visited.size() >= most_headers ||
        !list.visited.insert(at).second) {
        list.error = garbled(path_, "the list of extended capabilities is broken at " + hex(at, 3));
        return;
    }
    const auto header = word(at);
    if (!header) {
        list.error = header.error();
    } else if (*header == 0) {  // an empty list is one header of zeros
        const auto known = identity();
        list.error = known ? std::nullopt : std::optional(known.error());
    } else {
        list.found.push_back({static_cast<std::uint16_t>(*header & 0xffff), at});
        list.next = static_cast<std::uint16_t>(*header >> 20 & 0xffc);
    }
}

Result<std::optional<std::uint16_t>> PciConfig::find(List& list, std::uint16_t id,
                                                     Step follow) const {
    for (std::size_t at = 0;; ++at) {
        while (at >= list.found.size() && list.next != 0 && !list.error) {
            (this->*follow)(list);
        }
        if (at >= list.found.size()) {
            break;
        }
        if (list.found[at].id == id) {
            return std::optional(list.found[at].offset);
        }
    }
    if (list.error) {
        return *list.error;
    }
    return std::optional<std::uint16_t>();
}

Result<std::optional<std::uint16_t>> PciConfig::capability(std::uint8_t id) const {
    if (!list_) {
        list_ = start();
    }
    return find(*list_, id, &PciConfig::step);
}

Result<std::optional<std::uint16_t>> PciConfig::extended_capability(std::uint16_t id) const {
    if (!extended_) {
        extended_ = List{.next = first_header};
    }
    return find(*extended_, id, &PciConfig::step_extended);
}

Result<std::optional<std::uint16_t>> PciConfig::register_in(
    const Result<std::optional<std::uint16_t>>& capability, std::uint16_t offset) const {
    if (!capability || !*capability) {
        return capability;
    }
    const auto value = half(static_cast<std::uint16_t>(**capability + offset));
    return value ? Result(std::optional(*value)) : value.error();
}

Result<std::optional<std::uint16_t>> PciConfig::express_register(std::uint16_t offset) const {
    constexpr std::uint8_t pci_express = 0x10;
    return register_in(capability(pci_express), offset);
}

Result<std::optional<std::uint16_t>> PciConfig::extended_register(std::uint16_t id,
                                                                  std::uint16_t offset) const {
    return register_in(extended_capability(id), offset);
}

Result<std::optional<Acs>> read_acs(const PciConfig& config) {
    const auto offset = config.extended_capability(acs_id);
    if (!offset) {
        return offset.error();
    }
    if (!*offset) {
        return std::optional<Acs>();
    }
    const auto word = config.word(static_cast<std::uint16_t>(**offset + 4));
    if (!word) {
        return word.error();
    }
    return std::optional(Acs{**offset, static_cast<std::uint16_t>(*word & 0xffff),
                             static_cast<std::uint16_t>(*word >> 16)});
}

std::string acs_bits(std::uint16_t word) {
    constexpr const char* names[] = {"SrcValid",    "TransBlk",   "ReqRedir",   "CmpltRedir",
                                     "UpstreamFwd", "EgressCtrl", "DirectTrans"};
    std::string out;
    for (std::size_t bit = 0; bit < std::size(names); ++bit) {
        out += (out.empty() ? "" : " ") + std::string(names[bit]) +
               ((word >> bit & 1) != 0 ? "+" : "-");
    }
    return out;
}

}  // namespace rocenv
