// SPDX-License-Identifier: MIT
// Properties of all settings' changes and baselines, on every case and every fixture machine.
#include <map>
#include <set>

#include "settings/registry.h"
#include "settings/shape_cases.h"
#include "support/catch.h"
#include "support/machines.h"
#include "transaction/journal/record_rules.h"

namespace rocenv::changes_test {

namespace {

// Returns the sample values in the cases of each settable setting of the node.
std::map<std::string, std::set<std::string>> values_of_cases() {
    std::map<std::string, std::set<std::string>> out;
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const Info& info = find_setting(test.id)->info;
            if (!info.places.empty() && info.scope == Scope::node) {
                out[test.id].insert(test.expected);
            }
        }
    }
    return out;
}
const auto sample_values = values_of_cases();

Expectation expectation_of(const std::string& id, const std::string& value) {
    cases::Case test;
    test.place = id;
    test.id = id;
    test.expected = value;
    return cases::expectation_of(test);
}

std::string printed(const Change& change) {
    std::string out;
    for (const auto& write : change.writes) {
        out += write_text(write) + "\n";
    }
    for (const auto& state : change.states) {
        out += state.attribute.path + " " + std::string(word_of(state.attribute.codec)) + " " +
               state.value + " " + state.lost + "\n";
    }
    return out;
}

std::string printed(const std::vector<Baseline>& baselines) {
    std::string out;
    for (const auto& each : baselines) {
        out += each.target.text() + " " + each.shown + "\n" +
               (each.back ? printed(*each.back) : each.back.error().text + "\n");
    }
    return out;
}

bool may_be_written(const std::string& path) {
    return path.starts_with("/sys/") || path.starts_with("/proc/sys/");
}

// Returns true if the change writes something, and only to paths that are read back.
bool is_whole(const Change& change) {
    std::set<std::string> proven;
    for (const auto& state : change.states) {
        proven.insert(state.attribute.path);
    }
    return !change.writes.empty() && !change.states.empty() &&
           std::all_of(change.writes.begin(), change.writes.end(), [&](const Write& write) {
               return may_be_written(write.path) && !write.bytes.empty() &&
                      (proven.count(write.path) == 1 || write.path.ends_with("_clk_voltage"));
           });
}

bool holds(const Fs& fs, const Change& change) {
    return std::all_of(change.states.begin(), change.states.end(),
                       [&](const AttributeState& state) {
                           const auto value = read_attribute(fs, state.attribute);
                           return value && (state.value.empty() || *value == state.value);
                       });
}

// Returns why a reset would reject a journal with this change; empty if it accepts it.
std::string refusal(const Setting& setting, const Target& target, const Change& change) {
    const auto error = refused_record(Key{std::string(setting.info.id), target.text()}, change);
    return error ? error->text : "";
}

// Checks that the baselines have no fault; returns the targets that have one.
std::set<std::string> check_baselines(const Setting& setting, const Context& context) {
    const auto baselines = baseline_of(setting, context);
    CHECK(printed(baselines) == printed(baseline_of(setting, context)));
    std::set<std::string> targets;
    for (const auto& each : baselines) {
        INFO(each.target.text() << " " << each.shown);
        if (each.back) {
            INFO(printed(*each.back));
            CHECK(is_whole(*each.back));
            CHECK(refusal(setting, each.target, *each.back) == "");
            CHECK(holds(context.fs(), *each.back));
            CHECK_FALSE(each.shown.empty());
            CHECK(targets.insert(each.target.text()).second);
        }
    }
    return targets;
}

void check_rows(const Setting& setting, const std::vector<Assessment>& rows,
                const std::set<std::string>& baselines, const Fs& fs) {
    for (const auto& row : rows) {
        INFO(row.target.text() << " " << row.expected.value_or("-") << " "
                               << row.have.value_or("-"));
        const bool judged = row.outcome == Outcome::ok || row.outcome == Outcome::differs;
        CHECK((judged || (!row.change && row.refused.empty())));
        CHECK_FALSE((row.change && !row.refused.empty()));
        if (row.change) {
            INFO(printed(*row.change));
            CHECK(is_whole(*row.change));
            CHECK(refusal(setting, row.target, *row.change) == "");
            CHECK(baselines.count(row.target.text()) == 1);
            CHECK((row.outcome == Outcome::ok) == holds(fs, *row.change));
        }
    }
}

