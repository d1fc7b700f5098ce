// SPDX-License-Identifier: MIT
// The values of options that are a choice, and their words on the command line.
#pragma once

#include "rocenv/words.h"

namespace rocenv {

// The CPUs that topo --bind selects for a rank: its part of the L3 caches near its GPU, or all CPUs
// near that GPU.
enum class BindScope { l3, numa };
template <>
struct EnumWords<BindScope> {
    static constexpr EnumWord<BindScope> all[] = {
        {BindScope::l3, "l3"},
        {BindScope::numa, "numa"},
    };
};

// The cores that topo --bind leaves out.
enum class ReservedCores { none, first_of_l3 };
template <>
struct EnumWords<ReservedCores> {
    static constexpr EnumWord<ReservedCores> all[] = {
        {ReservedCores::none, "none"},
        {ReservedCores::first_of_l3, "first-of-l3"},
    };
};

// The output in colour.
enum class UseColour { on_terminal, always, never };
template <>
struct EnumWords<UseColour> {
    static constexpr EnumWord<UseColour> all[] = {
        {UseColour::on_terminal, "auto"},
        {UseColour::always, "always"},
        {UseColour::never, "never"},
    };
};

// The interface for writing GPU settings.
enum class GpuBackend { sysfs, rsmi };
template <>
struct EnumWords<GpuBackend> {
    static constexpr EnumWord<GpuBackend> all[] = {
        {GpuBackend::sysfs, "sysfs"},
        {GpuBackend::rsmi, "rsmi"},
    };
};

// The source of GPU values: the driver's files alone, or also one of AMD's libraries.
enum class GpuOpinion { sysfs, rsmi, amdsmi };
template <>
struct EnumWords<GpuOpinion> {
    static constexpr EnumWord<GpuOpinion> all[] = {
        {GpuOpinion::sysfs, "sysfs"},
        {GpuOpinion::rsmi, "rsmi"},
        {GpuOpinion::amdsmi, "amdsmi"},
    };
};

// The owner of the settings that are judged.
enum class ScopeChoice { node, process, all };
template <>
struct EnumWords<ScopeChoice> {
    static constexpr EnumWord<ScopeChoice> all[] = {
        {ScopeChoice::node, "node"},
        {ScopeChoice::process, "process"},
        {ScopeChoice::all, "all"},
    };
};

// The effect of a failed check before a program starts: the program does not start, or the failure
// is only reported.
enum class CheckFirst { check, warn };
template <>
struct EnumWords<CheckFirst> {
    static constexpr EnumWord<CheckFirst> all[] = {
        {CheckFirst::check, "check"},
        {CheckFirst::warn, "warn"},
    };
};

}  // namespace rocenv
