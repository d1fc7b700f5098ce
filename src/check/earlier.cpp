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

// Returns the facts that are gone, new or changed. Skips ids that the earlier report does not
// contain.
std::vector<ChangedFact> changes(const EarlierReport::Facts& then, const FactSheet& now,
                                 const std::set<std::string>& ids) {
    EarlierReport::Facts here;
    std::set<std::string> known;
    for (const auto& fact : now.facts) {
        here[{fact.id, fact.target}] = fact.value;
    }
    std::vector<ChangedFact> out;
    for (const auto& [key, was] : then) {
        const auto& [id, target] = key;
        known.insert(id);
        const auto at = here.find(key);
        const bool unread = !was || (at != here.end() && !at->second);
        if (!unread && ids.contains(id) && (at == here.end() || at->second != was)) {
            out.push_back({id, target, was, at == here.end() ? std::nullopt : at->second});
        }
    }
    for (const auto& [key, value] : here) {
        if (value && known.contains(key.first) && !then.contains(key)) {
            out.push_back({key.first, key.second, std::nullopt, value});
        }
    }
    std::sort(out.begin(), out.end(), [](const ChangedFact& a, const ChangedFact& b) {
        return std::tie(a.id, a.target) < std::tie(b.id, b.target);
    });
    return out;
}

// Returns the facts as this program writes them, because an older one redacted less.
EarlierReport::Facts as_now(const EarlierReport& earlier) {
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
        out.changed = changes(as_now(earlier), *facts, ids);
    }
    return out;
}

std::vector<std::string> comparison_notes(const Comparison& comparison) {
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
            "facts were not compared: the earlier report has none (add check --facts)");
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
    return out;
}

}  // namespace rocenv
