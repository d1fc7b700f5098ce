// SPDX-License-Identifier: MIT
#include "catalogue_files.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <iostream>
#include <set>

namespace catalogue {

namespace {

const std::set<std::string> types{"bool", "int",  "float",  "path",
                                  "enum", "list", "string", "secret"};
const std::set<std::string> statuses{"",          "deprecated", "removed",
                                     "no-effect", "uncertain",  "mistake"};
const std::set<std::string> references{
    "",       "rdma-devices", "interfaces",   "interfaces-exact", "ucx-devices", "gfx", "file",
    "folder", "made-folder",  "local-folder", "results-file",     "libraries",   "cpus"};
const std::set<std::string> leftovers{"", "debug", "dump", "trace"};

bool failed = false;

void fail(const std::string& file, const toml::node& where, const std::string& text) {
    std::cerr << file << ":" << where.source().begin.line << ": " << text << "\n";
    failed = true;
}

// Returns the text of a value; numbers are written plainly in the files.
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

void take_defaults(const std::string& file, const toml::node& value, Defaults& into) {
    const auto* list = value.as_array();
    for (const auto& each : list != nullptr ? *list : toml::array()) {
        const auto* table = each.as_table();
        const auto from = table != nullptr ? (*table)["from"].value<std::string>() : std::nullopt;
        const auto text = table != nullptr ? (*table)["value"].value<std::string>() : std::nullopt;
        if (!from || !text || table->size() != 2) {
            fail(file, each, "wanted { from = \"VERSION\", value = \"TEXT\" }");
        } else {
            into.emplace_back(*from, *text);
        }
    }
    if (into.empty()) {
        fail(file, value, "defaults: wanted a list that is not empty");
    }
}

// One row of `by_release`: the differences from the reader's own facts in a range of versions.
struct Release {
    std::map<std::string, std::string> texts;
    std::vector<std::string> values;
    bool has_values = false;
};

Release release_of(const std::string& file, const toml::node& node) {
    Release out;
    const auto* table = node.as_table();
    for (const auto& [key_node, value] : table != nullptr ? *table : toml::table()) {
        const std::string key(key_node.str());
        if (key == "values") {
            out.values = list_of(file, value);
            out.has_values = true;
        } else if (key == "since" || key == "until" || key == "parser" || key == "default") {
            out.texts[key] = text_of(file, value, key);
        } else {
            fail(file, value, "by_release: unknown key " + key);
        }
    }
    const bool has_range = out.texts.count("since") != 0 || out.texts.count("until") != 0;
    if (!has_range || out.texts.size() + (out.has_values ? 1 : 0) < 2) {
        fail(file, node, "by_release: expected since or until, and parser, values or default");
    }
    return out;
}

// The form outside of the ranges that `by_release` states.
struct Base {
    Form form;
    std::string fallback;
    bool has_default;
};

// Adds a default from a version on. Below it, the previous default holds.
void add_default(const std::string& file, const toml::node& where, const std::string& from,
                 const std::string& text, const Base& base, Defaults& into) {
    if (!base.has_default || from.empty()) {
        fail(file, where, "by_release: a default needs since, and one for other releases");
    }
    into.emplace_back(from, text);
}

// Converts ranges of versions to states, each from one version on. The rows are sorted, oldest
// first, and do not overlap.
void spell_out(const std::string& file, const toml::node& node, const Base& base,
               std::vector<Form>& forms, Defaults& defaults) {
    const auto* list = node.as_array();
    for (const auto& each : list != nullptr ? *list : toml::array()) {
        Release row = release_of(file, each);
        const std::string since = row.texts["since"];
        const std::string until = row.texts["until"];
        if (row.texts.count("default") != 0) {
            add_default(file, each, since, row.texts["default"], base, defaults);
            if (!until.empty()) {
                add_default(file, each, until, base.fallback, base, defaults);
            }
        }
        if (row.texts.count("parser") == 0 && !row.has_values) {
            continue;
        }
        if (!since.empty() && !forms.empty() && forms.back().from == since) {
            forms.pop_back();  // the base between two adjacent ranges
        } else if (since.empty()) {
            forms.clear();  // the first range has no start
        }
        forms.push_back({since,
                         row.texts.count("parser") != 0 ? row.texts["parser"] : base.form.parser,
                         row.has_values ? row.values : base.form.values});
        if (!until.empty()) {
            forms.push_back({until, base.form.parser, base.form.values});
        }
    }
    if (list == nullptr || list->empty()) {
        fail(file, node, "by_release: expected a list of tables that is not empty");
    }
}

// Returns the fact that another program states, else that of the entry.
Form own_form(Reader& other, Entry& entry) {
    const bool has_parser = other.texts.count("parser") != 0;
    return {"", has_parser ? other.texts["parser"] : entry.texts["parser"],
            other.has_values ? other.values : entry.values};
}

// Gives every reader of a variable its own forms if one of them has some.
void settle_forms(const std::string& file, const toml::table& table, Entry& entry) {
    bool differ = table.contains("by_release");
    for (const auto& other : entry.others) {
        differ =
            differ || other.has_values || !other.forms.empty() || other.texts.count("parser") != 0;
    }
    if (!differ) {
        return;
    }
    const Form own{"", entry.texts["parser"], entry.values};
    entry.forms = {own};
    if (const auto* ranges = table.get("by_release")) {
        spell_out(file, *ranges, {own, entry.texts["default"], entry.has_default}, entry.forms,
                  entry.defaults);
    }
    for (auto& other : entry.others) {
        if (other.forms.empty()) {
            other.forms = {own_form(other, entry)};
        }
    }
}

void take_other(const std::string& file, const toml::table& table, Entry& entry) {
    Reader other;
    for (const auto& [key_node, value] : table) {
        const std::string key(key_node.str());
        if (key == "defaults") {
            take_defaults(file, value, other.defaults);
        } else if (key == "values") {
            other.values = list_of(file, value);
            other.has_values = true;
        } else if (key == "looked_at" || key == "since" || key == "until" || key == "default" ||
                   key == "parser") {
            other.texts[key] = text_of(file, value, key);
            other.has_default = other.has_default || key == "default";
        } else if (key != "by_release") {
            fail(file, value, "also_read: unknown key " + key);
        }
    }
    if (const auto* ranges = table.get("by_release")) {
        const Form own = own_form(other, entry);
        other.forms = {own};
        spell_out(file, *ranges, {own, other.texts["default"], other.has_default}, other.forms,
                  other.defaults);
    }
    entry.others.push_back(std::move(other));
}

void take_others(const std::string& file, const toml::node& value, Entry& entry) {
    const auto* list = value.as_array();
    for (const auto& each : list != nullptr ? *list : toml::array()) {
        if (const auto* table = each.as_table()) {
            take_other(file, *table, entry);
        }
    }
    if (list == nullptr || entry.others.empty() || entry.others.size() != list->size()) {
        fail(file, value, "also_read: wanted a list of tables that is not empty");
    }
}

void check_words(const std::string& file, const toml::table& table, Entry& entry) {
    auto& texts = entry.texts;
    for (const char* key : {"name", "reader", "type", "parser", "doc", "source"}) {
        if (texts[key].empty() && !(entry.is_mined && key == std::string("doc"))) {
            fail(file, table, texts["name"] + ": " + key + " is missing");
        }
    }
    if (types.count(texts["type"]) == 0 || statuses.count(texts["status"]) == 0 ||
        leftovers.count(texts["leftover"]) == 0 || references.count(texts["refers_to"]) == 0) {
        fail(file, table, texts["name"] + ": unknown type, status, leftover or refers_to");
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
    for (const char* key : {"reader", "package", "source", "looked_at"}) {
        entry.texts[key] = shared[key].value_or(std::string());
    }
    for (const auto& [key_node, value] : table) {
        const std::string key(key_node.str());
        if (key == "values") {
            entry.values = list_of(file, value);
        } else if (key == "defaults") {
            take_defaults(file, value, entry.defaults);
        } else if (key == "also_read" || key == "by_release") {
            continue;  // below, when the entry's own facts are known
        } else if (key == "mined") {
            entry.is_mined = !text_of(file, value, key).empty();
        } else if (key == "name" ||
                   std::find(text_keys.begin(), text_keys.end(), key) != text_keys.end()) {
            entry.texts[key] = text_of(file, value, key);
            entry.has_default = entry.has_default || key == "default";
        } else {
            fail(file, value, "unknown key " + key);
        }
    }
    if (const auto* others = table.get("also_read")) {
        take_others(file, *others, entry);
    }
    settle_forms(file, table, entry);
    check_words(file, table, entry);
    const std::string name = entry.texts["name"];
    if (!out.variables.emplace(name, std::move(entry)).second) {
        fail(file, table, name + " is there twice");
    }
}

void take_family(const std::string& file, const toml::table& table, Catalogue& out) {
    Family family{table["prefix"].value_or(std::string()),
                  table["reader"].value_or(std::string()),
                  table["doc"].value_or(std::string()),
                  table["looked_at"].value_or(std::string()),
                  {}};
    if (const auto* whole = table.get("whole")) {
        family.whole = list_of(file, *whole);
    }
    if (family.prefix.empty() || family.reader.empty() || family.doc.empty() ||
        !out.families.emplace(family.prefix, family).second) {
        fail(file, table, "a family needs a prefix of its own, reader and doc");
    }
}

void take_rule(const std::string& file, const toml::table& table, Catalogue& out) {
    Rule rule;
    std::string level;
    for (const auto& [key_node, value] : table) {
        const std::string key(key_node.str());
        const std::pair<const char*, std::vector<std::string>*> lists[] = {
            {"when", &rule.when},
            {"versions", &rule.versions},
            {"gfx", &rule.gfx},
            {"nics", &rule.nics},
            {"modes", &rule.modes}};
        const std::pair<const char*, std::string*> texts[] = {{"says", &rule.says},
                                                              {"next", &rule.next},
                                                              {"source", &rule.source},
                                                              {"level", &level}};
        bool known = false;
        for (const auto& [name, into] : lists) {
            if (key == name) {
                *into = list_of(file, value);
                known = true;
            }
        }
        for (const auto& [name, into] : texts) {
            if (key == name) {
                *into = text_of(file, value, key);
                known = true;
            }
        }
        if (!known) {
            fail(file, value, "rule: unknown key " + key);
        }
    }
    rule.recommended = level == "recommended";
    rule.in_several_nodes = level == "several-nodes";
    if (rule.when.empty() || rule.says.empty() || rule.source.empty() ||
        (!level.empty() && level != "info" && !rule.recommended && !rule.in_several_nodes)) {
        fail(file, table,
             "a rule needs when, says and source; level is info, recommended or several-nodes");
    }
    out.rules.push_back(std::move(rule));
}

void take_releases(const std::string& file, const toml::table& table, Catalogue& out) {
    Releases list{table["package"].value_or(std::string()),
                  table["date"].value_or(std::string()),
                  table["source"].value_or(std::string()),
                  {}};
    if (const auto* searched = table.get("looked_at")) {
        list.searched = list_of(file, *searched);
    }
    const auto program = table["program"].value_or(std::string());
    if (list.package.empty() || list.date.empty() || list.source.empty() || list.searched.empty() ||
        program.empty() || !out.releases.emplace(program, std::move(list)).second) {
        fail(file, table, "releases need a program of their own, package, date, source, looked_at");
    }
}

void take_tables(const std::string& file, Catalogue& out) {
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
        if (key == "reader" || key == "package" || key == "source" || key == "looked_at") {
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
            } else if (key == "rule") {
                take_rule(file, *table, out);
            } else if (key == "releases") {
                take_releases(file, *table, out);
            } else {
                fail(file, each, "unknown table " + key);
            }
        }
        if (list == nullptr) {
            fail(file, value, "unknown key " + key);
        }
    }
}

}  // namespace

bool take_file(const std::string& file, Catalogue& into) {
    failed = false;
    take_tables(file, into);
    return !failed;
}

bool settle_releases(Catalogue& catalogue) {
    bool good = true;
    const auto known = [&](const std::string& name, const std::string& program) {
        if (!program.empty() && catalogue.releases.count(program) == 0) {
            std::cerr << name << ": no releases of " << program << " are listed\n";
            good = false;
        }
    };
    for (const auto& [prefix, family] : catalogue.families) {
        known(prefix, family.searched);
    }
    for (auto& [name, entry] : catalogue.variables) {
        known(name, entry.texts["looked_at"]);
        for (auto& other : entry.others) {
            known(name, other.texts["looked_at"]);
            known(name, other.texts["looked_at"].empty() ? "nothing" : "");
            other.texts["package"] = catalogue.releases[other.texts["looked_at"]].package;
        }
    }
    return good;
}

}  // namespace catalogue
