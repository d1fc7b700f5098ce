// SPDX-License-Identifier: MIT
// The program of the fuzzers. Without FUZZ_TARGET it prints their names, each with its pace and two
// lengths in bytes: of a short input, in which all that can be said fits once, and of the longest.
// Fast ones take millions of short inputs in minutes.
#include "fuzz/fuzz.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "util/text.h"

namespace rocenv::fuzz {

namespace {

struct Target {
    std::string_view name;
    const char* pace;
    int short_bytes;
    int most_bytes;
    void (*run)(std::string_view bytes);
};

// A whole configuration space, and the two bytes before it.
constexpr int of_fast = 4098;
constexpr int of_slow = 16384;

// Those that take longest come first, so that they are not the last that run, one alone.
constexpr Target targets[] = {
    {"journal", "fast", 512, of_fast, fuzz_journal},
    {"tree", "fast", 256, of_fast, fuzz_tree},
    {"clocks", "fast", 128, of_fast, fuzz_clocks},
    {"cpus", "fast", 256, of_fast, fuzz_cpus},
    {"env", "fast", 128, of_fast, fuzz_env},
    {"hostlist", "fast", 64, of_fast, fuzz_hostlist},
    {"kfd", "fast", 256, of_fast, fuzz_kfd},
    {"pci", "fast", 514, of_fast, fuzz_pci},
    {"assembly", "slow", 2048, of_slow, fuzz_assembly},
    {"fleet", "slow", 2048, of_slow, fuzz_fleet},
    {"profile", "slow", 512, of_slow, fuzz_profile},
    {"triton", "slow", 512, of_slow, fuzz_triton},
    {"tunable", "slow", 1024, of_slow, fuzz_tunable},
    {"waivers", "slow", 512, of_slow, fuzz_waivers},
};

const Target* chosen = nullptr;

}  // namespace

void demand(bool holds, const char* what, std::string_view shown) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n%s\n", what, printable(shown, 4000).c_str());
        std::abort();
    }
}

void demand_message(const Error& error) {
    demand(!error.text.empty(), "an error says what is wrong");
    demand(printable(error.text, uncut) == error.text, "an error is printable", error.text);
}

std::vector<std::string> files_in(std::string_view bytes, std::size_t count) {
    std::vector<std::string> files;
    for (const auto file : split(bytes, '\x1e')) {
        files.emplace_back(file);
    }
    files.resize(count);
    return files;
}

}  // namespace rocenv::fuzz

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    using namespace rocenv::fuzz;
    const char* name = std::getenv("FUZZ_TARGET");
    const auto* found =
        std::find_if(std::begin(targets), std::end(targets),
                     [&](const Target& each) { return name != nullptr && each.name == name; });
    if (found == std::end(targets)) {
        for (const auto& target : targets) {
            std::printf("%s %s %d %d\n", target.name.data(), target.pace, target.short_bytes,
                        target.most_bytes);
        }
        std::exit(name == nullptr ? 0 : 2);
    }
    chosen = found;
    return 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rocenv::fuzz::chosen->run({reinterpret_cast<const char*>(data), size});
    return 0;
}
