// SPDX-License-Identifier: MIT
// make_catalogue OUTPUT.cpp FILE.toml...: checks the catalogue's files and writes them as one C++
// file: a block of text, in which every text stands once, and tables of places in it. A fault is
// told as FILE:LINE: TEXT, status 1.
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

const std::array<std::string, 20> text_keys{
    "name",   "reader",   "package", "type",    "parser", "default", "default_note",
    "min",    "max",      "unit",    "pattern", "since",  "until",   "renamed",
    "status", "leftover", "needs",   "doc",     "note",   "source"};
const std::set<std::string> types{"bool", "int",  "float",  "path",
                                  "enum", "list", "string", "secret"};
const std::set<std::string> statuses{"", "deprecated", "removed", "no-effect", "uncertain"};
const std::set<std::string> leftovers{"", "debug", "dump", "trace"};

bool failed = false;

void fail(const std::string& file, const toml::node& where, const std::string& text) {
    std::cerr << file << ":" << where.source().begin.line << ": " << text << "\n";
    failed = true;
}

// Every text once, one after another.
class Pool {
   public:
    std::string place(const std::string& text) {
        auto [entry, is_new] = places_.try_emplace(text, bytes_.size());
        if (is_new) {
            bytes_ += text;
        }
        return "{" + std::to_string(entry->second) + "," + std::to_string(text.size()) + "}";
    }
    const std::string& bytes() const { return bytes_; }

   private:
    std::string bytes_;
    std::map<std::string, std::size_t> places_;
};

struct Lists {  // tables that entries point into
    std::string texts, defaults;
    std::size_t text_count = 0, default_count = 0;
};

struct Entry {
    std::map<std::string, std::string> texts;
    bool has_default = false;
    std::vector<std::string> values;
    std::vector<std::pair<std::string, std::string>> defaults;
};

struct Family {
    std::string prefix, reader, doc;
    bool closed = false;
};

struct Conflict {
    std::vector<std::string> when;
    std::string says, source;
};

struct Catalogue {
    std::map<std::string, Entry> variables;
    std::map<std::string, Family> families;
    std::vector<Conflict> conflicts;
};

// The texts that a value stands for: numbers are written plainly in the files.
std::string text_of(const std::string& file, const toml::node& value, const std::string& key) {
    if (const auto* text = value.as_string()) {
        return text->get();
    }
    if (const auto* whole = value.as_integer();
        whole != nullptr && (key == "min" || key == "max")) {
        return std::to_string(whole->get());
    }
    fail(file, value, key + " is not a text");
    return "";
}

std::vector<std::string> list_of(const std::string& file, const toml::node& value) {
    std::vector<std::string> out;
    const auto* list = value.as_array();
    if (list == nullptr) {
        fail(file, value, "wanted a list of texts");
        return out;
    }
    for (const auto& each : *list) {
        out.push_back(text_of(file, each, "an element"));
    }
    return out;
}

void take_defaults(const std::string& file, const toml::node& value, Entry& entry) {
    const auto* list = value.as_array();
    for (const auto& each : list != nullptr ? *list : toml::array()) {
        const auto* table = each.as_table();
        const auto from = table != nullptr ? (*table)["from"].value<std::string>() : std::nullopt;
        const auto text = table != nullptr ? (*table)["value"].value<std::string>() : std::nullopt;
        if (!from || !text || table->size() != 2) {
            fail(file, each, "wanted { from = \"VERSION\", value = \"TEXT\" }");
        } else {
            entry.defaults.emplace_back(*from, *text);
        }
    }
    if (entry.defaults.empty()) {
        fail(file, value, "defaults: wanted a list that is not empty");
    }
}

void check_words(const std::string& file, const toml::table& table, Entry& entry) {
    auto& texts = entry.texts;
    for (const char* key : {"name", "reader", "type", "parser", "doc", "source"}) {
        if (texts[key].empty()) {
            fail(file, table, texts["name"] + ": " + key + " is missing");
        }
    }
    if (types.count(texts["type"]) == 0 || statuses.count(texts["status"]) == 0 ||
        leftovers.count(texts["leftover"]) == 0) {
        fail(file, table, texts["name"] + ": unknown type, status or leftover");
    }
    if (!entry.defaults.empty() && texts["package"].empty()) {
        fail(file, table, texts["name"] + ": defaults by version need a package");
    }
    if (!texts["needs"].empty() && texts["needs"].find('=') == std::string::npos) {
        fail(file, table, texts["name"] + ": needs is not NAME=VALUE");
    }
}

void take_variable(const std::string& file, const toml::table& shared, const toml::table& table,
                   Catalogue& out) {
    Entry entry;
    for (const char* key : {"reader", "package", "source"}) {
        entry.texts[key] = shared[key].value_or(std::string());
    }
    for (const auto& [key_node, value] : table) {
        const std::string key(key_node.str());
        if (key == "values") {
            entry.values = list_of(file, value);
        } else if (key == "defaults") {
            take_defaults(file, value, entry);
        } else if (std::find(text_keys.begin(), text_keys.end(), key) != text_keys.end()) {
            entry.texts[key] = text_of(file, value, key);
            entry.has_default = entry.has_default || key == "default";
        } else {
            fail(file, value, "unknown key " + key);
        }
    }
    check_words(file, table, entry);
    const std::string name = entry.texts["name"];
    if (!out.variables.emplace(name, std::move(entry)).second) {
        fail(file, table, name + " is there twice");
    }
}

