// SPDX-License-Identifier: MIT
// The catalogue as it lies in the binary: places in one block of text, no pointers, so that loading
// the program relocates nothing. catalogue.cpp makes a Variable of a row when it is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rocenv {

struct PooledText {
    std::uint32_t at;
    std::uint16_t size;
};

struct PooledSlice {
    std::uint16_t first;
    std::uint16_t count;
};

struct PooledDefault {
    PooledText from;
    PooledText value;
};

// Another program that reads a variable.
struct PooledReader {
    PooledText looked_at;
    PooledText package;
    PooledText since;
    PooledText until;
    PooledText fallback;
    bool has_fallback;
    PooledSlice defaults;  // of defaults
};

struct PooledVariable {
    std::array<PooledText, 21> texts;  // in the order of make_catalogue's text_keys
    bool has_fallback;
    PooledSlice values;    // of texts
    PooledSlice defaults;  // of defaults
    PooledSlice others;    // of readers
};

// The releases of a program that were searched.
struct PooledReleases {
    PooledText program;
    PooledText package;
    PooledText date;
    PooledText source;
    PooledSlice releases;  // of texts
};

struct PooledFamily {
    PooledText prefix;
    PooledText reader;
    PooledText doc;
    PooledText looked_at;
    bool closed;
};

struct PooledConflict {
    PooledSlice when;  // of texts
    PooledText says;
    PooledText source;
};

struct CatalogueTable {
    const char* bytes;
    const PooledText* texts;
    const PooledDefault* defaults;
    const PooledReader* readers;
    std::span<const PooledReleases> releases;
    std::span<const PooledVariable> variables;  // by name
    std::span<const PooledFamily> families;     // by prefix
    std::span<const PooledConflict> conflicts;
};

extern const CatalogueTable catalogue_table;

}  // namespace rocenv
