// SPDX-License-Identifier: MIT
// An earlier report of this node, read for `check --since`: its counters and facts. Any user may
// have written the file, so every member is validated.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "rocenv/fs.h"
#include "rocenv/report.h"

namespace rocenv {

// Largest size of a report that is read.
constexpr std::size_t most_report_mib = 2;

// The compared parts of an earlier report.
struct EarlierReport {
    std::string time;
    std::string hostname;
    std::string boot_id;
    std::map<std::string, EarlierCounters> counters;  // by id
    // Values by id and target, std::nullopt if unread. `facts` is std::nullopt if the report has
    // none.
    using Facts = std::map<std::pair<std::string, std::string>, std::optional<std::string>>;
    std::optional<Facts> facts;
};

// Reads a report that `check` wrote as json or jsonl. Fails with bad_input and the file's name if
// the file is not one whole report with time and host name, has a key twice, or has a value of the
// wrong type. Fails with the errors of reading otherwise.
Result<EarlierReport> read_earlier(const Fs& host, const std::string& path);
// Parses such a text; `path` names it in errors, which are bad_input.
Result<EarlierReport> parse_earlier(const std::string& path, std::string_view text);

// Returns whether the report was made in the present boot of the node; not_known if one of the boot
// ids is empty.
SameBoot same_boot(const EarlierReport& earlier, const NodeFacts& node);

// Returns the changes of this node since the report: facts that are changed, new or gone, by id and
// target. Facts that one side could not read are left out, and ids that are not in `ids` or not in
// the report. If one side could not list the targets of an id, none of them is gone or new.
// `changed` is std::nullopt if one of the two has no facts.
Comparison compared_since(const EarlierReport& earlier, const NodeFacts& node,
                          const std::optional<FactSheet>& facts, const std::set<std::string>& ids);

// Returns the comparison as lines for a person: at most 20 changes and the number of the others,
// then the facts that one of the reports could not read. Empty if all was compared and nothing
// changed in the same boot. The arguments are those of compared_since() and its result.
std::vector<std::string> comparison_notes(const Comparison& comparison,
                                          const EarlierReport& earlier,
                                          const std::optional<FactSheet>& facts,
                                          const std::set<std::string>& ids);

}  // namespace rocenv
