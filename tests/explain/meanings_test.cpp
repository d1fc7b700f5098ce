// SPDX-License-Identifier: MIT
// The meanings of texts are those of the variable's own parser.
#include "help/explain/meanings.h"

#include <algorithm>

#include "support/catch.h"
#include "util/text.h"
#include "variables/parsers/parsers.h"
#include "variables/reading.h"

namespace rocenv::meanings_test {

namespace {

std::string printed(const std::vector<TextMeaning>& meanings) {
    std::string out;
    for (const auto& meaning : meanings) {
        out += std::string(word_of(meaning.makes)) + " " + meaning.value + ": " +
               join(meaning.texts, ",") + "\n";
    }
    return out;
}

Variable named(std::string_view parser, std::string_view type) {
    Variable out;
    out.name = "X";
    out.reader = "somebody";
    out.parser = parser;
    out.type = type;
    return out;
}

}  // namespace

TEST_CASE("explain: texts are grouped by what the parser makes of them") {
    CHECK(printed(meanings_of(named("eq1", "bool"), std::nullopt)) ==
          "value true: 1\n"
          "value false: 0,true,false,yes,no,on,off,TRUE,2,-1,,text\n");
    CHECK(printed(meanings_of(named("string", "string"), std::nullopt)) ==
          "as_written : 1,0,true,false,yes,no,on,off,TRUE,2,-1,,text\n");
    CHECK(printed(meanings_of(named("py-int", "int"), std::nullopt)) ==
          "as_written : 1,0,2,-1\n"
          "failure : true,false,yes,no,on,off,TRUE,,text,1.5,0x10,1e3\n");
    CHECK(meanings_of(named("string", "secret"), std::nullopt).empty());
}

TEST_CASE("explain: what depends on the version is told by the version") {
    const Variable variable = named("triton-knob", "bool");
    CHECK(printed(meanings_of(variable, "3.3.0")).find("depends") == std::string::npos);
    const auto open = meanings_of(variable, std::nullopt);
    const auto depends = std::find_if(open.begin(), open.end(), [](const TextMeaning& each) {
        return each.makes == Makes::depends;
    });
    REQUIRE(depends != open.end());
    CHECK_FALSE(depends->note.empty());
    CHECK(depends->texts == std::vector<std::string>{"true", "yes", "on", "TRUE"});
}

TEST_CASE("explain: texts that profiles use, and other forms where none is taken") {
    CHECK(printed(meanings_of(named("gfx-version", "string"), std::nullopt)).find("9.4.2") !=
          std::string::npos);
    CHECK(printed(meanings_of(named("eq1", "bool"), std::nullopt)).find("9.4.2") ==
          std::string::npos);
    CHECK(printed(meanings_of(named("string", "string"), std::nullopt, {"of a profile"}))
              .ends_with(",of a profile\n"));
}

TEST_CASE("explain: a text of a switch that is misread is named") {
    CHECK(misread_text_of(named("eq1", "bool"), std::nullopt) ==
          "somebody reads \"true\" as off; write 1 or 0");
    CHECK(misread_text_of(named("atoi", "int"), std::nullopt).empty());
}

TEST_CASE("explain: every text of every variable stands in the group its reader puts it in") {
    for (const auto& name : catalogued_names()) {
        const Variable variable = *find_variable(name);
        for (const auto& meaning : meanings_of(variable, std::nullopt)) {
            for (const auto& text : meaning.texts) {
                const Effect effect = effect_of(variable, text, std::nullopt);
                INFO(name << " " << text);
                CHECK((effect.kind == EffectKind::error) == (meaning.makes == Makes::failure));
                CHECK((effect.kind == EffectKind::unset) == (meaning.makes == Makes::ignored));
                CHECK((meaning.makes != Makes::value || effect.value == meaning.value));
            }
        }
    }
}

}  // namespace rocenv::meanings_test
