// SPDX-License-Identifier: MIT
// Fuzzers: each hands the bytes of an input to a parser that the program uses, and demands what
// must hold of every answer. All are one program, which fuzz.cpp begins; FUZZ_TARGET names the one
// that runs. What a file declares stands in a namespace FILE_fuzz, since they are compiled as one.
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
template <std::invocable Tell>
void demand(bool holds, const char* what, const Tell& tell) {
    if (!holds) {
        demand(false, what, std::string(tell()));
    }
}

// What a person is told of a refusal: it says why, and is safe on a terminal.
void demand_told(const Error& error);

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
