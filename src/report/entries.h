// SPDX-License-Identifier: MIT
// Entries of a report for people: equal findings of several targets as one, and the sentences about
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "print/document.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns FAIL, WARN or INFO: the severity of a difference at a level.
Severity severity_of(Level level);

// Findings that differ in their target only.
struct Entry {
    const Finding* first;
    std::vector<std::string> targets;
    std::size_t things = 0;  // CPUs, policies, GPUs, functions
    bool same_fix = true;
    bool same_detail = true;
};

// Adds "1 warning" or "3 warnings"; nothing for 0.
void add_count(std::vector<std::string>& parts, std::size_t count, std::string_view one,
               std::string_view many);

std::vector<Entry> entries_of(const std::vector<const Finding*>& findings);

// "GPU 4 (0000:85:00.0)", "all 8 GPUs", "0000:02:00.0, 0000:04:00.0 and 25 more"; empty for the
// system and the process.
std::string targets_text(const Report& report, const Entry& item, bool everything);

// " PCI functions", or " devices": what several targets are called together.
std::string several_of(const std::vector<std::string>& targets);

// Returns the value, then the expected one: "GPU 4 (0000:85:00.0): 8.0 GT/s, expected 32.0 GT/s".
std::string sentence(const Report& report, const Entry& item, bool everything);
// Whether that sentence says the finding's detail already.
bool is_in_sentence(const Report& report, const Entry& item);
// The same of what passed or does not apply.
std::string quiet_sentence(const Report& report, const Entry& item);

// With a capital letter and a full stop, unless it begins with a path, an address or a command.
std::string as_sentence(const std::string& text);

// Adds the next step of a finding to its entry: each command is one line, so that it can be pasted.
void add_steps(const Finding& finding, Document& document);

}  // namespace rocenv
