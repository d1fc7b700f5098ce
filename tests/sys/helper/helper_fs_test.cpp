// SPDX-License-Identifier: MIT
#include "os/child/helper_fs.h"

#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>

#include "os/fs/sysroot_fs.h"
#include "support/shared_counters.h"
#include "support/temp_folder.h"

namespace helper_fs_test {

namespace {

using namespace rocenv;
using namespace std::literals;

// Outlives helpers.
struct Counters {
    std::atomic<int> asked;
    std::atomic<int> opened;
    std::atomic<int> deaths;
    std::atomic<int> wrong;  // in a helper, whose checks Catch2 does not see
    std::atomic<pid_t> helper;
    std::atomic<bool> sleepy_open;
};

using SharedCounters = Shared<Counters>;

[[noreturn]] void sleep_for_ever() {
    for (;;) {
        ::pause();
    }
}

// Answers from the path itself: what has "silent" in it never comes back, "deadly" kills.
class TrickyFs final : public WritableFs {
   public:
    explicit TrickyFs(const SharedCounters& counters) : counters_(counters) {}

    Result<std::string> read(const std::string& path) const override {
        meet(path);
        if (path.ends_with("/large")) {
            return std::string(std::size_t{1} << 20, 'x');
        }
        if (path.ends_with("/pid")) {
            return std::to_string(::getpid());
        }
        return path.ends_with("/refused") ? Result<std::string>(errno_error("read", path, EBUSY))
                                          : "text\0of "s + path;
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        meet(path);
        return std::to_string(offset) + "+" + std::to_string(size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        meet(path);
        return path.ends_with("/empty") ? std::vector<std::string>()
                                        : std::vector<std::string>{"a", "b c"};
    }
    Result<std::string> link(const std::string& path) const override { return "to " + path; }
    Result<std::uint64_t> size(const std::string&) const override { return std::uint64_t{1} << 40; }
    Result<std::uint64_t> capacity(const std::string&) const override { return std::uint64_t{7}; }
    Result<Access> access(const std::string&) const override { return Access{EACCES, 44}; }
    bool is_real() const override { return true; }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override {
        meet(path);
        if (offset == 6 && bytes == "\0\x1d"sv) {
            return std::nullopt;
        }
        return offset || bytes != "good\n" ? std::optional(errno_error("write", path, EINVAL))
                                           : std::nullopt;
    }

   private:
    void meet(const std::string& path) const {
        ++counters_->asked;
        if (path.find("silent") != std::string::npos) {
            sleep_for_ever();
        }
        if (path.find("deadly") != std::string::npos) {
            ::_exit(1);
        }
    }

    const SharedCounters& counters_;
};

HelperFs::Opener tricky(const SharedCounters& counters) {
    return [&counters]() -> Result<std::unique_ptr<WritableFs>> {
        ++counters->opened;
        counters->helper = ::getpid();
        if (counters->sleepy_open) {
            sleep_for_ever();
        }
        return std::unique_ptr<WritableFs>(std::make_unique<TrickyFs>(counters));
    };
}

std::unique_ptr<HelperFs> started(const SharedCounters& counters, const Patience& patience = {}) {
    auto helper = HelperFs::start(patience, tricky(counters));
    REQUIRE(helper.ok());
    return std::move(helper).value();
}

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return took.count();
}

const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0/";
const std::string other = "/sys/bus/pci/devices/0000:09:00.0/";
constexpr Patience short_patience{0.4, 10};  // as a busy machine needs it

TEST_CASE("helper: every operation passes through, both ways, whole", "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters);
    CHECK(helper->is_real());
    CHECK(*helper->read("/a") == "text\0of /a"s);
    CHECK(helper->read("/large")->size() == std::size_t{1} << 20);
    const auto refused = helper->read("/refused");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::io);
    CHECK(refused.error().err == EBUSY);
    CHECK(refused.error().path == "/refused");
    CHECK(refused.error().text == errno_error("read", "/refused", EBUSY).text);
    CHECK(*helper->read_at("/c", 256, 4) == "256+4");
    CHECK(*helper->list("/d") == std::vector<std::string>{"a", "b c"});
    CHECK(helper->list("/empty")->empty());
    CHECK(*helper->link("/l") == "to /l");
    CHECK(*helper->size("/z") == std::uint64_t{1} << 40);
    CHECK(*helper->capacity("/s") == 7);
    CHECK(helper->access("/k")->err == EACCES);
    CHECK(helper->access("/k")->group == 44);
    CHECK_FALSE(helper->write("/w", std::nullopt, "good\n"));
    CHECK_FALSE(helper->write("/w", 6, "\0\x1d"sv));
    CHECK(helper->write("/w", 7, "x")->err == EINVAL);
    CHECK(helper->write("/w", std::nullopt, "")->err == EINVAL);
    CHECK(counters->opened == 1);
}

TEST_CASE("helper: what is read is always fresh, and what is written is there", "[timed]") {
    const TempFolder folder;
    folder.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    const std::string path = "/sys/kernel/mm/transparent_hugepage/enabled";
    auto helper = HelperFs::start({}, [&] { return writable_sysroot_fs(folder.path()); });
    REQUIRE(helper.ok());
    CHECK_FALSE((*helper)->is_real());
    CHECK(*(*helper)->read(path) == "always [madvise] never\n");
    CHECK_FALSE((*helper)->write(path, std::nullopt, "never"));
    CHECK(*(*helper)->read(path) == "always madvise [never]\n");
    folder.put("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    CHECK(*(*helper)->read(path) == "[always] madvise never\n");
}

TEST_CASE("helper: reads made ahead answer the caller until the next write", "[timed]") {
    const TempFolder folder;
    folder.put("proc/sys/kernel/numa_balancing", "1\n");
    folder.put("proc/sys/kernel/nmi_watchdog", "1\n");
    const std::string path = "/proc/sys/kernel/numa_balancing";
    auto helper = HelperFs::start({}, [&] { return writable_sysroot_fs(folder.path()); });
    REQUIRE(helper.ok());
    HelperFs& fs = **helper;
    fs.read_ahead([&] { (void)fs.read(path); });
    folder.put("proc/sys/kernel/numa_balancing", "0\n");
    folder.put("proc/sys/kernel/nmi_watchdog", "0\n");
    CHECK(*fs.read(path) == "1\n");
    CHECK(*fs.read("/proc/sys/kernel/nmi_watchdog") == "0\n");  // was not read ahead
    const auto present = [&] { return *fs.read(path); };
    SECTION("a write drops them") {
        CHECK_FALSE(fs.write("/proc/sys/kernel/nmi_watchdog", {}, "1"));
        CHECK(present() == "0\n");
    }
    SECTION("a refused write does, too") {
        CHECK(fs.write("/proc/sys/kernel/nothing", {}, "1"));
        CHECK(present() == "0\n");
    }
    SECTION("read_live() drops them") {
        fs.read_live();
        CHECK(present() == "0\n");
    }
    SECTION("extend() drops them") {
        fs.extend(5);
        CHECK(present() == "0\n");
    }
    SECTION("a further read_ahead() replaces them") {
        fs.read_ahead([] {});
        CHECK(present() == "0\n");
    }
}

TEST_CASE("helper: every read made ahead is made once, by one helper at a time", "[timed]") {
    const SharedCounters counters;
    const auto fs = started(counters);
    const pid_t first = counters->helper;
    const auto all = [&] {
        CHECK(fs->read("/a").ok());
        CHECK(fs->read("/refused").error().err == EBUSY);
        CHECK(*fs->read_at("/c", 256, 4) == "256+4");
        CHECK(*fs->read_at("/c", 0, 4) == "0+4");
        CHECK(fs->list("/d")->size() == 2);
        CHECK(*fs->link("/l") == "to /l");
        CHECK(*fs->size("/z") == std::uint64_t{1} << 40);
        CHECK(*fs->capacity("/s") == 7);
        CHECK(fs->access("/k")->group == 44);
        CHECK(fs->is_real());
    };
    fs->read_ahead([&] {
        counters->wrong += ::kill(first, 0) == 0 ? 1 : 0;
        all();
        const auto refused = fs->write("/w", std::nullopt, "good\n");
        counters->wrong += refused && refused->kind == ErrorKind::bad_input ? 0 : 1;
    });
    CHECK(counters->wrong == 0);
    CHECK(counters->asked == 5);
    CHECK(counters->opened == 2);
    all();
    all();
    CHECK(counters->asked == 5);
    CHECK(counters->opened == 2);
}

TEST_CASE("helper: present values are read ahead, too, unless they change meanwhile", "[timed]") {
    const TempFolder folder;
    const std::string path = "/proc/sys/kernel/numa_balancing";
    const auto put = [&](const std::string& text) { folder.put(path.substr(1), text); };
    put("1\n");
    auto helper = HelperFs::start({}, [&] { return writable_sysroot_fs(folder.path()); });
    REQUIRE(helper.ok());
    HelperFs& fs = **helper;
    SECTION("equal answers") {
        fs.read_ahead([&] {
            (void)fs.read_now(path);
            (void)fs.read_now(path);
        });
        put("0\n");
        CHECK(*fs.read_now(path) == "1\n");
        fs.read_live();
        CHECK(*fs.read_now(path) == "0\n");
    }
    SECTION("changed answers drop all") {
        fs.read_ahead([&] {
            (void)fs.read("/proc/sys/kernel/nmi_watchdog");
            (void)fs.read_now(path);
            put("0\n");
            (void)fs.read_now(path);
            put("1\n");
            (void)fs.read_now(path);
        });
        folder.put("proc/sys/kernel/nmi_watchdog", "1\n");
        put("2\n");
        CHECK(*fs.read_now(path) == "2\n");
        CHECK(*fs.read("/proc/sys/kernel/nmi_watchdog") == "1\n");
    }
}

TEST_CASE("helper: a machine that delays writes is not read ahead after one", "[timed]") {
    const SharedCounters counters;
    auto helper = HelperFs::start({}, tricky(counters), HelperFs::Writes::delayed);
    REQUIRE(helper.ok());
    HelperFs& fs = **helper;
    fs.read_ahead([&] { (void)fs.read("/a"); });
    CHECK(counters->opened == 2);
    CHECK_FALSE(fs.write("/w", std::nullopt, "good\n"));
    const pid_t writer = counters->helper;
    fs.read_ahead([&] { ++counters->wrong; });
    CHECK(counters->wrong == 0);
    CHECK(fs.read("/a").ok());
    CHECK(counters->helper == writer);
    CHECK(::kill(writer, 0) == 0);
}

TEST_CASE("helper: a file that hangs ahead costs one wait", "[timed]") {
    const SharedCounters counters;
    const auto fs = started(counters, short_patience);
    const auto all = [&] {
        CHECK(fs->read(other + "good").ok());
        CHECK(fs->read(gpu + "silent").is(ErrorKind::timed_out));
        CHECK(fs->read(gpu + "good").ok());
    };
    CHECK(seconds_of([&] { fs->read_ahead(all); }) < 3);
    const int asked = counters->asked;
    all();
    CHECK(counters->asked == asked);
    CHECK_FALSE(fs->write(other + "good", {}, "good\n"));
    CHECK(fs->read(gpu + "silent").is(ErrorKind::timed_out));  // the second wait
    CHECK(fs->read(gpu + "good").is(ErrorKind::timed_out));    // the device is not asked again
    CHECK(fs->left_behind().empty());
}

TEST_CASE("helper: a helper that dies ahead leaves its answers, and the rest is read live",
          "[timed]") {
    const SharedCounters counters;
    const auto fs = started(counters);
    fs->read_ahead([&] {
        CHECK(fs->read("/a").ok());
        (void)fs->read(gpu + "deadly");
        ++counters->wrong;
    });
    CHECK(counters->wrong == 0);
    CHECK(counters->asked == 2);
    CHECK(fs->read("/a").ok());
    CHECK(counters->asked == 2);
    CHECK(fs->read(gpu + "good").ok());
    CHECK(counters->asked == 3);
}

TEST_CASE("helper: no read ahead outlasts the deadline", "[timed]") {
    const SharedCounters counters;
    const auto fs = started(counters, {5, 0.4});
    CHECK(seconds_of([&] {
              fs->read_ahead([&] {
                  for (int file = 0; file < 9; ++file) {
                      (void)fs->read("/" + std::to_string(file) + "/silent");
                  }
              });
          }) < 2);
    CHECK(fs->read("/a").is(ErrorKind::timed_out));
    fs->extend(5);
    CHECK(fs->read("/a").ok());
}

TEST_CASE("helper: a machine that does not open is reported", "[timed]") {
    const auto bad = HelperFs::start({}, [] { return writable_sysroot_fs("/nowhere/at/all"); });
    REQUIRE(bad.is(ErrorKind::bad_input));
    CHECK(bad.error().text.starts_with("cannot open '/nowhere/at/all': No such file"));
    const SharedCounters counters;
    counters->sleepy_open = true;
    CHECK(seconds_of([&] {
              const auto late = HelperFs::start(short_patience, tricky(counters));
              CHECK(late.is(ErrorKind::timed_out));
          }) < 2);
}

TEST_CASE("helper: two silent reads of a device, and nothing more of it is asked", "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters, short_patience);
    CHECK(seconds_of([&] {
              const auto first = helper->read(gpu + "silent");
              REQUIRE(first.is(ErrorKind::timed_out));
              CHECK(first.error().text == gpu + "silent: no answer in 0.4 s");
              CHECK(first.error().path == gpu + "silent");
              CHECK(helper->read(gpu + "good").ok());
              CHECK(helper->list(gpu + "silent/x").is(ErrorKind::timed_out));
          }) < 3);
    const int asked = counters->asked;
    const auto refused = helper->read(gpu + "good");
    REQUIRE(refused.is(ErrorKind::timed_out));
    CHECK(refused.error().text == gpu + "good: not read, because its device did not answer before");
    CHECK(helper->write(gpu + "good", {}, "good\n")->kind == ErrorKind::timed_out);
    CHECK(counters->asked == asked);
    CHECK(helper->read(other + "good").ok());
    CHECK(helper->left_behind().empty());
}

TEST_CASE("helper: one silent write is enough, other devices go on", "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters, short_patience);
    CHECK(helper->write(gpu + "silent", {}, "x")->kind == ErrorKind::timed_out);
    CHECK(helper->read(gpu + "good").is(ErrorKind::timed_out));
    CHECK(counters->asked == 1);
    CHECK_FALSE(helper->write(other + "good", {}, "good\n"));
    CHECK(counters->opened == 2);
}

TEST_CASE("helper: a silent helper is gone, and so is every helper at the end", "[timed]") {
    const SharedCounters counters;
    pid_t first = 0;
    pid_t second = 0;
    {
        // A new helper has answered by then on a busy machine too.
        const auto helper = started(counters, {0.5, 10});
        first = counters->helper;
        CHECK(helper->read(gpu + "silent").is(ErrorKind::timed_out));
        CHECK(::kill(first, 0) != 0);
        CHECK(helper->read(gpu + "good").ok());
        second = counters->helper;
        CHECK(::kill(second, 0) == 0);
    }
    CHECK(::kill(second, 0) != 0);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("helper: an operation gets half of the time left, then nothing is asked until extended",
          "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters, {5, 0.4});
    CHECK(seconds_of([&] { CHECK(helper->read("/one/silent").is(ErrorKind::timed_out)); }) < 0.35);
    CHECK(helper->read("/two/good").ok());
    ::usleep(450000);
    const auto late = helper->read("/two/good");
    REQUIRE(late.is(ErrorKind::timed_out));
    CHECK(late.error().text == "/two/good: not asked before the deadline");
    helper->extend(5);
    CHECK(helper->read("/two/good").ok());
    CHECK_FALSE(helper->write("/three/good", {}, "good\n"));
}

TEST_CASE("helper: a helper that dies is replaced, what kills two is not asked a third time",
          "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters);
    const auto died = helper->read(gpu + "deadly");
    REQUIRE(died.is(ErrorKind::io));
    CHECK(died.error().text == gpu + "deadly: the helper process died at it");
    CHECK(counters->asked == 2);
    CHECK(helper->read(gpu + "good").ok());
    CHECK(helper->read(gpu + "deadly").is(ErrorKind::io));
    CHECK(helper->read(gpu + "deadly").is(ErrorKind::timed_out));
    CHECK(helper->read(other + "good").ok());
}

TEST_CASE("helper: somebody kills a helper, and a read or an unseen write is asked of the next",
          "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters);
    ::kill(counters->helper, SIGKILL);
    CHECK(helper->read("/five/good").ok());
    CHECK(counters->opened == 2);
    ::kill(counters->helper, SIGKILL);
    ::usleep(20000);  // until its end of the channel is closed
    CHECK_FALSE(helper->write("/five/good", {}, "good\n"));
    CHECK(counters->opened == 3);
    CHECK(counters->asked == 2);
}

TEST_CASE("helper: a write that its helper died at is not made again", "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters);
    const auto died = helper->write(gpu + "deadly", {}, "x");
    REQUIRE(died);
    CHECK(died->text == gpu + "deadly: the helper process died at it");
    CHECK(counters->asked == 1);
    CHECK_FALSE(helper->write(gpu + "good", {}, "good\n"));
}

TEST_CASE("helper: a helper that dies as it opens the machine is replaced once", "[timed]") {
    const SharedCounters counters;
    const auto dies = [&]() -> Result<std::unique_ptr<WritableFs>> {
        if (++counters->opened <= counters->deaths) {
            ::_exit(1);
        }
        return std::unique_ptr<WritableFs>(std::make_unique<TrickyFs>(counters));
    };
    counters->deaths = 1;
    CHECK(HelperFs::start({}, dies).ok());
    counters->opened = 0;
    counters->deaths = 2;
    const auto helper = HelperFs::start({}, dies);
    REQUIRE_FALSE(helper.ok());
    CHECK(helper.error().kind == ErrorKind::io);
    CHECK(counters->opened == 2);
}

TEST_CASE("helper: the terminal's signals are the caller's, not the helper's", "[timed]") {
    const SharedCounters counters;
    const auto helper = started(counters);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        ::kill(counters->helper, signal);
    }
    CHECK(helper->read("/a/good").ok());
    CHECK(counters->opened == 1);
}

TEST_CASE("helper: the helper holds nothing of the caller's and dies with it", "[timed]") {
    const SharedCounters counters;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto helper = HelperFs::start({}, tricky(counters));
        static_cast<void>((*helper)->read("/a"));
        ::kill(::getpid(), SIGKILL);
    }
    ::close(ends[1]);
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 0);  // end of file: no helper holds it open
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    int tries = 200;
    while (::kill(counters->helper, 0) == 0 && --tries > 0) {
        ::usleep(10000);
    }
    CHECK(tries > 0);
}

}  // namespace

}  // namespace helper_fs_test
