// SPDX-License-Identifier: MIT
// The page of a fleet: fleet.html with the result as data in it, which fleet.js displays. Equal
// parts are stored once. All texts are escaped as for a terminal, because people read them.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/print/fleet_page.h"
#include "fleet/print/render.h"
#include "fleet/print/sentences.h"
#include "fleet/read/precedence.h"
#include "json/writer.h"
#include "print/escape.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The status of a report without a finding.
constexpr int page_unjudged = 4;

// Writes the parts of the data that occur several times in it.
class PageWriter {
   public:
    JsonWriter json{JsonLayout::one_line};

    void text(std::string_view key, std::string_view value);
    void text_if_any(std::string_view key, std::string_view value);
    void text_or_null(std::string_view key, const std::optional<std::string_view>& value);
    // Writes the member if the value is true.
    void flag(std::string_view key, bool value);
    void status(int exit_code);
    // Names as a list of hosts, whole, and how many they are.
    void nodes(std::string_view key, const std::string& names, std::size_t count);
    void differences(const std::vector<FleetDifference>& differences);
    void finding(const FleetFinding& finding);
};

constexpr std::size_t longest_page_text = 4000;

std::string page_text(std::string_view text) {
    return printable(text, longest_page_text);
}

void page_waiver(PageWriter& page, const FleetFinding& finding) {
    if (finding.waived) {
        page.json.open_object("waived");
        page.text("ticket", finding.ticket);
        page.text("until", finding.until);
        page.text("why", finding.waived_why);
        page.json.close_object();
    }
}

// Numbers as text: JavaScript's are exact up to 2^53.
void page_counters(PageWriter& page, const FleetFinding& finding) {
    if (finding.counters.empty()) {
        return;
    }
    page.json.open_array("counters");
    for (const FleetCount& count : finding.counters) {
        page.text({}, std::string(count.name) + " " + number(count.count));
    }
    page.json.close_array();
}

void PageWriter::text(std::string_view key, std::string_view value) {
    json.text(key, page_text(value));
}

void PageWriter::text_if_any(std::string_view key, std::string_view value) {
    if (!value.empty()) {
        text(key, value);
    }
}

void PageWriter::text_or_null(std::string_view key, const std::optional<std::string_view>& value) {
    json.text_or_null(key, value ? std::optional(page_text(*value)) : std::nullopt);
}

void PageWriter::flag(std::string_view key, bool value) {
    if (value) {
        json.boolean(key, true);
    }
}

void PageWriter::status(int exit_code) {
    json.integer("status", static_cast<std::uint64_t>(std::max(exit_code, 0)));
}

void PageWriter::nodes(std::string_view key, const std::string& names, std::size_t count) {
    json.open_object(key);
    json.text("names", printable(names, uncut));
    json.integer("count", count);
    json.close_object();
}

void PageWriter::differences(const std::vector<FleetDifference>& differences) {
    json.open_array("differences");
    for (const FleetDifference& difference : differences) {
        json.open_object();
        flag("fact", difference.of == FleetSubject::fact);
        text("id", difference.id);
        text("target", difference.target);
        text("here", difference.here);
        text("others", difference.others);
        flag("unread", difference.unread);
        if (difference.level) {
            json.text("level", word_of(*difference.level));
        }
        json.close_object();
    }
    json.close_array();
}

void PageWriter::finding(const FleetFinding& finding) {
    json.open_object();
    text("id", finding.id);
    text("target", finding.target);
    json.text("level", word_of(finding.level));
    json.text("outcome", word_of(finding.outcome));
    if (finding.outcome == Outcome::unknown) {
        json.text("reason", word_of(finding.reason));
    }
    text_or_null("want", finding.expected);
    text_or_null("have", finding.have);
    text_if_any("detail", finding.detail);
    text_if_any("fix", finding.fix);
    page_waiver(*this, finding);
    page_counters(*this, finding);
    json.close_object();
}

