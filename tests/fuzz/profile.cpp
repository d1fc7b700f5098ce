// SPDX-License-Identifier: MIT
// Profiles and files of a site: faults are reported, and every value, written as TOML, is read as
// the same value.
#include "profile/profile.h"
#include "fuzz/fuzz.h"
#include "profile/profile_entry.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace profile_fuzz {

namespace {

void check_value(const Value& value) {
    const std::string text = toml_text(value);
    const auto again = read_toml("f", "x = " + text + "\n");
    demand(!again.fault, "a value is written as TOML", text);
    demand(again.values.size() == 1 && toml_text(again.values.begin()->second) == text,
           "it is read as it was written", text);
}

void check_profile(const ProfileText& profile) {
    for (const auto& diagnostic : profile.diagnostics) {
        const std::string text = diagnostic_text(diagnostic);
        demand(!diagnostic.text.empty() && printable(text, uncut) == text, "a message is printable",
               text);
    }
    for (const auto& entry : profile.entries) {
        demand(!entry.id.empty(), "an entry has an id");
        if (entry.value) {
            check_value(*entry.value);
        }
    }
    demand(profile.values <= ProfileLimits::file_values || has_errors(profile.diagnostics),
           "no profile holds more than it may");
}

}  // namespace

}  // namespace profile_fuzz

void fuzz_profile(std::string_view bytes) {
    using namespace profile_fuzz;
    check_profile(parse_profile("f.toml", bytes));
    check_profile(parse_profile("site.toml", bytes, TextKind::site));
    if (auto expected = parse_override(bytes); !expected) {
        demand_message(expected.error());
    } else if (expected->value) {
        check_value(*expected->value);
    }
    if (const auto file = read_toml("f.toml", bytes); !file.fault) {
        check_value({file.values, {}});
    }
}

}  // namespace rocenv::fuzz
