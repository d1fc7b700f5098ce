// SPDX-License-Identifier: MIT
// An earlier report of this node, as `check --since` reads one back: what it says of counters and
// of facts. It is somebody's file, so nothing in it is believed but what it must be.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "rocenv/fs.h"
#include "rocenv/report.h"

namespace rocenv {

// A report of more than this is not read.
constexpr std::size_t most_report_mib = 2;

struct EarlierReport {
    std::string time;
    std::string hostname;
    std::string boot_id;
    std::map<std::string, EarlierCounters> counters;  // by id
    // By id and target; nothing: one that could not be read. Nothing at all: it has no facts.
    using Facts = std::map<std::pair<std::string, std::string>, std::optional<std::string>>;
    std::optional<Facts> facts;
};

// Reads a report that `check` wrote as json or jsonl. bad_input, with the file's name: it is none,
// is not whole, has a key twice or a value of another type than a report has.
Result<EarlierReport> read_earlier(const Fs& host, const std::string& path);
Result<EarlierReport> parse_earlier(const std::string& path, std::string_view text);

// Whether it was made since the node was booted.
SameBoot same_boot(const EarlierReport& earlier, const NodeFacts& node);

// How this node now compares with it. `ids` are those whose facts were asked for now; facts of
// others are not compared, and neither are those that could not be read, then or now.
Comparison compared_since(const EarlierReport& earlier, const NodeFacts& node,
                          const std::optional<FactSheet>& facts, const std::set<std::string>& ids);

// Lines that say so to a person.
std::vector<std::string> comparison_notes(const Comparison& comparison);

}  // namespace rocenv
