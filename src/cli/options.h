// SPDX-License-Identifier: MIT
// The command line as plain data. CLI11 ends in options.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/check.h"
#include "rocenv/render.h"
#include "rocenv/supervise.h"

namespace rocenv {

enum class Command { check, topo, record, profile_list, profile_show, profile_lint };

struct Options {
    Command command = Command::check;
    CheckRequest request;                // profiles, wants, filters, scope
    std::vector<std::string> names;      // of profile show and lint
    std::optional<std::string> sysroot;  // nothing: the real machine
    std::string format = "human";
    std::string color = "auto";
    bool quiet = false;
    bool verbose = false;
    std::string output;     // --output of record; empty: stdout
    bool with_env = false;  // of record
    Patience patience;

    Detail detail() const {
        return quiet ? Detail::quiet : verbose ? Detail::everything : Detail::normal;
    }
};

// What parsing gave: options to act on, or the output of --help, --version or bad usage.
struct Parsed {
    std::optional<Options> options;
    Output output;
};
Parsed parse_options(int argc, const char* const* argv);

}  // namespace rocenv
