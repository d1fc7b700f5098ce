// SPDX-License-Identifier: MIT
// Reports of several versions of the program: wording makes no node an outlier.
#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "support/catch.h"

namespace fleet_versions_test {

using namespace rocenv;
using namespace fleet_texts;

namespace {

std::string of_version(const NodeReport& report, const std::string& version) {
    std::string out = text_of(report);
    return out.replace(out.find("0.1.0"), 5, version);
}

NodeReport faulty(const std::string& name, const std::string& have, const std::string& more = "") {
    NodeReport out = node(name);
    out.findings = {{.id = "gpu.count",
                     .target = "0000:85:00.0",
                     .value = have,
                     .outcome = "differs",
                     .more = more}};
    out.exit = 1;
    return out;
}

FleetResult compared(const std::string& text) {
    Gathered all;
    all.take(text);
    return all.compared();
}

}  // namespace

TEST_CASE("A code counts, and not the words it stands for", "[fleet]") {
    const FleetResult fleet =
        compared(all_of({faulty("n1", "no driver"), faulty("n2", "no driver"),
                         faulty("n3", "unbound", R"(, "code": "no-driver")"),
                         faulty("n4", "vfio", R"(, "code": "vfio", "message": "of any kind")")}));
    CHECK(folds(fleet) == Lines{"n[1-3] 1",
                                "n4 1 ! gpu.count 0000:85:00.0 differs: have vfio, want 1 <> "
                                "differs: have no driver, want 1"});
    // The order of reports does not matter.
    CHECK(folds(compared(all_of({faulty("n3", "unbound", R"(, "code": "no-driver")"),
                                 faulty("n2", "no driver"), faulty("n1", "no driver")}))) ==
          Lines{"n[1-3] 1"});
}

TEST_CASE("The words of 0.1.0 have the codes of later versions", "[fleet]") {
    const std::string coded = R"(, "code": "fallen", "message": "the GPU is gone")";
    const std::string text =
        all_of({faulty("n1", "fallen off the bus"), faulty("n2", "fallen off the bus")}) +
        of_version(faulty("n3", "gone from the bus", coded), "0.2.0");
    const FleetResult fleet = compared(text);
    CHECK(fleet.outliers == 0);
    CHECK(fleet.groups.size() == 2);
    CHECK(fleet.groups.front().version == "0.1.0");
    CHECK(render_fleet_human(fleet, Detail::everything, Colour::no)
              .find("profile host, rocenv 0.2.0: 1 node") != std::string::npos);
}

TEST_CASE("A majority of findings is of one version of the program", "[fleet]") {
    const auto with = [](const std::string& name, const std::string& target) {
        NodeReport out = node(name);
        out.findings = {{.id = "kernel.health", .target = target, .outcome = "ok"},
                        {.id = "cpu.idle",
                         .target = target,
                         .value = "x",
                         .outcome = "differs",
                         .level = "info"}};
        return out;
    };
    std::string text;
    for (const auto* name : {"n1", "n2", "n3", "n4"}) {
        text += of_version(with(name, "system"), "0.1.0");
    }
    for (const auto* name : {"n5", "n6", "n7"}) {
        text += of_version(with(name, "oops"), "0.2.0");
    }
    CHECK(folds(compared(text)) == Lines{"n[1-4] 0", "n[5-7] 0"});
    // A single node of a version is compared by what both versions find.
    std::string one;
    for (const auto* name : {"n1", "n2", "n3"}) {
        one += of_version(with(name, "system"), "0.1.0");
    }
    const auto fewer = one + of_version(node("n4"), "0.2.0");
    CHECK(compared(fewer).outliers == 0);
    auto outlier = with("n4", "system");
    outlier.findings[1].value = "y";
    const FleetResult fleet = compared(one + of_version(outlier, "0.2.0"));
    CHECK(folds(fleet) == Lines{"n[1-3] 0",
                                "n4 0 ! cpu.idle system differs: have y, want 1 <> differs: have "
                                "x, want 1"});
}

}  // namespace fleet_versions_test
