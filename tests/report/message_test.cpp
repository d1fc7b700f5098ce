// SPDX-License-Identifier: MIT
#include "report/model/message.h"

#include "report/formats_scene.h"
#include "support/catch.h"

using namespace rocenv;
using formats_scene::finding;

namespace message_test {

namespace {

Finding of(const std::string& id, const std::string& target, Outcome outcome,
           const std::string& have, const std::string& expected, const std::string& detail = "") {
    Finding out = finding(id, target, Level::required, outcome, have);
    out.expected = expected.empty() ? std::nullopt : std::optional(expected);
    out.detail = detail;
    return out;
}

}  // namespace

TEST_CASE("A message says what is, then what was expected", "[report]") {
    CHECK(finding_message(of("gpu.driver", "system", Outcome::ok, "6.8.5", ">=6.3")).empty());
    CHECK(finding_message(of("pci.link", "0000:05:00.0", Outcome::differs, "off", "on")) ==
          "pci.link of 0000:05:00.0 is off, expected on");
    CHECK(finding_message(
              of("pci.link", "0000:05:00.0", Outcome::differs, "16.0 GT/s x16", "32.0 GT/s x16")) ==
          "pci.link of 0000:05:00.0 reports 16.0 GT/s x16, expected 32.0 GT/s x16");
    CHECK(finding_message(of("gpu.count", "0000:85:00.0", Outcome::differs, "fallen off the bus",
                             "full", "it answers all ones")) ==
          "gpu.count of 0000:85:00.0 reports \"fallen off the bus\", expected full: it answers all "
          "ones");
    CHECK(finding_message(of("gpu.driver", "system", Outcome::differs, "", ">=6.3",
                             "the amdgpu module is not loaded")) ==
          "gpu.driver has no value, expected >=6.3: the amdgpu module is not loaded");
}

TEST_CASE("A message of a variable has its text in quotes", "[report]") {
    auto set = of("env.A", "process", Outcome::differs, "yes", "1");
    set.effective = "false";
    CHECK(finding_message(set) == "env.A is \"yes\" (read as false), expected \"1\"");
    set.effective = "";
    CHECK(finding_message(set) == "env.A is \"yes\" (read as empty), expected \"1\"");
    CHECK(finding_message(of("env.A", "process", Outcome::differs, "", "1")) ==
          "env.A is not set, expected \"1\"");
    CHECK(finding_message(of("env.A", "process", Outcome::differs, "1", "")) ==
          "env.A is \"1\", expected it to be unset");
    CHECK(finding_message(of("env.A", "process", Outcome::differs, "", "", "nothing reads it")) ==
          "env.A is set: nothing reads it");
}

TEST_CASE("A message has its words for each outcome", "[report]") {
    const auto message = [](Outcome outcome, const std::string& detail = "") {
        return finding_message(of("cpu.smt", "system", outcome, "on", "off", detail));
    };
    CHECK(message(Outcome::na, "a guest") == "cpu.smt does not apply here: a guest");
    CHECK(message(Outcome::hidden) == "cpu.smt is hidden from this container");
    CHECK(message(Outcome::unknown, "x: not permitted") ==
          "cpu.smt is unknown, expected off: x: not permitted");
    CHECK(message(Outcome::unknown) == "cpu.smt is unknown, expected off: it could not be read");
    CHECK(message(Outcome::unsafe, "a guest runs") ==
          "cpu.smt is on, expected off, and the write was refused: a guest runs");
    CHECK(message(Outcome::failed, "x: I/O error") ==
          "cpu.smt could not be set to off and is on: x: I/O error");
    auto changed = of("cpu.smt", "system", Outcome::changed, "off", "off");
    changed.was = "on";
    CHECK(finding_message(changed) == "cpu.smt was changed from on to off");
    CHECK(finding_message(changed, DryRun::yes) == "cpu.smt would be changed from on to off");
}

}  // namespace message_test
