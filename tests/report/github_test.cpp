// SPDX-License-Identifier: MIT
#include "report/formats_scene.h"
#include "report/render.h"
#include "support/catch.h"
#include "util/text.h"

namespace rocenv::github_test {

namespace {

using formats_scene::finding;
using formats_scene::judged;
using formats_scene::waived;

}  // namespace

TEST_CASE("github: an annotation for each kind of trouble, the worst first", "[github]") {
    auto count = finding("gpu.count", "system", Level::required, Outcome::differs, "7");
    count.expected = "8";
    count.detail = "100% of one, is missing";
    count.fix = "look";
    const auto blind = finding("gpu.vram", "0000:05:00.0", Level::required, Outcome::unknown);
    auto other = blind;
    other.target = "0000:09:00.0";
    const auto minor = finding("cpu.boost", "system", Level::recommended, Outcome::differs, "0");
    const auto note = finding("cpu.idle", "system", Level::info, Outcome::differs, "on");
    const auto good = finding("cpu.smt", "system", Level::required, Outcome::ok);
    CHECK(render_github(judged({note, minor, blind, other, good, count})) ==
          "::error title=rocenv%3A gpu.count (required%2C differs)::7, expected 8%0A100%25 of one, "
          "is "
          "missing%0Anext: look\n"
          "::error title=rocenv%3A gpu.vram (required%2C unknown)::could not be read (error)%0Aon "
          "0000:05:00.0, 0000:09:00.0\n"
          "::warning title=rocenv%3A cpu.boost (recommended%2C differs)::0\n"
          "::notice title=rocenv%3A cpu.idle (info%2C differs)::on\n"
          "rocenv check: differs (3 differs, 1 ok, 2 unknown)\n");
    CHECK(render_github(judged({good})) == "rocenv check: ok (1 ok)\n");
    CHECK(render_github(judged({})) == "rocenv check: ok, nothing was checked\n");
    CHECK(render_github(judged({minor}, Strict::yes)).starts_with("::error title="));
    CHECK(render_github(judged({waived(count)})) ==
          "::notice title=rocenv%3A gpu.count (required%2C differs%2C waived)::7, expected "
          "8%0A100%25 "
          "of one, is missing%0Awaived: OPS-1, until 2027-01-31: a spare%0Anext: look\n"
          "rocenv check: ok (1 differs)\n");
}

TEST_CASE("github: no text becomes a command", "[github]") {
    for (const auto& evil : formats_scene::evils()) {
        for (const auto outcome : {Outcome::differs, Outcome::unknown, Outcome::ok}) {
            const auto text = render_github(formats_scene::hostile(evil, outcome));
            for (const auto line : split(text, '\n')) {
                CAPTURE(line);
                CHECK((line.empty() || line.starts_with("::error title=rocenv%3A env.") ||
                       line.starts_with("::notice title=rocenv%3A env.") ||
                       line.starts_with("rocenv check: ")));
                CHECK(line == printable(line, uncut));
            }
        }
    }
}

}  // namespace rocenv::github_test
