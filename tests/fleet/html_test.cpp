// SPDX-License-Identifier: MIT
// The page as text: what a browser makes of it is seen by test_page.
#include <algorithm>
#include <array>
#include <string>

#include "fleet/example_fleet.h"
#include "fleet/print/fleet_page.h"
#include "fleet/print/render.h"
#include "print/escape.h"
#include "support/catch.h"
#include "util/text.h"

namespace html_test {

namespace {

using namespace rocenv;

std::string between(const std::string& page, const std::string& start, const std::string& end) {
    const std::size_t from = page.find(start) + start.size();
    return page.substr(from, page.find(end, from) - from);
}

// Returns the text of the data element.
std::string data_of(const std::string& page) {
    return between(page, R"(<script id="data" type="application/json">)", "</script>");
}

std::size_t times(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) {
        ++count;
    }
    return count;
}

TEST_CASE("No text ends the script that holds it", "[fleet]") {
    CHECK(script_text("{\"a\": \"</script>\"}") == "{\"a\": \"\\u003c/script\\u003e\"}");
    CHECK(script_text("<!--&-->") == "\\u003c!--\\u0026--\\u003e");
    CHECK(script_text("a\xe2\x80\xa8"
                      "b\xe2\x80\xa9"
                      "c") == "a\\u2028b\\u2029c");
    CHECK(script_text("\xe2\x80\xa7\xe2\x80") == "\xe2\x80\xa7\xe2\x80");
    CHECK(script_text("").empty());
}

TEST_CASE("A page holds hostile names as text alone", "[fleet]") {
    ExampleFleet fleet(1000);
    const std::string page = render_fleet_html(fleet.result);
    const std::string data = data_of(page);
    CHECK(data.find_first_of("<>&") == data.npos);
    CHECK(data.find("\xe2\x80\xa8") == data.npos);
    CHECK(std::all_of(data.begin(), data.end() - 1, [](char byte) { return byte >= 0x20; }));
    CHECK(data.back() == '\n');
    CHECK(times(page, "<script") == 2);
    CHECK(times(page, "</script") == 2);
    CHECK(times(page, "<!--") == 0);
    CHECK(data.find(R"(\u003c/script\u003e\u003cscript\u003ealert(2))") != data.npos);
    CHECK(data.find(R"(nul\\x01\\x1b[31m\\xff)") != data.npos);
}

TEST_CASE("A page asks nobody for anything", "[fleet]") {
    const std::string page = std::string(fleet_page_start) + std::string(fleet_page_end);
    for (const char* word : {"http://", "https://", "url(", "@import", "import ", " src=", "fetch(",
                             "XMLHttp", "WebSocket", "innerHTML", "outerHTML", "insertAdjacent",
                             "document.write", "eval(", "style="}) {
        INFO(word);
        CHECK(page.find(word) == page.npos);
    }
    CHECK(times(page, "<link") == 1);
    CHECK(page.find(R"(<link rel="icon" href="data:,">)") != page.npos);
    CHECK(page.find("default-src 'none'; style-src 'sha256-") != page.npos);
    CHECK(page.find("unsafe-inline") == page.npos);
    const std::string style = between(page, "<style>", "</style>");
    const std::string script = between(page, "<script>", "</script>");
    CHECK(script.starts_with("// SPDX-License-Identifier: MIT\n\"use strict\";"));
    CHECK(style.size() + script.size() < 36 * 1024);
}

TEST_CASE("Equal reports stand once in a page, so 5,000 nodes are small", "[fleet]") {
    ExampleFleet fleet(5000);
    const std::string page = render_fleet_html(fleet.result);
    CHECK(page.size() < 2000000);
    CHECK(times(data_of(page), R"("kernel": )") == fleet.result.reports.size());
    ExampleFleet half(2500);
    const std::size_t per_node = (page.size() - render_fleet_html(half.result).size()) / 2500;
    CHECK(per_node < 120);
    WARN("page of 5,000 nodes and 20 reports: " << page.size() << " bytes, " << per_node
                                                << " a node");
}

TEST_CASE("A page holds only what a node has", "[fleet]") {
    ExampleFleet fleet(5);
    const std::string data = data_of(render_fleet_html(fleet.result));
    CHECK(times(data, R"("kernel": )") == 1);
    CHECK(data.find("kind 7") == data.npos);
    CHECK(data.find("because") == data.npos);
    CHECK(data.find(R"("findings": "0-146", "facts": "0-250")") != data.npos);
}

TEST_CASE("A report that differs in one finding names the others by ranges", "[fleet]") {
    ExampleFleet fleet(1);
    fleet.result.nodes.push_back(fleet.result.nodes[0]);
    fleet.result.nodes[1].report = 1;
    fleet.result.nodes[1].name = "other";
    const std::string data = data_of(render_fleet_html(fleet.result));
    CHECK(data.find(R"("findings": "0-21,147,23-146", "facts": "0-250")") != data.npos);
}

TEST_CASE("Two findings in a row are a range of two", "[fleet]") {
    ExampleFleet fleet(2);
    const std::array<FleetIndex, 4> all{0, 1, 2, 3};
    const std::array<FleetIndex, 3> some{0, 1, 3};
    fleet.result.reports[0].findings = all;
    fleet.result.reports[1].findings = some;
    fleet.result.nodes[0].report = 0;
    fleet.result.nodes[1].report = 1;
    const std::string data = data_of(render_fleet_html(fleet.result));
    CHECK(data.find(R"("findings": "0-3")") != data.npos);
    CHECK(data.find(R"("findings": "0-1,3")") != data.npos);
}

TEST_CASE("Numbers beyond those of JavaScript are text in a page", "[fleet]") {
    ExampleFleet fleet(1);
    const std::array<FleetCount, 1> counters{{{"correctable", 18446744073709551615U}}};
    fleet.result.findings[0].counters = counters;
    CHECK(data_of(render_fleet_html(fleet.result))
              .find(R"("counters": ["correctable 18446744073709551615"])") != std::string::npos);
}

TEST_CASE("A page tells what came since an earlier sweep", "[fleet]") {
    ExampleFleet fleet(1);
    const std::string data = data_of(render_fleet_html(fleet.result));
    CHECK(data.find(R"("was": "3", "now": "18446744073709551615", "same_boot": true)") !=
          data.npos);
    CHECK(data.find(R"("names": "\u003cb\u003eold\u003c/b\u003e,gpu5001", "count": 2)") !=
          data.npos);
}

TEST_CASE("An empty fleet is a page", "[fleet]") {
    const std::string data = data_of(render_fleet_html(FleetResult{}));
    CHECK(data.find(R"("nodes": [])") != data.npos);
    CHECK(data.find("since") == data.npos);
}

}  // namespace

}  // namespace html_test
