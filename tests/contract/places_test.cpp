// SPDX-License-Identifier: MIT
// The paths that settings declare cover all that they record and write: on every fixture machine,
// by every shipped profile, and in a journal that an older program wrote.
#include <algorithm>
#include <set>

#include "contract/scene.h"
#include "os/fs/posix_fs.h"
#include "profile/profile.h"
#include "support/catch.h"
#include "support/machines.h"
#include "transaction/journal/record_rules.h"

namespace rocenv::places_test {

namespace {

void check_taken(const Key& key, const Change& back) {
    INFO(key.id << " " << key.target);
    const auto error = refused_record(key, back);
    CHECK((error ? error->text : "") == "");
}

// Returns each expected value once, also if several profiles have it.
std::vector<Expectation> expectations_of_all_profiles() {
    static const MemoryFs nothing;
    const Process process;
    const ProfileStore store(nothing, process);
    std::vector<Expectation> out;
    std::set<std::string> seen;
    for (const auto& name : store.names()) {
        for (const auto& expectation : resolve(store, {name}, {}).expectations) {
            const bool settable = !find_setting(expectation.id)->info.places.empty();
            if (settable && seen.insert(expectation.id + toml_text(expectation.value)).second) {
                out.push_back(expectation);
            }
        }
    }
    return out;
}

void check_baselines(const Setting& setting, const Context& context,
                     std::set<std::string>& recorded) {
    const std::string id(setting.info.id);
    for (const auto& found : baseline_of(setting, context)) {
        if (found.back) {
            check_taken({id, found.target.text()}, *found.back);
            CHECK(recordable(id, found).back.ok());
            recorded.insert(id);
        }
    }
}

void check_changes(const Setting& setting, const std::vector<Assessment>& rows) {
    for (const auto& row : rows) {
        if (row.change) {
            check_taken({std::string(setting.info.id), row.target.text()}, *row.change);
        }
    }
}

}  // namespace

TEST_CASE("places: a setting that can be set declares where, and no other does", "[places]") {
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        INFO(info.id);
        CHECK((info.scope == Scope::node && !info.set_by.empty()) == !info.places.empty());
        const bool writes = std::any_of(info.places.begin(), info.places.end(),
                                        [](const auto& place) { return !place.bytes.empty(); });
        CHECK(writes == !info.places.empty());
        for (const auto& place : info.places) {
            INFO(place.path);
            CHECK((place.path.starts_with("/sys/") || place.path.starts_with("/proc/sys/")));
            CHECK(place.offsets.has_value() == (place.codec == Codec::word16));
        }
    }
}

TEST_CASE("places: what set records and writes is never refused", "[places]") {
    const auto expectations = expectations_of_all_profiles();
    CHECK(expectations.size() > 10);
    std::set<std::string> recorded;
    for (const auto& name : fixture_names()) {
        INFO(name);
        const Machine machine(machine_fs(name));
        const Process process;
        const Context context{machine, process};
        for (const Setting* setting : all_settings()) {
            check_baselines(*setting, context, recorded);
            check_changes(*setting, defaults_of(*setting, context));
        }
        for (const auto& expectation : expectations) {
            const Setting& setting = *find_setting(expectation.id);
            check_changes(setting, setting.assess(setting, context, expectation));
        }
    }
    CHECK(recorded.size() >= 11);  // no fixture file has an energy preference
}

TEST_CASE("places: every journal of a set passes, on every machine, by every profile",
          "[places][long]") {
    std::size_t records = 0;
    for (const auto& machine : contract::machine_names()) {
        for (const auto& profile : contract::profiles_for(machine)) {
            contract::Node node(contract::cut_machine(machine));
            node.set({profile});
            const auto journal = read_journal(node.store);
            for (const auto& transaction :
                 journal ? journal->transactions : std::vector<Transaction>()) {
                for (const auto& [key, recorded] : transaction.entries) {
                    check_taken(key, recorded.back);
                    ++records;
                }
            }
        }
    }
    CHECK(records > 1000);
}

TEST_CASE("places: a journal that an older program wrote passes", "[places]") {
    const auto file =
        real_fs()->read(std::string(ROCENV_SOURCE_DIR) + "/tests/contract/journal-1.txt");
    REQUIRE(file);
    contract::MemoryStore store;
    store.text = *file;
    const auto journal = read_journal(store);
    REQUIRE(journal);
    REQUIRE(journal->transactions.size() == 1);
    CHECK(journal->transactions.front().entries.size() == 33);
    for (const auto& [key, recorded] : journal->transactions.front().entries) {
        check_taken(key, recorded.back);
    }
}

}  // namespace rocenv::places_test
