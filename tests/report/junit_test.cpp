// SPDX-License-Identifier: MIT
#include "report/formats_scene.h"
#include "report/render.h"
#include "support/catch.h"

namespace rocenv::junit_test {

namespace {

using formats_scene::finding;
using formats_scene::judged;
using formats_scene::waived;

constexpr auto required = Level::required;
constexpr auto recommended = Level::recommended;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("junit: a failure is no error and no skipped case", "[junit]") {
    auto count = finding("gpu.count", "system", required, Outcome::differs, "7");
    count.expected = "8";
    count.detail = "one is missing";
    count.fix = "look at the slot";
    auto vram = finding("gpu.vram", "0000:05:00.0", required, Outcome::unknown);
    vram.reason = Reason::asleep;
    const auto text =
        render_junit(judged({finding("cpu.smt", "system", required, Outcome::ok, "on"), count, vram,
                             finding("cpu.boost", "system", required, Outcome::na)}));
    CHECK(text == R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" errors="1" time="0">
  <testsuite name="mi300x site" package="rocenv" id="0" tests="4" failures="1" errors="1" time="0" skipped="1" hostname="gpu001" timestamp="2026-11-20T19:31:07">
    <properties>
      <property name="version" value=")xml" ROCENV_VERSION R"xml("/>
      <property name="profile_digest" value="00aa"/>
      <property name="result" value="differs"/>
      <property name="exit" value="1"/>
      <property name="gpus" value=""/>
    </properties>
    <testcase classname="rocenv.cpu" name="cpu.smt system" time="0"/>
    <testcase classname="rocenv.gpu" name="gpu.count system" time="0">
      <failure type="differs" message="7, expected 8">one is missing
next: look at the slot</failure>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.vram 0000:05:00.0" time="0">
      <error type="asleep" message="could not be read (asleep)"></error>
    </testcase>
    <testcase classname="rocenv.cpu" name="cpu.boost system" time="0">
      <skipped>na</skipped>
    </testcase>
    <system-out></system-out>
    <system-err></system-err>
  </testsuite>
</testsuites>
)xml");
}

TEST_CASE("junit: what does not count for the status is skipped, never passed", "[junit]") {
    const auto governor =
        finding("cpu.governor", "policy0-7", recommended, Outcome::differs, "powersave");
    const auto blind = finding("pci.acs", "0000:05:00.0", recommended, Outcome::unknown);
    const auto lax = render_junit(judged({governor, blind}));
    CHECK(has(lax, "failures=\"0\" errors=\"0\" time=\"0\" skipped=\"2\""));
    CHECK(has(lax, "<skipped>recommended, differs: powersave</skipped>"));
    CHECK(has(lax, "<skipped>recommended, unknown: could not be read (error)</skipped>"));
    const auto strict = render_junit(judged({governor, blind}, Strict::yes));
    CHECK(has(strict, "failures=\"1\" errors=\"1\" time=\"0\" skipped=\"0\""));
}

TEST_CASE("junit: a waived finding is skipped with its ticket", "[junit]") {
    const auto count = finding("gpu.count", "system", required, Outcome::differs, "7");
    const auto text = render_junit(judged({waived(count)}, Strict::yes));
    CHECK(has(text, "failures=\"0\""));
    CHECK(has(text, "<skipped>required, differs: 7\nwaived: OPS-1, until 2027-01-31: a spare"));
}

TEST_CASE("junit: no text leaves its element or attribute", "[junit]") {
    for (const auto& evil : formats_scene::evils()) {
        for (const auto outcome : {Outcome::differs, Outcome::unknown, Outcome::ok}) {
            const auto text = render_junit(formats_scene::hostile(evil, outcome));
            CHECK_FALSE(has(text, "<a "));
            CHECK_FALSE(has(text, "]]>"));
            CHECK_FALSE(has(text, "\x1b"));
            CHECK_FALSE(has(text, "\xff"));
            CHECK_FALSE(has(text, "\uFFFE"));
        }
    }
}

TEST_CASE("junit: credentials in quotes are hidden before the quotes are escaped", "[junit]") {
    for (const std::string secret : {"{\"HF_TOKEN\": \"SECRET\"}", "HF_TOKEN=\"one SECRET\" x=1",
                                     "db_pass='one SECRET' <x>"}) {
        for (const auto outcome : {Outcome::differs, Outcome::unknown}) {
            CHECK_FALSE(has(render_junit(formats_scene::hostile(secret, outcome)), "SECRET"));
        }
    }
}

}  // namespace rocenv::junit_test
