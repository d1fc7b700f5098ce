// SPDX-License-Identifier: MIT
#include "os/child/supervise.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "os/fd.h"
#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "support/shared_counters.h"

namespace supervise_test {

namespace {

using namespace rocenv;

[[noreturn]] void crash() {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
}

[[noreturn]] void sleep_for_ever() {
    for (;;) {
        ::pause();
    }
}

// Results of helpers for the test: counters that survive them.
struct Counters {
    std::atomic<int> asked[64];
    std::atomic<int> runs;
    std::atomic<pid_t> helper;
};

using SharedCounters = Shared<Counters>;

// Files named PATH + their number; a read of some never answers, of others kills the helper.
struct Machinery {
    std::vector<std::string> files;
    std::set<std::string> silent;
    std::set<std::string> deadly;
    SharedCounters counters;

    int asked(std::size_t file) const { return counters->asked[file].load(); }
};

class TrickyFs final : public Fs {
   public:
    explicit TrickyFs(const Machinery& machinery) : machinery_(machinery) {}

    Result<std::string> read(const std::string& path) const override {
        for (std::size_t at = 0; at < machinery_.files.size(); ++at) {
            if (machinery_.files[at] == path) {
                ++machinery_.counters->asked[at];
            }
        }
        if (machinery_.silent.contains(path)) {
            sleep_for_ever();
        }
        if (machinery_.deadly.contains(path)) {
            crash();
        }
        return "text of " + path;
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t,
                                std::size_t) const override {
        return read(path);
    }
    Result<std::vector<std::string>> list(const std::string&) const override {
        return std::vector<std::string>();
    }
    Result<std::string> link(const std::string& path) const override { return read(path); }
    Result<std::uint64_t> size(const std::string&) const override { return std::uint64_t{0}; }
    Result<std::uint64_t> capacity(const std::string&) const override { return std::uint64_t{0}; }
    bool is_real() const override { return false; }

