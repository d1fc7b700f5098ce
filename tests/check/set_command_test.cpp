// SPDX-License-Identifier: MIT
#include "check/set_command.h"

#include "os/fs/memory_fs.h"
#include "support/catch.h"

namespace set_command_test {

namespace {

using namespace rocenv;

Expectation expectation_of(std::string id, Value value, Level level) {
    Expectation expectation;
    expectation.id = std::move(id);
    expectation.value = std::move(value);
    expectation.level = level;
    return expectation;
}

TEST_CASE("set_command: what the profile wants is not said again", "[check]") {
    const auto expectation = expectation_of("pci.acs", {}, Level::recommended);
    CHECK(set_command({}, {"mi300x"}, expectation) == "sudo rocenv set -p mi300x --only pci.acs");
    CHECK(set_command({}, {"mi300x", "a b/c.toml"}, expectation) ==
          "sudo rocenv set -p mi300x -p 'a b/c.toml' --only pci.acs");
}

TEST_CASE("set_command: set leaves info alone, so it is stated", "[check]") {
    const Value table{ValueTable{{"scope", {std::string("all"), {}}}}, {}};
    CHECK(set_command({}, {"mi"}, expectation_of("pci.acs", table, Level::info)) ==
          "sudo rocenv set -p mi --only pci.acs --want 'pci.acs={ scope = \"all\" }'");
    const auto word = [](const char* text) {
        return set_command({}, {"mi"},
                           expectation_of("cpu.governor", {std::string(text), {}}, Level::info));
    };
    CHECK(word("performance") ==
          "sudo rocenv set -p mi --only cpu.governor --want cpu.governor=performance");
    CHECK(word("12") == "sudo rocenv set -p mi --only cpu.governor --want 'cpu.governor=\"12\"'");
    CHECK(word("true") ==
          "sudo rocenv set -p mi --only cpu.governor --want 'cpu.governor=\"true\"'");
}

TEST_CASE("set_command: what was asked for on the command line stays", "[check]") {
    CheckRequest request;
    request.overrides = {"cpu.idle=all", "cpu.boost=true"};
    request.ignore_match = true;
    const auto expectation = expectation_of("cpu.idle", {std::string("all"), {}}, Level::required);
    CHECK(set_command(request, {"mi"}, expectation) ==
          "sudo rocenv set -p mi --ignore-match --only cpu.idle --want cpu.idle=all");
    CHECK(check_command(request, {"mi"}, expectation) ==
          "sudo rocenv check -p mi --ignore-match --only cpu.idle --want cpu.idle=all");
}

TEST_CASE("set_command: root finds a profile of the caller's own by its path", "[check]") {
    MemoryFs host;
    const std::string text = "[profile]\nname = \"mine\"\n";
    host.add_file("/home/a/.config/rocenv/profiles/mine.toml", text);
    host.add_file("/home/a/.config/rocenv/profiles/both.toml", text);
    host.add_file("/etc/rocenv/profiles/both.toml", text);
    Process process;
    process.environment["HOME"] = "/home/a";
    CHECK(names_for_root({"mi300x", "mine", "./x.toml"}, host, process) ==
          std::vector<std::string>{"mi300x", "/home/a/.config/rocenv/profiles/mine.toml",
                                   "./x.toml"});
    CHECK(names_for_root({"both"}, host, process).front() ==
          "/home/a/.config/rocenv/profiles/both.toml");
    host.add_file("/etc/rocenv/profiles/site.toml", text);
    CHECK(names_for_root({"site"}, host, process).front() == "site");
    process.through_sudo = true;
    CHECK(names_for_root({"mine"}, host, process) == std::vector<std::string>{"mine"});
}

}  // namespace

}  // namespace set_command_test
