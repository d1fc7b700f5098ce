// SPDX-License-Identifier: MIT
#include "check/earlier.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "check/hidden_names.h"
#include "util/json_scalars.h"
#include "util/read_pieces.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view report_schema = "rocenv.report/1";

// A piece of a path such as "findings.12.id", taken off its front.
std::string_view first_of(std::string_view& path) {
    const auto dot = std::min(path.find('.'), path.size());
    const auto out = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    return out;
}

// Takes a report scalar by scalar. Keys that it does not know are of a newer program, and passed
// over.
class Reader {
   public:
    void take(std::string_view path, std::string_view value, JsonScalar kind) {
        const auto top = first_of(path);
        if (top == "findings") {
            finding(path, value, kind);
        } else if (top == "facts") {
            out_.facts.emplace(std::move(out_.facts).value_or(EarlierReport::Facts()));
            fact(path, value, kind);
        } else if (top == "node") {
            expect(!path.empty());
            node(path, value, kind);
        } else if (path.empty() && (top == "schema" || top == "command" || top == "time")) {
            heads_[std::string(top)] = text(value, kind);
        }
    }

    // Empty: it is a report.
    std::string fault() {
        end_finding();
        end_fact();
        if (heads_["schema"] != report_schema || heads_["command"] != "check") {
            return "is not a report of rocenv check --format json";
        }
        if (wrong_ || heads_["time"].empty() || !has_node_) {
            return "is not a valid report of rocenv check: a member is missing or has another type";
        }
        out_.time = heads_["time"];
        return "";
    }

    EarlierReport report() && { return std::move(out_); }

   private:
    void expect(bool good) { wrong_ = wrong_ || !good; }

    std::string text(std::string_view value, JsonScalar kind) {
        const auto out = json_text(value);
        expect(kind == JsonScalar::text && out);
        return out.value_or("");
    }

    void node(std::string_view key, std::string_view value, JsonScalar kind) {
        if (key == "hostname") {
            out_.hostname = text(value, kind);
            has_node_ = true;
        } else if (key == "boot_id") {
            out_.boot_id = text(value, kind);
        }
    }

    void finding(std::string_view path, std::string_view value, JsonScalar kind) {
        const std::string index(first_of(path));
        if (index != index_) {
            end_finding();
            index_ = index;
        }
        const auto key = first_of(path);
        expect(!key.empty());
        if (key == "counters") {
            const auto count = parse_number(value);
            const auto name = json_text(path);
            expect(kind == JsonScalar::number && count && name);
            counters_[name.value_or("")] = count.value_or(0);
        } else if (key == "id" || key == "target" || key == "outcome") {
            expect(path.empty());
            fields_[std::string(key)] = text(value, kind);
        }
    }

    void end_finding() {
        if (index_.empty()) {
            return;
        }
        expect(fields_.size() == 3);
        EarlierCounters& into = out_.counters[fields_["id"]];
        into.judged = true;
        into.seen.insert(fields_["target"]);
        if (fields_["outcome"] == "unknown") {
            into.unread.insert(fields_["target"]);
        } else if (!counters_.empty()) {
            into.targets[fields_["target"]] = std::move(counters_);
        }
        counters_.clear();
        fields_.clear();
        index_.clear();
    }

    void fact(std::string_view path, std::string_view value, JsonScalar kind) {
        const auto key = first_of(path);
        if (key != "values") {
            expect(key == "fingerprint" || key == "unread");
            return;
        }
        const std::string index(first_of(path));
        if (index != fact_index_) {
            end_fact();
            fact_index_ = index;
        }
        expect(!path.empty());
        if (path == "id" || path == "target") {
            fact_fields_[std::string(path)] = text(value, kind);
        } else if (path == "value" && kind != JsonScalar::null) {
            fact_fields_["value"] = text(value, kind);
        }
    }

    void end_fact() {
        if (fact_index_.empty()) {
            return;
        }
        const auto value = fact_fields_.find("value");
        expect(fact_fields_.contains("id") && fact_fields_.contains("target"));
        out_.facts->emplace(
            std::pair(fact_fields_["id"], fact_fields_["target"]),
            value == fact_fields_.end() ? std::nullopt : std::optional(value->second));
        fact_fields_.clear();
        fact_index_.clear();
    }

    EarlierReport out_;
    bool wrong_ = false;
    bool has_node_ = false;
    std::map<std::string, std::string> heads_;
    std::string index_;  // of the finding that is being read
    std::map<std::string, std::string> fields_;
    Counters counters_;
    std::string fact_index_;
    std::map<std::string, std::string> fact_fields_;
};

// Then and now side by side. What was there and is not any more has gone, what was not there is
// new; of ids that the earlier report knows nothing of nothing is said.
std::vector<ChangedFact> changes(const EarlierReport::Facts& then, const FactSheet& now,
                                 const std::set<std::string>& ids) {
    EarlierReport::Facts here;
    std::set<std::string> known;
    for (const auto& fact : now.facts) {
        here[{fact.id, fact.target}] = fact.value;
    }
    std::vector<ChangedFact> out;
    for (const auto& [place, was] : then) {
        const auto& [id, target] = place;
        known.insert(id);
        const auto at = here.find(place);
        const bool unread = !was || (at != here.end() && !at->second);
        if (!unread && ids.contains(id) && (at == here.end() || at->second != was)) {
            out.push_back({id, target, was, at == here.end() ? std::nullopt : at->second});
        }
    }
    for (const auto& [place, value] : here) {
        if (value && known.contains(place.first) && !then.contains(place)) {
            out.push_back({place.first, place.second, std::nullopt, value});
        }
    }
    std::sort(out.begin(), out.end(), [](const ChangedFact& a, const ChangedFact& b) {
        return std::tie(a.id, a.target) < std::tie(b.id, b.target);
    });
    return out;
}

// The facts as this program writes them: an older one printed more of some.
EarlierReport::Facts as_now(const EarlierReport& earlier) {
    const HostName host(earlier.hostname);
    auto out = *earlier.facts;
    for (auto& [place, value] : out) {
        value = value ? std::optional(without_identities_in_fact(place.first, *value, host))
                      : std::nullopt;
    }
    return out;
}

std::string change_line(const ChangedFact& fact) {
    constexpr std::size_t longest = 60;
    const auto told = [](const std::optional<std::string>& value) {
        return value ? printable(*value, longest) : std::string("not there");
    };
    return "changed since the earlier report: " + fact.id + " " + fact.target + ": was " +
           told(fact.was) + ", now " + told(fact.now);
}

}  // namespace

Result<EarlierReport> parse_earlier(const std::string& path, std::string_view text) {
    Reader reader;
    const bool good =
        for_each_scalar(text, [&](std::string_view place, std::string_view value, JsonScalar kind) {
            reader.take(place, value, kind);
        });
    const std::string fault = good ? reader.fault() : "is not a complete JSON text";
    if (!fault.empty()) {
        return Error{ErrorKind::bad_input, 0, path, printable(path) + ": " + fault};
    }
    return std::move(reader).report();
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
