// SPDX-License-Identifier: MIT
// Triton's files about a kernel, and the JSON reader below.
#include "commands/occupancy/triton.h"
#include "fuzz/fuzz.h"
#include "json/cursor.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace triton_fuzz {

namespace {

bool is_json(std::string_view bytes) {
    JsonCursor cursor(bytes);
    return cursor.skip() && cursor.at_end();
}

}  // namespace

}  // namespace triton_fuzz

void fuzz_triton(std::string_view bytes) {
    using namespace triton_fuzz;
    if (const auto facts = triton_json("f.json", bytes); !facts) {
        demand_message(facts.error());
    } else {
        demand(is_json(bytes), "facts are of JSON");
    }
    const auto facts = triton_ir(bytes);
    demand(facts.gfx.size() <= bytes.size(), "a name is a part of the text");
}

}  // namespace rocenv::fuzz
