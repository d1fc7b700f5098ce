// SPDX-License-Identifier: MIT
#include "fleet/print/page_writer.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

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

}  // namespace

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
    text_or_null("want", finding.want);
    text_or_null("have", finding.have);
    text_if_any("detail", finding.detail);
    text_if_any("fix", finding.fix);
    page_waiver(*this, finding);
    page_counters(*this, finding);
    json.close_object();
}

}  // namespace rocenv
