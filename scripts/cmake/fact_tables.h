// SPDX-License-Identifier: MIT
// The tables of profiles/facts as make_facts reads them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace facts {

// Kinds of columns, by their form in TOML and in C++.
enum class Kind {
    text,
    version,   // a text of numbers with points between them
    gfx,       // a text such as "gfx90a"
    number,    // 0 to 2^32 - 1
    id,        // a number up to the column's limit, written in hexadecimal
    flag,      // true; false is left out
    choice,    // one of the column's words, each with its C++
    texts,     // a list of texts: {"a", "b"}
    columns,   // a list of columns of the same row: "a b"
    words,     // words with blanks between them, on any number of lines: "a b"
    rows,      // a list of rows of another table: a span of them
    unwritten  // text for people who read the file; not written to C++
};

struct Column {
    std::string key;
    Kind kind = Kind::text;
    bool required = false;
    unsigned limit = 0;
    std::vector<std::pair<std::string, std::string>> words{};
};

struct Table {
    std::string name;  // name of the file NAME.inc, and of the array if other tables use its rows
    std::vector<Column> columns;
    std::vector<std::string> unique;  // columns that no two rows have equal, together
};

// The location of a value, for messages.
struct Place {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
};

// A row: its C++, and the texts of its columns for what is checked across tables.
struct Row {
    Place place;
    std::string written;
    std::map<std::string, std::string> texts;
    std::map<std::string, Place> places;
};

struct Facts {
    std::map<std::string, std::vector<Row>>
        rows;  // by table, [[list]] and [[words]] by their names
};

// Adds the rows of a file. Returns false if faults were printed.
bool read_file(const std::string& file, Facts& into);

// Checks what one row says of others, when all files are read. Returns false if faults were
// printed.
bool check_across(const Facts& facts);

// Writes each table whose file differs. Returns false if there are other tables than the named
// ones, or a file cannot be written.
bool write_tables(const std::string& folder, const std::string& names, const Facts& facts);

}  // namespace facts
