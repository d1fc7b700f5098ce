// SPDX-License-Identifier: MIT
// What options choose among, with the words that name it on the command line (util/words.h).
#pragma once

#include <string_view>

namespace rocenv {

enum class UseColour { on_terminal, always, never };
constexpr std::string_view word_of(UseColour use) {
    switch (use) {
        case UseColour::on_terminal:
            return "auto";
        case UseColour::always:
            return "always";
        case UseColour::never:
            return "never";
    }
    return "";
}

enum class GpuBackend { sysfs, rsmi };
constexpr std::string_view word_of(GpuBackend backend) {
    switch (backend) {
        case GpuBackend::sysfs:
            return "sysfs";
        case GpuBackend::rsmi:
            return "rsmi";
    }
    return "";
}

// Whose settings are judged.
enum class ScopeChoice { node, process, all };
constexpr std::string_view word_of(ScopeChoice scope) {
    switch (scope) {
        case ScopeChoice::node:
            return "node";
        case ScopeChoice::process:
            return "process";
        case ScopeChoice::all:
            return "all";
    }
    return "";
}

// What a check before a program does where it finds a fault: keep the program from starting, or
// tell it.
enum class CheckFirst { check, warn };
constexpr std::string_view word_of(CheckFirst first) {
    switch (first) {
        case CheckFirst::check:
            return "check";
        case CheckFirst::warn:
            return "warn";
    }
    return "";
}

}  // namespace rocenv
