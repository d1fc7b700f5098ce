// SPDX-License-Identifier: MIT
#include <algorithm>

#include "report/formats_scene.h"
#include "report/render.h"
#include "support/catch.h"

namespace rocenv::nagios_test {

namespace {

using formats_scene::finding;
using formats_scene::judged;
using formats_scene::waived;

const auto good = finding("cpu.smt", "system", Level::required, Outcome::ok);
const auto count = finding("gpu.count", "system", Level::required, Outcome::differs, "7");
const auto blind = finding("gpu.vram", "0000:05:00.0", Level::required, Outcome::unknown);
const auto minor = finding("cpu.boost", "system", Level::recommended, Outcome::differs, "0");
const auto minor_blind = finding("pci.acs", "system", Level::recommended, Outcome::unknown);
const auto note = finding("cpu.idle", "system", Level::info, Outcome::differs, "on");

int status(std::vector<Finding> findings, Strict strict = Strict::no) {
    return nagios_status(judged(std::move(findings), strict));
}

std::string text(std::vector<Finding> findings) {
    const auto line = render_nagios(judged(std::move(findings)));
    return line.substr(0, line.find(" |"));
}

}  // namespace

TEST_CASE("nagios: what a check ends with", "[nagios]") {
    CHECK(status({}) == 0);
    CHECK(status({good, note}) == 0);
    CHECK(status({good, minor}) == 1);
    CHECK(status({good, minor_blind}) == 0);
    CHECK(status({good, blind, minor}) == 3);
    CHECK(status({count, blind, minor}) == 2);
    CHECK(status({minor}, Strict::yes) == 2);
    CHECK(status({minor_blind}, Strict::yes) == 3);
    CHECK(status({waived(count), waived(blind), waived(minor)}) == 0);
}

TEST_CASE("nagios: the worst first, in one line", "[nagios]") {
    CHECK(text({}) == "ROCENV OK: nothing was checked");
    CHECK(text({good}) == "ROCENV OK: all checks passed");
    CHECK(text({good, waived(count)}) == "ROCENV OK: all checks passed; 1 waived");
    CHECK(text({good, minor}) == "ROCENV WARNING: 1 recommended differs: cpu.boost 0");
    CHECK(text({count, blind, minor}) ==
          "ROCENV CRITICAL: 1 required differs: gpu.count 7; 1 required unknown");
    CHECK(text({blind}) == "ROCENV UNKNOWN: 1 required unknown: gpu.vram 0000:05:00.0 error");
    CHECK(text({minor_blind}) == "ROCENV OK: 1 recommended unknown: pci.acs error");
}

TEST_CASE("nagios: performance data has every number, with its limits", "[nagios]") {
    const auto line = render_nagios(judged({count, blind, minor, waived(minor), good}));
    CHECK(line.substr(line.find(" | ")) ==
          " | required_differs=1;;0;0 required_unknown=1;;;0 recommended_differs=1;0;;0 "
          "recommended_unknown=0;;;0 ok=1;;;0 na=0;;;0 hidden=0;;;0 waived=1;;;0\n");
    const auto strict = render_nagios(judged({minor}, Strict::yes));
    CHECK(strict.find(" recommended_differs=1;;0;0 ") != std::string::npos);
}

TEST_CASE("nagios: whatever it is given is one line of plain characters", "[nagios]") {
    for (const auto& evil : formats_scene::evils()) {
        for (const auto outcome : {Outcome::differs, Outcome::unknown, Outcome::ok}) {
            const auto line = render_nagios(formats_scene::hostile(evil, outcome));
            CHECK(line.find(" | ") <= 80);
            CHECK(std::count(line.begin(), line.end(), '|') == 1);
            CHECK(line.find('\n') == line.size() - 1);
        }
        const auto failure = nagios_failure(evil + std::string(1000, 'x'));
        CHECK(failure.starts_with("ROCENV UNKNOWN: "));
        CHECK(failure.find('|') == std::string::npos);
        CHECK(failure.find('\n') == failure.size() - 1);
        CHECK(failure.size() < 300);
    }
}

}  // namespace rocenv::nagios_test
