// SPDX-License-Identifier: MIT
// Which releases of a program were searched for the variables that it reads, and what follows for a
// version: it reads a variable, not yet, no longer, or nobody looked. Facts of the catalogue, see
// profiles/variables/README.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "variables/catalogue.h"

namespace rocenv {

// A release that was searched; or, where `branch` says which, the state of a branch on its way to
// that version, which lies before it.
struct LookedAtRelease {
    std::string_view version;  // "6.2.4"; of a branch "6.3"
    std::string_view branch;   // "release branch of 2024-10"; empty: a release
};

struct LookedAt {
    std::string_view program;               // "rccl", as Variable::looked_at names it
    std::string_view package;               // whose version counts: "rocm"
    std::string_view date;                  // of the search: "2026-11-22"
    std::string_view source;                // what was searched
    std::vector<LookedAtRelease> releases;  // oldest first
};

// Nothing for a program of which no release was searched.
std::optional<LookedAt> looked_at(std::string_view program);

// The newest day of all searches: what the catalogue does not know was not there then.
std::string_view facts_date();

enum class Reads { yes, not_yet, no_longer, not_looked_at };

// What is known of a variable and one version.
struct ReadsAt {
    Reads reads = Reads::not_looked_at;
    // Without a full stop, for instance: "first read in torch 2.14.1, not yet in 2.11.0"; "last
    // read in torch 2.6.0, no longer in 2.11.0"; "torch 2.12 was not looked at". Empty where it is
    // read.
    std::string says;
};

// Of one program that reads it.
ReadsAt reads_at(const VariableReader& reader, std::string_view version);

// Of all programs whose version is the package's: read where one of them reads it, else what is
// known of the first.
ReadsAt reads_at(const Variable& variable, std::string_view package, std::string_view version);

// What leaving a variable unset equals in a version. Between the release that a default was first
// seen in and the one looked at before it, that is not known.
struct DefaultAt {
    bool known = false;
    std::optional<std::string_view> text;  // nothing: unset is a state of its own
};
DefaultAt default_at(const VariableReader& reader, std::string_view version);

// Whether a version is newer than all releases of the reader's program that were looked at.
bool is_newer_than_looked_at(const VariableReader& reader, std::string_view version);

// As compare_versions(), with what follows the numbers: 2.8.0~ (a branch on its way), 2.8.0.dev1,
// 2.8.0rc1, 2.8.0, 2.8.0.post1. What follows + or - counts for nothing.
std::optional<int> compare_releases(std::string_view left, std::string_view right);

}  // namespace rocenv