void page_summary(PageWriter& page, const FleetResult& fleet) {
    page.text("newest", fleet.newest);
    page.text("oldest", fleet.oldest);
    page.text("reference", fleet.reference);
    page.json.integer("reports_read", fleet.reports_read);
    page.json.integer("superseded", fleet.superseded);
    page.json.integer("odd", fleet.outliers);
    page.json.integer("odd_but_ok", fleet.passing_outliers);
    page.json.integer("without_majority", fleet.without_majority);
    page.json.integer("unread_inputs", fleet.unread_inputs);
}

void page_warnings(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("warnings");
    for (const std::string& warning : fleet.warnings) {
        page.text({}, warning);
    }
    page.json.close_array();
}

void page_uncompared(PageWriter& page, const FleetResult& fleet) {
    page.json.integer("uncompared_count", fleet.uncompared_count);
    page.json.open_array("uncompared");
    for (const FleetUncompared& each : fleet.uncompared) {
        page.json.open_object();
        page.text("why", each.why);
        page.nodes("nodes", each.names, each.count);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_problems(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("problems");
    for (const FleetProblem& problem : fleet.problems) {
        page.json.open_object();
        page.json.text("kind", word_of(problem.kind));
        page.text("file", problem.file);
        page.json.integer("line", problem.line);
        page.text("text", problem.text);
        page.json.close_object();
    }
    page.json.close_array();
    page.json.integer("more_problems", fleet.more_problems);
}

void page_steps(PageWriter& page, const std::vector<FleetStep>& steps) {
    page.json.open_array("steps");
    for (const FleetStep& step : steps) {
        page.json.open_object();
        page.text_if_any("model", step.model);
        page.text("fix", step.fix);
        page.json.close_object();
    }
    page.json.close_array();
}

// `members` are numbers of nodes.
void page_causes(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("causes");
    for (const FleetRow& row : fleet.rows) {
        page.json.open_object();
        page.json.text("kind", word_of(row.kind));
        page.text("text", row_sentence(fleet, row));
        page.nodes("nodes", row.names, row.nodes.size());
        page.json.text("members", number_list(row.nodes));
        page_steps(page, row.steps);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_tallies(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("tallies");
    for (const FleetTally& tally : fleet.tallies) {
        page.json.open_object();
        page.text("id", tally.id);
        page.json.text("level", word_of(tally.level));
        page.json.text("outcome", word_of(tally.outcome));
        page.flag("waived", tally.waived);
        page.text_if_any("ticket", tally.ticket);
        page_steps(page, tally.steps);
        page.json.integer("targets", tally.targets);
        page.nodes("nodes", tally.names, tally.nodes);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_grouped_by(PageWriter& page, const FleetGroup& group, bool with_version) {
    page.json.open_array("by");
    if (with_version) {
        page.text({}, "rocenv " + group.version);
    }
    for (const auto& [what, value] : group.by) {
        page.text({}, what + " " + value);
    }
    page.json.close_array();
}

void page_folds(PageWriter& page, const FleetGroup& group) {
    page.json.open_array("folds");
    for (const FleetFold& fold : group.folds) {
        page.json.open_object();
        page.nodes("nodes", fold.names, fold.nodes.size());
        page.status(fold.judged ? fold.exit_code : page_unjudged);
        page.flag("container", fold.container);
        page.text_if_any("because", because_text(fold.because));
        page.differences(fold.differences);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_splits(PageWriter& page, const FleetGroup& group) {
    page.json.open_array("splits");
    for (const FleetSplit& split : group.splits) {
        page.json.open_object();
        page.text("id", split.id);
        page.text("target", split.target);
        page.json.open_array("sides");
        for (const FleetSplit::Side& side : split.sides) {
            page.json.open_object();
            page.text("value", side.value);
            page.nodes("nodes", side.names, side.count);
            page.json.close_object();
        }
        page.json.close_array();
        page.json.close_object();
    }
    page.json.close_array();
}

void page_common_findings(PageWriter& page, const FleetResult& fleet, const FleetGroup& group) {
    page.json.open_array("findings");
    for (const FleetIndex item : group.findings) {
        page.finding(fleet.items[item]);
    }
    page.json.close_array();
}

void page_groups(PageWriter& page, const FleetResult& fleet) {
    const bool with_version = has_versions(fleet);
    page.json.open_array("groups");
    for (const FleetGroup& group : fleet.groups) {
        page.json.open_object();
        page.text("model", group.model);
        page.text("product", group.product);
        page.text("profiles", group.profiles);
        page.text("digest", group.profile_digest);
        page_grouped_by(page, group, with_version);
        page.nodes("nodes", group.names, group.nodes.size());
        page.json.boolean("baseline", group.has_baseline);
        page.json.integer("without_majority", group.without_majority);
        page.flag("findings_of_all", !group.findings_compared);
        page_folds(page, group);
        page_splits(page, group);
        page_common_findings(page, fleet, group);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_growths(PageWriter& page, const FleetSince& since) {
    page.json.open_array("growths");
    for (const FleetSince::Growth& growth : since.growths) {
        page.json.open_object();
        page.json.integer("node", growth.node);
        page.text("id", growth.id);
        page.text("target", growth.target);
        page.text("counter", growth.counter);
        page.json.text("was", number(growth.was));
        page.json.text("now", number(growth.now));
        page.flag("same_boot", growth.same_boot);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_since(PageWriter& page, const FleetResult& fleet) {
    if (!fleet.since) {
        return;
    }
    const FleetSince& since = *fleet.since;
    page.json.open_object("since");
    page.text("folder", since.folder);
    page.json.integer("nodes", since.nodes);
    page.json.integer("unchanged", since.unchanged);
    page.nodes("added", since.added, since.added_count);
    page.nodes("gone", since.gone, since.gone_count);
    page.json.open_array("changes");
    for (const FleetSince::Change& change : since.changes) {
        page.json.open_object();
        page.nodes("nodes", change.names, change.nodes.size());
        page.differences(change.differences);
        page.json.close_object();
    }
    page.json.close_array();
    page_growths(page, since);
    page.json.close_object();
}

// Writes the data about all nodes: counts, problems of the input, groups, changes since the earlier
// sweep.
void write_comparison(PageWriter& page, const FleetResult& fleet) {
    page_summary(page, fleet);
    page.nodes("missing", fleet.missing, fleet.missing_count);
    page.nodes("unexpected", fleet.unexpected, fleet.unexpected_count);
    page.nodes("stale", fleet.stale, fleet.stale_count);
    page.nodes("future", fleet.future, fleet.future_count);
    page_warnings(page, fleet);
    page_uncompared(page, fleet);
    page_problems(page, fleet);
    page_causes(page, fleet);
    page_tallies(page, fleet);
    page_groups(page, fleet);
    page_since(page, fleet);
}

// Things by new numbers: in order of their first use, and only those that are used.
class FirstUse {
   public:
    explicit FirstUse(std::size_t count) : numbers_(count, unused) {}
    FleetIndex number_of(FleetIndex thing) {
        if (numbers_[thing] == unused) {
            numbers_[thing] = static_cast<FleetIndex>(order_.size());
            order_.push_back(thing);
        }
        return numbers_[thing];
    }
    const std::vector<FleetIndex>& order() const { return order_; }

   private:
    static constexpr auto unused = static_cast<FleetIndex>(-1);
    std::vector<FleetIndex> numbers_;
    std::vector<FleetIndex> order_;
};

// "0-41,150,43-149", in the given order.
std::string ranges_of(std::span<const FleetIndex> things, FirstUse& numbers) {
    std::string out;
    for (std::size_t i = 0; i < things.size();) {
        const FleetIndex first = numbers.number_of(things[i]);
        FleetIndex last = first;
        for (++i; i < things.size() && numbers.number_of(things[i]) == last + 1; ++i) {
            ++last;
        }
        out += (out.empty() ? "" : ",") + number(first);
        if (last > first) {
            out += "-" + number(last);
        }
    }
    return out;
}

// A node is a row of numbers, and a report names its findings and facts by ranges of their numbers,
// counted in order of their first use, so that a report that is equal to another but for one
// finding is short.
class PageReports {
   public:
    PageReports(PageWriter& page, const FleetResult& fleet)
        : page_(page),
          fleet_(fleet),
          reports_(fleet.reports.size()),
          findings_(fleet.findings.size()),
          facts_(fleet.facts.size()) {}

    void write() {
        nodes();
        used_reports();
        used_findings();
        used_facts();
        settings();
    }

   private:
    // A node is [name, time, report, group, fold, file, line].
    void nodes() {
        std::map<std::string_view, std::uint64_t> files;
        std::vector<std::string_view> in_order;
        page_.json.open_array("nodes");
        for (const FleetNode& node : fleet_.nodes) {
            const auto [file, is_new] = files.try_emplace(node.file, files.size());
            if (is_new) {
                in_order.push_back(node.file);
            }
            page_.json.open_array();
            page_.text({}, node.name);
            page_.text({}, node.time);
            for (const std::uint64_t part :
                 {std::uint64_t{reports_.number_of(node.report)}, std::uint64_t{node.group},
                  std::uint64_t{node.fold}, file->second, node.line}) {
                page_.json.integer({}, part);
            }
            page_.json.close_array();
        }
        page_.json.close_array();
        page_.json.open_array("files");
        for (const std::string_view file : in_order) {
            page_.text({}, file);
        }
        page_.json.close_array();
    }

    void used_reports() {
        page_.json.open_array("reports");
        for (const FleetIndex index : reports_.order()) {
            const FleetReport& report = fleet_.reports[index];
            page_.json.open_object();
            page_.text("version", report.version);
            page_.text("profiles", report.profiles);
            page_.text("digest", report.profile_digest);
            page_.text("kernel", report.kernel);
            page_.text("result", report.result);
            page_.status(report.judged || report.exit_code != 0 ? report.exit_code : page_unjudged);
            page_.text_if_any("asked", asked_for(report));
            page_.text_if_any("because", because_text(report.because));
            page_.flag("contradicts", report.contradicts);
            page_.flag("container", report.container);
            page_.flag("recording", report.recording);
            page_.json.text("findings", ranges_of(report.findings, findings_));
            if (report.has_facts) {
                page_.json.text("facts", ranges_of(report.facts, facts_));
            }
            page_.json.close_object();
        }
        page_.json.close_array();
    }

    void used_findings() {
        page_.json.open_array("findings");
        for (const FleetIndex index : findings_.order()) {
            page_.finding(fleet_.findings[index]);
        }
        page_.json.close_array();
    }

    // A fact is [id, target, value], and a fourth word, why not, where it could not be read.
    void used_facts() {
        page_.json.open_array("facts");
        for (const FleetIndex index : facts_.order()) {
            const FleetFact& fact = fleet_.facts[index];
            page_.json.open_array();
            page_.text({}, fact.id);
            page_.text({}, fact.target);
            page_.text_or_null({}, fact.value);
            if (!fact.value) {
                page_.text({}, fact.reason);
            }
            page_.json.close_array();
        }
        page_.json.close_array();
    }

    void settings() {
        page_.json.open_array("settings");
        for (const FleetSetting& setting : fleet_.settings) {
            page_.json.open_object();
            page_.text("id", setting.id);
            page_.text_if_any("why", setting.why);
            page_.text_if_any("source", setting.source);
            page_.text_if_any("persist", setting.persist);
            page_.json.close_object();
        }
        page_.json.close_array();
    }

    PageWriter& page_;
    const FleetResult& fleet_;
    FirstUse reports_;
    FirstUse findings_;
    FirstUse facts_;
};

// Writes the nodes, and each distinct report, finding and fact that they have, once.
void write_reports(PageWriter& page, const FleetResult& fleet) {
    PageReports(page, fleet).write();
}

}  // namespace

std::string render_fleet_html(const FleetResult& fleet) {
    PageWriter data;
    data.json.open_object();
    write_comparison(data, fleet);
    write_reports(data, fleet);
    data.json.close_object();
    std::string page(fleet_page_start);
    page += script_text(data.json.finish());
    page += fleet_page_end;
    return page;
}

}  // namespace rocenv
