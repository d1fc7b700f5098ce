// SPDX-License-Identifier: MIT
// ${NAME} in values: what it stands for, and what is an error.
#include "variables/environment.h"

#include "check/check.h"

#include "os/fs/memory_fs.h"
#include "support/catch.h"

using namespace rocenv;

namespace expansion_test {

namespace {

std::string expanded(const std::string& text) {
    const auto lookup = [](const std::string& name) -> std::optional<std::string> {
        if (name == "A") {
            return "one ${B} $$";
        }
        return name == "EMPTY" ? std::optional<std::string>("") : std::nullopt;
    };
    const auto out = expand(text, lookup);
    return out ? *out : "error: " + out.error().text;
}

}  // namespace

TEST_CASE("env: values are put together once", "[env-plan]") {
    const std::vector<std::pair<std::string, std::string>> rows{
        {"", ""},
        {"plain", "plain"},
        {"${A}", "one ${B} $$"},
        {"<${A}${EMPTY}>", "<one ${B} $$>"},
        {"$$", "$"},
        {"$$$$", "$$"},
        {"$${A}", "${A}"},
        {"$$${A}", "$one ${B} $$"},
        {"$A", "$A"},
        {"$", "$"},
        {"a$", "a$"},
        {"$(A) $1 $-", "$(A) $1 $-"},
        {"}{", "}{"},
        {"${NONE}", "error: ${NONE} is not set (a plain $ is written $$)"},
        {"${}", "error: ${} is not set (a plain $ is written $$)"},
        {"${A", "error: ${ without } (a plain $ is written $$)"},
        {"${A:-x}", "error: ${A:-x} is not set (a plain $ is written $$)"},
    };
    for (const auto& [text, expected] : rows) {
        INFO(text);
        CHECK(expanded(text) == expected);
    }
}

TEST_CASE("check: a variable is judged by what its value expands to", "[env-plan]") {
    MemoryFs host;
    host.add_file("/a.toml",
                  "[profile]\nname = \"a\"\n[env]\nXA = \"${HOME}/x\"\nXB = \"$$5\"\n"
                  "XC = \"${NONE}/x\"\nXD = { unset = true }\n");
    MemoryFs machine;
    machine.add_folder("/sys");
    Process process;
    process.environment = {{"HOME", "/h"}, {"XA", "/h/x"}, {"XB", "$5"}, {"XC", "/x"}};
    CheckRequest request;
    request.profiles = {"/a.toml"};
    const auto findings = check(request, machine, host, process).report.findings;
    REQUIRE(findings.size() == 4);
    CHECK(findings[0].outcome == Outcome::ok);
    CHECK(findings[0].expected == "/h/x");
    CHECK(findings[1].outcome == Outcome::ok);
    CHECK(findings[2].outcome == Outcome::unknown);
    CHECK(findings[2].expected == "${NONE}/x");
    CHECK(findings[3].outcome == Outcome::ok);
}

}  // namespace expansion_test
