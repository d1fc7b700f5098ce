// SPDX-License-Identifier: MIT
// The locations that a setting writes and the bytes that it may write there, declared permanently.
// Every record of a journal is compared with these places (transaction/journal/record_rules.h),
// never with today's files, so a journal cannot choose a write. The places of any past version
// therefore stay declared. The places of a removed id move to retired_settings().
//
// A pattern matches a whole text; characters outside of <> stand for themselves:
//   <n>      a decimal number up to 4294967295
//   <bdf>    the address of a PCI function, "0000:05:00.0"
//   <A-B>    a decimal number from A to B; no number has leading zeros
//   <word>   1 to 15 of a-z, 0-9, '_' and '-'
//   <if>     the name of a network interface; never "all" or "default"
//   <le16>   two bytes that are not both 0xff, the answer of a device that is gone
//   |        or, between whole patterns of bytes
// A text for a whole file may end with one line end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rocenv/change.h"

namespace rocenv {

// Offsets in a file, both ends included.
struct Offsets {
    std::uint64_t lowest = 0;
    std::uint64_t highest = 0;
    std::uint64_t step = 1;
};

// Rule of the emulated kernel for one write (os/emulation/kernel_rules.h).
struct EmulatedWrite;
struct KernelAnswer;
using KernelRule = KernelAnswer (*)(const EmulatedWrite& write);

// One place that a setting writes.
struct WrittenPlace {
    std::string_view path;             // a pattern
    Codec codec;                       // rule for reading it back
    std::string_view bytes;            // a pattern; empty: only read with this codec
    std::optional<Offsets> offsets{};  // std::nullopt: the file is written as a whole
    // nullptr: the rule of the codec: a number in the range that `bytes` is, one of the words that
    // a choice offers, or a policy that is listed. Other writes of such a place fail with `EACCES`.
    KernelRule rule = nullptr;
};

// A setting that was removed.
struct Retired {
    std::string_view id;
    std::span<const WrittenPlace> places;
};

}  // namespace rocenv
