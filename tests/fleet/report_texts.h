// SPDX-License-Identifier: MIT
// Small reports as rocenv check writes them, and what a fleet makes of texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fleet/compare/compare.h"
#include "fleet/read/gather.h"

namespace fleet_texts {

struct Row {
    std::string id;
    std::string target = "system";
    std::string value{};         // value of a fact; "" for one that was not read
    std::string outcome = "ok";  // outcome of a finding
    std::string level = "required";
    std::string more{};  // further members of the finding, each with a comma before it
};

struct NodeReport {
    std::string node = "gpu1";
    std::string time = "2026-11-22T10:00:00Z";
    std::vector<Row> facts{};
    std::vector<Row> findings{};
    int exit = 0;
    std::string digest = "00000000000000aa";
    std::string boot = "b1";
    bool has_facts = true;
    bool container = false;
    bool judged = true;    // false: without the finding that all have
    std::string more{};    // further members of the report, each with a comma before it
    std::string result{};  // result of a report that disagrees with its exit status
    std::string profile = "host";
    std::string version = "0.1.0";
};

inline std::string result_of(const NodeReport& report) {
    return !report.result.empty() ? report.result
           : report.exit == 0     ? "ok"
           : report.exit == 1     ? "differs"
                                  : "unknown";
}

inline std::string text_of(const NodeReport& report, std::string_view line_end = "") {
    const std::string end(line_end);
    std::string out =
        "{" + end + "\"schema\": \"rocenv.report/1\"," + end + "\"version\": \"" + report.version +
        "\", \"command\": \"check\"," + end + "\"profile\": [\"" + report.profile +
        "\"], \"profile_digest\": \"" + report.digest + "\", \"root\": \"/\", \"time\": \"" +
        report.time + "\"," + end + "\"node\": {\"hostname\": \"" + report.node +
        "\", \"boot_id\": \"" + report.boot +
        "\", \"kernel\": \"6.8\", \"container\": " + (report.container ? "true" : "false") + "}," +
        end + "\"result\": \"" + result_of(report) +
        "\", \"exit\": " + std::to_string(report.exit) + report.more + ", \"findings\": [";
    std::string comma;
    if (report.judged) {
        out += R"({"id": "host.rivals", "target": "system", "level": "info", "outcome": "ok"})";
        comma = ",";
    }
    for (const auto& row : report.findings) {
        out += comma + end + R"({"id": ")" + row.id + R"(", "target": ")" + row.target +
               R"(", "level": ")" + row.level + R"(", "outcome": ")" + row.outcome +
               R"(", "want": "1", "have": ")" + row.value + "\", \"detail\": \"\"" + row.more + "}";
        comma = ",";
    }
    out += "]";
    comma = "";
    out += report.has_facts ? "," + end + R"("facts": {"values": [)" : "";
    for (const auto& row : report.facts) {
        out += comma + end + R"({"id": ")" + row.id + R"(", "target": ")" + row.target +
               R"(", "value": )" +
               (row.value.empty() ? R"(null, "reason": "permission")" : "\"" + row.value + "\"") +
               "}";
        comma = ",";
    }
    return out + (report.has_facts ? "]}" : "") + end + "}\n";
}

// The contents of one text, read in pieces of that size.
class Gathered {
   public:
    explicit Gathered(std::vector<std::string> only = {}, std::vector<std::string> skip = {},
                      std::optional<std::int64_t> now = std::nullopt)
        : filter_(std::move(only), std::move(skip)),
          gatherer_(
              pools, filter_, problems,
              [](const std::string& file, const std::string&) {
                  return rocenv::Error{rocenv::ErrorKind::bad_input, 0, file, "no recording"};
              },
              now) {}

    void take(std::string_view text, rocenv::Sweep& into, std::size_t piece = 1 << 20,
              const std::string& file = "f.json") {
        gatherer_.take_stream(
            file,
            [&](std::string& to, std::size_t most) -> rocenv::Result<std::size_t> {
                const auto size = std::min({most, piece, text.size()});
                to += text.substr(0, size);
                text.remove_prefix(size);
                return size;
            },
            into);
    }
    Gathered& take(std::string_view text) {
        take(text, sweep);
        return *this;
    }
    rocenv::FleetResult compared(const rocenv::CompareRequest& request = {}) {
        return rocenv::compare_fleet(sweep, pools, problems, request);
    }

    rocenv::FleetPools pools;
    rocenv::Problems problems;
    rocenv::Sweep sweep;

   private:
    rocenv::IdFilter filter_;
    rocenv::Gatherer gatherer_;
};

}  // namespace fleet_texts
