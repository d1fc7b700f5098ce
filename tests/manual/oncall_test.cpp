// SPDX-License-Identifier: MIT
// rocenv help oncall: no required setting without its row.
#include "help/manual/oncall.h"

#include <algorithm>
#include <set>

#include "check/check.h"
#include "profile/profile.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace oncall_test {

using namespace rocenv;

namespace {

// "drain" of the row of an id; empty: there is no row.
std::string field(const std::vector<Block>& blocks, const std::string& id, std::string_view term) {
    auto at = std::find_if(blocks.begin(), blocks.end(), [&](const Block& each) {
        return each.kind == BlockKind::subsection && each.text == id;
    });
    for (at = at == blocks.end() ? at : at + 1;
         at != blocks.end() && at->kind != BlockKind::subsection; ++at) {
        if (at->term == term) {
            return at->text;
        }
    }
    return "";
}

}  // namespace

TEST_CASE("oncall: each required id has a meaning, a drain, commands and a ticket") {
    const auto blocks = oncall_blocks();
    REQUIRE(required_ids().size() > 50);
    for (const auto& id : required_ids()) {
        INFO(id);
        REQUIRE(oncall_group(id) != nullptr);
        for (const char* term : {"profiles", "drain", "run", "ticket"}) {
            INFO(term);
            CHECK_FALSE(field(blocks, id, term).empty());
        }
    }
}

TEST_CASE("oncall: whatever a check by a shipped profile requires is listed") {
    const auto ids = required_ids();
    const std::set<std::string> listed(ids.begin(), ids.end());
    for (const auto& profile : builtin_profiles) {
        CheckRequest request;
        request.profiles = {std::string(profile.name)};
        request.ignore_match = true;
        const MemoryFs host;
        const auto result = check(request, remembered_machine("mi300x-spx"), host, Process());
        for (const auto& finding : result.report.findings) {
            INFO(profile.name << " " << finding.id);
            const bool is_of_check =
                finding.id == "profile.auto" || finding.id == "tunableop.results";
            CHECK((finding.level != Level::required || is_of_check || listed.contains(finding.id)));
        }
    }
}

TEST_CASE("oncall: what can be set names set, and a lost GPU is drained with a ticket") {
    const auto blocks = oncall_blocks();
    CHECK(field(blocks, "gpu.count", "drain").starts_with("yes"));
    CHECK(field(blocks, "gpu.count", "run").starts_with("sudo dmesg | grep -e amdgpu"));
    CHECK(field(blocks, "gpu.count", "ticket").find("--with-ids") != std::string::npos);
    CHECK(field(blocks, "kernel.numa_balancing", "drain") == "no");
    CHECK(field(blocks, "kernel.numa_balancing", "run").starts_with("`sudo rocenv set -p "));
    CHECK(field(blocks, "kernel.numa_balancing", "ticket").starts_with("none"));
}

}  // namespace oncall_test
