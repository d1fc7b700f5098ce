// SPDX-License-Identifier: MIT
// Requests to AMD's rocm_smi_lib and its successor amdsmi. Each request loads the library in a new
// forked child with its own mount namespace, where /dev/shm and /tmp are empty. The library leaves
// mutexes and marks there, and waits for those of other users (rocm_smi_lib src/rocm_smi_main.cc,
// third_party/shared_mutex, 2025-08). Without the right to create that namespace the library is not
// loaded (`not_permitted`). A library in /tmp is not found there.
//
// A request that does not end in time is killed (`timed_out`); a crash is an `io` error. Output of
// the library is discarded. Only functions with scalar arguments are called: neither soname nor
// version determines the layout of its structures. The text of every error begins with the
// library's name; a status of the library becomes a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// A device of the library.
struct SmiDevice {
    std::string bdf;
    std::string level;  // the library's word ("auto"), or the reason for its absence in brackets
};

// Returns the devices of rocm_smi_lib in its order, without partitions. Fails with `not_here` if
// there are none or the library is missing, and with `not_permitted` or `io` for a status of the
// library.
Result<std::vector<SmiDevice>> smi_devices(double seconds);

// Returns the same from amdsmi, socket by socket.
Result<std::vector<SmiDevice>> amdsmi_devices(double seconds);

// Sets level determinism with this limit for the GPU at an address. Returns std::nullopt if
// rocm_smi_lib reports that all three writes were done. Fails with `not_here` if it has no such
// GPU; after any other error, a part may have been written.
std::optional<Error> smi_set_limit(const std::string& bdf, std::uint64_t mhz, double seconds);

// Sets level auto, with the same results.
std::optional<Error> smi_leave_limit(const std::string& bdf, double seconds);

}  // namespace rocenv
