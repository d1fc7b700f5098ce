// SPDX-License-Identifier: MIT
#include "os/fs/sysroot_fs.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <random>
#include <set>

#include "support/small_mount.h"
#include "support/temp_folder.h"

namespace sysroot_fs_test {

namespace {

using namespace rocenv;

const std::string governor = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const std::string thp = "/sys/kernel/mm/transparent_hugepage/enabled";

std::unique_ptr<WritableFs> opened(const TempFolder& folder,
                                   Resolver resolver = Resolver::automatic) {
    auto machine = writable_sysroot_fs(folder.path("in"), resolver);
    REQUIRE(machine.ok());
    return std::move(machine).value();
}

void add_thp(const TempFolder& folder) {
    folder.put("in" + thp, "always [madvise] never\n", 0604);
}

TEST_CASE("real machine: one write at the start or at an offset, nothing cut, nothing made") {
    const TempFolder folder;
    const std::string in = GENERATE("/sys/", "/proc/sys/");
    folder.put(in + "file", "abcdef");
    const auto machine = real_writable_fs(folder.path());
    CHECK(machine->is_real());
    CHECK_FALSE(machine->write(in + "file", std::nullopt, "XY"));
    CHECK(folder.get(in + "file") == "XYcdef");
    CHECK_FALSE(machine->write(in + "file", 4, "Z"));
    CHECK(folder.get(in + "file") == "XYcdZf");
    const auto error = machine->write(in + "none", std::nullopt, "x");
    REQUIRE(error);
    CHECK(error->kind == ErrorKind::not_here);
    CHECK(error->text == "cannot write " + in + "none: ENOENT (No such file or directory)");
    CHECK(folder.names(in) == std::vector<std::string>{"file"});
}

TEST_CASE("real machine: a short write is an error that says how short") {
    const TempFolder folder;
    folder.put("sys/file", "");
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit four{4, 4};
        ::setrlimit(RLIMIT_FSIZE, &four);
        const auto error =
            real_writable_fs(folder.path())->write("/sys/file", std::nullopt, "abcdef");
        const bool right = error && error->kind == ErrorKind::io && error->err == EIO &&
                           error->text.ends_with("the kernel wrote 4 of 6 bytes");
        ::_exit(right ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

struct Way {
    std::string path;
    std::string refused;  // text of the error; empty: the file inside is written
};

TEST_CASE("real machine: only what lies below /sys and /proc/sys is written, links followed") {
    const TempFolder folder;
    const auto resolver = GENERATE(Resolver::automatic, Resolver::by_hand);
    folder.put("sys/devices/a/file", "inside");
    folder.put("proc/sys/file", "inside");
    folder.put("etc/file", "outside");
    folder.put("system/file", "outside");
    folder.link("sys/bus/a", "../devices/a");
    folder.link("sys/bus/up", "../../etc");
    folder.link("sys/bus/up_file", "../../etc/file");
    folder.link("sys/bus/absolute", folder.path("etc"));
    folder.link("sys/bus/absolute_inside", folder.path("sys/devices/a/file"));
    folder.link("sys/bus/chain", "up");
    folder.link("sys/bus/other", "../../proc/sys");
    folder.link("proc/sys/out", "../../etc/file");
    const std::string neither = "it is neither below /sys nor below /proc/sys";
    const std::string out_of_sys = "it leads out of /sys";
    const std::vector<Way> ways{{"/sys/devices/a/file", ""},
                                {"/sys/bus/a/file", ""},
                                {"/sys/bus/../bus/a/file", ""},
                                {"/proc/sys/file", ""},
                                {"/etc/file", neither},
                                {"etc/file", neither},
                                {"", neither},
                                {"/sys", neither},
                                {"/system/file", neither},
                                {"/proc/sysrq-trigger", neither},
                                {"//sys/devices/a/file", neither},
                                {"/proc/../etc/file", neither},
                                {"/sys/../etc/file", out_of_sys},
                                {"/sys/bus/../../etc/file", out_of_sys},
                                {"/sys//etc/file", out_of_sys},
                                {"/sys/bus/up/file", out_of_sys},
                                {"/sys/bus/up_file", out_of_sys},
                                {"/sys/bus/absolute/file", out_of_sys},
                                {"/sys/bus/absolute_inside", out_of_sys},
                                {"/sys/bus/chain/file", out_of_sys},
                                {"/sys/bus/other/file", out_of_sys},
                                {"/proc/sys/../../etc/file", "it leads out of /proc/sys"},
                                {"/proc/sys/out", "it leads out of /proc/sys"}};
    const auto machine = real_writable_fs(folder.path(), resolver);
    for (const auto& way : ways) {
        CAPTURE(way.path, static_cast<int>(resolver));
        const auto error = machine->write(way.path, std::nullopt, "INSIDE");
        CHECK(error.has_value() == !way.refused.empty());
        if (error) {
            CHECK(error->kind == ErrorKind::bad_input);
            CHECK(error->text == "will not write " + way.path + ": " + way.refused);
        }
    }
    for (const char* name : {"sys/devices/a/file", "proc/sys/file"}) {
        CHECK(folder.get(name) == "INSIDE");
    }
    for (const char* name : {"etc/file", "system/file"}) {
        CHECK(folder.get(name) == "outside");
    }
}

TEST_CASE("real machine: a folder /sys or /proc/sys that is a link is not written through") {
    const TempFolder folder;
    folder.put("etc/file", "outside");
    folder.link("sys", "etc");
    folder.link("proc/sys", "../etc");
    const auto machine = real_writable_fs(folder.path());
    CHECK(machine->write("/sys/file", std::nullopt, "x")->err == ENOTDIR);
    CHECK(machine->write("/proc/sys/file", std::nullopt, "x")->err == ENOTDIR);
    CHECK(folder.get("etc/file") == "outside");
}

TEST_CASE("real machine: escapes in a path do not reach the terminal") {
    const auto error = real_writable_fs()->write("/etc/\x1b[2J", std::nullopt, "x");
    CHECK(error->text.find('\x1b') == std::string::npos);
    CHECK(error->path.find('\x1b') == std::string::npos);
}

TEST_CASE("real machine: the very /sys is not left either") {
    const TempFolder folder;
    folder.put("file", "outside");
    const std::string file = folder.path("file");
    CHECK(right_on_small_mount("/sys", [&] {
        const bool linked = ::symlink(file.c_str(), "/sys/absolute") == 0 &&
                            ::symlink((".." + file).c_str(), "/sys/up") == 0 &&
                            ::mkdir("/sys/bus", 0755) == 0 &&
                            ::symlink("../plain", "/sys/bus/plain") == 0;
        const Fd plain(::open("/sys/plain", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
        const auto machine = real_writable_fs();
        const auto refused = [&](const char* path) {
            const auto error = machine->write(path, std::nullopt, "x");
            return error && error->text.ends_with("it leads out of /sys");
        };
        return linked && plain && refused("/sys/absolute") && refused("/sys/up") &&
               !machine->write("/sys/bus/plain", std::nullopt, "x");
    }));
    CHECK(folder.get("file") == "outside");
}

TEST_CASE("sysroot: a write does what the kernel does and leaves nothing else") {
    const TempFolder folder;
    add_thp(folder);
    const auto resolver =
        GENERATE(Resolver::automatic, Resolver::by_hand);  // the kernel's may be missing
    const auto machine = opened(folder, resolver);
    CHECK_FALSE(machine->is_real());
    CHECK_FALSE(machine->write(thp, std::nullopt, "never\n"));
    CHECK(folder.get("in" + thp) == "always madvise [never]\n");
    CHECK(*machine->read(thp) == "always madvise [never]\n");
    CHECK(folder.mode("in" + thp) == 0604);
    CHECK(folder.names("in/sys").size() == 4);
    CHECK(folder.names("in/run") == std::vector<std::string>{"rocenv"});
    CHECK(folder.mode("in/run") == 0755);
    CHECK(folder.mode("in/run/rocenv") == 0755);
    CHECK(machine->write(thp, std::nullopt, "often")->err == EINVAL);
    CHECK(machine->write(governor, std::nullopt, "performance")->kind == ErrorKind::not_here);
}

TEST_CASE("sysroot: what is there already is not written again, what is refused makes nothing") {
    const TempFolder folder;
    add_thp(folder);
    const auto machine = opened(folder);
    CHECK_FALSE(machine->write(thp, std::nullopt, "madvise"));
    CHECK(machine->write(thp, std::nullopt, "often")->err == EINVAL);
    CHECK(folder.names("in/run").empty());
}

TEST_CASE("sysroot: configuration space is read anew after it was written") {
    const TempFolder folder;
    const std::string config = "/sys/devices/pci0000:00/0000:00:01.1/config";
    folder.put("in" + config, std::string(256, '\x22'));
    folder.link("in/sys/bus/pci/devices/0000:00:01.1", "../../../devices/pci0000:00/0000:00:01.1");
    const std::string path = "/sys/bus/pci/devices/0000:00:01.1/config";
    const auto machine = opened(folder);
    CHECK(*machine->read_at(path, 6, 2) == "\x22\x22");
    CHECK_FALSE(machine->write(path, 6, std::string(2, '\0')));
    CHECK(*machine->read_at(path, 6, 2) == std::string(2, '\0'));
    CHECK(*machine->size(path) == 256);
    CHECK(folder.names("in/sys/bus/pci/devices") == std::vector<std::string>{"0000:00:01.1"});
}

TEST_CASE("sysroot: no path and no link leads a write out of it") {
    const TempFolder folder;
    folder.put("outside/enabled", "always [madvise] never\n");
    add_thp(folder);
    folder.link("in/sys/a/transparent_hugepage", folder.path("outside"));
    folder.link("in/sys/b/transparent_hugepage/enabled", folder.path("outside/enabled"));
    folder.link("in/sys/c/transparent_hugepage", "../../../outside");
    folder.link("in/sys/d/transparent_hugepage/enabled", "../../../../outside/enabled");
    folder.link("in/sys/e/transparent_hugepage/enabled", thp);
    folder.link("in/sys/f/transparent_hugepage/enabled", "enabled");
    const auto resolver = GENERATE(Resolver::automatic, Resolver::by_hand);
    const auto machine = opened(folder, resolver);
    for (const char* path :
         {"/sys/a/transparent_hugepage/enabled", "/sys/b/transparent_hugepage/enabled",
          "/sys/c/transparent_hugepage/enabled", "/sys/d/transparent_hugepage/enabled",
          "/../outside/transparent_hugepage/enabled"}) {
        CAPTURE(path);
        CHECK(machine->write(path, std::nullopt, "never")->kind == ErrorKind::not_here);
    }
    CHECK(machine->write("/sys/f/transparent_hugepage/enabled", std::nullopt, "never")->err ==
          ELOOP);
    CHECK(folder.get("outside/enabled") == "always [madvise] never\n");
    CHECK_FALSE(machine->write("/sys/e/transparent_hugepage/enabled", std::nullopt, "never"));
    CHECK(folder.get("in" + thp) == "always madvise [never]\n");
    CHECK(std::filesystem::is_symlink(folder.path("in/sys/e/transparent_hugepage/enabled")));
}

TEST_CASE("sysroot: its run and run/rocenv are no way out either") {
    const TempFolder folder;
    add_thp(folder);
    std::filesystem::create_directories(folder.path("outside/rocenv"));
    SECTION("run is a link") {
        folder.link("in/run", folder.path("outside"));
    }
    SECTION("run/rocenv is a link") {
        folder.link("in/run/rocenv", folder.path("outside/rocenv"));
    }
    SECTION("others may write to run/rocenv") {
        std::filesystem::create_directories(folder.path("in/run/rocenv"));
        REQUIRE(::chmod(folder.path("in/run/rocenv").c_str(), 0777) == 0);
    }
    const auto error = opened(folder)->write(thp, std::nullopt, "never");
    REQUIRE(error);
    CHECK(error->kind == ErrorKind::bad_input);
    CHECK(error->text.find(folder.path("in/run/rocenv")) != std::string::npos);
    CHECK(folder.get("in" + thp) == "always [madvise] never\n");
    CHECK(folder.names("outside") == std::vector<std::string>{"rocenv"});
}

TEST_CASE("sysroot: what a dead writer left is removed, what a living one has is not") {
    const TempFolder folder;
    add_thp(folder);
    folder.put("in/run/rocenv/.new-1-0", "dead");
    folder.put("in/run/rocenv/.new-2-0", "alive");
    folder.put("in/run/rocenv/journal", "mine");
    const Fd alive(::open(folder.path("in/run/rocenv/.new-2-0").c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(::flock(alive.get(), LOCK_EX | LOCK_NB) == 0);
    CHECK_FALSE(opened(folder)->write(thp, std::nullopt, "never"));
    auto names = folder.names("in/run/rocenv");
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{".new-2-0", "journal"});
}

void write_each_word(WritableFs& machine) {
    for (const char* word : {"always", "madvise", "never"}) {
        machine.write(thp, std::nullopt, word);
    }
}

/// A process that writes one word after the other until it is killed. Each is written when this
/// returns.
pid_t begun_writer(const TempFolder& folder) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    const Fd reader(ends[0]);
    Fd writer(ends[1]);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const auto machine = opened(folder);
        write_each_word(*machine);
        for (writer.close();;) {
            write_each_word(*machine);
        }
    }
    writer.close();
    char none = 0;
    REQUIRE(::read(reader.get(), &none, 1) == 0);
    return child;
}

/// How long it takes to write each word here and now, in microseconds.
unsigned lap_us(const TempFolder& folder) {
    const auto machine = opened(folder);
    const auto begin = std::chrono::steady_clock::now();
    write_each_word(*machine);
    const std::chrono::duration<double, std::micro> lap = std::chrono::steady_clock::now() - begin;
    return static_cast<unsigned>(lap.count()) + 1;
}

TEST_CASE("sysroot: a writer killed at any instant leaves old or new content, whole") {
    const TempFolder folder;
    add_thp(folder);
    const std::set<std::string> whole{"[always] madvise never\n", "always [madvise] never\n",
                                      "always madvise [never]\n"};
    std::mt19937 random(1);
    std::set<std::string> seen;
    for (int round = 0; round < 40 || (seen.size() < whole.size() && round < 120); ++round) {
        const auto was = folder.get("in" + thp);
        const Fd reader(::open(folder.path("in" + thp).c_str(), O_RDONLY | O_CLOEXEC));
        const auto wait = static_cast<useconds_t>(random() % (2 * lap_us(folder)));
        const pid_t child = begun_writer(folder);
        ::usleep(wait);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const auto content = folder.get("in" + thp);
        seen.insert(content);
        std::string read(was.size() + 1, '\0');
        read.resize(static_cast<std::size_t>(::read(reader.get(), read.data(), read.size())));
        CHECK(read == was);  // an open reader keeps the old text
        CHECK(whole.contains(content));
        CHECK(folder.names("in/sys").size() == 4);
        CHECK(folder.names("in/run/rocenv").size() <= 1);
    }
    CHECK(seen == whole);
}

TEST_CASE("sysroot: run/rocenv on another file system is no obstacle") {
    const TempFolder folder;
    const std::string preference =
        "/sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference";
    folder.put("in" + preference, "balance_performance\n", 0604);
    std::filesystem::create_directories(folder.path("in/run/rocenv"));
    CHECK(right_on_small_mount(folder.path("in/run/rocenv"), [&] {
        const auto machine = opened(folder);
        const bool shorter = !machine->write(preference, std::nullopt, "power") &&
                             folder.get("in" + preference) == "power\n";
        const bool longer = !machine->write(preference, std::nullopt, "balance_power") &&
                            folder.get("in" + preference) == "balance_power\n";
        return shorter && longer && folder.names("in/run/rocenv").empty();
    }));
    CHECK(folder.mode("in" + preference) == 0604);
}

TEST_CASE("sysroot: a folder that is not there is bad input") {
    const auto machine = writable_sysroot_fs("/nowhere/at/all");
    CHECK(machine.is(ErrorKind::bad_input));
}

}  // namespace

}  // namespace sysroot_fs_test
