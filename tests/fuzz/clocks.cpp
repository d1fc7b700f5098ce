// SPDX-License-Identifier: MIT
// Tables of clocks (pp_od_clk_voltage, pp_dpm_sclk), lists of choices and of policies: what one
// of them says in the plainest form is read as the same.
#include "fuzz/fuzz.h"
#include "machine/kernel_attribute.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace clocks_fuzz {

namespace {

const std::string path = "/sys/file";

using ReadClocks = Result<Clocks> (*)(const std::string& path, std::string_view text);

void check_clocks(ReadClocks read, const std::string& title, std::string_view bytes) {
    const auto clocks = read(path, bytes);
    if (!clocks) {
        return demand_message(clocks.error());
    }
    const auto again = read(path, title + "\n0: " + number(clocks->lower) +
                                      "Mhz\n1: " + number(clocks->upper) + "Mhz\n");
    demand(again && again->text() == clocks->text(), "clocks are read again", clocks->text());
}

void check_choice(std::string_view bytes) {
    const auto choices = parse_choice(path, bytes);
    if (!choices) {
        return demand_message(choices.error());
    }
    demand(choices->offers(choices->value), "the word in force is offered");
    std::string text;
    bool marked = false;
    for (const auto& word : choices->offered) {
        const bool here = !marked && word == choices->value;
        marked = marked || here;
        text += here ? "[" + word + "] " : word + " ";
    }
    const auto again = parse_choice(path, text);
    demand(again && again->value == choices->value && again->offered == choices->offered,
           "a list of words is read again", text);
}

void check_starred(std::string_view bytes) {
    const auto choices = parse_starred(path, bytes);
    if (!choices) {
        return demand_message(choices.error());
    }
    demand(choices->offers(choices->value), "the policy in force is offered");
    std::string text;
    bool marked = false;
    for (const auto& index : choices->offered) {
        const bool here = !marked && index == choices->value;
        marked = marked || here;
        text += index + " : policy" + (here ? " *\n" : "\n");
    }
    const auto again = parse_starred(path, text);
    demand(again && again->value == choices->value && again->offered == choices->offered,
           "policies are read again", text);
}

}  // namespace

}  // namespace clocks_fuzz

void fuzz_clocks(std::string_view bytes) {
    using namespace clocks_fuzz;
    check_clocks(parse_clocks, "OD_SCLK:", bytes);
    check_clocks(parse_memory_clocks, "OD_MCLK:", bytes);
    check_choice(bytes);
    check_starred(bytes);
}

}  // namespace rocenv::fuzz
