// SPDX-License-Identifier: MIT
#include "machine/pci_config.h"

#include <set>

#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t legacy_size = 256;
constexpr std::uint16_t first_header = 0x100;
constexpr std::uint16_t acs_id = 0x000d;
constexpr std::uint32_t all_ones = 0xffffffff;
constexpr std::size_t most_headers = 480;  // 4 KiB less 256 bytes, 8 bytes each, as the kernel

Result<std::uint32_t> read_word(const Fs& fs, const std::string& path, std::uint16_t offset) {
    const auto bytes = fs.read_at(path, offset, 4);
    if (!bytes) {
        return bytes.error();
    }
    if (bytes->size() < 4 && offset != first_header) {
        return garbled(path, "ends in the middle of its extended space");
    }
    if (bytes->size() < 4) {
        return Error{ErrorKind::not_permitted, 0, path,
                     path + ": not readable at " + hex(offset, 3) +
                         "; beyond 64 bytes it needs root (CAP_SYS_ADMIN)"};
    }
    const auto byte = [&](std::size_t at) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>((*bytes)[at]));
    };
    const std::uint32_t word = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    if (word == all_ones) {
        return Error{ErrorKind::io, 0, path,
                     path + ": answers all ones, the device is gone or off"};
    }
    return word;
}

// The offset of the capability, 0 when there is none.
Result<std::uint16_t> find_capability(const Fs& fs, const std::string& path, std::uint16_t id) {
    std::set<std::uint16_t> visited;
    std::uint16_t at = first_header;
    while (at != 0) {
        if (at < first_header || visited.size() >= most_headers || !visited.insert(at).second) {
            return garbled(path, "its list of extended capabilities is broken at " + hex(at, 3));
        }
        const auto header = read_word(fs, path, at);
        if (!header) {
            return header.error();
        }
        if (*header == 0) {
            return std::uint16_t{0};
        }
        if ((*header & 0xffff) == id) {
            return at;
        }
        at = static_cast<std::uint16_t>(*header >> 20 & 0xffc);
    }
    return std::uint16_t{0};
}

}  // namespace

Result<bool> has_extended_config(const Fs& fs, const std::string& bdf) {
    const std::string path = pci_path(bdf) + "/config";
    const auto size = fs.size(path);
    if (!size) {
        return size.error();
    }
    if (*size < legacy_size) {
        return garbled(path, "is " + number(*size) + " bytes long, not 256 or 4096");
    }
    return *size > legacy_size;
}

Result<std::optional<Acs>> read_acs(const Fs& fs, const std::string& bdf) {
    const std::string path = pci_path(bdf) + "/config";
    const auto offset = find_capability(fs, path, acs_id);
    if (!offset) {
        return offset.error();
    }
    if (*offset == 0) {
        return std::optional<Acs>();
    }
    const auto word = read_word(fs, path, static_cast<std::uint16_t>(*offset + 4));
    if (!word) {
        return word.error();
    }
    return std::optional(Acs{*offset, static_cast<std::uint16_t>(*word & 0xffff),
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
