// SPDX-License-Identifier: MIT
// What main() asks of a command's options before it prints: what the status is about, who reads
// stdout, whether anything is said beside.
#pragma once

#include "cli/options.h"

namespace rocenv {

// What the exit status is about: what the report says, or what was done to the node.
enum class About { report, node };

template <typename Each>
About about(const Each& /*options*/) {
    return About::report;
}

inline About about(const SetOptions& options) {
    return options.write.dry_run || options.persist_hints ? About::report : About::node;
}

inline About about(const ResetOptions& options) {
    return options.write.dry_run ? About::report : About::node;
}

// Who reads stdout. What programs read follows the rules of its own format. A plugin host may take
// stderr for a part of it, and the first line for the verdict: for that one, stdout goes first.
enum class Reader { person, program, plugin_host };

inline Reader reader_of(CheckFormat format) {
    switch (format) {
        case CheckFormat::human:
            return Reader::person;
        case CheckFormat::json:
        case CheckFormat::jsonl:
        case CheckFormat::brief:
        case CheckFormat::junit:
        case CheckFormat::prometheus:
        case CheckFormat::github:
            return Reader::program;
        case CheckFormat::nagios:
            return Reader::plugin_host;
    }
    return Reader::program;
}

inline Reader reader_of(ReportFormat format) {
    switch (format) {
        case ReportFormat::human:
            return Reader::person;
        case ReportFormat::json:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(ShowFormat format) {
    switch (format) {
        case ShowFormat::human:
            return Reader::person;
        case ShowFormat::json:
        case ShowFormat::toml:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(TopoFormat format) {
    switch (format) {
        case TopoFormat::human:
        case TopoFormat::rocminfo:
            return Reader::person;
        case TopoFormat::json:
        case TopoFormat::svg:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(FleetFormat format) {
    switch (format) {
        case FleetFormat::human:
            return Reader::person;
        case FleetFormat::json:
        case FleetFormat::html:
        case FleetFormat::prometheus:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(LintFormat format) {
    switch (format) {
        case LintFormat::human:
            return Reader::person;
    }
    return Reader::program;
}

inline Reader reader_of(RecordFormat format) {
    switch (format) {
        case RecordFormat::tree:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(LearnFormat format) {
    switch (format) {
        case LearnFormat::toml:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(MergeFormat format) {
    switch (format) {
        case MergeFormat::human:
            return Reader::program;
    }
    return Reader::program;
}

inline Reader reader_of(HelpFormat format) {
    switch (format) {
        case HelpFormat::human:
            return Reader::person;
        case HelpFormat::mdoc:
            return Reader::program;
    }
    return Reader::program;
}

template <typename Each>
Reader reader_of(const Each& options) {
    return reader_of(options.print.format);
}

inline Reader reader_of(EnvFormat /*format*/) {
    return Reader::program;
}

inline Reader reader_of(const RunOptions& /*options*/) {
    return Reader::person;
}

inline Reader reader_of(const CompletionOptions& /*options*/) {
    return Reader::program;
}

template <typename Each>
bool is_quiet(const Each& options) {
    return options.print.quiet;
}

inline bool is_quiet(const CompletionOptions& /*options*/) {
    return true;
}

}  // namespace rocenv
