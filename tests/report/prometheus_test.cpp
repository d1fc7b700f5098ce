// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "report/formats_scene.h"
#include "report/render.h"
#include "support/catch.h"
#include "util/text.h"

namespace rocenv::prometheus_test {

namespace {

using formats_scene::finding;
using formats_scene::judged;
using formats_scene::waived;

constexpr auto required = Level::required;
constexpr auto recommended = Level::recommended;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Returns the text before the value in each line that is not a comment.
std::vector<std::string> series_of(const std::string& text) {
    std::vector<std::string> out;
    for (const auto line : split(text, '\n')) {
        if (!line.empty() && line[0] != '#') {
            out.emplace_back(line.substr(0, line.rfind(' ')));
        }
    }
    return out;
}

}  // namespace

TEST_CASE("prometheus: a series a finding, its outcome the value", "[prometheus]") {
    const auto text = render_prometheus(
        judged({finding("gpu.count", "system", required, Outcome::differs, "7"),
                finding("gpu.vram", "0000:05:00.0", required, Outcome::unknown),
                finding("cpu.smt", "system", recommended, Outcome::ok, "on"),
                finding("cpu.boost", "system", recommended, Outcome::na),
                finding("gpu.visible", "process", recommended, Outcome::hidden)}));
    const auto line = [&](const std::string& id, const std::string& rest) {
        return has(text, "\nrocenv_finding{id=\"" + id + "\"," + rest + "\n");
    };
    CHECK(line("gpu.count", "target=\"system\",level=\"required\"} 2"));
    CHECK(line("gpu.vram", "target=\"0000:05:00.0\",level=\"required\"} 1"));
    CHECK(line("cpu.smt", "target=\"system\",level=\"recommended\"} 0"));
    CHECK(line("cpu.boost", "target=\"system\",level=\"recommended\"} -1"));
    CHECK(line("gpu.visible", "target=\"process\",level=\"recommended\"} -2"));
    CHECK(has(text, "\nrocenv_check_timestamp_seconds 1795203067\n"));
    CHECK(has(text, "\nrocenv_check_exit_status 1\n"));
    CHECK(has(text, "profile=\"mi300x site\",profile_digest=\"00aa\"} 1\n"));
    CHECK(has(text, "\nrocenv_findings{level=\"required\",outcome=\"differs\"} 1\n"));
    CHECK(has(text, "\nrocenv_findings{level=\"info\",outcome=\"differs\"} 0\n"));
}

TEST_CASE("prometheus: a series outlives its state", "[prometheus]") {
    const auto all = [](Outcome outcome, const std::string& have) {
        return render_prometheus(judged({finding("gpu.count", "system", required, outcome, have)}));
    };
    const auto good = series_of(all(Outcome::ok, "8"));
    CHECK(good == series_of(all(Outcome::differs, "7")));
    CHECK(good == series_of(all(Outcome::unknown, "")));
    CHECK_FALSE(has(all(Outcome::differs, "a value"), "a value"));
}

TEST_CASE("prometheus: CPUs are one series, whichever of them are alike", "[prometheus]") {
    const auto cpus = [](const std::string& target, Outcome outcome) {
        auto out = finding("cpu.idle", target, recommended, outcome);
        out.counted = true;
        return out;
    };
    const auto together = render_prometheus(judged({cpus("cpu0-7/C2", Outcome::ok)}));
    const auto apart = render_prometheus(
        judged({cpus("cpu0-2,4-7/C2", Outcome::ok), cpus("cpu3/C2", Outcome::differs),
                cpus("cpu5/C2", Outcome::unknown)}));
    CHECK(series_of(together) == series_of(apart));
    const std::string series =
        "\nrocenv_finding{id=\"cpu.idle\",target=\"cpu*/C2\",level=\"recommended\"} ";
    CHECK(has(together, series + "0\n"));
    CHECK(has(apart, series + "2\n"));
}

TEST_CASE("prometheus: a waiver marks, and does not count", "[prometheus]") {
    const auto count = finding("gpu.count", "system", required, Outcome::differs, "7");
    const auto text = render_prometheus(judged({waived(count)}));
    CHECK(has(text, "\nrocenv_finding{id=\"gpu.count\",target=\"system\",level=\"required\"} 2\n"));
    CHECK(has(text,
              "\nrocenv_finding_waived{id=\"gpu.count\",target=\"system\","
              "level=\"required\"} 1\n"));
    CHECK(has(text, "\nrocenv_findings{level=\"required\",outcome=\"differs\"} 0\n"));
    CHECK(has(text, "\nrocenv_findings_waived 1\n"));
    CHECK_FALSE(has(render_prometheus(judged({count})), "\nrocenv_finding_waived{"));
}

TEST_CASE("prometheus: a waiver's end is a value, that day included", "[prometheus]") {
    const auto cpus = [](const std::string& target, const std::string& until) {
        auto out = finding("cpu.governor", target, required, Outcome::differs, "powersave");
        out.counted = true;
        out.waived = Waived{"OPS-2", until, "a test"};
        return out;
    };
    const auto gpu =
        waived(finding("gpu.count", "0000:85:00.0", required, Outcome::differs, "gone"));
    const auto text = render_prometheus(
        judged({gpu, cpus("policy0-3", "2027-01-31"), cpus("policy4", "2026-12-31")}));
    CHECK(has(text,
              "\nrocenv_waiver_end_timestamp_seconds{id=\"gpu.count\",target=\"0000:85:00.0\","
              "level=\"required\"} 1801440000\n"));
    CHECK(has(text,
              "\nrocenv_waiver_end_timestamp_seconds{id=\"cpu.governor\",target=\"policy*\","
              "level=\"required\"} 1798761600\n"));
    const auto endless = render_prometheus(judged({cpus("policy0-3", "some day")}));
    CHECK_FALSE(has(endless, "\nrocenv_waiver_end_timestamp_seconds{"));
    CHECK(has(endless, "\nrocenv_finding_waived{"));
}

TEST_CASE("prometheus: counters above 0 are counters", "[prometheus]") {
    auto errors = finding("pci.aer", "0000:05:00.0", recommended, Outcome::differs);
    errors.counters = {{"RxErr", 5}, {"Timeout", 0}};
    const auto text = render_prometheus(judged({errors}));
    CHECK(has(text,
              "# TYPE rocenv_counted_total counter\nrocenv_counted_total{id=\"pci.aer\","
              "target=\"0000:05:00.0\",counter=\"RxErr\"} 5\n"));
    CHECK_FALSE(has(text, "counter=\"Timeout\""));
}

TEST_CASE("prometheus: no text leaves its label", "[prometheus]") {
    for (const auto& evil : formats_scene::evils()) {
        const auto text = render_prometheus(formats_scene::hostile(evil, Outcome::differs));
        for (const auto line : split(text, '\n')) {
            CHECK((line.empty() || line.starts_with("# ") || line.starts_with("rocenv_")));
            CHECK(line == printable(line, uncut));
        }
        const auto all = series_of(text);
        CHECK(std::set(all.begin(), all.end()).size() == all.size());
    }
}

}  // namespace rocenv::prometheus_test
