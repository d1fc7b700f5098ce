// SPDX-License-Identifier: MIT
// ${NAME} in values: what it stands for, and what is an error.
#include "environment/expansion.h"

#include "support/catch.h"

using namespace rocenv;

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
        {"${NONE}", "error: ${NONE} is not set ($$ is a plain $)"},
        {"${}", "error: ${} is not set ($$ is a plain $)"},
        {"${A", "error: a ${ without a } ($$ is a plain $)"},
        {"${A:-x}", "error: ${A:-x} is not set ($$ is a plain $)"},
    };
    for (const auto& [text, wanted] : rows) {
        INFO(text);
        CHECK(expanded(text) == wanted);
    }
}
