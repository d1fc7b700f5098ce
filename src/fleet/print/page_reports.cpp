// SPDX-License-Identifier: MIT
// Nodes and reports as the data of a page. What is equal stands once: a node is a row of numbers,
// and a report names its findings and facts by ranges of their numbers, counted in order of their
// first use, so that a report that is equal to another but for one finding is short.
#include <map>

#include "fleet/print/page_writer.h"
#include "fleet/print/row_sentence.h"
#include "fleet/read/precedence.h"
#include "util/text.h"

namespace rocenv {

namespace {

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

}  // namespace

void write_reports(PageWriter& page, const FleetResult& fleet) {
    PageReports(page, fleet).write();
}

}  // namespace rocenv
