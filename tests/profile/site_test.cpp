// SPDX-License-Identifier: MIT
// A site's file, the [match] of a shipped profile that a node's file shadows, and what profiles
// came to: digest and pinned text.
#include <algorithm>
#include <cerrno>

#include "check/check.h"
#include "os/fs/memory_fs.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "support/catch.h"
#include "util/text.h"

namespace rocenv::site_test {

namespace {

const std::string etc = "/etc/rocenv/profiles/";
const std::string base =
    "[profile]\nname = \"base\"\n[settings]\n\"kernel.numa_balancing\" = { value = 0, level = "
    "\"info\", why = \"w\" }\n[env]\nA = \"1\"\n";

std::string printed(const Expectation& expectation) {
    return expectation.id + " = " + (expectation.unset ? "unset" : toml_text(expectation.value)) +
           " " + std::string(word_of(expectation.level));
}

std::string printed(const Resolved& profile) {
    std::vector<std::string> lines;
    for (const auto& diagnostic : profile.diagnostics) {
        lines.push_back(diagnostic_text(diagnostic));
    }
    for (const auto& expectation : profile.expectations) {
        lines.push_back(printed(expectation));
    }
    return join(lines, "\n");
}

// A node with the profile "base" and a site's file.
struct Node {
    explicit Node(const std::string& site) {
        host.add_file(etc + "base.toml", base);
        host.add_file(site_file, site);
    }
    Resolved resolved(const std::vector<std::string>& overrides = {},
                      Site site = Site::merged) const {
        std::vector<ProfileEntry> entries;
        entries.reserve(overrides.size());
        for (const auto& override : overrides) {
            entries.push_back(parse_override(override).value());
        }
        return resolve(ProfileStore(host, {}), {"base"}, entries, {}, site);
    }
    MemoryFs host;
};

Resolved pinned(const Resolved& profile) {
    MemoryFs host;
    host.add_file("/pinned.toml", pinned_text(profile));
    return resolve(ProfileStore(host, {}), {"/pinned.toml"}, {});
}

MemoryFs numa_machine() {
    MemoryFs machine;
    machine.add_folder("/sys");
    machine.add_file("/proc/sys/kernel/numa_balancing", "1\n");
    return machine;
}

}  // namespace

TEST_CASE("site: merged after the profiles, before --want", "[site]") {
    const Node node(
        "[settings]\n\"kernel.numa_balancing\" = { level = \"required\" }\n\"gpu.count\" = 8\n"
        "[env]\nA = \"2\"\nB = { unset = true, level = \"recommended\" }\n");
    CHECK(printed(node.resolved()) ==
          "gpu.count = 8 required\nkernel.numa_balancing = 0 required\n"
          "env.A = \"2\" required\nenv.B = unset recommended");
    CHECK(printed(node.resolved({"gpu.count=4", "env.A=3"})) ==
          "gpu.count = 4 required\nkernel.numa_balancing = 0 required\n"
          "env.A = \"3\" required\nenv.B = unset recommended");
    CHECK(printed(node.resolved({}, Site::left_out)) ==
          "kernel.numa_balancing = 0 info\nenv.A = \"1\" required");
    CHECK(node.resolved().shown_names() == std::vector<std::string>{"base", site_file});
    CHECK(node.resolved({}, Site::left_out).shown_names() == std::vector<std::string>{"base"});
    const auto found = node.resolved().expectations;
    CHECK(found.front().place.file == site_file);
    CHECK(found.at(1).why == "w");
}

TEST_CASE("site: a level for what no profile names is ignored", "[site]") {
    const Node node("[settings]\n\"cpu.smt\" = { level = \"required\", why = \"w\" }\n");
    const auto profile = node.resolved();
    CHECK(printed(profile) == "kernel.numa_balancing = 0 info\nenv.A = \"1\" required");
    REQUIRE(profile.ignored.size() == 1);
    CHECK(profile.ignored.front().id == "cpu.smt");
    CHECK(place_text(profile.ignored.front().place) == site_file + ":2:1");
}

TEST_CASE("site: its faults have their place", "[site]") {
    CHECK(printed(Node("[settings]\n\"gpu.cuont\" = 8\n").resolved())
              .starts_with(site_file + ":2:1: error: unknown setting 'gpu.cuont'. Did you mean"));
    CHECK(printed(Node("[match]\ndevice = [\"0x74a1\"]\n").resolved())
              .starts_with(site_file + ":1:2: error: [match] is not valid in a site's file"));
    CHECK(printed(Node("[profile]\nextends = [\"host\"]\n").resolved())
              .starts_with(site_file + ":2:1: error: extends is not valid in a site's file"));
    CHECK(printed(Node("[settings\n").resolved()).starts_with(site_file + ":1:"));
    Node node("");
    CHECK(printed(node.resolved()) == printed(node.resolved({}, Site::left_out)));
    node.host.add_error(site_file, EACCES);
    CHECK(printed(node.resolved())
              .starts_with(site_file + ": error: cannot read '" + site_file + "': Permission"));
    node.host.remove(site_file);
    CHECK(node.resolved().site.empty());
}

TEST_CASE("site: a check is by it and names it, unless it is left out", "[site]") {
    const Node node("[settings]\n\"kernel.numa_balancing\" = { level = \"required\" }\n");
    CheckRequest request;
    request.profiles = {"base"};
    request.only = {"kernel.*"};
    const auto checked = check(request, numa_machine(), node.host, {});
    REQUIRE(checked.errors.empty());
    CHECK(checked.report.exit_code == 1);
    CHECK(checked.report.profiles == std::vector<std::string>{"base", site_file});
    const auto& fix = checked.report.findings.front().fix;
    CHECK(fix == "sudo rocenv set -p base --only kernel.numa_balancing");
    request.no_site = true;
    const auto without = check(request, numa_machine(), node.host, {}).report;
    CHECK(without.exit_code == 0);
    CHECK(without.profiles == std::vector<std::string>{"base"});
    CHECK(without.profile_digest != checked.report.profile_digest);
}

TEST_CASE("digest: of values and levels, not of reasons", "[site]") {
    const auto digest = [](const std::string& site) {
        return profile_digest(Node(site).resolved());
    };
    const auto plain = digest("");
    CHECK(plain.size() == 16);
    CHECK(digest("[settings]\n\"kernel.numa_balancing\" = { why = \"x\" }\n") == plain);
    CHECK(digest("[settings]\n\"kernel.numa_balancing\" = { value = 1 }\n") != plain);
    CHECK(digest("[settings]\n\"kernel.numa_balancing\" = { level = \"required\" }\n") != plain);
    CHECK(digest("[env]\nA = { unset = true }\n") != plain);
    CHECK(digest("[env]\nC = \"1\"\n") != plain);
}

TEST_CASE("pinned: each shipped profile, and what needs escapes", "[site]") {
    const MemoryFs host;
    const ProfileStore store(host, {});
    for (const auto& name : store.names()) {
        CAPTURE(name);
        const auto whole = resolve(store, {name}, {});
        const auto again = pinned(whole);
        CHECK_FALSE(
            has_errors(again.diagnostics));  // without `when` some variables are removed ones
        CHECK(profile_digest(again) == profile_digest(whole));
        CHECK(again.also == whole.also);
        CHECK(again.matches.empty() == whole.matches.empty());
    }
    const Node node("[env]\nA = \"a \\\"b\\\"\\n\\u0001 \xc3\xa4 ${HOME}\\\\\"\n");
    CHECK(printed(pinned(node.resolved())) == printed(node.resolved()));
}

TEST_CASE("a file with a shipped name keeps that one's [match]", "[site]") {
    MemoryFs host;
    const auto match_of = [&](const std::string& text) {
        host.add_file(etc + "mi300x.toml", "[profile]\nname = \"mi300x\"\n" + text);
        return ProfileStore(host, {}).find("mi300x").value();
    };
    const auto kept = match_of("[settings]\n\"gpu.count\" = 8\n");
    CHECK(kept.kept_match);
    CHECK(kept.match.devices.front() == 0x74a1);
    CHECK(kept.match.automatic);
    CHECK(ProfileStore(host, {}).find(etc + "mi300x.toml").value().kept_match);
    const auto own = match_of("[match]\ndevice = [\"0x7fff\"]\n");
    CHECK(own.match.devices == std::vector<std::uint32_t>{0x7fff});
    CHECK_FALSE(own.kept_match);
    CHECK(match_of("[match]\n").match.empty());
    host.add_file(etc + "mine.toml", "[profile]\nname = \"mine\"\n");
    CHECK(ProfileStore(host, {}).find("mine").value().match.empty());
}

}  // namespace rocenv::site_test
