// SPDX-License-Identifier: MIT
// Lines of a journal: how a record becomes text and comes back.
//
// First format:   FIELD<tab>…<tab>SUM             SUM covers the line up to itself (32 bits)
// Second format:  SERIAL<tab>BEFORE<tab>FIELD<tab>…<tab>SUM
//
// SERIAL counts the lines after the first, BEFORE is the sum of the line above, SUM (64 bits)
// covers all of it. So a line can be trusted by itself, and one that was changed, removed, doubled
// or moved is seen. The first line of either is "rocenv-journal<tab>FORMAT<tab>SUM", by which an
// older program knows that it must not read on.
//
// Fields are escaped: \\ for a backslash, \xHH for control bytes and everything beyond ASCII.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

using Record = std::vector<std::string>;  // a kind and its fields
using Records = std::vector<Record>;

constexpr int first_format = 1;
constexpr int second_format = 2;

// Where a file's chain of lines stands; of a file that is not there yet, at its beginning.
struct Chain {
    int format = second_format;
    std::uint64_t serial = 0;
    std::string sum;  // of the last line; empty: there is no first line yet
};

struct Line {
    Record record;
    std::uint64_t serial = 0;  // second format only
    std::string before;        // likewise
    std::string sum;
};

// The first line, with its end.
std::string first_line(int format);

// The record as a whole line, with its end, that continues the chain, which moves on.
std::string line_of(const Record& record, Chain& chain);

// Returns nothing where the text (without its end) is not a whole line of that format.
std::optional<Line> parse_line(std::string_view text, int format);

// Whether the line is the next one of the chain, which then moves on. Lines of the first format are
// not chained.
bool continues(Chain& chain, const Line& line);

}  // namespace rocenv
