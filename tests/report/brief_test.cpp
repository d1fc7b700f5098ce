// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "report/render.h"
#include "support/catch.h"

namespace rocenv::brief_test {

namespace {

Finding finding(const std::string& id, const std::string& target, Level level, Outcome outcome,
                const std::string& have = "") {
    Finding out;
    out.id = id;
    out.target = target;
    out.level = level;
    out.outcome = outcome;
    out.have = have.empty() ? std::nullopt : std::optional(have);
    return out;
}

std::string brief(std::vector<Finding> findings) {
    Report report;
    report.findings = std::move(findings);
    judge_check(report, Strict::no);
    const auto line = render_brief(report);
    CHECK(line.size() <= 81);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(std::all_of(line.begin(), line.end() - 1,
                      [](char each) { return each >= ' ' && each <= '~'; }));
    return line.substr(0, line.size() - 1);
}

constexpr auto required = Level::required;
constexpr auto recommended = Level::recommended;
constexpr auto differs = Outcome::differs;
constexpr auto unknown = Outcome::unknown;

}  // namespace

TEST_CASE("brief: a node without a GPU", "[brief]") {
    auto none = finding("profile.auto", "system", recommended, differs, "none");
    none.detail = "no AMD GPU found; only host settings were checked";
    CHECK(brief({none}) == "rocenv: ok; no AMD GPU found; only host settings were checked");
    const auto minor = finding("cpu.governor", "policy0-383", recommended, differs, "powersave");
    CHECK(brief({minor, none}) ==
          "rocenv: ok; no AMD GPU found; only host settings were checked; +1 recommended");
    const auto count = finding("gpu.count", "system", required, differs, "none");
    CHECK(brief({count, none}) == "rocenv: 1 required differs: gpu.count none; no AMD GPU found");
    none.waived = Waived{};
    CHECK(brief({none}) == "rocenv: ok; 1 waived");
}

TEST_CASE("brief: the worst first, the rest counted", "[brief]") {
    CHECK(brief({}) == "rocenv: nothing was checked");
    const auto good = finding("gpu.count", "system", required, Outcome::ok, "8");
    CHECK(brief({good}) == "rocenv: ok");
    const auto minor = finding("cpu.governor", "policy0-383", recommended, differs, "powersave");
    CHECK(brief({good, minor}) ==
          "rocenv: ok; 1 recommended differs: cpu.governor policy0-383 powersave");
    auto blind = finding("gpu.vram", "0000:05:00.0", required, unknown);
    blind.reason = Reason::asleep;
    CHECK(brief({minor, blind}) ==
          "rocenv: 1 required unknown: gpu.vram 0000:05:00.0 asleep; 1 recommended differs");
    const auto count = finding("gpu.count", "system", required, differs, "7");
    const auto mesh = finding("gpu.xgmi", "0000:05:00.0", required, differs);
    CHECK(brief({minor, blind, count, mesh}) ==
          "rocenv: 2 required differ: gpu.count 7, +1 more; 1 required unknown");
    CHECK(brief({count, mesh}) == "rocenv: 2 required differ: gpu.count 7, gpu.xgmi 0000:05:00.0");
    auto other = mesh;
    other.target = "0000:09:00.0";
    CHECK(brief({mesh, other}) == "rocenv: 1 required differs: gpu.xgmi 0000:05:00.0 +1");
}

TEST_CASE("brief: what is waived or hidden is counted", "[brief]") {
    auto count = finding("gpu.count", "system", required, differs, "7");
    count.waived = Waived{"OPS-1", "2027-01-31", "a spare"};
    const auto hidden = finding("cpu.smt", "system", required, Outcome::hidden);
    CHECK(brief({count}) == "rocenv: ok; 1 waived");
    CHECK(brief({count, hidden}) == "rocenv: ok; 1 hidden; 1 waived");
}

TEST_CASE("brief: whatever it is given is one line of plain characters", "[brief]") {
    const std::string unusual = "a\nb;c,\x1b[31m\xc3\xa9" + std::string(200, 'x');
    for (std::size_t count = 1; count < 60; ++count) {
        std::vector<Finding> findings;
        for (std::size_t at = 0; at < count; ++at) {
            findings.push_back(finding("env." + unusual + std::string(at, 'y'), unusual,
                                       at % 2 == 0 ? required : recommended,
                                       at % 3 == 0 ? differs : unknown, unusual));
        }
        CHECK(brief(findings).starts_with("rocenv: "));
    }
}

}  // namespace rocenv::brief_test
