// SPDX-License-Identifier: MIT
// The environment as a profile could want it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

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

}  // namespace rocenv
