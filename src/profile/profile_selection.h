// SPDX-License-Identifier: MIT
// The profiles that were asked for, chosen and resolved for this machine, and the number that tells
// what they came to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "profile/request.h"

namespace rocenv {

// What profiles came to on a machine, by itself: a number that tells whether two reports were
// judged by the same, and a profile that says the same wherever it is taken.

// 16 hex digits of what is wanted at which level; reasons and sources do not count.
std::string profile_digest(const Resolved& profile);

// TOML of one profile that extends nothing, has no conditions and comes to the same digest.
std::string pinned_text(const Resolved& profile);

// An entry as TOML writes it on one line, `{ value = 0, level = "required", why = "…" }`. Empty
// texts are left out.
std::string entry_text(const Want& want);

// The profiles that were asked for, chosen and resolved for this machine: what check, set, env and
// run do first, so that they cannot disagree.

class Versions;

// The id of the finding that tells why `auto` fell back.
inline const std::string auto_id = "profile.auto";

struct SelectedProfile {
    Resolved profile;
    bool chose = false;  // `auto`, `benchmark` or `acceptance` was asked for
    AutoChoice choice;
    std::vector<std::string> errors;  // bad usage or profile: exit 2
    std::vector<std::string> warnings;
    std::vector<Doubt> doubts;  // files that users other than root can change
    bool timed_out = false;     // a profile did not answer in time: exit 3
};

// `versions`: of what reads variables, for the conditions of entries.
SelectedProfile select_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                               const Process& process, const Versions& versions,
                               ProfileStore::Parts parts = ProfileStore::Parts::all);

// The entries of --want ID=VALUE; adds an error for each that is none.
std::vector<ProfileEntry> take_wants(const std::vector<std::string>& wants,
                                     std::vector<std::string>& errors);

// Adds an error when this is no machine: a wrong --sysroot must not look like one on which all is
// well.
void check_root(const Fs& fs, const std::string& root, std::vector<std::string>& errors);

// Whether an id or glob can match a finding, of a setting or not.
bool matches_any_id(const std::string& pattern);

// Adds an error "OPTION PATTERN: no such setting" for each that can match none.
void check_patterns(const std::vector<std::string>& patterns, const char* option,
                    std::vector<std::string>& errors);

}  // namespace rocenv
