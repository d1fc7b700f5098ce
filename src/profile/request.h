// SPDX-License-Identifier: MIT
// The requests of check, set, env and run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/result.h"
#include "rocenv/setting.h"

namespace rocenv {

// The id of the finding about an ignored file below /etc/rocenv.
inline const std::string trust_id = "site.trust";

// Rule for such a file below /etc/rocenv, which is never used.
enum class Untrusted { refused, ignored };

// A file of profiles or waivers that users other than root can change, read by root (SECURITY.md).
struct Doubt {
    enum class Use {
        site_ignored,  // a file below /etc/rocenv
        own_ignored,   // a file below a user's configuration folder
        named,         // used, because its path was given
    };
    Use use = Use::named;
    std::string file;
    Error error;  // one of not_trusted()
};

// Returns one line for stderr for each doubt.
std::vector<std::string> doubt_lines(const std::vector<Doubt>& doubts);

// Returns whether a path in any spelling is below /etc/rocenv, or leads there through links.
bool is_site_path(const std::string& path);

// The request of a command that uses profiles.
struct CheckRequest {
    std::vector<std::string> profiles;   // empty: auto
    std::vector<std::string> overrides;  // ID=VALUE
    std::vector<std::string> only;       // ids or globs
    std::vector<std::string> skip;
    std::optional<Scope> scope;  // std::nullopt: node under sudo, else all
    bool all_scopes = false;     // --scope all
    bool strict = false;
    bool ignore_match = false;
    bool no_site = false;  // leave the site's file out
    std::string waivers;   // a file of waivers in addition to the node's; empty: none
    bool no_waivers = false;
    Untrusted untrusted = Untrusted::refused;
    std::string node_name;  // --node; empty: the machine's own name
    std::string root = "/";
    std::vector<std::string> assume;     // NAME=VERSION: replaces the detected version
    std::string pid;                     // process whose environment is judged; empty: the caller
    std::vector<std::string> env_files;  // files whose environment is judged, the last wins
    bool facts = false;                  // add facts that nodes of a cluster should agree on
    bool with_ids = false;               // add serial numbers, GUIDs and MACs
    std::string since;                   // an earlier report to compare with; empty: none
};

// Returns whether `id` matches a pattern of `only` (empty: all) and none of `skip`.
bool selected(const std::string& id, const std::vector<std::string>& only,
              const std::vector<std::string>& skip);

// Returns whether a name of -p depends on the machine's GPUs: "auto", "benchmark", "acceptance".
bool asks_machine(const std::string& name);

// Returns the names for this machine: "auto" becomes `chosen`, "benchmark" becomes
// "CHOSEN-benchmark", and "acceptance" becomes `chosen` followed by "acceptance".
std::vector<std::string> expand_names(const std::vector<std::string>& names,
                                      const std::string& chosen);

}  // namespace rocenv