   private:
    const Machinery& machinery_;
};

// Reads every file in order and prints one line for each: its text or the error.
Work read_all(const Machinery& machinery) {
    return [&machinery](const Fs& machine, const Fs&) {
        ++machinery.counters->runs;
        machinery.counters->helper = ::getpid();
        Output output;
        for (const auto& file : machinery.files) {
            const auto text = machine.read(file);
            const char* kind = text                            ? "ok "
                               : text.is(ErrorKind::timed_out) ? "timed_out "
                               : text.is(ErrorKind::io)        ? "io "
                                                               : "other ";
            output.out += kind + (text ? *text : text.error().text) + "\n";
        }
        return output;
    };
}

OpenMachine opener(const Machinery& machinery) {
    return [&machinery]() -> Result<std::unique_ptr<Fs>> {
        return std::unique_ptr<Fs>(std::make_unique<TrickyFs>(machinery));
    };
}

OpenMachine empty_machine() {
    return []() -> Result<std::unique_ptr<Fs>> {
        return std::unique_ptr<Fs>(std::make_unique<MemoryFs>());
    };
}

struct Timed {
    Output output;
    double seconds;
};

Timed timed(const Patience& patience, const OpenMachine& open_machine, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    Output output = run_supervised(patience, open_machine, work);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return {std::move(output), took.count()};
}

bool process_is_gone(pid_t process) {
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

const Patience quick{.probe_seconds = 0.3, .deadline_seconds = 20};

TEST_CASE("Without trouble one helper does it all, and is gone", "[supervise][timed]") {
    Machinery machinery{.files = {"/a", "/b", "/a"}};
    const auto run = timed(quick, opener(machinery), read_all(machinery));
    CHECK(run.output.exit_code == 0);
    CHECK(run.output.out == "ok text of /a\nok text of /b\nok text of /a\n");
    CHECK(run.output.err.empty());
    CHECK(machinery.asked(0) == 1);
    CHECK(machinery.counters->runs == 1);
    CHECK(machinery.counters->helper != ::getpid());
    CHECK(process_is_gone(machinery.counters->helper));
}

TEST_CASE("A file that never answers costs its time and nothing else", "[supervise][timed]") {
    Machinery machinery{.files = {"/a/1", "/b/silent", "/c/2"}, .silent = {"/b/silent"}};
    const auto run = timed(quick, opener(machinery), read_all(machinery));
    CHECK(run.seconds < 2);
    CHECK(run.seconds > 0.25);
    CHECK(run.output.exit_code == 0);
    CHECK(run.output.out.starts_with("ok text of /a/1\ntimed_out /b/silent: no answer in 0."));
    CHECK(run.output.out.ends_with("ok text of /c/2\n"));
    CHECK(run.output.err.empty());
    for (std::size_t file = 0; file < 3; ++file) {
        CHECK(machinery.asked(file) == 1);
    }
    CHECK(machinery.counters->runs == 2);
    CHECK(process_is_gone(machinery.counters->helper));
}

TEST_CASE("After two silent files of a PCI device the third is not asked", "[supervise][timed]") {
    const std::string gpu = "/sys/bus/pci/devices/0000:05:00.0";
    Machinery machinery{
        .files = {gpu + "/1", gpu + "/2", gpu + "/3", "/sys/bus/pci/devices/0000:06:00.0/1"},
        .silent = {gpu + "/1", gpu + "/2", gpu + "/3"}};
    const auto run = timed(quick, opener(machinery), read_all(machinery));
    CHECK(run.seconds < 5);
    CHECK(run.output.out.find("timed_out " + gpu + "/3: not asked") != std::string::npos);
    CHECK(run.output.out.ends_with("ok text of /sys/bus/pci/devices/0000:06:00.0/1\n"));
    CHECK(machinery.asked(0) == 1);
    CHECK(machinery.asked(1) == 1);
    CHECK(machinery.asked(2) == 0);
}

TEST_CASE("After the deadline everything else was not asked", "[supervise][timed]") {
    Machinery machinery{.files = {"/first/f"}};
    for (int at = 0; at < 60; ++at) {
        machinery.files.push_back("/silent" + std::to_string(at) + "/f");
        machinery.silent.insert(machinery.files.back());
    }
    machinery.files.push_back("/last/f");
    const auto run = timed({0.2, 0.6}, opener(machinery), read_all(machinery));
    CHECK(run.seconds < 2);
    CHECK(run.output.exit_code == 0);
    CHECK(run.output.out.starts_with("ok text of /first/f\ntimed_out /silent0/f: no answer in 0."));
    CHECK(run.output.out.ends_with("timed_out /last/f: not asked before the deadline\n"));
    CHECK(machinery.asked(0) == 1);
    CHECK(machinery.asked(61) == 0);
}

TEST_CASE("Many silent files leave time for the others", "[supervise][timed]") {
    Machinery machinery;
    for (int at = 0; at < 2; ++at) {
        machinery.files.push_back("/silent" + std::to_string(at) + "/f");
        machinery.silent.insert(machinery.files.back());
    }
    machinery.files.push_back("/last/f");
    // Half of what is left each: 6 s, then 3 s; as much again is left, since a helper of the
    // sanitizers' build has taken 1.5 s to start at the lowest priority beside two compilers.
    const auto run = timed({12, 12}, opener(machinery), read_all(machinery));
    CHECK(run.output.out.ends_with("ok text of /last/f\n"));
}

TEST_CASE("With no time at all nothing is asked", "[supervise][timed]") {
    Machinery machinery{.files = {"/silent/f", "/f"}, .silent = {"/silent/f"}};
    const auto run = timed({5, 0}, opener(machinery), read_all(machinery));
    CHECK(run.seconds < 2);
    CHECK(run.output.out.ends_with("timed_out /f: not asked before the deadline\n"));
}

TEST_CASE("A helper that dies reading a file is tried once more without it", "[supervise][timed]") {
    Machinery machinery{.files = {"/a/1", "/b/deadly", "/c/2"}, .deadly = {"/b/deadly"}};
    const auto run = timed(quick, opener(machinery), read_all(machinery));
    CHECK(run.output.exit_code == 0);
    CHECK(run.output.out ==
          "ok text of /a/1\nio /b/deadly: the helper died reading it\nok text of /c/2\n");
    for (std::size_t file = 0; file < 3; ++file) {
        CHECK(machinery.asked(file) == 1);
    }
}

TEST_CASE("A helper that keeps dying gives a sentence and no report", "[supervise][timed]") {
    Machinery machinery{.files = {"/a/deadly", "/b/deadly", "/c/deadly"},
                        .deadly = {"/a/deadly", "/b/deadly", "/c/deadly"}};
    const auto run = timed(quick, opener(machinery), read_all(machinery));
    CHECK(run.output.exit_code == 3);
    CHECK(run.output.out.empty());
    CHECK(run.output.err.find("signal 6") != std::string::npos);
    CHECK(run.output.err.find("/b/deadly") != std::string::npos);
    CHECK(run.output.err.ends_with("\n"));
    CHECK(machinery.counters->runs == 2);
}

TEST_CASE("A helper that dies by itself gives a sentence and no report", "[supervise][timed]") {
    SharedCounters counters;
    const auto run = timed(quick, empty_machine(), [&](const Fs&, const Fs&) -> Output {
        ++counters->runs;
        crash();
    });
    CHECK(run.output.exit_code == 3);
    CHECK(run.output.out.empty());
    CHECK(run.output.err.starts_with("rocenv: the helper died (signal 6)"));
    CHECK(counters->runs == 1);
}

TEST_CASE("A helper that is killed between two reads is started once more", "[supervise][timed]") {
    for (const int kills : {1, 2}) {
        SharedCounters counters;
        const auto run = timed(quick, empty_machine(), [&](const Fs&, const Fs&) -> Output {
            if (++counters->runs <= kills) {
                ::kill(::getpid(), SIGKILL);
            }
            return {0, "done\n", ""};
        });
        INFO(run.output.err);
        CHECK(counters->runs == 2);
        CHECK(run.output.out == (kills == 1 ? "done\n" : ""));
        CHECK(run.output.exit_code == (kills == 1 ? 0 : 3));
        CHECK(run.output.err == (kills == 1 ? ""
                                            : "rocenv: the helper died (signal 9); the kernel ends "
                                              "programs so if memory is short; nothing was "
                                              "checked\n"));
    }
}

TEST_CASE("A helper that another process ends is started once more", "[supervise][timed]") {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
        for (const int kills : {1, 2}) {
            SharedCounters counters;
            const auto run = timed(quick, empty_machine(), [&](const Fs&, const Fs&) -> Output {
                std::signal(signal, SIG_DFL);
                if (++counters->runs <= kills) {
                    ::kill(::getpid(), signal);
                }
                return {0, "done\n", ""};
            });
            INFO(run.output.err);
            CHECK(counters->runs == 2);
            CHECK(run.output.exit_code == (kills == 1 ? 0 : 3));
            CHECK(run.output.err ==
                  (kills == 1 ? ""
                              : "rocenv: the helper died (signal " + number(signal) +
                                    "); another process or a terminal sent this signal; nothing "
                                    "was checked\n"));
        }
    }
}

TEST_CASE("A helper that faults between two reads is a bug", "[supervise][timed]") {
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM}) {
        SharedCounters counters;
        const auto run = timed(quick, empty_machine(), [&](const Fs&, const Fs&) -> Output {
            ++counters->runs;
            std::signal(signal, SIG_DFL);
            ::kill(::getpid(), signal);
            ::pause();
            return {};
        });
        CHECK(counters->runs == 1);
        CHECK(run.output.exit_code == 3);
        CHECK(run.output.err.find("; this is a bug; ") != std::string::npos);
    }
}

