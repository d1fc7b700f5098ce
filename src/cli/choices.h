// SPDX-License-Identifier: MIT
// What options choose among, with the words that name it on the command line (util/words.h).
// Whoever adds one is led by the compiler to each place that has to know it.
#pragma once

#include <string_view>

namespace rocenv {

// Of check.
enum class CheckFormat { human, json, jsonl, brief, junit, prometheus, nagios, github };
constexpr std::string_view word_of(CheckFormat format) {
    switch (format) {
        case CheckFormat::human:
            return "human";
        case CheckFormat::json:
            return "json";
        case CheckFormat::jsonl:
            return "jsonl";
        case CheckFormat::brief:
            return "brief";
        case CheckFormat::junit:
            return "junit";
        case CheckFormat::prometheus:
            return "prometheus";
        case CheckFormat::nagios:
            return "nagios";
        case CheckFormat::github:
            return "github";
    }
    return "";
}

// Of all that have a report for people and one for programs.
enum class ReportFormat { human, json };
constexpr std::string_view word_of(ReportFormat format) {
    switch (format) {
        case ReportFormat::human:
            return "human";
        case ReportFormat::json:
            return "json";
    }
    return "";
}

// Of fleet.
enum class FleetFormat { human, json, html, prometheus };
constexpr std::string_view word_of(FleetFormat format) {
    switch (format) {
        case FleetFormat::human:
            return "human";
        case FleetFormat::json:
            return "json";
        case FleetFormat::html:
            return "html";
        case FleetFormat::prometheus:
            return "prometheus";
    }
    return "";
}

// Of profile show; toml is a profile of its own.
enum class ShowFormat { human, json, toml };
constexpr std::string_view word_of(ShowFormat format) {
    switch (format) {
        case ShowFormat::human:
            return "human";
        case ShowFormat::json:
            return "json";
        case ShowFormat::toml:
            return "toml";
    }
    return "";
}

enum class TopoFormat { human, json, rocminfo, svg };
constexpr std::string_view word_of(TopoFormat format) {
    switch (format) {
        case TopoFormat::human:
            return "human";
        case TopoFormat::json:
            return "json";
        case TopoFormat::rocminfo:
            return "rocminfo";
        case TopoFormat::svg:
            return "svg";
    }
    return "";
}

// Of topo --bind.
enum class BindFormat { text, sh, numactl, taskset };
constexpr std::string_view word_of(BindFormat format) {
    switch (format) {
        case BindFormat::text:
            return "text";
        case BindFormat::sh:
            return "sh";
        case BindFormat::numactl:
            return "numactl";
        case BindFormat::taskset:
            return "taskset";
    }
    return "";
}

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

enum class LintFormat { human };
constexpr std::string_view word_of(LintFormat format) {
    switch (format) {
        case LintFormat::human:
            return "human";
    }
    return "";
}

enum class RecordFormat { tree };
constexpr std::string_view word_of(RecordFormat format) {
    switch (format) {
        case RecordFormat::tree:
            return "tree";
    }
    return "";
}

enum class LearnFormat { toml };
constexpr std::string_view word_of(LearnFormat format) {
    switch (format) {
        case LearnFormat::toml:
            return "toml";
    }
    return "";
}

// Of tunableop merge; what it prints is a result file.
enum class MergeFormat { human };
constexpr std::string_view word_of(MergeFormat format) {
    switch (format) {
        case MergeFormat::human:
            return "human";
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

// Of help; mdoc is the source of a manual page.
enum class HelpFormat { human, mdoc };
constexpr std::string_view word_of(HelpFormat format) {
    switch (format) {
        case HelpFormat::human:
            return "human";
        case HelpFormat::mdoc:
            return "mdoc";
    }
    return "";
}

// Whose command lines are completed.
enum class Shell { bash, zsh, fish };
constexpr std::string_view word_of(Shell shell) {
    switch (shell) {
        case Shell::bash:
            return "bash";
        case Shell::zsh:
            return "zsh";
        case Shell::fish:
            return "fish";
    }
    return "";
}

}  // namespace rocenv
