// SPDX-License-Identifier: MIT
// Test cases that cannot be tried here say so: version 2 of Catch2 knows no skipped case.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace rocenv {

// Prints the words by which tests.cmake counts the case as skipped. The case ends then, or tries
// what it can.
inline void say_skipped(std::string_view why) {
    std::cout << "skip case: " << why << '\n';
}

// The folder of recorded machines, from ROCENV_CAPTURES. Without it the case is skipped, and "" is
// returned.
inline std::string captures_folder() {
    const char* folder = std::getenv("ROCENV_CAPTURES");
    if (folder == nullptr) {
        say_skipped("ROCENV_CAPTURES names no folder");
        return {};
    }
    return folder;
}

}  // namespace rocenv