void take_family(const std::string& file, const toml::table& table, Catalogue& out) {
    const Family family{table["prefix"].value_or(std::string()),
                        table["reader"].value_or(std::string()),
                        table["doc"].value_or(std::string()), table["closed"].value_or(false)};
    if (family.prefix.empty() || family.reader.empty() || family.doc.empty() ||
        !out.families.emplace(family.prefix, family).second) {
        fail(file, table, "a family needs a prefix of its own, reader and doc");
    }
}

void take_conflict(const std::string& file, const toml::table& table, Catalogue& out) {
    Conflict conflict;
    if (const auto* when = table.get("when")) {
        conflict.when = list_of(file, *when);
    }
    conflict.says = table["says"].value_or(std::string());
    conflict.source = table["source"].value_or(std::string());
    if (conflict.when.size() < 2 || conflict.says.empty() || conflict.source.empty()) {
        fail(file, table, "a conflict needs two or more in when, says and source");
    }
    out.conflicts.push_back(std::move(conflict));
}

void take_file(const std::string& file, Catalogue& out) {
    const auto parsed = toml::parse_file(file);
    if (!parsed) {
        std::cerr << file << ":" << parsed.error().source().begin.line << ": "
                  << parsed.error().description() << "\n";
        failed = true;
        return;
    }
    const toml::table& root = parsed.table();
    for (const auto& [key_node, value] : root) {
        const std::string key(key_node.str());
        const auto* list = value.as_array();
        if (key == "reader" || key == "package" || key == "source") {
            continue;
        }
        for (const auto& each : list != nullptr ? *list : toml::array()) {
            const auto* table = each.as_table();
            if (table == nullptr) {
                fail(file, each, "wanted a table");
            } else if (key == "variable") {
                take_variable(file, root, *table, out);
            } else if (key == "family") {
                take_family(file, *table, out);
            } else if (key == "conflict") {
                take_conflict(file, *table, out);
            } else {
                fail(file, each, "unknown table " + key);
            }
        }
        if (list == nullptr) {
            fail(file, value, "unknown key " + key);
        }
    }
}

std::string slice(std::size_t first, std::size_t count) {
    return "{" + std::to_string(first) + "," + std::to_string(count) + "}";
}

std::string variable_row(Entry& entry, Pool& pool, Lists& lists) {
    std::string row = "    {{{";
    for (const auto& key : text_keys) {
        row += pool.place(entry.texts[key]) + ",";
    }
    row += std::string("}}, ") + (entry.has_default ? "true" : "false") + ", " +
           slice(lists.text_count, entry.values.size()) + ", " +
           slice(lists.default_count, entry.defaults.size()) + "},\n";
    for (const auto& value : entry.values) {
        lists.texts += "    " + pool.place(value) + ",\n";
        ++lists.text_count;
    }
    for (const auto& [from, value] : entry.defaults) {
        lists.defaults += "    {" + pool.place(from) + "," + pool.place(value) + "},\n";
        ++lists.default_count;
    }
    return row;
}

std::string bytes_of(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        out += std::to_string(static_cast<int>(static_cast<signed char>(text[at]))) +
               (at % 32 == 31 ? ",\n" : ",");
    }
    return out;
}

std::string table(const char* type, const char* name, const std::string& rows, std::size_t count) {
    return std::string("constexpr std::array<") + type + ", " + std::to_string(count) + "> " +
           name + "{{\n" + rows + "}};\n";
}

void write(const std::string& output, Catalogue& catalogue) {
    Pool pool;
    Lists lists;
    std::string variables, families, conflicts;
    for (auto& [name, entry] : catalogue.variables) {
        variables += variable_row(entry, pool, lists);
    }
    for (const auto& [prefix, family] : catalogue.families) {
        families += "    {" + pool.place(prefix) + "," + pool.place(family.reader) + "," +
                    pool.place(family.doc) + "," + (family.closed ? "true" : "false") + "},\n";
    }
    for (const auto& conflict : catalogue.conflicts) {
        conflicts += "    {" + slice(lists.text_count, conflict.when.size()) + "," +
                     pool.place(conflict.says) + "," + pool.place(conflict.source) + "},\n";
        for (const auto& when : conflict.when) {
            lists.texts += "    " + pool.place(when) + ",\n";
            ++lists.text_count;
        }
    }
    std::ofstream out(output);
    out << "// Written by make_catalogue from profiles/variables/*.toml.\n"
           "#include \"variables/catalogue_table.h\"\n\nnamespace rocenv {\nnamespace {\n"
        << table("char", "bytes", bytes_of(pool.bytes()), pool.bytes().size())
        << table("PooledText", "texts", lists.texts, lists.text_count)
        << table("PooledDefault", "defaults", lists.defaults, lists.default_count)
        << table("PooledVariable", "variables", variables, catalogue.variables.size())
        << table("PooledFamily", "families", families, catalogue.families.size())
        << table("PooledConflict", "conflicts", conflicts, catalogue.conflicts.size())
        << "}  // namespace\n\nconstinit const CatalogueTable catalogue_table{\n"
           "    bytes.data(), texts.data(), defaults.data(), variables, families, conflicts};\n\n} "
           " // namespace "
           "rocenv\n";
    if (!out.flush()) {
        std::cerr << output << ": cannot be written\n";
        failed = true;
    }
}

}  // namespace

int main(int argc, char** argv) {
    Catalogue catalogue;
    for (int at = 2; at < argc; ++at) {
        take_file(argv[at], catalogue);
    }
    if (argc < 3 || catalogue.variables.empty()) {
        std::cerr << "make_catalogue OUTPUT.cpp FILE.toml...\n";
        return 2;
    }
    if (!failed) {
        write(argv[1], catalogue);
    }
    return failed ? 1 : 0;
}
