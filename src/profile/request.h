// SPDX-License-Identifier: MIT
// What check, set, env and run were asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/result.h"
#include "rocenv/setting.h"

namespace rocenv {

// The finding of a file below /etc/rocenv that was ignored.
inline const std::string trust_id = "site.trust";

// What happens to such a file below /etc/rocenv. It is never used.
enum class Untrusted { refused, ignored };

// A file of profiles or waivers that users other than root can change, while root reads it
// (SECURITY.md).
struct Doubt {
    enum class Use {
        site_ignored,  // a file below /etc/rocenv
        own_ignored,   // a file below a user's configuration folder
        named,         // used, because the command line or a profile names its path
    };
    Use use = Use::named;
    std::string file;
    Error error;  // one of not_trusted()
};

// Returns a line for stderr for each.
std::vector<std::string> doubt_lines(const std::vector<Doubt>& doubts);

// Returns whether a path, written in any way, is below /etc/rocenv or leads there by links.
bool is_site_path(const std::string& path);

struct CheckRequest {
    std::vector<std::string> profiles;  // empty: auto
    std::vector<std::string> wants;     // ID=VALUE
    std::vector<std::string> only;      // ids or globs
    std::vector<std::string> skip;
    std::optional<Scope> scope;  // nullopt: node under sudo, else all
    bool all_scopes = false;     // --scope all
    bool strict = false;
    bool ignore_match = false;
    bool no_site = false;  // leave the site's file out
    std::string waivers;   // a file of waivers beside the node's, empty: none
    bool no_waivers = false;
    Untrusted untrusted = Untrusted::refused;
    std::string node_name;  // --node, empty: the machine's own
    std::string root = "/";
    std::vector<std::string> assume;     // NAME=VERSION: what is installed, over what is found
    std::string pid;                     // judge this process' environment; empty: the caller's
    std::vector<std::string> env_files;  // judge these files' environment, the later wins
    bool facts = false;                  // add what nodes of a cluster should agree on
    bool with_ids = false;               // add serial numbers, GUIDs and MACs
    std::string since;                   // an earlier report to compare with, empty: none
};

// Whether `id` is asked for: it matches a pattern of `only` (empty: all) and none of `skip`.
bool selected(const std::string& id, const std::vector<std::string>& only,
              const std::vector<std::string>& skip);

// Whether a name of -p goes by the GPUs of the machine: "auto", "benchmark", "acceptance".
bool asks_machine(const std::string& name);

// Names with "auto", "benchmark" and "acceptance" replaced by what they mean on this machine.
std::vector<std::string> expand_names(const std::vector<std::string>& names,
                                      const std::string& chosen);

}  // namespace rocenv
