// SPDX-License-Identifier: MIT
// What options choose among, with the words that name it on the command line (util/words.h).
// Whoever adds one is led by the compiler to each place that has to know it.
#pragma once

#include <string_view>

namespace rocenv {

// The CPUs that topo --bind gives a rank: its part of the L3 caches near its GPU, or all CPUs
// there.
enum class BindScope { l3, numa };
constexpr std::string_view word_of(BindScope scope) {
    switch (scope) {
        case BindScope::l3:
            return "l3";
        case BindScope::numa:
            return "numa";
    }
    return "";
}

// The cores that topo --bind leaves out.
enum class ReservedCores { none, first_of_l3 };
constexpr std::string_view word_of(ReservedCores cores) {
    switch (cores) {
        case ReservedCores::none:
            return "none";
        case ReservedCores::first_of_l3:
            return "first-of-l3";
    }
    return "";
}

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

// Who is asked beside the driver's files.
enum class GpuOpinion { sysfs, rsmi, amdsmi };
constexpr std::string_view word_of(GpuOpinion opinion) {
    switch (opinion) {
        case GpuOpinion::sysfs:
            return "sysfs";
        case GpuOpinion::rsmi:
            return "rsmi";
        case GpuOpinion::amdsmi:
            return "amdsmi";
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

// Of what profile learn writes.
enum class LevelChoice { required, recommended, info };
constexpr std::string_view word_of(LevelChoice level) {
    switch (level) {
        case LevelChoice::required:
            return "required";
        case LevelChoice::recommended:
            return "recommended";
        case LevelChoice::info:
            return "info";
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
