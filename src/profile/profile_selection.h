// SPDX-License-Identifier: MIT
// The requested profiles, selected and resolved for this machine, and the digest of the result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "profile/request.h"

namespace rocenv {

// The result of profiles on a machine: a digest by which two reports can be compared, and a profile
// with the same values on every machine.

// Returns 16 hexadecimal digits of the expected values, levels and must_exist, in any order.
// Reasons and sources do not count.
std::string profile_digest(const Resolved& profile);

// Returns the TOML of one profile without parents or `when` that has the same digest. Its [match]
// holds the items that each [match] of the profile accepts.
std::string pinned_text(const Resolved& profile);

// Returns an entry in TOML on one line, `{ value = 0, level = "required", why = "…" }`. Empty texts
// are left out.
std::string entry_text(const Expectation& expectation);

// The requested profiles, selected and resolved for this machine. check, set, env and run all use
// this, so that they cannot disagree.

class Versions;

// The id of the finding about the fallback of `auto`.
inline const std::string auto_id = "profile.auto";

// The profile of a request.
struct SelectedProfile {
    Resolved profile;
    bool chose = false;  // the request has `auto`, `benchmark` or `acceptance`
    AutoChoice choice;
    std::vector<std::string> errors;    // bad usage or profile: exit status 2
    std::vector<std::string> warnings;  // each text once
    std::vector<Doubt> doubts;          // files that users other than root can change
    bool timed_out = false;             // reading a profile timed out: exit status 3
};

// Returns the profile of a request. `versions` are those of programs that read variables, for the
// conditions of entries. Errors in the root, a pattern or --want end it before any profile is
// read. A [match] that does not fit this machine is an error, unless `ignore_match` is set, and so
// are variables above 2 MiB.
SelectedProfile select_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                               const Process& process, const Versions& versions,
                               ProfileStore::Parts parts = ProfileStore::Parts::all);

// Returns the valid entries of --want ID=VALUE, in order. Adds an error for each other one.
std::vector<ProfileEntry> parse_overrides(const std::vector<std::string>& overrides,
                                          std::vector<std::string>& errors);

// Adds an error if this is not a machine: a --sysroot with neither /sys nor /proc.
void check_root(const Fs& fs, const std::string& root, std::vector<std::string>& errors);

// Returns whether an id or glob can match a finding, of a setting or another one.
bool matches_any_id(const std::string& pattern);

// Adds an error "unknown setting 'PATTERN' for OPTION" for each pattern that matches no finding.
void check_patterns(const std::vector<std::string>& patterns, const char* option,
                    std::vector<std::string>& errors);

}  // namespace rocenv