TEST_CASE("A helper that leaves without an answer gives a sentence", "[supervise][timed]") {
    const auto run =
        timed(quick, empty_machine(), [](const Fs&, const Fs&) -> Output { ::_exit(0); });
    CHECK(run.output.exit_code == 3);
    CHECK(run.output.err.starts_with("rocenv: the helper died (status 0)"));
}

TEST_CASE("An exception ends the helper, it never unwinds into the caller's code",
          "[supervise][timed]") {
    const pid_t self = ::getpid();
    Output output;
    try {
        output = run_supervised(quick, empty_machine(), [](const Fs&, const Fs&) -> Output {
            std::signal(SIGABRT, SIG_DFL);
            throw std::runtime_error("out of luck");
        });
    } catch (...) {
        if (::getpid() != self) {
            ::_exit(77);  // a copy of the test itself
        }
    }
    CHECK(output.exit_code == 3);
    CHECK(output.err.find("status 77") == std::string::npos);
}

TEST_CASE("Work that never ends is ended, and its helper too", "[supervise][timed]") {
    SharedCounters counters;
    const auto run = timed({0.1, 0.1}, empty_machine(), [&](const Fs&, const Fs&) -> Output {
        counters->helper = ::getpid();
        sleep_for_ever();
    });
    CHECK(run.output.exit_code == 3);
    CHECK(run.seconds < 1.1);  // a second after the deadline
    CHECK(run.output.err.find("deadline") != std::string::npos);
    const bool gone = process_is_gone(counters->helper);
    CHECK(gone);
    if (!gone) {
        ::kill(counters->helper, SIGKILL);
        ::waitpid(counters->helper, nullptr, 0);
    }
}

