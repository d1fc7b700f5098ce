// SPDX-License-Identifier: MIT
// Environments from files: docker's, systemd's and the shell's rules, and that all read what `env`
// prints.
#include "variables/environment.h"

#include "cli/formats.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/sh_file.h"

using namespace rocenv;

namespace env_source_test {

namespace {

// "NAME=VALUE|NAME=VALUE", or the error's text.
std::string printed(const Result<Environment>& found) {
    if (!found) {
        return found.error().text;
    }
    std::string out;
    for (const auto& [name, value] : *found) {
        out += (out.empty() ? "" : "|") + name + "=" + value;
    }
    return out;
}

// Returns the text of `printed()`, then "|?NAME" for each unknown variable, "|?" if any other may
// be set, and " LINE LINE" for the lines that are ignored or not evaluated.
std::string printed(const GivenEnvironment& found) {
    std::string out = printed(Result<Environment>(found.variables));
    for (const auto& [name, why] : found.not_evaluated.names) {
        out += (out.empty() ? "?" : "|?") + name;
        CHECK(why.starts_with("f:"));
        CHECK_FALSE(found.variables.contains(name));
    }
    out += found.not_evaluated.others.empty() ? "" : "|?";
    for (const auto& line : found.unread) {
        CHECK(line.place.starts_with("f:"));
        CHECK_FALSE(line.why.empty());
        out += " " + line.place.substr(2);
    }
    return out;
}

std::string printed(const Result<GivenEnvironment>& found) {
    return found ? printed(*found) : found.error().text;
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
        {"HOME\nNOT_SET\n", "HOME=/home/a 2"},
        {"A=1\nA=2\n", "A=2"},
        {"A=b=c\n", "A=b=c"},
        {"\xef\xbb\xbf"
         "A=1\n",
         "A=1"},
        {"export A=1\n",
         "f:1: \"export\" and the text after it is not a valid name (docker rejects it)"},
        {"A=1\n=2\n", "f:2: \"\" is not a valid name (docker rejects it)"},
    };
    for (const auto& row : rows) {
        INFO(row.text);
        CHECK(printed(parse_docker_file("f", row.text, caller)) == row.expected);
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
        // Since systemd 254 such a comment ends with its line.
        {"# goes on \\\nA=1\nB=2\n", "B=2|?A 2"},
        {"# goes on \\\n\nA=1\n", "A=1"},
        {"# goes on \\\n# and on \\\nA=1\n", "?A 3"},
        // Quotes count at the beginning of a value and behind another quoted part.
        {"A=a'b'\"c\"d\n", "A=a'b'\"c\"d"},
        {"A='a' \"b\"'c' d'e' \n", "A=abcd'e'"},
        {"A=\"a\" # no comment\n", "A=a# no comment"},
        {"no assignment\nA=1\n", "A=1 1"},
        {"export A=1\nB=2\n", "B=2 1"},
        {"1A=1\nA-B=1\n=1\n\"A\"=1\n", " 1 2 3 4"},
        {"A=\"x\ny\"\nnone\n", "A=x\ny 3"},
        {"A=1 # no comment\n", "A=1 # no comment"},
        {" A = 1\n", "A=1"},
        {"A=\n", "A="},
        {"B=1\nA=\"x\n", "f:2: a quote is not closed"},
        {"A='x\n", "f:1: a quote is not closed"},
    };
    for (const auto& row : rows) {
        INFO(row.text);
        CHECK(printed(parse_systemd_file("f", row.text)) == row.expected);
    }
}

// The values are those that dash 0.5.12 and bash 5.2 export (`set -a; . FILE; env`), of what both
// can parse.
TEST_CASE("env file: sh takes words that nothing expands", "[env-source]") {
    const std::vector<Row> rows{
        {"", ""},
        {"A=1\nexport B=2", "A=1|B=2"},
        {"export A=1 B=2 C=\n", "A=1|B=2|C="},
        {"A=1 B=2; C=3;\n", "A=1|B=2|C=3"},
        {"  A=1 # comment\n# B=1\n\n", "A=1"},
        {"A=1#2\n", "A=1#2"},
        {"A='a $b `c` \"d\" \\'\n", "A=a $b `c` \"d\" \\"},
        {"A=\"a 'b' \\\" \\$ \\` \\\\ \\x *\"\n", "A=a 'b' \" $ ` \\ \\x *"},
        {"A=a'b'\"c\"d\n", "A=abcd"},
        {"A=a\\ b\\\\c\\*\n", "A=a b\\c*"},
        {"A=a\\\nb\nB=\"c\\\nd\"\n", "A=ab|B=cd"},
        {"export \\\n  A=1 \\\n  B=2\n", "A=1|B=2"},
        {"A='x\ny'\nls\n", "A=x\ny 3"},
        {"A=b=c\nA=2\n", "A=2"},
        {"A=a:~/b\n", "?A 1"},
        {"A=~/b\nB=a~\nC='~'\n", "B=a~|C=~|?A 1"},
        {"A=1\nexport A\nB=$A\nexport B A\n", "A=1|?B 3"},
        // Not evaluated: the variable is unknown.
        {"A=$B\nC=1\n", "C=1|?A 1"},
        {"A=1\nA=\"x $B y\"\n", "?A 2"},
        {"A=$B\nA=1\n", "A=1 1"},
        {"A=`b 'c' \\`d\\``\nB=1\n", "B=1|?A 1"},
        {"A=$(b \"$(c ')' )\" d) B=1\n", "B=1|?A 1"},
        {"A=${B:-\"c d\"}x\nB=\"${C:-\"d }\"}\"\nC=1\n", "C=1|?A|?B 1 2"},
        {"A=$'a\\'b c'\nB=1\n", "B=1|?A 1"},
        {"A=*\nB=a?\nC=[ab]\nD={a,b}\nE='*'\n", "E=*|?A|?B|?C|?D 1 2 3 4"},
        {"A=(1 2)\nB+=1\n", "?A|?B 1 2"},
        {"export A=$B C=$D E=1\n", "E=1|?A|?C 1"},
        // Other statements.
        {"export A\n", "?A 1"},
        {"A=1\nunset A\nreadonly B=1\n", "?A|?B 2 3"},
        {"A=1 program\nprogram B=1\n", "?A|?B 1 2"},
        {"A=1 && B=2\nC=3 &\nD=4 >f\n", "?A|?B|?C|?D 1 2 3"},
        {"set -a\nA=1; ls; B=2\n", "A=1|B=2 1 2"},
        {"A=1\n. /etc/other\n", "A=1|? 2"},
        {"echo . source\n", " 1"},
        {"if x; then\n  A=1\nelse A=2\nfi\nB=1\n", "B=1|?A 1 2 3 4"},
        {"for a in 1 2; do\nA=1\ndone\nB=1\n", "B=1|?A|?a 1 2 3"},
        {"case x in\na) A=1;;\n*)\nB=1\n;;\nesac\nC=1\n", "C=1|?A|?B 1 2 3 4 6"},
        {"f() {\nA=1\nreturn\n}\nB=1\n", "B=1|?A 1 2 3 4"},
        {"function f {\nA=1\n}\nB=1\n", "B=1|?A 1 2 3"},
        {"f()\n{\nA=1; }\n(\nB=1\n)\nC=1\n", "C=1|?A|?B 1 2 3 4 5 6"},
        {"while x; do if y; then A=1; fi; done; B=1\n", "B=1|?A 1"},
        {"echo if {\nA=1\n", "A=1 1"},
        {"[ x ] || return\nA=1\n", "?A 1 2"},
        {"A=1\nexec program\n", "A=1 2"},
        {"cat <<EOF\nA=1\nEOF\nB=1\n", "B=1 1"},
        {"cat <<-'E' <<F\nA=1\n\tE\nA=2\nF\nB=1\n", "B=1 1"},
        {"A=1\nB=\"x\nC=1\n", "A=1|?B|? 2"},
        {"A=$(x\nC=1\n", "?A|? 1"},
    };
    for (const auto& row : rows) {
        INFO(row.text);
        CHECK(printed(parse_sh_file("f", row.text)) == row.expected);
    }
}

TEST_CASE("env file: sh names no part of a line", "[env-source]") {
    const auto found =
        parse_sh_file("f", "A=$secret\nsecret arg\nsecret=1 secret\n. secret\nif secret\nsecret\n");
    for (const auto& line : found.unread) {
        CHECK((line.why + line.advice).find("secret") == std::string::npos);
    }
    CHECK(found.unread.size() == 6);
    CHECK(found.not_evaluated.names.at("A") ==
          "f:1: the value uses $, which rocenv does not evaluate");
}

TEST_CASE("env file: substitutions may be nested however deep", "[env-source]") {
    std::string text = "A=1\nB=";
    for (int depth = 0; depth < 100000; ++depth) {
        text += "$(\"${x:-";
    }
    CHECK(printed(parse_sh_file("f", text)) == "A=1|?B|? 2");
}

TEST_CASE("env file: a later file wins, known or not", "[env-source]") {
    MemoryFs fs;
    fs.add_file("/a", "A=1\nB=$X\nC=$X\n");
    fs.add_file("/b", "A=$X\nB=2\n");
    const auto found = given_environment("", {"sh:/a", "sh:/b"}, fs, fs, {});
    REQUIRE(found.ok());
    CHECK(found->variables == Environment{{"B", "2"}});
    CHECK(found->not_evaluated.names.size() == 2);
    CHECK(found->not_evaluated.names.at("A") ==
          "/b:1: the value uses $, which rocenv does not evaluate");
    CHECK(found->unread.size() == 3);
}

TEST_CASE("env file: what env prints is read back", "[env-source]") {
    for (const auto& value : hostile_values()) {
        const std::vector<EnvLine> lines{{"A", value}, {"B", "after"}};
        INFO(printable(value));
        const auto docker = render_environment(*format_named<EnvFormat>("docker"), lines);
        REQUIRE(docker.ok());
        CHECK(printed(parse_docker_file("f", docker->out, {})) == "A=" + value + "|B=after");
        const auto systemd = render_environment(*format_named<EnvFormat>("systemd"), lines);
        REQUIRE(systemd.ok());
        CHECK(printed(parse_systemd_file("f", systemd->out)) == "A=" + value + "|B=after");
        const auto sh = render_environment(*format_named<EnvFormat>("sh"), lines);
        REQUIRE(sh.ok());
        CHECK(printed(parse_sh_file("f", sh->out)) == "A=" + value + "|B=after");
    }
}

TEST_CASE("env file: a name that docker would not read as itself is refused", "[env-source]") {
    for (const char* name : {"", "\xef\xbb\xbf\x41", "\vA", "\fA", "\rA", " A", "#A"}) {
        const EnvLine line{name, "1"};
        INFO(printable(name));
        CHECK_FALSE(render_environment(*format_named<EnvFormat>("docker"), {&line, 1}).ok());
    }
}

TEST_CASE("env file: any text ends", "[env-source]") {
    const std::string letters = "A=\"'\\\n #;$x(){}<`";
    std::uint32_t state = 1;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (int at = 0; at < 12; ++at) {
            state = state * 1664525U + 1013904223U;
            text += letters[(state >> 16) % letters.size()];
        }
        (void)parse_docker_file("f", text, {});
        (void)parse_systemd_file("f", text);
        (void)parse_sh_file("f", text);
    }
    SUCCEED();
}

TEST_CASE("environment of a process: up to the first equal name", "[env-source]") {
    MemoryFs fs;
    fs.add_file("/proc/7/environ", std::string("A=1\0B=\0A=2\0odd\0=x\0", 18));
    fs.add_file("/proc/8/environ", "");
    CHECK(printed(environment_of(fs, "7")) == "=x|A=1|B=");
    CHECK(environment_of(fs, "8").is(ErrorKind::not_here));
    CHECK(environment_of(fs, "9").is(ErrorKind::not_here));
}

}  // namespace env_source_test
