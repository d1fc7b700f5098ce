// SPDX-License-Identifier: MIT
// Environments from files: docker's and systemd's rules, and that both read what `env` prints.
#include "variables/environment.h"

#include "launch/env_format.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;

namespace env_source_test {

namespace {

// "NAME=VALUE|NAME=VALUE", or the error's text.
std::string told(const Result<Environment>& found) {
    if (!found) {
        return found.error().text;
    }
    std::string out;
    for (const auto& [name, value] : *found) {
        out += (out.empty() ? "" : "|") + name + "=" + value;
    }
    return out;
}

struct Row {
    std::string text;
    std::string expected;
};

std::vector<std::string> hostile_values() {
    std::vector<std::string> values{"",    " a ",  "'",     "\"",    "\\",    "$HOME", "`x`",
                                    "a=b", "#",    ";",     "a\\",   "\t",    "%",     "!",
                                    "''",  "\"\"", "\\\"x", "a\\nb", "a b",   "\\$",   "\xc3\xa9",
                                    "~",   "*",    "a;b",   "a # b", "x\\\\", "${V}",  "$(x)"};
    for (char byte = ' '; byte < 0x7f; ++byte) {
        values.push_back(std::string(1, byte));
        values.push_back(std::string{'a', byte, 'b'});
    }
    return values;
}

}  // namespace

TEST_CASE("env file: docker takes lines as they are", "[env-source]") {
    Process caller;
    caller.environment = {{"HOME", "/home/a"}};
    const std::vector<Row> rows{
        {"", ""},
        {"A=1\nB=2\n", "A=1|B=2"},
        {"A=1", "A=1"},
        {"A=\"1\"\n", "A=\"1\""},
        {"A= 1 \n", "A= 1 "},
        {"  A=1\n", "A=1"},
        {"A=1\r\nB=\r\n", "A=1|B="},
        {"# A=1\n  # B=1\n", ""},
        {"A=1 # no comment\n", "A=1 # no comment"},
        {"HOME\nNOT_SET\n", "HOME=/home/a"},
        {"A=1\nA=2\n", "A=2"},
        {"A=b=c\n", "A=b=c"},
        {"\xef\xbb\xbf"
         "A=1\n",
         "A=1"},
        {"export A=1\n", "f:1: \"export\" and what follows cannot be a name (docker refuses it)"},
        {"A=1\n=2\n", "f:2: \"\" cannot be a name (docker refuses it)"},
    };
    for (const auto& row : rows) {
        INFO(row.text);
        CHECK(told(parse_docker_file("f", row.text, caller)) == row.expected);
    }
}

TEST_CASE("env file: systemd knows quotes, backslashes and continued lines", "[env-source]") {
    const std::vector<Row> rows{
        {"", ""},
        {"A=1\nB=2", "A=1|B=2"},
        {"A=\"1\"\n", "A=1"},
        {"A='1 \\ $'\n", "A=1 \\ $"},
        {"A=  a b  \n", "A=a b"},
        {"A=\"  a  \"\n", "A=  a  "},
        {"A=\"a\\\"b\\\\c\\$d\\`e\\f\"\n", "A=a\"b\\c$d`e\\f"},
        {"A=\"a\nb\"\n", "A=a\nb"},
        {"A=a\\\nb\n", "A=ab"},
        {"A=\"a\\\nb\"\n", "A=ab"},
        {"A=a\\ b\\\\\n", "A=a b\\"},
        {"# A=1\n; B=1\n  # C=1\n", ""},
        {"# goes on \\\nA=1\nB=2\n", "B=2"},
        {"A=a'b'\"c\"d\n", "A=abcd"},
        {"no assignment\nA=1\n", "A=1"},
        {"A=1 # no comment\n", "A=1 # no comment"},
        {" A = 1\n", "A=1"},
        {"A=\n", "A="},
        {"B=1\nA=\"x\n", "f:2: a quote is not closed"},
        {"A='x\n", "f:1: a quote is not closed"},
    };
    for (const auto& row : rows) {
        INFO(row.text);
        CHECK(told(parse_systemd_file("f", row.text)) == row.expected);
    }
}

TEST_CASE("env file: what env prints is read back", "[env-source]") {
    for (const auto& value : hostile_values()) {
        const std::vector<EnvLine> lines{{"A", value}, {"B", "after"}};
        INFO(printable(value));
        const auto docker = render_environment(EnvFormat::docker, lines);
        REQUIRE(docker.ok());
        CHECK(told(parse_docker_file("f", docker->out, {})) == "A=" + value + "|B=after");
        const auto systemd = render_environment(EnvFormat::systemd, lines);
        REQUIRE(systemd.ok());
        CHECK(told(parse_systemd_file("f", systemd->out)) == "A=" + value + "|B=after");
    }
}

TEST_CASE("env file: a name that docker would not read as itself is refused", "[env-source]") {
    for (const char* name : {"", "\xef\xbb\xbf\x41", "\vA", "\fA", "\rA", " A", "#A"}) {
        const EnvLine line{name, "1"};
        INFO(printable(name));
        CHECK_FALSE(render_environment(EnvFormat::docker, {&line, 1}).ok());
    }
}

TEST_CASE("env file: any text ends", "[env-source]") {
    const std::string letters = "A=\"'\\\n #;$x";
    std::uint32_t state = 1;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (int at = 0; at < 12; ++at) {
            state = state * 1664525U + 1013904223U;
            text += letters[(state >> 16) % letters.size()];
        }
        (void)parse_docker_file("f", text, {});
        (void)parse_systemd_file("f", text);
    }
    SUCCEED();
}

TEST_CASE("environment of a process: up to the first equal name", "[env-source]") {
    MemoryFs fs;
    fs.add_file("/proc/7/environ", std::string("A=1\0B=\0A=2\0odd\0=x\0", 18));
    fs.add_file("/proc/8/environ", "");
    CHECK(told(environment_of(fs, "7")) == "=x|A=1|B=");
    CHECK(environment_of(fs, "8").is(ErrorKind::not_here));
    CHECK(environment_of(fs, "9").is(ErrorKind::not_here));
}

}  // namespace env_source_test
