// SPDX-License-Identifier: MIT
#include "os/fs/posix_fs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/catch.h"
#include "support/skip.h"

namespace trusted_file_test {

namespace {

using namespace rocenv;
namespace fs = std::filesystem;

constexpr uid_t other = 1234;

// A folder of root's below /tmp, and the working folder.
class Folder {
   public:
    Folder() : before_(fs::current_path()) {
        char name[] = "/tmp/rocenv-trust-XXXXXX";
        REQUIRE(::mkdtemp(name) != nullptr);
        path_ = name;
        fs::current_path(path_);
    }
    ~Folder() {
        std::error_code ignored;
        fs::current_path(before_, ignored);
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string of(const std::string& name) const { return path_ + "/" + name; }

   private:
    fs::path before_;
    std::string path_;
};

void make_file(const std::string& name, mode_t mode = 0644) {
    const Fd file(::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, mode));
    REQUIRE(::write(file.get(), "text", 4) == 4);
    REQUIRE(::fchmod(file.get(), mode) == 0);
}

void make_folder(const std::string& name, mode_t mode = 0755) {
    REQUIRE(::mkdir(name.c_str(), mode) == 0);
    REQUIRE(::chmod(name.c_str(), mode) == 0);
}

void make_link(const std::string& target, const std::string& name) {
    REQUIRE(::symlink(target.c_str(), name.c_str()) == 0);
}

void change_owner(const std::string& name) {
    REQUIRE(::lchown(name.c_str(), other, other) == 0);
}

// "" if the file is trusted, else why not, or the error.
std::string why_not(const std::string& path) {
    const auto text = real_fs()->read_trusted(path);
    if (text) {
        CHECK(*text == "text");
        return "";
    }
    const std::string start = path + " is not trusted: ";
    const std::string& error = text.error().text;
    CHECK(is_not_trusted(text.error()) == error.starts_with(start));
    return error.starts_with(start) ? error.substr(start.size()) : error;
}

bool is_root() {
    return ::geteuid() == 0;
}

}  // namespace

TEST_CASE("trusted: owner and mode of a file and of the folders above it") {
    if (!is_root()) {
        return say_skipped("needs root");
    }
    const Folder here;
    make_file("f");
    CHECK(why_not("f").empty());
    CHECK(why_not("./f").empty());
    CHECK(why_not(here.of("f")).empty());
    make_file("group", 0664);
    CHECK(why_not("group") == "the file can be written by its group");
    make_file("all", 0646);
    CHECK(why_not("all") == "the file can be written by other users");
    make_file("given");
    change_owner("given");
    CHECK(why_not("given") == "the file belongs to user 1234");

    make_folder("open", 0777);
    make_folder("open/below");
    make_file("open/below/f");
    const std::string why = "the folder " + here.of("open") + " can be written by other users";
    CHECK(why_not("open/below/f") == why);
    CHECK(why_not("open/../f") == why);
    REQUIRE(::chmod("open", 01777) == 0);
    CHECK(why_not("open/below/f").empty());
    CHECK(why_not("open/../f").empty());
    change_owner("open");
    CHECK(why_not("open/below/f") == "the folder " + here.of("open") + " belongs to user 1234");
    const auto error = real_fs()->read_trusted("open/below/f").error();
    CHECK(error.path == here.of("open"));
}

TEST_CASE("trusted: links and what they lead to") {
    if (!is_root()) {
        return say_skipped("needs root");
    }
    const Folder here;
    make_folder("roots");
    make_file("roots/f");
    make_link("roots/f", "relative");
    make_link(here.of("roots"), "absolute");
    make_link("absolute/../relative", "both");
    CHECK(why_not("relative").empty());
    CHECK(why_not("absolute/f").empty());
    CHECK(why_not("both").empty());

    make_link("roots/f", "strange");
    change_owner("strange");
    CHECK(why_not("strange") == "the link " + here.of("strange") + " belongs to user 1234");
    make_link("strange", "second");
    CHECK(why_not("second") == "the link " + here.of("strange") + " belongs to user 1234");

    change_owner("roots");
    CHECK(why_not("both") == "the folder " + here.of("roots") + " belongs to user 1234");
    make_link("loop", "loop");
    CHECK(why_not("loop").find("Too many levels") != std::string::npos);
    make_link("nowhere", "broken");
    CHECK(real_fs()->read_trusted("broken").is(ErrorKind::not_here));
}

TEST_CASE("trusted: what is not a regular file, and links of /proc that lead elsewhere") {
    if (!is_root()) {
        return say_skipped("needs root");
    }
    const Folder here;
    REQUIRE(::mkfifo("pipe", 0600) == 0);
    CHECK(why_not("pipe") == "pipe: is not a regular file");
    CHECK(why_not(".").find("Is a directory") != std::string::npos);
    CHECK(real_fs()->read_trusted("missing").is(ErrorKind::not_here));
    make_file("f");
    CHECK(real_fs()->read_trusted("f/g").is(ErrorKind::not_here));
    if (fs::exists("/proc/self/fd")) {
        const Fd file(::open("f", O_RDONLY | O_CLOEXEC));
        REQUIRE(::unlink("f") == 0);  // its link's text is "… (deleted)"
        CHECK(why_not("/proc/self/fd/" + std::to_string(file.get())).find("leads elsewhere") !=
              std::string::npos);
    }
}

}  // namespace trusted_file_test
