// SPDX-License-Identifier: MIT
// What Triton keeps of a kernel, and the JSON below it: both readers of JSON agree on what it is.
#include "commands/occupancy/triton.h"
#include "fleet/read/json_cursor.h"
#include "fuzz/fuzz.h"
#include "util/json_scalars.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace triton_fuzz {

namespace {

void check_json(std::string_view bytes) {
    std::size_t told = 0;
    bool texts_good = true;
    const bool good = for_each_scalar(bytes, [&](auto path, auto value, JsonScalar kind) {
        ++told;
        texts_good = texts_good && path.size() <= bytes.size() + 64 * 21;
        if (kind == JsonScalar::text) {
            (void)json_text(value);
        }
    });
    demand(told <= bytes.size() && texts_good, "scalars are parts of the text");
    JsonCursor cursor(bytes);
    const bool skipped = cursor.skip();
    demand(!good || skipped, "what is JSON to one is JSON to the other");
}

}  // namespace

}  // namespace triton_fuzz

void fuzz_triton(std::string_view bytes) {
    using namespace triton_fuzz;
    check_json(bytes);
    if (const auto facts = triton_json("f.json", bytes); !facts) {
        demand_told(facts.error());
    } else {
        demand(for_each_scalar(bytes, [](auto, auto, JsonScalar) {}), "facts are of JSON");
    }
    const auto facts = triton_ir(bytes);
    demand(facts.gfx.size() <= bytes.size(), "a name is a part of the text");
}

}  // namespace rocenv::fuzz
