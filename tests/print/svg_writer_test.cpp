// SPDX-License-Identifier: MIT
#include "print/svg_writer.h"

#include <string>

#include "support/catch.h"

namespace rocenv {

TEST_CASE("A text is cut between its characters", "[print]") {
    CHECK(cut_text("slot 12", 7) == "slot 12");
    CHECK(cut_text("slot 123", 7) == "slot 1…");
    CHECK(cut_text("Grün 12", 4) == "Gr…");
    CHECK(cut_text("Grün 12", 5) == "Grü…");
    CHECK(cut_text("ü", 1) == "…");
    CHECK(cut_text("a", 0) == "…");
}

}  // namespace rocenv
