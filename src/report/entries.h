// SPDX-License-Identifier: MIT
// Entries of a report for people: equal findings of several targets are one entry. Also the
// sentences about them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "print/document.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns FAIL, WARN or INFO: the severity of a difference at a level.
Severity severity_of(Level level);

// Findings with equal values, but different targets. The next step or the detail may differ.
struct Entry {
    const Finding* first;
    std::vector<std::string> targets;
    std::size_t things = 0;  // number of CPUs, policies, GPUs or functions
    bool same_fix = true;
    bool same_detail = true;
};

// Adds a part such as "1 warning" or "3 warnings"; adds no part for 0.
void add_count(std::vector<std::string>& parts, std::size_t count, std::string_view one,
               std::string_view many);

// Returns the entries of these findings, in the order of their first ones, with pointers to them.
std::vector<Entry> entries_of(const std::vector<const Finding*>& findings);

// Returns "GPU 4 (0000:85:00.0)", "all 8 GPUs", "0000:02:00.0, 0000:04:00.0 and 25 more"; empty for
// the system and the process. `everything` lists each target.
std::string targets_text(const Report& report, const Entry& item, bool everything);

// Returns the noun for several targets after a blank: " PCI functions" if all are PCI addresses,
// else " devices".
std::string several_of(const std::vector<std::string>& targets);

// Returns the targets, the value and the expected one, without a full stop: "GPU 4 (0000:85:00.0):
// 8.0 GT/s, expected 32.0 GT/s". A count with a
// code is a clause: "0000:85:00.0 has no driver".
std::string sentence(const Report& report, const Entry& item, bool everything);
// Returns true if that sentence already contains the finding's detail: the finding is known, and
// has neither a value nor an expected one.
bool is_in_sentence(const Report& report, const Entry& item);
// Returns the targets, the value if it passed, and the level in brackets, for an entry that passed
// or does not apply.
std::string quiet_sentence(const Report& report, const Entry& item);

// Returns the text with a capital letter and a full stop. A first word with one of / = _ . : keeps
// its case. A text that is empty or ends with a full stop or a question mark gets none.
std::string as_sentence(const std::string& text);

// Adds the next step of a finding to its entry, one field for each part before "; ". Each command
// is one line that can be pasted, with the words around it. Other sentences are wrapped.
void add_steps(const Finding& finding, Document& document);

}  // namespace rocenv
