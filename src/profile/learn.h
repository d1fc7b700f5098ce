// SPDX-License-Identifier: MIT
// rocenv profile learn: the present state of this machine and the environment as the text of a
// profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/setting.h"
#include "rocenv/value.h"

namespace rocenv {

// The environment in the form that a profile expects.

// Identities of the caller and the host, to be removed from a text that others may read.
class Identity {
   public:
    Identity(const Process& process, const std::string& hostname);

    // Returns a value with `${HOME}` for the caller's home folder at the start of a path. Any other
    // `$` that would expand is doubled.
    std::string as_value(const std::string& text) const;
    // Returns whether a text contains a name of the user or host, a network, hardware or web
    // address, or a UUID.
    bool is_in(const std::string& text) const;
    // Returns a text for a comment, without these identities. A name is removed from paths,
    // addresses and quoted texts; as a word of a sentence it stays.
    std::string taken_out(const std::string& text) const;

   private:
    std::string home_;                // empty: unknown, or "/"
    std::vector<std::string> names_;  // names of the user and the host
};

// A variable with the value for the profile, or the reason for its absence.
struct LearntVariable {
    std::string name;
    std::optional<std::string> value;  // TOML text; std::nullopt: not part of the profile
    std::string why_not;
};

// Returns the catalogued variables that are set and do not read as their default, sorted by name.
// These have a reason instead of a value: secrets, variables of one process or job, values with an
// identity or not in UTF-8, and values that no program reads or that its reader misreads.
std::vector<LearntVariable> learn_environment(const Context& context, const Identity& identity);

// The learned profile. A value is written only after its setting has judged it: every target passes
// or does not exist here. Other settings become comments with the reason. The text has no host
// name, user, serial number or network address.

// Options of profile learn.
struct LearnRequest {
    std::string name = "learned";   // name of the profile
    std::vector<std::string> only;  // ids or globs
    std::vector<std::string> skip;
    // Level of all entries. std::nullopt: the inventory of GPUs and links is required, other
    // entries are recommended.
    std::optional<Level> level;
    std::string root = "/";
};

// The learned profile or errors.
struct LearnResult {
    std::string text;                 // TOML
    std::vector<std::string> errors;  // bad usage: exit status 2, no text
};

// Returns the profile of this machine. Under sudo the caller's limits, access and environment are
// left out, because they are not those of the job. The date is that of report_time(). Errors are a
// root without sys and proc, a pattern that matches no setting, and an invalid name.
LearnResult learn_profile(const LearnRequest& request, const Fs& machine, const Process& process);

// Sample values for a setting without an expected value.

// Returns values of a form that make a setting read everything that it can read: every word, both
// ends of a range, and a text that no machine has. The setting then also reads what it needs to
// explain a difference. A table has at most 64 combinations of its fields' values.
std::vector<Value> sample_values(const Form& form);

}  // namespace rocenv
