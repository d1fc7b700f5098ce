// SPDX-License-Identifier: MIT
// make_facts FOLDER TABLES FILE.toml...: checks the tables of profiles/facts and writes each one as
// FOLDER/NAME.inc, the rows of a constexpr table. TABLES has the names with commas between them.
// Prints faults as FILE:LINE:COLUMN: TEXT, status 1.
#include <filesystem>
#include <iostream>

#include "fact_tables.h"

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "make_facts FOLDER TABLES FILE.toml...\n";
        return 2;
    }
    facts::Facts facts;
    bool good = true;
    for (int at = 3; at < argc; ++at) {
        good = facts::read_file(argv[at], facts) && good;
    }
    good = good && facts::check_across(facts);
    std::filesystem::create_directories(argv[1]);
    return good && facts::write_tables(argv[1], argv[2], facts) ? 0 : 1;
}
