// SPDX-License-Identifier: MIT
#include "os/fs/posix_fs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/catch.h"

namespace posix_fs_test {

namespace {

using namespace rocenv;
namespace fs = std::filesystem;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class Sysroot {
   public:
    explicit Sysroot(Resolver resolver = Resolver::automatic) {
        char name[] = "/tmp/rocenv-root-XXXXXX";
        REQUIRE(::mkdtemp(name) != nullptr);
        folder_ = name;
        REQUIRE(::chmod(name, 0755) == 0);
        auto opened = sysroot_fs(folder_, resolver);
        REQUIRE(opened);
        fs_ = std::move(opened).value();
    }
    ~Sysroot() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Sysroot(const Sysroot&) = delete;
    Sysroot& operator=(const Sysroot&) = delete;

    const Fs& operator*() const { return *fs_; }
    const Fs* operator->() const { return fs_.get(); }
    std::string real(const std::string& path) const { return folder_ + path; }

    void file(const std::string& path, std::string_view content, mode_t mode = 0644) const {
        fs::create_directories(fs::path(real(path)).parent_path());
        const Fd out(::open(real(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
        REQUIRE(out);
        REQUIRE(::write(out.get(), content.data(), content.size()) ==
                static_cast<ssize_t>(content.size()));
        REQUIRE(::fchmod(out.get(), mode) == 0);
    }
    void link(const std::string& path, const std::string& target) const {
        fs::create_directories(fs::path(real(path)).parent_path());
        fs::create_symlink(target, real(path));
    }

   private:
    std::string folder_;
    std::unique_ptr<Fs> fs_;
};

TEST_CASE("A sysroot is no real machine and must be a folder", "[posix_fs]") {
    const Sysroot root;
    CHECK_FALSE(root->is_real());
    CHECK(real_fs()->is_real());
    root.file("/file", "");
    CHECK(sysroot_fs(root.real("/file")).is(ErrorKind::bad_input));
    const auto missing = sysroot_fs(root.real("/missing"));
    REQUIRE(missing.is(ErrorKind::bad_input));
    CHECK(missing.error().text.find("/missing': No such file") != std::string::npos);
}

TEST_CASE("Files of every size up to 1 MiB arrive whole", "[posix_fs]") {
    const Sysroot root;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{4096}, std::size_t{4097},
          std::size_t{100000}, mebibyte - 1}) {
        std::string content(size, 'x');
        for (std::size_t at = 0; at < size; at += 7) {
            content[at] = static_cast<char>(at & 0xff);
        }
        for (const char* path : {"/proc/cpuinfo", "/sys/file"}) {
            CAPTURE(path, size);
            root.file(path, content);
            const auto read = root->read(path);
            REQUIRE(read);
            CHECK((*read == content));
        }
    }
}

TEST_CASE("Of hundreds of CPUs the first one's entry is there", "[posix_fs]") {
    const Sysroot root;
    for (const std::size_t flags : {std::size_t{1500}, std::size_t{10000}}) {
        const std::string entry = "processor\t: 0\nflags\t: " + std::string(flags, 'f') + "\n\n";
        std::string content;
        for (int cpu = 0; cpu < 100; ++cpu) {
            content += entry;
        }
        root.file("/proc/cpuinfo", content);
        root.file("/proc/other", content);
        const auto read = root->read("/proc/cpuinfo");
        REQUIRE(read);
        CHECK(read->starts_with(entry.substr(0, entry.size() - 2)));
        CHECK(content.starts_with(*read));
        CHECK((read->size() <= 4096) == (entry.size() <= 4096));
        CHECK(*root->read("/proc/other") == content);
    }
}

TEST_CASE("A file of exactly 1 MiB is not larger than 1 MiB", "[posix_fs]") {
    const Sysroot root;
    root.file("/f", std::string(mebibyte, 'x'));
    CHECK(root->read("/f").ok());
}

TEST_CASE("A larger file is garbled and named", "[posix_fs]") {
    const Sysroot root;
    for (const std::size_t size : {mebibyte + 1, 5 * mebibyte}) {
        root.file("/sys/f", std::string(size, 'x'));
        const auto read = root->read("/sys/f");
        REQUIRE(read.is(ErrorKind::garbled));
        CHECK(read.error().path == "/sys/f");
        CHECK(read.error().text == "/sys/f: is larger than 1 MiB");
        CHECK(read.error().err == EFBIG);
    }
}

TEST_CASE("A FIFO, a socket's kind of file or a device does not block a read", "[posix_fs]") {
    const Sysroot root;
    REQUIRE(::mkfifo(root.real("/fifo").c_str(), 0644) == 0);
    CHECK(root->read("/fifo").is(ErrorKind::garbled));
    CHECK(root->read_at("/fifo", 0, 4).is(ErrorKind::garbled));
    if (::mknod(root.real("/zero").c_str(), S_IFCHR | 0644, makedev(1, 5)) == 0) {
        CHECK_FALSE(root->read("/zero"));
        CHECK_FALSE(root->read_at("/zero", 0, 4));
    }
}

TEST_CASE("A folder is not read and a file is not listed", "[posix_fs]") {
    const Sysroot root;
    root.file("/d/f", "1");
    CHECK_FALSE(root->read("/d"));
    CHECK_FALSE(root->read_at("/d", 0, 1));
    const auto listed = root->list("/d/f");
    REQUIRE_FALSE(listed);
    CHECK(listed.error().err == ENOTDIR);
    CHECK(root->list("/nothing").is(ErrorKind::not_here));
    CHECK(real_fs()->read("/").error().err == EISDIR);
}

TEST_CASE("Part of a file, as much as there is", "[posix_fs]") {
    const Sysroot root;
    root.file("/f", "0123456789");
    CHECK(*root->read_at("/f", 0, 4) == "0123");
    CHECK(*root->read_at("/f", 8, 4) == "89");
    CHECK(root->read_at("/f", 10, 4)->empty());
    CHECK(root->read_at("/f", 1 << 20, 4)->empty());
    CHECK(root->read_at("/missing", 0, 4).is(ErrorKind::not_here));
    CHECK_FALSE(root->read_at("/f", UINT64_MAX, 4));
}

TEST_CASE("A long listing is complete, sorted by bytes and without dots", "[posix_fs]") {
    const Sysroot root;
    std::vector<std::string> names;
    for (int at = 0; at < 2000; ++at) {
        names.push_back("policy" + std::to_string(at));
        root.file("/many/" + names.back(), "");
    }
    root.file("/many/.hidden", "");
    root.file("/many/Z", "");
    names.insert(names.end(), {".hidden", "Z"});
    std::sort(names.begin(), names.end());
    const auto listed = root->list("/many");
    REQUIRE(listed);
    CHECK((*listed == names));
}

TEST_CASE("A link gives its own text, what is no link an error", "[posix_fs]") {
    for (const auto resolver : {Resolver::automatic, Resolver::by_hand}) {
        const Sysroot root(resolver);
        root.file("/f", "");
        root.link("/l", "../../devices/pci0000:00/0000:05:00.0");
        root.link("/above", "/folder");
        root.link("/folder/driver", "amdgpu");
        CHECK(*root->link("/l") == "../../devices/pci0000:00/0000:05:00.0");
        CHECK(*root->link("/above/driver") == "amdgpu");
        CHECK(root->link("/f").error().err == EINVAL);
        CHECK(root->link("/folder").error().err == EINVAL);
        CHECK(root->link("/missing").is(ErrorKind::not_here));
    }
    CHECK(real_fs()->link("/").error().err == EINVAL);
}

TEST_CASE("Sizes are those of what the path leads to", "[posix_fs]") {
    for (const auto resolver : {Resolver::automatic, Resolver::by_hand}) {
        const Sysroot root(resolver);
        root.file("/config", std::string(4096, '\0'));
        root.file("/legacy", std::string(256, '\0'));
        root.link("/l", "/config");
        CHECK(*root->size("/config") == 4096);
        CHECK(*root->size("/legacy") == 256);
        CHECK(*root->size("/l") == 4096);
        CHECK(root->size("/missing").is(ErrorKind::not_here));
        CHECK(*root->capacity("/") > 0);
        CHECK(exists(*root, "/l"));
        CHECK_FALSE(exists(*root, "/missing"));
    }
}

TEST_CASE("Links of a sysroot lead to its own files, never to ours", "[posix_fs]") {
    const Sysroot root;
    root.file("/etc/passwd", "theirs");
    root.link("/abs", "/etc/passwd");
    root.link("/deep/up", "../../../../../../etc/passwd");
    root.link("/loop", "loop");
    CHECK(*root->read("/abs") == "theirs");
    CHECK(*root->read("/deep/up") == "theirs");
    const auto loop = root->read("/loop");
    REQUIRE_FALSE(loop);
    CHECK(loop.error().err == ELOOP);
    CHECK(loop.error().text.find("/loop': Too many levels") != std::string::npos);
}

// Runs `judge` as the user `nobody`; returns true if it did.
template <class Judge>
bool true_for_nobody(Judge judge) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        constexpr uid_t nobody = 65534;
        const bool dropped = ::geteuid() != 0 || ::setresuid(nobody, nobody, nobody) == 0;
        ::_exit(dropped && judge() ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status == 0;
}

bool denied(const auto& result) {
    return result.is(ErrorKind::not_permitted) && result.error().err == EACCES;
}

TEST_CASE("What an unprivileged caller may not read is not permitted, not missing", "[posix_fs]") {
    for (const auto resolver : {Resolver::automatic, Resolver::by_hand}) {
        const Sysroot root(resolver);
        root.file("/f", "1", 0000);
        root.file("/closed/f", "1");
        REQUIRE(::chmod(root.real("/closed").c_str(), 0000) == 0);
        CHECK(true_for_nobody([&] { return denied(root->read("/f")); }));
        CHECK(true_for_nobody([&] { return denied(root->read_at("/f", 0, 1)); }));
        CHECK(true_for_nobody([&] { return denied(root->read("/closed/f")); }));
        CHECK(true_for_nobody([&] { return denied(root->list("/closed")); }));
        CHECK(true_for_nobody([&] { return denied(root->size("/closed/f")); }));
        CHECK(true_for_nobody([&] { return root->size("/f").ok(); }));
        CHECK(true_for_nobody([&] { return denied(root->link("/closed/f")); }));
        REQUIRE(::chmod(root.real("/closed").c_str(), 0755) == 0);
    }
}

TEST_CASE("Access is what the kernel says to the asking user", "[posix_fs]") {
    const Sysroot root(Resolver::automatic);
    root.file("/f", "1", 0640);
    REQUIRE(::chown(root.real("/f").c_str(), static_cast<uid_t>(-1), ::getegid()) == 0);
    const auto fs = real_fs();
    const std::string file = root.real("/f");
    CHECK(fs->access(file)->err == 0);
    CHECK(fs->access(file)->group == ::getegid());
    CHECK(fs->access(file + "2").is(ErrorKind::not_here));
    CHECK(root->access("/f").error().err == ENOTSUP);  // says nothing about another machine
    CHECK(true_for_nobody([&] {
        const auto kernel = fs->access("/proc/sys/kernel/hostname");  // 0644
        return kernel && kernel->err == EACCES && kernel->group == 0;
    }));
}

TEST_CASE("No descriptor is left open but that of the folder last read in", "[posix_fs]") {
    const Sysroot root(Resolver::by_hand);
    root.file("/a/b/f", "1");
    root.link("/l", "/a/b/f");
    root.link("/loop", "loop");
    const auto open_now = [] { return real_fs()->list("/proc/self/fd")->size(); };
    const auto before = open_now();
    for (const char* path : {"/a/b/f", "/l", "/loop", "/missing/x", "/a/../../l"}) {
        static_cast<void>(root->read(path));
        static_cast<void>(root->list(path));
        static_cast<void>(root->link(path));
        static_cast<void>(root->size(path));
    }
    CHECK(open_now() == before + 1);
}

TEST_CASE("Files of one folder and of another are told apart", "[posix_fs]") {
    const Sysroot root(Resolver::automatic);
    root.file("/a/f", "1");
    root.file("/b/f", "2");
    CHECK(root->read("/a/f").value() == "1");
    CHECK(root->read("/b/f").value() == "2");
    root.link("/b/l", "../a/f");
    CHECK(root->read("/b/l").value() == "1");
    CHECK(root->read("/b/").error().kind == ErrorKind::garbled);
    CHECK_FALSE(root->read("/b/f/").ok());
    CHECK(root->read("/b/missing").is(ErrorKind::not_here));
    CHECK(root->read("/b/f").value() == "2");
}

TEST_CASE("Kernel files of this machine read to their end", "[posix_fs]") {
    const auto fs = real_fs();
    CHECK(fs->read("/proc/self/status")->find("Name:") != std::string::npos);
    CHECK_FALSE(fs->read("/proc/cmdline")->empty());
    CHECK(fs->read("/proc/nothing").is(ErrorKind::not_here));
}

}  // namespace

}  // namespace posix_fs_test
