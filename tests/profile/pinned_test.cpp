// SPDX-License-Identifier: MIT
// A pinned profile (`rocenv profile show --format toml`) judges a node as the profile does that it
// was made of, so that a site that pins its profile keeps its verdict when the shipped one changes.
#include "profile/profile_selection.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "check/check.h"
#include "support/catch.h"
#include "support/machines.h"
#include "variables/releases/versions.h"

using namespace rocenv;

namespace pinned_test {

namespace {

CheckRequest asking_for(const std::string& profile) {
    CheckRequest request;
    request.profiles = {profile};
    return request;
}

std::string pinned(const Fs& fs, const std::string& profile) {
    const Machine machine(fs);
    const Process process;
    const MemoryFs host;
    const Versions versions(machine, process);
    const auto selected = select_profile(asking_for(profile), machine, host, process, versions);
    REQUIRE(selected.errors.empty());
    return pinned_text(selected.profile);
}

// The status, and each finding but the one about the choice of a profile.
std::vector<std::string> verdict(const Fs& machine, const MemoryFs& host,
                                 const std::string& profile) {
    const CheckResult result = check(asking_for(profile), machine, host, Process());
    REQUIRE(result.errors.empty());
    std::vector<std::string> out{number(result.report.exit_code)};
    for (const auto& each : result.report.findings) {
        if (each.id != auto_id) {
            out.push_back(each.id + " " + each.target + " " + std::string(word_of(each.level)) +
                          " " + std::string(word_of(each.outcome)) + " " +
                          each.expected.value_or("-") + " " + each.have.value_or("-"));
        }
    }
    return out;
}

}  // namespace

TEST_CASE("pinned: the same status and findings as the shipped profile, on every machine",
          "[profile]") {
    std::size_t compared = 0;
    for (const auto& name : fixture_names()) {
        const Fs& machine = remembered_machine(name);
        for (const std::string profile : {"auto", "ci-preflight"}) {
            INFO(name << " " << profile);
            MemoryFs host;
            host.add_file("/pinned.toml", pinned(machine, profile));
            CHECK(verdict(machine, host, "/pinned.toml") == verdict(machine, host, profile));
            ++compared;
        }
    }
    CHECK(compared >= 36);
}

TEST_CASE(
    "pinned: rules that a newer version adds change the profile's status, and not the pinned one",
    "[profile]") {
    const std::string newer =
        "[profile]\nname = \"ci-preflight\"\nsummary = \"A later version\"\n"
        "[settings.\"gpu.count\"]\nvalue = \"full\"\nlevel = \"required\"\n"
        "why = \"as before\"\nsource = \"a test, 2026-11\"\n"
        "[settings.\"kernel.numa_balancing\"]\nvalue = 0\nlevel = \"required\"\n"
        "why = \"a new rule\"\nsource = \"a test, 2026-11\"\n";
    std::size_t newly_failed = 0;
    for (const auto& name : fixture_names()) {
        INFO(name);
        const Fs& machine = remembered_machine(name);
        MemoryFs host;
        host.add_file("/pinned.toml", pinned(machine, "ci-preflight"));
        const auto before = verdict(machine, host, "/pinned.toml");
        const auto shipped = verdict(machine, host, "ci-preflight");
        host.add_file("/etc/rocenv/profiles/ci-preflight.toml", newer);
        CHECK(verdict(machine, host, "/pinned.toml") == before);
        const auto now = verdict(machine, host, "ci-preflight");
        newly_failed += shipped.front() == "0" && now.front() == "1" ? 1U : 0U;
    }
    CHECK(newly_failed >= 3);
}

TEST_CASE("pinned: of several ROCm conditions the newest is kept, whatever their order",
          "[profile]") {
    for (const std::vector<std::string>& each :
         {std::vector<std::string>{">=6.2", ">= 6.10.1"}, {">= 6.10.1", "", ">=6.2"}}) {
        Resolved profile;
        for (const auto& rocm : each) {
            Match match;
            match.rocm = rocm;
            profile.matches.push_back(match);
        }
        CHECK(pinned_text(profile).find("[match]\nrocm = \">= 6.10.1\"\n") != std::string::npos);
    }
}

TEST_CASE("pinned: CHANGELOG.md lists what can newly fail a gate", "[profile]") {
    std::ifstream file(std::string(ROCENV_SOURCE_DIR) + "/CHANGELOG.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(text.find("\n### Can newly fail a gate\n") != text.npos);
}

}  // namespace pinned_test
