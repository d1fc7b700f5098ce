// SPDX-License-Identifier: MIT
#include "profile/profile_keys.h"

namespace rocenv {

namespace {

constexpr ProfileKey keys[] = {
    {KeyOf::file, "profile", "What it is called and what it extends."},
    {KeyOf::file, "match",
     "Which nodes it is for; without it any. All lines must fit, and so must each profile that is "
     "extended."},
    {KeyOf::file, "settings",
     "What is wanted of settings: \"ID\" = VALUE, or a table with the keys of an entry. An id "
     "stands in quotes."},
    {KeyOf::file, "env", "The same of variables: NAME = TEXT, or a table."},
    {KeyOf::profile, "name", "The word after -p; the file is called the same."},
    {KeyOf::profile, "summary", "What profile list says of it."},
    {KeyOf::profile, "extends", "A list of profiles that are merged first, left to right."},
    {KeyOf::profile, "also",
     "A list of lines on what is needed besides and rocenv cannot set; profile show ends with "
     "them."},
    {KeyOf::profile, "auto", "false: auto never chooses it by its [match]."},
    {KeyOf::match, "device", "A list of PCI ids, such as \"0x74a1\"."},
    {KeyOf::match, "gfx", "A list of architectures, such as \"gfx942\"."},
    {KeyOf::match, "rocm", "The oldest ROCm, such as \">=6.2\"."},
    {KeyOf::entry, "value",
     "What is wanted: a number, a text, or a word the setting knows (\"recommended\", "
     "\"unlimited\", \">=6.3\"). Some settings take keys of their own in its place: "
     "rocenv-settings(7) gives the form of each."},
    {KeyOf::entry, "unset", "true, of variables only: the variable must not be set."},
    {KeyOf::entry, "level", "\"required\", \"recommended\" or \"info\"."},
    {KeyOf::entry, "why",
     "One sentence on what it does to speed or safety; told with the finding."},
    {KeyOf::entry, "source", "The document that says so, with its date."},
    {KeyOf::entry, "when", "A table of conditions; one that is known to fail unwrites the entry."},
    {KeyOf::entry, "must_exist",
     "true, of variables only: the value is a path, and check, env and run say when there is no "
     "such file."},
    {KeyOf::when, "gfx", "A list of architectures. Fails when a GPU of another kind is there."},
    {KeyOf::when, "device", "A list of PCI ids. Fails in the same way."},
    {KeyOf::when, "gpus", "Bounds of how many GPUs or partitions programs see, \">=2\"."},
    {KeyOf::when, "module", "The name of a kernel module. Fails when it is not loaded."},
    {KeyOf::when, "root", "true or false: whether root asks."},
    {KeyOf::waiver, "id", "A setting's id, or a glob."},
    {KeyOf::waiver, "target",
     "Optional: a bus address, a GPU's unique id (16 hex digits), system or process."},
    {KeyOf::waiver, "nodes", "Optional: a list of names or globs; with --node that name."},
    {KeyOf::waiver, "until", "The last day, such as 2027-01-31."},
    {KeyOf::waiver, "ticket", "Where it is dealt with; told with the finding."},
    {KeyOf::waiver, "why", "Why the site lives with it."},
};

}  // namespace

std::span<const ProfileKey> profile_keys() {
    return keys;
}

std::vector<std::string> keys_of(KeyOf place) {
    std::vector<std::string> out;
    for (const auto& key : keys) {
        if (key.of == place) {
            out.emplace_back(key.name);
        }
    }
    return out;
}

}  // namespace rocenv
