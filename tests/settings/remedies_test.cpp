// SPDX-License-Identifier: MIT
// Each setting has a row of the remedies, and each row is reached.
#include "settings/have_codes.h"

#include "settings/registry.h"
#include "support/catch.h"

using namespace rocenv;

namespace remedies_test {

namespace {

bool fits(const RemedyRow& row, std::string_view id) {
    return row.id.ends_with('.') ? id.starts_with(row.id) : row.id == id;
}

}  // namespace

TEST_CASE("each setting has a remedy") {
    for (const auto* setting : all_settings()) {
        const auto& id = setting->info.id;
        const auto& rows = remedy_rows();
        INFO("add a row for " << id << " to src/settings/have_codes.cpp");
        CHECK(std::any_of(rows.begin(), rows.end(),
                          [&](const auto& row) { return fits(row, id) && row.code.empty(); }));
    }
}

TEST_CASE("each row of the remedies is the first for some finding") {
    const auto& rows = remedy_rows();
    for (std::size_t at = 0; at < rows.size(); ++at) {
        bool is_reached = rows[at].id == "profile." || rows[at].id == "tunable.";
        for (const auto* setting : all_settings()) {
            const auto& id = setting->info.id;
            bool is_first = fits(rows[at], id);
            for (std::size_t before = 0; before < at; ++before) {
                is_first = is_first &&
                           !(fits(rows[before], id) &&
                             (rows[before].code.empty() || rows[before].code == rows[at].code));
            }
            is_reached = is_reached || is_first;
        }
        INFO(rows[at].id << " " << rows[at].code);
        CHECK(is_reached);
        if (!rows[at].code.empty()) {
            const auto& codes = have_codes();
            CHECK(std::any_of(codes.begin(), codes.end(), [&](const auto& each) {
                return each.id == rows[at].id && each.code == rows[at].code;
            }));
        }
    }
}

TEST_CASE("a lost GPU needs more than a GPU without driver") {
    CHECK(remedy_of_difference("gpu.count", "fallen").action == Action::reboot);
    CHECK(remedy_of_difference("gpu.count", "no-driver").action == Action::driver_reload);
    CHECK(remedy_of_difference("gpu.count", "").action == Action::reseat);
    CHECK(remedy_of_difference("gpu.count", "").jobs == Jobs::will_fail);
    CHECK(remedy_of_difference("env.HSA_ENABLE_SDMA", "").action == Action::job_restart);
    CHECK(remedy_of_unknown(Reason::asleep).jobs == Jobs::safe);
    CHECK(remedy_of_unknown(Reason::permission).jobs == Jobs::safe);
    CHECK(remedy_of_unknown(Reason::error).jobs == Jobs::degraded);
    CHECK(remedy_of_difference("gpu.count", "driver-gim").action == Action::user);
}

}  // namespace remedies_test
