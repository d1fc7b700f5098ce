// SPDX-License-Identifier: MIT
#include "check/earlier.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "check/hidden_names.h"
#include "os/fs/input_files.h"
#include "report/model/read.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

// Returns the fault of a text that was read as a report; empty if it is one.
std::string fault_of(JsonReading& reading, bool is_whole, const Report& report) {
    const bool is_other = !reading.other.empty() ||
                          (reading.json.good() && (!reading.is_known || report.command != "check"));
    if (is_other) {
        return "is not a report of rocenv check --format json";
    }
    if (is_whole && !reading.json.at_end()) {
        return "holds more than one report";
    }
    if (reading.json.ran_out() || !reading.is_known) {
        return "is not a complete JSON text";
    }
    const std::string missing = !reading.missing.empty()       ? reading.missing
                                : !is_whole                    ? ""
                                : report.time.empty()          ? "time"
                                : report.node.hostname.empty() ? "node.hostname"
                                                               : "";
    if (!missing.empty()) {
        return "is not a valid report of rocenv check: its member '" + missing + "' is missing";
    }
    if (is_whole && !utc_seconds(report.time)) {
        return "is not a valid report of rocenv check: its member 'time' is not a time in UTC";
    }
    return is_whole ? ""
           : reading.part.empty()
               ? "is not valid JSON"
               : "is not a valid report of rocenv check: its member '" + reading.part +
                     "' has another type or value, or is there twice";
}

std::map<std::string, EarlierCounters> counters_of(std::vector<Finding>& findings) {
    std::map<std::string, EarlierCounters> out;
    for (auto& finding : findings) {
        EarlierCounters& into = out[finding.id];
        into.judged = true;
        into.seen.insert(finding.target);
        if (finding.outcome == Outcome::unknown) {
            into.unread.insert(finding.target);
        } else if (!finding.counters.empty()) {
            into.targets[finding.target] = std::move(finding.counters);
        }
    }
    return out;
}

using Facts = EarlierReport::Facts;

Facts by_key(const FactSheet& sheet) {
    Facts out;
    for (const auto& fact : sheet.facts) {
        out[{fact.id, fact.target}] = fact.value;
    }
    return out;
}

// Adds the ids with an unread fact at a target that the other side lacks. Such a fact may stand for
// several targets, so no target of these ids is new or gone.
void add_ids_of_unknown_targets(const Facts& side, const Facts& other,
                                std::set<std::string>& into) {
    for (const auto& [key, value] : side) {
        if (!value && !other.contains(key)) {
            into.insert(key.first);
        }
    }
}

// Returns the facts that are gone, new or changed. Skips ids that the earlier report does not
// contain.
std::vector<ChangedFact> changes(const Facts& then, const Facts& here,
                                 const std::set<std::string>& ids) {
    std::set<std::string> known;
    std::set<std::string> unlisted;
    add_ids_of_unknown_targets(then, here, unlisted);
    add_ids_of_unknown_targets(here, then, unlisted);
    std::vector<ChangedFact> out;
    for (const auto& [key, was] : then) {
        const auto& [id, target] = key;
        known.insert(id);
        const auto at = here.find(key);
        const bool unread = !was || (at == here.end() ? unlisted.contains(id) : !at->second);
        if (!unread && ids.contains(id) && (at == here.end() || at->second != was)) {
            out.push_back({id, target, was, at == here.end() ? std::nullopt : at->second});
        }
    }
    for (const auto& [key, value] : here) {
        if (value && known.contains(key.first) && !then.contains(key) &&
            !unlisted.contains(key.first)) {
            out.push_back({key.first, key.second, std::nullopt, value});
        }
    }
    std::sort(out.begin(), out.end(), [](const ChangedFact& a, const ChangedFact& b) {
        return std::tie(a.id, a.target) < std::tie(b.id, b.target);
    });
    return out;
}

// Returns the number of unread facts of each id, of either report. Skips ids that changes() skips.
std::map<std::string, std::size_t> unread_facts(const Facts& then, const Facts& here,
                                                const std::set<std::string>& ids) {
    std::set<std::string> known;
    std::set<std::pair<std::string, std::string>> unread;
    for (const auto& [key, was] : then) {
        known.insert(key.first);
        if (!was && ids.contains(key.first)) {
            unread.insert(key);
        }
    }
    for (const auto& [key, value] : here) {
        if (!value && known.contains(key.first)) {
            unread.insert(key);
        }
    }
    std::map<std::string, std::size_t> out;
    for (const auto& key : unread) {
        ++out[key.first];
    }
    return out;
}

