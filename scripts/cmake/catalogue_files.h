// SPDX-License-Identifier: MIT
// The catalogue's files as make_catalogue holds them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace catalogue {

// In the order in which catalogue.cpp takes them: what most entries state comes first.
inline const std::array<std::string, 21> text_keys{
    "reader",  "package", "type",    "parser",       "doc",      "source", "looked_at",
    "default", "since",   "note",    "default_note", "until",    "status", "min",
    "max",     "unit",    "pattern", "renamed",      "leftover", "needs",  "refers_to"};

using Defaults = std::vector<std::pair<std::string, std::string>>;

// The parser and the words of a reader from a version on; `from` is empty for the first.
struct Form {
    std::string from, parser;
    std::vector<std::string> values;
};

// Another program that reads a variable.
struct Reader {
    std::map<std::string, std::string> texts;
    bool has_default = false;
    std::vector<std::string> values;
    bool has_values = false;
    Defaults defaults;
    std::vector<Form> forms;
};

struct Entry {
    std::map<std::string, std::string> texts;
    bool has_default = false;
    bool is_mined = false;  // by scripts/mine; people may not have written a text
    std::vector<std::string> values;
    Defaults defaults;
    std::vector<Form> forms;  // the forms of its own reader; empty if readers do not differ
    std::vector<Reader> others;
};

// The releases of one program that were searched.
struct Releases {
    std::string package, date, source;
    std::vector<std::string> looked_at;
};

struct Family {
    std::string prefix, reader, doc, looked_at;
    std::vector<std::string> whole;  // the releases whose names are all listed
};

// Values that are wrong together, or with what is installed; see profiles/variables/README.md.
struct Rule {
    std::vector<std::string> when, versions, gfx, nics, modes;
    std::string says, next, source;
    bool recommended = false;
};

struct Catalogue {
    std::map<std::string, Entry> variables;
    std::map<std::string, Family> families;
    std::vector<Rule> rules;
    std::map<std::string, Releases> releases;
};

// Adds what a file says. False: a fault was told on stderr as FILE:LINE: TEXT.
bool take_file(const std::string& file, Catalogue& into);

// To be asked when all files are taken: every list of releases that is named must be there. Gives
// other readers the package of their list.
bool settle_releases(Catalogue& catalogue);

}  // namespace catalogue
