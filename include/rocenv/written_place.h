// SPDX-License-Identifier: MIT
// Where a setting writes and what, declared for good. A journal chooses nothing: each of its
// records is held against these places (transaction/journal/record_rules.h), never against what is
// there today. So what any version wrote stays declared, and an id that goes leaves its places to
// retired_settings().
//
// Patterns match as a whole; what stands in no <> stands for itself:
//   <n>      a decimal number up to 4294967295
//   <bdf>    the address of a PCI function, "0000:05:00.0"
//   <A-B>    a decimal number from A to B; no number has leading zeros
//   <word>   1 to 15 of a-z, 0-9, '_' and '-'
//   <if>     the name of a network interface; never "all" or "default"
//   <le16>   two bytes that are not both 0xff, which a device that is gone would answer
//   |        or, between whole patterns of bytes
// The bytes of a file as a whole may end with one line end.
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

// What a kernel does with such a write (os/emulation/kernel_rules.h).
struct EmulatedWrite;
struct KernelAnswer;
using KernelRule = KernelAnswer (*)(const EmulatedWrite& write);

struct WrittenPlace {
    std::string_view path;             // a pattern
    Codec codec;                       // how it is read back
    std::string_view bytes;            // a pattern; empty: it is only read so
    std::optional<Offsets> offsets{};  // nothing: written as a whole
    // nullptr: what the codec says: a number of the range in `bytes`, one of the words that a
    // choice offers, a policy that is listed.
    KernelRule rule = nullptr;
};

// A setting that there was once.
struct Retired {
    std::string_view id;
    std::span<const WrittenPlace> places;
};

}  // namespace rocenv