// Returns the facts as this program writes them, because an older one redacted less.
Facts as_now(const EarlierReport& earlier) {
    const HostName host(earlier.hostname);
    auto out = *earlier.facts;
    for (auto& [key, value] : out) {
        value = value ? std::optional(without_identities_in_fact(key.first, *value, host))
                      : std::nullopt;
    }
    return out;
}

std::string change_line(const ChangedFact& fact) {
    constexpr std::size_t longest = 60;
    const auto shown = [](const std::optional<std::string>& value) {
        return value ? printable(*value, longest) : std::string("not there");
    };
    return "changed since the earlier report: " + fact.id + " " + fact.target + ": was " +
           shown(fact.was) + ", now " + shown(fact.now);
}

// Returns a sentence that names the settings of unread facts, the first five by name.
std::string unread_line(const std::map<std::string, std::size_t>& unread) {
    constexpr std::size_t most = 5;
    std::size_t facts = 0;
    std::vector<std::string> names;
    for (const auto& [id, count] : unread) {
        facts += count;
        if (names.size() < most) {
            names.push_back(id + (count > 1 ? " (" + number(count) + " targets)" : ""));
        }
    }
    const std::size_t more = unread.size() - names.size();
    return (facts == 1 ? "1 fact was not compared, because it"
                       : number(facts) + " facts were not compared, because they") +
           " could not be read now or in the earlier report: " + join(names, ", ") +
           (more > 0 ? " and " + counted(more, "more setting") : "");
}

}  // namespace

Result<EarlierReport> parse_earlier(const std::string& path, std::string_view text) {
    JsonReading reading(text);
    Report report;
    const bool is_whole = read_report(reading, report);
    const std::string fault = fault_of(reading, is_whole, report);
    if (!fault.empty()) {
        return Error{ErrorKind::bad_input, 0, path, printable(path) + ": " + fault};
    }
    EarlierReport out{report.time, report.node.hostname, report.node.boot_id,
                      counters_of(report.findings)};
    if (report.facts) {
        out.facts.emplace();
        for (auto& fact : report.facts->facts) {
            out.facts->emplace(std::pair(fact.id, fact.target), std::move(fact.value));
        }
    }
    return out;
}

Result<EarlierReport> read_earlier(const Fs& host, const std::string& path) {
    const auto text = read_in_pieces(host, path, most_report_mib);
    return text ? parse_earlier(path, *text) : Result<EarlierReport>(text.error());
}

SameBoot same_boot(const EarlierReport& earlier, const NodeFacts& node) {
    if (earlier.boot_id.empty() || node.boot_id.empty()) {
        return SameBoot::not_known;
    }
    return earlier.boot_id == node.boot_id ? SameBoot::yes : SameBoot::no;
}

Comparison compared_since(const EarlierReport& earlier, const NodeFacts& node,
                          const std::optional<FactSheet>& facts, const std::set<std::string>& ids) {
    Comparison out;
    out.time = earlier.time;
    out.same_boot = same_boot(earlier, node);
    if (earlier.facts && facts) {
        out.changed = changes(as_now(earlier), by_key(*facts), ids);
    }
    return out;
}

std::vector<std::string> comparison_notes(const Comparison& comparison,
                                          const EarlierReport& earlier,
                                          const std::optional<FactSheet>& facts,
                                          const std::set<std::string>& ids) {
    constexpr std::size_t most = 20;
    std::vector<std::string> out;
    if (comparison.same_boot != SameBoot::yes) {
        out.emplace_back(
            comparison.same_boot == SameBoot::no
                ? "the earlier report is of another boot, so counters are judged by their whole "
                  "value"
                : "the boot of the earlier report is not known, so counters are judged "
                  "by their whole value");
    }
    if (!comparison.changed) {
        out.emplace_back(
            earlier.facts
                ? "facts were not compared: they describe the node, and only a process was checked"
                : "facts were not compared: the earlier report has none (add check --facts)");
        return out;
    }
    const auto& changed = *comparison.changed;
    for (std::size_t at = 0; at < std::min(most, changed.size()); ++at) {
        out.push_back(change_line(changed[at]));
    }
    if (changed.size() > most) {
        out.push_back("changed since the earlier report: " + number(changed.size() - most) +
                      " more facts");
    }
    const auto unread = unread_facts(*earlier.facts, by_key(*facts), ids);
    if (!unread.empty()) {
        out.push_back(unread_line(unread));
    }
    return out;
}

}  // namespace rocenv
