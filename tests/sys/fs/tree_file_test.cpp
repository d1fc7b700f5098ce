// SPDX-License-Identifier: MIT
#include "os/fs/tree_file.h"

#include <cerrno>
#include <string>
#include <vector>

#include "support/catch.h"

namespace tree_file_test {

namespace {

using namespace rocenv;

Result<std::unique_ptr<MemoryFs>> parse(const std::string& body) {
    return parse_tree("m.tree", "rocenv tree 1\n" + body);
}

std::unique_ptr<MemoryFs> parsed(const std::string& body) {
    auto fs = parse(body);
    if (!fs) {
        FAIL(fs.error().text);
    }
    return std::move(fs).value();
}

TEST_CASE("Every kind of entry becomes what it says", "[tree_file]") {
    const auto fs = parsed(R"(# a comment

d /sys/class/kfd
f /proc/one = 1
f /proc/two
| first
| second
f /proc/empty
l /sys/bus/x -> ../devices/x
c /sys/devices/x/config 4096 64
  000: 02 10 a1 74
e /sys/e EBUSY
)");
    CHECK(fs->list("/sys/class/kfd")->empty());
    CHECK(*fs->read("/proc/one") == "1\n");
    CHECK(*fs->read("/proc/two") == "first\nsecond\n");
    CHECK(fs->read("/proc/empty")->empty());
    CHECK(*fs->read_at("/sys/bus/x/config", 0, 2) == "\x02\x10");
    CHECK(*fs->link("/sys/bus/x") == "../devices/x");
    CHECK(fs->read("/sys/e").error().err == EBUSY);
}

TEST_CASE("An end mark says how many entries there are to be", "[tree_file]") {
    const std::string body = "d /sys\nf /proc/one\n| f /no/entry\n";
    CHECK(parsed(body + tree_end_mark(2))->remark().empty());
    CHECK(parsed(body + "d /more\n" + tree_end_mark(2))->remark().empty());
    CHECK(parsed(body)->remark() == "has no end mark: it may be cut off");
    CHECK(parsed("# rocenv 0.2.0 record; identities are redacted\n" + body)->remark() ==
          "is cut off: it has no end mark");
    CHECK(parsed("# a machine of rocenv 0.2.0\n" + body)->remark() ==
          "has no end mark: it may be cut off");
    CHECK(parse(body + tree_end_mark(3))
              .error()
              .text.find("the file is cut off: found 2 entries, expected 3") != std::string::npos);
    CHECK(parsed(body + "# end of the recording: entries\n")->remark() ==
          "has no end mark: it may be cut off");
    CHECK(tree_entry_count(body) == 2);
}

struct EscapeCase {
    const char* text;
    std::string bytes;
};

TEST_CASE("Escapes stand for bytes", "[tree_file]") {
    const EscapeCase cases[] = {{R"(a\nb)", "a\nb\n"},
                                {R"(a\tb)", "a\tb\n"},
                                {R"(a\\nb)", "a\\nb\n"},
                                {R"(\x00\x7f\xFf)", std::string("\0\x7f\xff\n", 4)},
                                {R"(end\c)", "end"},
                                {R"(\c)", ""},
                                {R"(\\c)", "\\c\n"},
                                {" two blanks ", " two blanks \n"},
                                {"", "\n"}};
    for (const auto& item : cases) {
        CAPTURE(item.text);
        const auto fs = parsed(std::string("f /f = ") + item.text + "\n");
        CHECK(*fs->read("/f") == item.bytes);
        const auto lines = parsed(std::string("f /f\n| ") + item.text + "\n");
        CHECK(*lines->read("/f") == item.bytes);
    }
}

TEST_CASE("A config file reads as far as READABLE and keeps its size", "[tree_file]") {
    const auto fs = parsed(R"(c /whole 4096
  100: 0d 00 01 00
  ffc: ff
c /short 4096 64
  03c: 0b
  100: 0d
c /legacy 256
)");
    CHECK(*fs->read_at("/whole", 0x100, 4) == std::string("\x0d\0\x01\0", 4));
    CHECK(*fs->read_at("/whole", 0xffc, 4) == std::string("\xff\0\0\0", 4));
    CHECK(*fs->size("/short") == 4096);
    CHECK(fs->read_at("/short", 0, 4096)->size() == 64);
    CHECK(fs->read_at("/short", 0x100, 4)->empty());
    CHECK(*fs->size("/legacy") == 256);
}

TEST_CASE("What a recording holds besides", "[tree_file]") {
    const auto fs = parsed(R"(c /cut 4096 256 EIO
  0fc: 01 02 03 04
l /link -> /there
f /link/below = 1
l /d\x20x -> a\x20b
e /d\x20x EACCES
e /lost EACCES all
n /unread
v /shm 1024
d /shm
)");
    CHECK(*fs->read_at("/cut", 0xfc, 8) == "\x01\x02\x03\x04");
    CHECK(fs->read_at("/cut", 0x100, 4).error().err == EIO);
    CHECK(*fs->size("/cut") == 4096);
    CHECK(*fs->link("/link") == "/there");
    CHECK(*fs->read("/link/below") == "1\n");
    CHECK(*fs->list("/link") == std::vector<std::string>{"below"});
    CHECK(*fs->link("/d x") == "a b");
    CHECK(fs->read("/d x").error().err == EACCES);
    CHECK(fs->size("/lost").error().err == EACCES);
    CHECK(exists(*fs, "/unread"));
    CHECK(fs->read("/unread").is(ErrorKind::io));
    CHECK(fs->list("/unread").is(ErrorKind::io));
    CHECK(fs->read("/unread/below").is(ErrorKind::not_here));
    CHECK(*fs->capacity("/shm") == 1024);
    CHECK(fs->list("/shm")->empty());
}

struct WrongCase {
    const char* body;
    const char* error;
};

const WrongCase wrong_cases[] = {
    {"x /path\n", "m.tree:2: unknown kind of entry: x /path"},
    {"\n\nd path\n", "m.tree:4: not an entry: d path"},
    {"d\n", "m.tree:2: not an entry"},
    {"| text\n", "m.tree:2: not an entry"},
    {"  000: 00\n", "m.tree:2: not an entry"},
    {"f /f = \\q\n", "m.tree:2: unknown escape"},
    {"f /f = \\x4\n", "m.tree:2: unknown escape"},
    {"f /f = \\x4g\n", "m.tree:2: unknown escape"},
    {"f /f = \\\n", "m.tree:2: unknown escape"},
    {"f /f = a\\cb\n", "m.tree:2: unknown escape"},
    {"l /l target\n", "m.tree:2: expected l PATH -> TARGET"},
    {"l /l -> \n", "m.tree:2: expected l PATH -> TARGET"},
    {"l /l\n", "m.tree:2: expected l PATH -> TARGET"},
    {"e /e EWHAT\n", "m.tree:2: unknown errno name EWHAT"},
    {"e /e 5\n", "m.tree:2: unknown errno name 5"},
    {"e /e\n", "m.tree:2: unknown errno name"},
    {"c /c\n", "m.tree:2: a config file is written"},
    {"c /c many\n", "m.tree:2: a config file is written"},
    {"c /c 4097\n", "m.tree:2: a config file is written"},
    {"c /c 64 65\n", "m.tree:2: a config file is written"},
    {"c /c 99999999999999999999\n", "m.tree:2: a config file is written"},
    {"c /c 64 64 EWHAT\n", "m.tree:2: a config file is written"},
    {"e /e EIO more\n", "m.tree:2: unknown errno name EIO more"},
    {"e /e all\n", "m.tree:2: unknown errno name all"},
    {"n /n more\n", "m.tree:2: an unread file has no content"},
    {"v /v many\n", "m.tree:2: the size of a file system is written v PATH BYTES"},
    {"f /f\\q = 1\n", "m.tree:2: not a plain path: /f\\q"},
    {"f /a\\x2f\\x2e\\x2e = 1\n", "m.tree:2: not a plain path"},
    {"l /l -> a\\nb\n", "m.tree:2: unknown escape"},
    {"c /c 16\n  000: 00\n  010: 00\n", "m.tree:4: bytes are written OFFSET: HH HH"},
    {"c /c 16\n  00f: 00 00\n", "m.tree:3: bytes are written"},
    {"c /c 16\n  000: 100\n", "m.tree:3: bytes are written"},
    {"c /c 16\n  000 00\n", "m.tree:3: bytes are written"},
    {"c /c 16\n  zz: 00\n", "m.tree:3: bytes are written"},
    {"c /c 16\n  ffffffffffffffff: 00\n", "m.tree:3: bytes are written"},
};

TEST_CASE("What is wrong is told with file and line", "[tree_file]") {
    for (const auto& item : wrong_cases) {
        CAPTURE(item.body);
        const auto fs = parse(item.body);
        REQUIRE(fs.is(ErrorKind::bad_input));
        CHECK(fs.error().text.starts_with(item.error));
        CHECK(fs.error().path == "m.tree");
    }
}

TEST_CASE("The line of an unknown escape is its own", "[tree_file]") {
    const auto fs = parse("f /f\n| good\n| bad \\q\n| good\n");
    REQUIRE(fs.is(ErrorKind::bad_input));
    CHECK(fs.error().text == "m.tree:4: unknown escape");
}

TEST_CASE("What follows an entry and is not understood is an error, not left out", "[tree_file]") {
    for (const char* body :
         {"f /f =1\n", "f /f 1\n", "d /d more\n", "c /c 64 64 64\n", "c /c 64\n  zz:\n"}) {
        CAPTURE(body);
        CHECK(parse(body).is(ErrorKind::bad_input));
    }
}

TEST_CASE("Every path of a tree can be reached under that name", "[tree_file]") {
    for (const char* path : {"/a/", "//a", "/a//b", "/a/../b", "/a/./b"}) {
        CAPTURE(path);
        const auto fs = parse(std::string("f ") + path + " = 1\n");
        CHECK((!fs || (*fs)->read(path).ok()));
    }
}

TEST_CASE("A file that is no tree is refused at its first line", "[tree_file]") {
    for (const char* text : {"", "\n", "rocenv tree 2\n", "rocenv tree 1\r\n", "\177ELF"}) {
        CAPTURE(text);
        const auto fs = parse_tree("m.tree", text);
        REQUIRE(fs.is(ErrorKind::bad_input));
        CHECK(fs.error().text == "m.tree:1: expected \"rocenv tree 1\" in the first line");
    }
}

TEST_CASE("An error shows hostile bytes as escapes", "[tree_file]") {
    const auto fs = parse("\x1b]0;title\x07 " + std::string(9000, 'x') + "\n");
    REQUIRE(fs.is(ErrorKind::bad_input));
    CHECK(fs.error().text.find('\x1b') == std::string::npos);
    CHECK(fs.error().text.size() < 120);
}

TEST_CASE("Links of a tree stay inside it and loops end", "[tree_file]") {
    const auto fs = parsed(R"(f /etc/passwd = theirs
l /abs -> /etc/passwd
l /up -> ../../../etc/passwd
l /ping -> pong
l /pong -> /ping
)");
    CHECK(*fs->read("/abs") == "theirs\n");
    CHECK(*fs->read("/up") == "theirs\n");
    CHECK(fs->read("/ping").error().err == ELOOP);
}

TEST_CASE("A last line without a line end counts", "[tree_file]") {
    CHECK(*parsed("f /f = 1")->read("/f") == "1\n");
    CHECK(*parsed("f /f\n| 1")->read("/f") == "1\n");
}

}  // namespace

}  // namespace tree_file_test