// "0=/dev/null 1=… 3=pipe:[12]" for the descriptors that are open.
std::string open_descriptors() {
    std::string out;
    for (int fd = 0; fd < 1024; ++fd) {
        char target[256];
        const std::string path = "/proc/self/fd/" + std::to_string(fd);
        const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
        if (size > 0) {
            const std::string text(target, static_cast<std::size_t>(size));
            out += std::to_string(fd) + "=" + text.substr(0, text.find('[')) + " ";
        }
    }
    return out;
}

Output descriptors_of_helper() {
    return run_supervised(quick, empty_machine(), [](const Fs&, const Fs&) {
        return Output{0, open_descriptors(), ""};
    });
}

const char* const helper_descriptors = "0=/dev/null 1=/dev/null 2=/dev/null 3=pipe: ";

TEST_CASE("The helper holds none of the caller's descriptors", "[supervise][timed]") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);  // not close-on-exec, as an inherited descriptor
    const Fd first(ends[0]);
    const Fd second(ends[1]);
    const Fd high(::fcntl(ends[1], F_DUPFD, 900));
    REQUIRE(high);
    const std::string before = open_descriptors();
    CHECK(descriptors_of_helper().out == helper_descriptors);
    CHECK(open_descriptors() == before);
}

TEST_CASE("The helper's descriptors are right for a caller without any", "[supervise][timed]") {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::close_range(0, ~0U, 0);
        const auto output = descriptors_of_helper();
        ::_exit(output.out == helper_descriptors && open_descriptors().empty() ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

std::string noise(std::size_t size) {
    std::string out(size, '\0');
    unsigned state = 1;
    for (char& byte : out) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<char>(state >> 24);
    }
    return out;
}

TEST_CASE("Large and binary output arrives whole, with its exit code", "[supervise][timed]") {
    for (const int code : {0, 1, 2, 3, 125}) {
        const std::string out = noise(code == 1 ? 5000000 : 7);
        const std::string err = code == 3 ? "" : noise(100);
        const auto run = timed(quick, empty_machine(), [&](const Fs&, const Fs&) {
            return Output{code, out, err};
        });
        CHECK(run.output.exit_code == code);
        CHECK((run.output.out == out));
        CHECK((run.output.err == err));
    }
}

TEST_CASE("A machine that cannot be opened is bad input", "[supervise][timed]") {
    const auto run = timed(
        quick,
        []() -> Result<std::unique_ptr<Fs>> {
            return Error{ErrorKind::bad_input, 0, "x.tree", "x.tree:1: is no tree"};
        },
        [](const Fs&, const Fs&) {
            return Output{0, "never", ""};
        });
    CHECK(run.output.exit_code == 2);
    CHECK(run.output.out.empty());
    CHECK(run.output.err == "rocenv: x.tree:1: is no tree\n");
}

TEST_CASE("Work sees the machine asked for and, beside it, the real one", "[supervise][timed]") {
    const auto run = timed(quick, empty_machine(), [](const Fs& machine, const Fs& host) {
        const bool both = !machine.is_real() && host.is_real() && host.read("/proc/version").ok() &&
                          machine.read("/proc/version").is(ErrorKind::not_here);
        return Output{both ? 0 : 1, "", ""};
    });
    CHECK(run.output.exit_code == 0);
}

}  // namespace

}  // namespace supervise_test
