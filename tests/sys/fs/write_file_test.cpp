// SPDX-License-Identifier: MIT
#include "os/fs/safe_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "os/fs/posix_fs.h"
#include "support/catch.h"

namespace write_file_test {

namespace {

using namespace rocenv;

class Folder {
   public:
    Folder() {
        std::string pattern = "/tmp/rocenv_write.XXXXXX";
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    std::size_t count() const { return real_fs()->list(path_)->size(); }

   private:
    std::string path_;
};

TEST_CASE("A file is written whole and replaced", "[write_file]") {
    const Folder folder;
    CHECK_FALSE(write_file(folder / "a", "one"));
    CHECK(*real_fs()->read(folder / "a") == "one");
    const std::string large(300000, 'x');
    CHECK_FALSE(write_file(folder / "a", large));
    CHECK(*real_fs()->read(folder / "a") == large);
    CHECK(folder.count() == 1);
}

mode_t mode_of(const std::string& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

TEST_CASE("Who may read a file is its owner's choice, the umask's, or nobody's else",
          "[write_file]") {
    const Folder folder;
    const mode_t before = ::umask(027);
    CHECK_FALSE(write_file(folder / "new", "x"));
    CHECK_FALSE(write_file(folder / "secret", "x", FileReaders::owner));
    CHECK(mode_of(folder / "new") == 0640);
    CHECK(mode_of(folder / "secret") == 0600);
    for (const mode_t mode : {0600U, 0444U, 0664U, 04755U}) {
        REQUIRE(::chmod((folder / "new").c_str(), mode) == 0);
        CHECK_FALSE(write_file(folder / "new", "y"));
        CHECK(mode_of(folder / "new") == (mode & 0777U));
    }
    ::umask(before);
}

TEST_CASE("Only a regular file is replaced", "[write_file]") {
    const Folder folder;
    CHECK_FALSE(write_file(folder / "a", "one"));
    REQUIRE(::symlink("a", (folder / "link").c_str()) == 0);
    REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
    for (const char* name : {"link", "fifo", "."}) {
        CAPTURE(name);
        const auto error = write_file(folder / name, "two");
        REQUIRE(error);
        CHECK(error->kind == ErrorKind::bad_input);
    }
    CHECK(*real_fs()->read(folder / "a") == "one");
    CHECK(folder.count() == 3);
}

TEST_CASE("A folder that is not there is an error that names the file", "[write_file]") {
    const Folder folder;
    const auto error = write_file(folder / "none/a", "x");
    REQUIRE(error);
    CHECK(error->err == ENOENT);
    CHECK(error->text.find("none/a") != std::string::npos);
}

}  // namespace

}  // namespace write_file_test
