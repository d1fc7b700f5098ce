// SPDX-License-Identifier: MIT
// The last lines of commands' help, before those on exit statuses.
#pragma once

namespace rocenv::footers {

inline constexpr const char* main =
    "rocenv help lists the pages of the manual; rocenv help exit-status tells what\n"
    "each command ends with.\n";

inline constexpr const char* run =
    "rocenv run [OPTIONS] -- PROGRAM [ARGUMENT...]\n"
    "--tune needs -p. What cannot be put back is named on stderr, and the status is\n"
    "still the program's: rocenv status shows what is left. Under sudo it starts the\n"
    "program as who called sudo, unless --user says otherwise.\n";

inline constexpr const char* occupancy = "What an option says wins over what a file says.\n";

inline constexpr const char* fleet =
    "Reads check's JSON reports (json, jsonl; several a file), folders of them\n"
    "(.json, .jsonl, .tree) and recordings, which it judges. Of each node the newest\n"
    "report counts. Without a file it reads standard input. -p, --want and waivers are\n"
    "for recordings alone: a report was judged where it was made.\n";

inline constexpr const char* explain =
    "A word is a setting, a variable, a profile, an outcome or another word of\n"
    "reports, an exit status, or a glob of names. Many are listed; -v tells all of\n"
    "each. Values of secrets, and of variables that neither the catalogue nor a\n"
    "profile knows, are never printed.\n";

inline constexpr const char* help =
    "A topic is a page (profile is the command's, profile.5 that of the files), or a\n"
    "setting, a variable or a profile. rocenv explain tells what it is on this node.\n";

inline constexpr const char* completion =
    "bash: eval \"$(rocenv completion bash)\" in ~/.bashrc; zsh: to a file _rocenv in a\n"
    "folder of $fpath; fish: to ~/.config/fish/completions/rocenv.fish. Packages\n"
    "install them. The scripts ask the program what may follow: it reads the names of\n"
    "profiles and nothing else, and never the machine.\n";

}  // namespace rocenv::footers
