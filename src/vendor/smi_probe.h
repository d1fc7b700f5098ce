// SPDX-License-Identifier: MIT
// What is asked of AMD's rocm_smi_lib, and of amdsmi, which is to follow it. Each request loads it
// anew in a forked child with a mount namespace of its own, where /dev/shm and /tmp are empty: the
// library leaves mutexes and marks there, and waits for other users' (rocm_smi_lib
// src/rocm_smi_main.cc, third_party/shared_mutex, 2025-08). Without the right to make that
// namespace the library is not loaded: not_permitted. A library that lies in /tmp is not found
// there.
//
// A request that does not end in time is killed: timed_out; a library that crashes is an io error.
// Nothing the library prints is seen. Only functions with scalar arguments are called: neither
// soname nor version tells the layout of its structures. Every error's text begins with the
// library's name; a status of the library is told as a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

struct SmiDevice {
    std::string bdf;
    std::string level;  // the library's word, or, in brackets, why there is none
};

// The devices the library knows, in its order, without partitions; none at all is an error.
Result<std::vector<SmiDevice>> smi_devices(double seconds);

// The same of amdsmi, socket by socket.
Result<std::vector<SmiDevice>> amdsmi_devices(double seconds);

// Level determinism with this limit. Nothing: the library says it did all three writes.
std::optional<Error> smi_set_limit(const std::string& bdf, std::uint64_t mhz, double seconds);

// Level auto.
std::optional<Error> smi_leave_limit(const std::string& bdf, double seconds);

}  // namespace rocenv