// Checks that every present value can be expected, and then needs no change.
void check_present(const Setting& setting, const Context& context) {
    const std::string id(setting.info.id);
    std::map<std::string, std::string> shown;
    std::set<std::string> values;
    for (const auto& each : baseline_of(setting, context)) {
        if (each.back && each.shown != "lost") {
            shown[each.target.text()] = each.shown;
            values.insert(each.shown);
        }
    }
    for (const auto& value : values) {
        for (const auto& row : setting.assess(setting, context, expectation_of(id, value))) {
            if (shown[row.target.text()] == value) {
                INFO(id << " " << row.target.text() << " " << value);
                CHECK(row.outcome == Outcome::ok);
                CHECK((row.change && holds(context.fs(), *row.change)));
            }
        }
    }
}

// Settings of which a case's tree has something to write; a fixture machine need not have it.
std::set<std::string> written_in_cases() {
    std::set<std::string> out;
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto tree = cases::machine_of(test);
            const Machine machine(*tree);
            if (!baseline_of(*find_setting(test.id), {machine, test.process}).empty()) {
                out.insert(test.id);
            }
        }
    }
    return out;
}

bool accepts_own_values(const std::string& id) {
    return id != "pci.acs" && id != "cpu.idle";
}

}  // namespace

TEST_CASE("changes: each setting that says how it is set can be written somewhere",
          "[settings][long]") {
    std::set<std::string> written;
    for (const auto& name : fixture_names()) {
        for (const auto& [id, values] : sample_values) {
            const Setting& setting = *find_setting(id);
            const Machine machine(machine_fs(name));
            const Process process;
            const Context context{machine, process};
            INFO(name << " " << id);
            const auto targets = check_baselines(setting, context);
            for (const auto& value : values) {
                check_rows(setting, setting.assess(setting, context, expectation_of(id, value)),
                           targets, context.fs());
            }
            check_rows(setting, defaults_of(setting, context), targets, context.fs());
            if (accepts_own_values(id)) {
                check_present(setting, context);
            }
            if (!targets.empty()) {
                written.insert(id);
            }
        }
    }
    const auto by_cases = written_in_cases();
    for (const auto& [id, values] : sample_values) {
        INFO(id);
        CHECK((written.contains(id) || by_cases.contains(id)));
    }
}

TEST_CASE("changes: every case keeps the promises", "[settings]") {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto tree = cases::machine_of(test);
            const Machine machine(*tree);
            const Context context{machine, test.process};
            const Setting& setting = *find_setting(test.id);
            INFO(test.place << ": " << test.name);
            const auto targets = check_baselines(setting, context);
            check_rows(setting, setting.assess(setting, context, cases::expectation_of(test)),
                       targets, *tree);
            check_rows(setting, defaults_of(setting, context), targets, *tree);
        }
    }
}

TEST_CASE("changes: what no setting says how to set is never written", "[settings]") {
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        INFO(info.id);
        const bool settable = !info.set_by.empty() && info.scope == Scope::node;
        CHECK(settable == (sample_values.count(std::string(info.id)) == 1));
    }
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            const auto tree = cases::machine_of(test);
            const Machine machine(*tree);
            const Context context{machine, test.process};
            const Setting& setting = *find_setting(test.id);
            if (sample_values.count(test.id) == 0) {
                INFO(test.place << ": " << test.name);
                CHECK(baseline_of(setting, context).empty());
                CHECK(defaults_of(setting, context).empty());
                for (const auto& row :
                     setting.assess(setting, context, cases::expectation_of(test))) {
                    CHECK_FALSE(row.change);
                }
            }
        }
    }
}

}  // namespace rocenv::changes_test
