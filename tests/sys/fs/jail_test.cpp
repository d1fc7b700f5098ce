// SPDX-License-Identifier: MIT
#include "os/fs/jail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"
#include "support/skip.h"

namespace jail_test {

namespace {

using namespace rocenv;
namespace fs = std::filesystem;

void put_file(const fs::path& path, std::string_view content) {
    fs::create_directories(path.parent_path());
    const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    REQUIRE(file);
    REQUIRE(::write(file.get(), content.data(), content.size()) ==
            static_cast<ssize_t>(content.size()));
}

// A folder of its own with the jail "in" and, next to it, files that processes in the jail must not
// reach.
class Jail {
   public:
    Jail() {
        char name[] = "/tmp/rocenv-jail-XXXXXX";
        REQUIRE(::mkdtemp(name) != nullptr);
        outer_ = name;
        fs::create_directories(root());
        put_file(outer_ / "secret", "outside");
        fd_ = Fd(::open(root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        REQUIRE(fd_);
    }
    ~Jail() {
        std::error_code ignored;
        fs::remove_all(outer_, ignored);
    }
    Jail(const Jail&) = delete;
    Jail& operator=(const Jail&) = delete;

    fs::path root() const { return outer_ / "in"; }
    fs::path outer() const { return outer_; }
    int fd() const { return fd_.get(); }
    void file(const std::string& path, std::string_view content) const {
        put_file(root() / path, content);
    }
    void link(const std::string& path, const std::string& target) const {
        fs::create_directories((root() / path).parent_path());
        fs::create_symlink(target, root() / path);
    }

   private:
    fs::path outer_;
    Fd fd_;
};

struct Opened {
    int err = 0;
    dev_t device = 0;
    ino_t inode = 0;
    std::string content;  // content of a regular file
    bool operator==(const Opened& other) const {
        return err == other.err && device == other.device && inode == other.inode;
    }
};

Opened opened_as(int got) {
    if (got < 0) {
        return {-got, 0, 0, ""};
    }
    const Fd file(got);
    struct stat status {};
    REQUIRE(::fstat(file.get(), &status) == 0);
    Opened opened{0, status.st_dev, status.st_ino, ""};
    char text[64];
    const ssize_t size = S_ISREG(status.st_mode) ? ::read(file.get(), text, sizeof text) : 0;
    opened.content.assign(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    return opened;
}

Opened open_in(int root, const std::string& path, Resolver resolver,
               int flags = O_RDONLY | O_CLOEXEC) {
    return opened_as(open_in_jail(root, path, flags, resolver));
}

bool kernel_resolves() {
    const Fd root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const int fd = open_in_jail(root.get(), "/", O_PATH, Resolver::kernel);
    const Fd opened(fd);
    return fd != -ENOSYS && fd != -EPERM;
}

// Both resolvers; the kernel's only where openat2(2) is to be had.
std::vector<Resolver> resolvers() {
    std::vector<Resolver> all{Resolver::by_hand, Resolver::automatic};
    if (kernel_resolves()) {
        all.push_back(Resolver::kernel);
    } else {
        say_skipped("no openat2 here: the kernel's resolver is not tested");
    }
    return all;
}

struct PathCase {
    const char* path;
    int err;
    const char* content;
};

void put_tree(const Jail& jail) {
    jail.file("a/f", "a/f");
    jail.file("x", "x");
    jail.file("secret", "inside");
    jail.link("abs", "/a/f");
    jail.link("abs_folder", "/a");
    jail.link("up", "../../../../secret");
    jail.link("a/up", "../../x");
    jail.link("c1", "c2");
    jail.link("c2", "a/c3");
    jail.link("a/c3", "/c4");
    jail.link("c4", "./a/../x");
    jail.link("loop", "loop");
    jail.link("ping", "pong");
    jail.link("pong", "ping");
    jail.link("dangling", "/nowhere");
    jail.link("outside", jail.outer() / "secret");
    jail.link("root", "/");
    jail.link("dots", "..");
}

TEST_CASE("Every path stays inside the jail", "[jail]") {
    const Jail jail;
    put_tree(jail);
    const PathCase cases[] = {{"/a/f", 0, "a/f"},
                              {"a/f", 0, "a/f"},
                              {"//a//./f", 0, "a/f"},
                              {"/abs", 0, "a/f"},
                              {"/abs_folder/f", 0, "a/f"},
                              {"/../../secret", 0, "inside"},
                              {"/a/../../x", 0, "x"},
                              {"/a/../../../secret", 0, "inside"},
                              {"/up", 0, "inside"},
                              {"/a/up", 0, "x"},
                              {"/c1", 0, "x"},
                              {"/root/root/x", 0, "x"},
                              {"/dots/dots/secret", 0, "inside"},
                              {"/abs_folder/../x", 0, "x"},
                              {"/loop", ELOOP, ""},
                              {"/ping", ELOOP, ""},
                              {"/ping/deeper", ELOOP, ""},
                              {"/dangling", ENOENT, ""},
                              {"/outside", ENOENT, ""},
                              {"/missing", ENOENT, ""},
                              {"/missing/../x", ENOENT, ""},
                              {"/x/f", ENOTDIR, ""},
                              {"/x/../x", ENOTDIR, ""}};
    for (const auto resolver : resolvers()) {
        for (const auto& item : cases) {
            CAPTURE(item.path, static_cast<int>(resolver));
            const auto opened = open_in(jail.fd(), item.path, resolver);
            CHECK(opened.err == item.err);
            CHECK(opened.content == item.content);
        }
    }
}

TEST_CASE("The root of the jail is its own parent", "[jail]") {
    const Jail jail;
    const auto root = open_in(jail.fd(), "/", Resolver::by_hand);
    CHECK(root.err == 0);
    for (const auto resolver : resolvers()) {
        for (const char* path : {"/", ".", "..", "/../..", "/./.."}) {
            CAPTURE(path, static_cast<int>(resolver));
            CHECK(open_in(jail.fd(), path, resolver) == root);
        }
    }
}

TEST_CASE("With O_NOFOLLOW only the last name is not followed", "[jail]") {
    const Jail jail;
    put_tree(jail);
    for (const auto resolver : resolvers()) {
        CAPTURE(static_cast<int>(resolver));
        CHECK(open_in(jail.fd(), "/abs", resolver, O_RDONLY | O_NOFOLLOW).err == ELOOP);
        CHECK(open_in(jail.fd(), "/abs_folder/f", resolver, O_RDONLY | O_NOFOLLOW).content ==
              "a/f");
        const Fd link(open_in_jail(jail.fd(), "/abs", O_PATH | O_NOFOLLOW, resolver));
        REQUIRE(link);
        char text[16];
        const ssize_t size = ::readlinkat(link.get(), "", text, sizeof text);
        CHECK(std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0) == "/a/f");
    }
}

TEST_CASE("Forty links are followed and one more is not", "[jail]") {
    const Jail jail;
    jail.file("end", "end");
    for (int at = 1; at <= 41; ++at) {
        jail.link("l" + std::to_string(at), at == 1 ? "end" : "l" + std::to_string(at - 1));
    }
    for (const auto resolver : resolvers()) {
        CAPTURE(static_cast<int>(resolver));
        CHECK(open_in(jail.fd(), "/l40", resolver).content == "end");
        CHECK(open_in(jail.fd(), "/l41", resolver).err == ELOOP);
    }
}

TEST_CASE("A link whose text names a magic link leads nowhere", "[jail]") {
    const Jail jail;
    jail.link("magic", "/proc/self/root");
    jail.link("cwd", "/proc/self/cwd");
    for (const auto resolver : resolvers()) {
        CAPTURE(static_cast<int>(resolver));
        CHECK(open_in(jail.fd(), "/magic/etc/passwd", resolver).err == ENOENT);
        CHECK(open_in(jail.fd(), "/cwd", resolver).err == ENOENT);
    }
}

// A jail that holds a real procfs: here /proc itself is the root.
TEST_CASE("Magic links of a procfs inside the jail do not lead out of it", "[jail]") {
    const Fd proc(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const Fd etc(::open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    REQUIRE(proc);
    REQUIRE(etc);
    const std::string descriptor = "/self/fd/" + std::to_string(etc.get());
    for (const auto resolver : resolvers()) {
        CAPTURE(static_cast<int>(resolver));
        CHECK(open_in(proc.get(), "/self/root/etc/passwd", resolver).err != 0);
        CHECK(open_in(proc.get(), "/self/cwd/.", resolver).err != 0);
        CHECK(open_in(proc.get(), "/self/exe", resolver).err != 0);
        CHECK(open_in(proc.get(), descriptor + "/passwd", resolver).err != 0);
        CHECK(open_in(proc.get(), descriptor, resolver).err != 0);
    }
}

TEST_CASE("What leads out of a folder of this machine is refused", "[jail]") {
    const Jail jail;
    put_tree(jail);
    const PathCase cases[] = {
        {"a/f", 0, "a/f"},           {"a//./f", 0, "a/f"},        {"a/../x", 0, "x"},
        {"a/up", EXDEV, ""},         {"/a/f", EXDEV, ""},         {"abs", EXDEV, ""},
        {"abs_folder/f", EXDEV, ""}, {"up", EXDEV, ""},           {"..", EXDEV, ""},
        {"a/../../in/x", EXDEV, ""}, {"dots/x", EXDEV, ""},       {"root/x", EXDEV, ""},
        {"outside", EXDEV, ""},      {"c1", EXDEV, ""},           {"loop", ELOOP, ""},
        {"missing", ENOENT, ""},     {"missing/../x", ENOENT, ""}};
    for (const auto resolver : resolvers()) {
        for (const auto& item : cases) {
            CAPTURE(item.path, static_cast<int>(resolver));
            const auto opened = opened_as(open_beneath(jail.fd(), item.path, O_RDONLY, resolver));
            CHECK(opened.err == item.err);
            CHECK(opened.content == item.content);
        }
    }
}

TEST_CASE("A name with a trailing slash must be a folder", "[jail]") {
    const Jail jail;
    put_tree(jail);
    for (const auto resolver : resolvers()) {
        CAPTURE(static_cast<int>(resolver));
        CHECK(open_in(jail.fd(), "/a/", resolver).err == 0);
        CHECK(open_in(jail.fd(), "/x/", resolver).err == ENOTDIR);
        CHECK(open_in(jail.fd(), "/x/.", resolver).err == ENOTDIR);
    }
}

// Random trees: names a to d at every level, links with every kind of target.
class RandomTree {
   public:
    RandomTree(const Jail& jail, unsigned seed) : jail_(jail), random_(seed) { fill("", 0); }

    std::string path() { return (pick(4) == 0 ? "" : "/") + names(1 + pick(5)); }

   private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

    std::string names(unsigned count) {
        std::string out;
        for (unsigned at = 0; at < count; ++at) {
            out += out.empty() ? "" : "/";
            out += pick(4) == 0 ? ".." : std::string(1, static_cast<char>('a' + pick(4)));
        }
        return out;
    }

    void fill(const std::string& folder, int depth) {
        for (const char* name : {"a", "b", "c", "d"}) {
            const std::string path = folder.empty() ? name : folder + "/" + name;
            const unsigned kind = pick(8);
            if (kind < 3 && depth < 3) {
                fs::create_directories(jail_.root() / path);
                fill(path, depth + 1);
            } else if (kind < 5) {
                jail_.file(path, path);
            } else if (kind < 7) {
                jail_.link(path, this->path());
            }
        }
    }

    const Jail& jail_;
    std::mt19937 random_;
};

void compare_resolvers(unsigned seed) {
    const Jail jail;
    RandomTree tree(jail, seed);
    for (int at = 0; at < 150; ++at) {
        const std::string path = tree.path();
        for (const int flags :
             {O_RDONLY, O_RDONLY | O_NOFOLLOW, O_PATH | O_NOFOLLOW, O_RDONLY | O_DIRECTORY}) {
            CAPTURE(seed, path, flags);
            CHECK(open_in(jail.fd(), path, Resolver::by_hand, flags) ==
                  open_in(jail.fd(), path, Resolver::kernel, flags));
            CHECK(opened_as(open_beneath(jail.fd(), path, flags, Resolver::by_hand)) ==
                  opened_as(open_beneath(jail.fd(), path, flags, Resolver::kernel)));
        }
    }
}

TEST_CASE("On random trees both resolvers open the same inode or fail alike", "[jail]") {
    if (!kernel_resolves()) {
        say_skipped("no openat2 here");
        return;
    }
    for (unsigned seed = 1; seed <= 25; ++seed) {
        compare_resolvers(seed);
    }
}

}  // namespace

}  // namespace jail_test
