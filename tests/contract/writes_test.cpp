// SPDX-License-Identifier: MIT
// Writes of `set -p` of each shipped profile on each fixture machine: the settings with the number
// of their targets, in writes.txt. A profile that writes more than before needs a line in
// CHANGELOG.md. UPDATE=1 rewrites the file.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "contract/scene.h"
#include "profile/profile.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "support/machines.h"

namespace rocenv::writes_test {

namespace {

const std::string recorded_in = std::string(ROCENV_SOURCE_DIR) + "/tests/contract/writes.txt";

bool can_write(const ProfileStore& store, const std::string& profile) {
    const auto expectations = resolve(store, {profile}, {}).expectations;
    return std::any_of(expectations.begin(), expectations.end(),
                       [](const Expectation& expectation) {
                           return !find_setting(expectation.id)->info.places.empty();
                       });
}

// Splits the shipped profiles into those that name something that can be set, and the others.
struct Profiles {
    std::vector<std::string> that_set;
    std::vector<std::string> others;
};

Profiles shipped() {
    static const MemoryFs nothing;
    const Process process;
    const ProfileStore store(nothing, process);
    Profiles out;
    for (const auto& name : store.names()) {
        (can_write(store, name) ? out.that_set : out.others).push_back(name);
    }
    return out;
}

// "cpu.governor 384, kernel.numa_balancing 1".
std::string printed(const SetResult& result) {
    std::map<std::string, std::set<std::string>> targets;
    for (const auto& planned : result.writes) {
        targets[planned.key.id].insert(planned.key.target);
    }
    std::string out;
    for (const auto& [id, of_id] : targets) {
        out += (out.empty() ? "" : ", ") + id + " " + number(of_id.size());
    }
    return out.empty() ? "nothing" : out;
}

// Profiles that write the same are one line; those for other GPUs are left out.
std::string lines_of(const std::string& machine, const std::vector<std::string>& profiles) {
    contract::Node node(machine_fs(machine));
    node.dry_run = true;
    std::vector<std::pair<std::string, std::string>> by_writes;  // writes, profiles
    for (const auto& profile : profiles) {
        const SetResult result = node.set({profile});
        if (!result.errors.empty()) {
            continue;
        }
        const std::string writes = printed(result);
        auto found = std::find_if(by_writes.begin(), by_writes.end(),
                                  [&](const auto& each) { return each.first == writes; });
        if (found == by_writes.end()) {
            by_writes.emplace_back(writes, "");
            found = std::prev(by_writes.end());
        }
        found->second += " " + profile;
    }
    std::string out;
    for (const auto& [writes, names] : by_writes) {
        out += machine + ":" + names + ": " + writes + "\n";
    }
    return out;
}

std::string read_recorded() {
    std::ifstream file(recorded_in);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("writes: those of each shipped profile on each machine are the recorded ones",
          "[contract]") {
    const Profiles profiles = shipped();
    CHECK(profiles.that_set.size() > 20);
    std::string text = "never: " + join(profiles.others, " ") + "\n";
    for (const auto& machine : fixture_names()) {
        text += lines_of(machine, profiles.that_set);
    }
    if (std::getenv("UPDATE") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
        std::ofstream(recorded_in) << text;
    }
    const auto now = split(std::string_view(text), '\n');
    const std::string recorded = read_recorded();
    const auto then = split(std::string_view(recorded), '\n');
    for (const auto& line : now) {
        INFO("now, and not recorded: " << line);
        CHECK(std::find(then.begin(), then.end(), line) != then.end());
    }
    for (const auto& line : then) {
        INFO("recorded, and not so now: " << line);
        CHECK(std::find(now.begin(), now.end(), line) != now.end());
    }
}

}  // namespace rocenv::writes_test
