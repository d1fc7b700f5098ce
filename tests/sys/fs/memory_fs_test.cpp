// SPDX-License-Identifier: MIT
#include "os/fs/memory_fs.h"

#include <cerrno>
#include <string>
#include <vector>

#include "support/catch.h"

namespace memory_fs_test {

namespace {

using namespace rocenv;
using Names = std::vector<std::string>;

TEST_CASE("A file brings the folders above it", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/sys/class/kfd/x", "1\n");
    CHECK(*fs.read("/sys/class/kfd/x") == "1\n");
    CHECK(*fs.list("/") == Names{"sys"});
    CHECK(*fs.list("/sys/class") == Names{"kfd"});
}

TEST_CASE("Listings are sorted by bytes and one level deep", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/d/b/deep", "");
    fs.add_file("/d/a", "");
    fs.add_link("/d/Z", "/nowhere");
    fs.add_folder("/d/10");
    fs.add_folder("/d/9");
    fs.add_folder("/dd");
    CHECK(*fs.list("/d") == Names{"10", "9", "Z", "a", "b"});
    CHECK(fs.list("/dd")->empty());
}

// As in /sys/class/drm: card0 is a folder and card0-DP-1 its neighbour.
TEST_CASE("A listing skips what is below a name and nothing beside it", "[memory_fs]") {
    MemoryFs fs;
    const Names names{"a", "a b", "a!", "a-b", "a.b", "a0", "a:", "ab"};
    for (const auto& name : names) {
        fs.add_file("/d/" + name + "/below", "");
    }
    CHECK(*fs.list("/d") == names);
}

TEST_CASE("Who may open a file is told without reading it", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/dev/open", "");
    fs.add_link("/dev/link", "open");
    fs.add_error("/dev/kfd", EACCES);
    fs.add_error("/dev/sick", EIO);
    CHECK(fs.access("/dev/link")->err == 0);
    CHECK(fs.access("/dev/kfd")->err == EACCES);
    CHECK(fs.access("/dev/sick").error().err == EIO);
    CHECK(fs.access("/dev/gone").is(ErrorKind::not_here));
}

TEST_CASE("Folders, files and nothing are told apart", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/d/f", "text");
    CHECK(fs.read("/d").error().err == EISDIR);
    CHECK(fs.list("/d/f").error().err == ENOTDIR);
    CHECK(fs.link("/d/f").error().err == EINVAL);
    for (const char* path : {"/x", "/d/x", "/d/f/x", "/x/.."}) {
        CAPTURE(path);
        CHECK(fs.read(path).is(ErrorKind::not_here));
        CHECK(fs.read_at(path, 0, 1).is(ErrorKind::not_here));
        CHECK(fs.list(path).is(ErrorKind::not_here));
        CHECK(fs.link(path).is(ErrorKind::not_here));
        CHECK(fs.size(path).is(ErrorKind::not_here));
        CHECK(fs.capacity(path).is(ErrorKind::not_here));
    }
    CHECK_FALSE(fs.is_real());
}

TEST_CASE("Part of a file in memory, as much as there is", "[memory_fs]") {
    MemoryFs fs;
    fs.add_config("/config", "0123456789", 4096);
    CHECK(*fs.read_at("/config", 0, 4) == "0123");
    CHECK(*fs.read_at("/config", 8, 4) == "89");
    CHECK(fs.read_at("/config", 10, 4)->empty());
    CHECK(fs.read_at("/config", 0x100, 4)->empty());
    CHECK(*fs.size("/config") == 4096);
}

TEST_CASE("An error behind what can be read is none of the path", "[memory_fs]") {
    MemoryFs fs;
    fs.add_config("/config", "0123", 4096, EIO);
    CHECK(*fs.read_at("/config", 0, 4) == "0123");
    CHECK(fs.read_at("/config", 4, 4).error().err == EIO);
    CHECK(fs.link("/config").error().err == EINVAL);
    fs.add_error("/failed", EIO);
    CHECK(fs.link("/failed").error().err == EIO);
    CHECK(*fs.capacity("/failed") == 0);
}

TEST_CASE("Of what is lost nothing is known", "[memory_fs]") {
    MemoryFs fs;
    fs.add_link("/loop", "loop");
    fs.add_lost("/loop", ELOOP);
    CHECK(fs.link("/loop").error().err == ELOOP);
    CHECK(fs.read("/loop").error().err == ELOOP);
    CHECK(fs.size("/loop").error().err == ELOOP);
    CHECK(fs.capacity("/loop").error().err == ELOOP);
}

struct LinkCase {
    const char* path;
    int err;
    const char* content;
};

TEST_CASE("Links in memory are followed as in a jail", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/a/f", "a/f");
    fs.add_file("/x", "x");
    fs.add_link("/abs", "/a/f");
    fs.add_link("/folder", "a");
    fs.add_link("/a/up", "../../../x");
    fs.add_link("/c1", "folder/up");
    fs.add_link("/loop", "loop");
    fs.add_link("/ping", "/pong");
    fs.add_link("/pong", "ping");
    fs.add_link("/gone", "/nowhere");
    fs.add_link("/root", "/");
    const LinkCase cases[] = {
        {"/abs", 0, "a/f"},        {"/folder/f", 0, "a/f"}, {"/a/up", 0, "x"},
        {"/c1", 0, "x"},           {"/a/../../x", 0, "x"},  {"/root/root/x", 0, "x"},
        {"/folder/../x", 0, "x"},  {"//a/./f", 0, "a/f"},   {"/loop", ELOOP, ""},
        {"/ping/deep", ELOOP, ""}, {"/gone", ENOENT, ""},   {"/abs/more", ENOENT, ""}};
    for (const auto& item : cases) {
        CAPTURE(item.path);
        const auto read = fs.read(item.path);
        CHECK((read ? 0 : read.error().err) == item.err);
        CHECK((read ? *read : "") == item.content);
    }
}

TEST_CASE("A link is read without following it, below links that are", "[memory_fs]") {
    MemoryFs fs;
    fs.add_folder("/devices/gpu");
    fs.add_link("/devices/gpu/driver", "../../drivers/amdgpu");
    fs.add_link("/bus", "/devices");
    CHECK(*fs.link("/bus") == "/devices");
    CHECK(*fs.link("/bus/gpu/driver") == "../../drivers/amdgpu");
    CHECK(*fs.list("/bus") == Names{"gpu"});
}

TEST_CASE("An error is given by every operation that reads the path", "[memory_fs]") {
    MemoryFs fs;
    fs.add_error("/e", EIO);
    CHECK(fs.read("/e").error().err == EIO);
    CHECK(fs.read_at("/e", 0, 1).error().err == EIO);
    CHECK(fs.list("/e").error().err == EIO);
    CHECK(fs.link("/e").error().err == EIO);
    CHECK(exists(fs, "/e"));
}

TEST_CASE("What is removed is gone with all below it and nothing beside it", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/d/a/f", "1");
    fs.add_file("/d/ab", "2");
    fs.add_file("/d/a-b", "3");
    fs.remove("/d/a");
    CHECK(fs.read("/d/a/f").is(ErrorKind::not_here));
    CHECK(*fs.list("/d") == Names{"a-b", "ab"});
    fs.remove("/d/not");
    CHECK(*fs.read("/d/ab") == "2");
}

TEST_CASE("What is added last counts", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/f", "1");
    fs.add_file("/f", "2");
    CHECK(*fs.read("/f") == "2");
    fs.add_error("/f", EACCES);
    CHECK(fs.read("/f").is(ErrorKind::not_permitted));
}

TEST_CASE("A link hides what was below its place, in a copy too", "[memory_fs]") {
    MemoryFs fs;
    fs.add_file("/a/f", "hidden");
    fs.add_file("/a/g/h", "hidden");
    fs.add_file("/b/f", "seen");
    fs.add_link("/a", "b");
    for (const MemoryFs& one : {fs, MemoryFs(fs)}) {
        CHECK(*one.read("/a/f") == "seen");
        CHECK(one.read("/a/g/h").is(ErrorKind::not_here));
        CHECK(*one.list("/a") == Names{"f"});
    }
}

}  // namespace

}  // namespace memory_fs_test
