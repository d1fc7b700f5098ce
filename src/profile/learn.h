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

// The environment as a profile could want it.

// Who asks and where, so that it can be kept out of a text that is given away.
class Identity {
   public:
    Identity(const Process& process, const std::string& hostname);

    // `${HOME}` where the caller's home folder stands at the start of a path; any other `$` that
    // would expand is doubled.
    std::string as_value(const std::string& text) const;
    // Whether a text holds a name of the user or host, a network, hardware or web address, a UUID.
    bool is_in(const std::string& text) const;
    // For a comment: without any of these.
    std::string taken_out(const std::string& text) const;

   private:
    std::string home_;                // empty: none, or "/"
    std::vector<std::string> names_;  // of the user and the host
};

struct LearntVariable {
    std::string name;
    std::optional<std::string> value;  // as a profile writes it; nothing: not to be wanted
    std::string why_not;
};

// Catalogued variables that are set and not as they would be unset; sorted by name. Values of
// others, of secrets and of what tells one process from another are not in it.
std::vector<LearntVariable> learn_environment(const Context& context, const Identity& identity);

// rocenv profile learn: this machine's present state as the text of a profile. A value is written
// only after the setting that it is for judged it: every target is as wanted or not here. What is
// not written is a comment that says why. No host name, user, serial number or network address.

struct LearnRequest {
    std::string name = "learned";   // of the profile
    std::vector<std::string> only;  // ids or globs
    std::vector<std::string> skip;
    // Of all entries; nothing: what GPUs and links there are is required, the rest recommended.
    std::optional<Level> level;
    std::string root = "/";
};

struct LearnResult {
    std::string text;                 // TOML
    std::vector<std::string> errors;  // bad usage: exit 2, no text
};

// Under sudo the caller's limits, access and environment are left out: they are not the job's. The
// date is that of report_time().
LearnResult learn_profile(const LearnRequest& request, const Fs& machine, const Process& process);

// Values to ask a setting with when nobody wants anything in particular.

// Values of a form that together make a setting read all it could read: every word, both ends of a
// range, a text no machine has, so that a setting also reads what it explains a difference with.
std::vector<Value> wishes(const Form& form);

}  // namespace rocenv
