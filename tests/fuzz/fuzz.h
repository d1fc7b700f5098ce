// SPDX-License-Identifier: MIT
// Fuzzers: each gives the bytes of an input to a parser that the program uses, and checks
// properties of every result. All are one program, which fuzz.cpp begins; FUZZ_TARGET names the one
// that runs. The declarations of a file are in a namespace FILE_fuzz, since the files are compiled
// as one.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/result.h"

namespace rocenv::fuzz {

// Ends the process where something does not hold: libFuzzer takes it for a crash and keeps the
// input.
void demand(bool holds, const char* what, std::string_view shown = "");

// The same where it takes time to say what is shown.
template <std::invocable Message>
void demand(bool holds, const char* what, const Message& message) {
    if (!holds) {
        demand(false, what, std::string(message()));
    }
}

// Checks the message of a refusal: it has a reason, and is safe on a terminal.
void demand_message(const Error& error);

// The pieces of an input that stands for several files: between bytes 0x1e. There are `count`, the
// last ones may be empty.
std::vector<std::string> files_in(std::string_view bytes, std::size_t count);

void fuzz_assembly(std::string_view bytes);
void fuzz_clocks(std::string_view bytes);
void fuzz_cpus(std::string_view bytes);
void fuzz_env(std::string_view bytes);
void fuzz_fleet(std::string_view bytes);
void fuzz_hostlist(std::string_view bytes);
void fuzz_journal(std::string_view bytes);
void fuzz_kfd(std::string_view bytes);
void fuzz_pci(std::string_view bytes);
void fuzz_profile(std::string_view bytes);
void fuzz_tree(std::string_view bytes);
void fuzz_triton(std::string_view bytes);
void fuzz_tunable(std::string_view bytes);
void fuzz_waivers(std::string_view bytes);

}  // namespace rocenv::fuzz
