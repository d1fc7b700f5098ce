// SPDX-License-Identifier: MIT
// The catalogue's files as make_catalogue reads them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace catalogue {

// Keys in the order in which catalogue.cpp reads them: the most common ones first.
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

// The searched releases of one program.
struct Releases {
    std::string package, date, source;
    std::vector<std::string> searched;
};

struct Family {
    std::string prefix, reader, doc, searched;
    std::vector<std::string> whole;  // releases with a complete list of names
};

// Values that are wrong together, or with an installed version or device; see
// profiles/variables/README.md.
struct Rule {
    std::vector<std::string> when, versions, gfx, nics, modes;
    std::string says, next, source;
    bool recommended = false;
    bool in_several_nodes = false;
};

struct Catalogue {
    std::map<std::string, Entry> variables;
    std::map<std::string, Family> families;
    std::vector<Rule> rules;
    std::map<std::string, Releases> releases;
};

// Adds the contents of a file. Returns false if a fault was printed on stderr as FILE:LINE: TEXT.
bool take_file(const std::string& file, Catalogue& into);

// Checks that every named list of releases exists, and copies each list's package to the other
// readers. Call it after all files are read. Returns false if a fault was printed.
bool settle_releases(Catalogue& catalogue);

}  // namespace catalogue
