// SPDX-License-Identifier: MIT
// make_catalogue OUTPUT.cpp FILE.toml...: checks the catalogue's files and writes them as one C++
// file: a block of text, in which every text stands once, and tables of places in it. A fault is
// told as FILE:LINE: TEXT, status 1.
#include <fstream>
#include <iostream>

#include "catalogue_files.h"

namespace {

using namespace catalogue;

bool failed = false;

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
    std::string texts, defaults, readers;
    std::size_t text_count = 0, default_count = 0, reader_count = 0;
};

std::string slice(std::size_t first, std::size_t count) {
    return "{" + std::to_string(first) + "," + std::to_string(count) + "}";
}

std::string place_defaults(const Defaults& defaults, Pool& pool, Lists& lists) {
    std::string placed = slice(lists.default_count, defaults.size());
    for (const auto& [from, value] : defaults) {
        lists.defaults += "    {" + pool.place(from) + "," + pool.place(value) + "},\n";
        ++lists.default_count;
    }
    return placed;
}

std::string place_texts(const std::vector<std::string>& texts, Pool& pool, Lists& lists) {
    std::string placed = slice(lists.text_count, texts.size());
    for (const auto& text : texts) {
        lists.texts += "    " + pool.place(text) + ",\n";
        ++lists.text_count;
    }
    return placed;
}

std::string place_others(std::vector<Reader>& others, Pool& pool, Lists& lists) {
    std::string placed = slice(lists.reader_count, others.size());
    for (auto& other : others) {
        lists.readers += "    {";
        for (const char* key : {"looked_at", "package", "since", "until", "default"}) {
            lists.readers += pool.place(other.texts[key]) + ",";
        }
        lists.readers += std::string(other.has_default ? "true" : "false") + "," +
                         place_defaults(other.defaults, pool, lists) + "},\n";
        ++lists.reader_count;
    }
    return placed;
}

std::string variable_row(Entry& entry, Pool& pool, Lists& lists) {
    std::string row = "    {{{";
    for (const auto& key : text_keys) {
        row += pool.place(entry.texts[key]) + ",";
    }
    return row + "}}, " + (entry.has_default ? "true, " : "false, ") +
           place_texts(entry.values, pool, lists) + ", " +
           place_defaults(entry.defaults, pool, lists) + ", " +
           place_others(entry.others, pool, lists) + "},\n";
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
    std::string variables, families, conflicts, releases;
    for (auto& [name, entry] : catalogue.variables) {
        variables += variable_row(entry, pool, lists);
    }
    for (const auto& [prefix, family] : catalogue.families) {
        families += "    {" + pool.place(prefix) + "," + pool.place(family.reader) + "," +
                    pool.place(family.doc) + "," + pool.place(family.looked_at) + "," +
                    (family.closed ? "true" : "false") + "},\n";
    }
    for (const auto& conflict : catalogue.conflicts) {
        conflicts += "    {" + place_texts(conflict.when, pool, lists) + "," +
                     pool.place(conflict.says) + "," + pool.place(conflict.source) + "},\n";
    }
    for (const auto& [program, list] : catalogue.releases) {
        releases += "    {" + pool.place(program) + "," + pool.place(list.package) + "," +
                    pool.place(list.date) + "," + pool.place(list.source) + "," +
                    place_texts(list.looked_at, pool, lists) + "},\n";
    }
    std::ofstream out(output);
    out << "// Written by make_catalogue from profiles/variables/*.toml.\n"
           "#include \"variables/catalogue_table.h\"\n\nnamespace rocenv {\nnamespace {\n"
        << table("char", "bytes", bytes_of(pool.bytes()), pool.bytes().size())
        << table("PooledText", "texts", lists.texts, lists.text_count)
        << table("PooledDefault", "defaults", lists.defaults, lists.default_count)
        << table("PooledReader", "readers", lists.readers, lists.reader_count)
        << table("PooledReleases", "releases", releases, catalogue.releases.size())
        << table("PooledVariable", "variables", variables, catalogue.variables.size())
        << table("PooledFamily", "families", families, catalogue.families.size())
        << table("PooledConflict", "conflicts", conflicts, catalogue.conflicts.size())
        << "}  // namespace\n\nconstinit const CatalogueTable catalogue_table{\n"
           "    bytes.data(), texts.data(), defaults.data(), readers.data(), releases,\n"
           "    variables, families, conflicts};\n\n}  // namespace rocenv\n";
    if (!out.flush()) {
        std::cerr << output << ": cannot be written\n";
        failed = true;
    }
}

}  // namespace

int main(int argc, char** argv) {
    Catalogue catalogue;
    for (int at = 2; at < argc; ++at) {
        failed = !take_file(argv[at], catalogue) || failed;
    }
    if (argc < 3 || catalogue.variables.empty()) {
        std::cerr << "make_catalogue OUTPUT.cpp FILE.toml...\n";
        return 2;
    }
    failed = !settle_releases(catalogue) || failed;
    if (!failed) {
        write(argv[1], catalogue);
    }
    return failed ? 1 : 0;
}
