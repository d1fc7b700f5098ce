// SPDX-License-Identifier: MIT
#include "os/child/child_process.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "os/child/shared_log.h"
#include "support/catch.h"
#include "support/skip.h"

namespace child_process_test {

namespace {

using namespace rocenv;

[[noreturn]] void sleep_for_ever() {
    for (;;) {
        ::pause();
    }
}

void wait_ms(int ms) {
    ::usleep(static_cast<useconds_t>(ms) * 1000);
}

// Forks a helper and, beside it, a process that does something to it.
struct Pair {
    Child helper;
    pid_t other = -1;
    char said = 0;  // by the other

    template <class Act>
    explicit Pair(const Act& act) {
        helper = Child::start(Child::Line::socket, [](int) { sleep_for_ever(); });
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        other = ::fork();
        if (other == 0) {
            helper.take_line();
            act(helper.pid(), ready[1]);
            ::_exit(0);
        }
        ::close(ready[1]);
        REQUIRE(::read(ready[0], &said, 1) == 1);
        ::close(ready[0]);
    }
    ~Pair() { ::waitpid(other, nullptr, 0); }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
};

// Holds a traced process, which stops once more before its end. That takes as long as its tracer
// needs, and counts as an interruptible wait.
void hold_at_its_end(pid_t process, int ready, int ms) {
    const bool traced = ::ptrace(PTRACE_SEIZE, process, nullptr, PTRACE_O_TRACEEXIT) == 0;
    const char answer = traced ? 'y' : 'n';
    if (::write(ready, &answer, 1) == 1 && traced) {
        ::waitpid(process, nullptr, 0);
        wait_ms(ms);
        ::ptrace(PTRACE_CONT, process, nullptr, nullptr);
    }
}

}  // namespace

TEST_CASE("helper: one that sleeps is ended at once", "[timed]") {
    Pair pair([](pid_t, int ready) { REQUIRE(::write(ready, "x", 1) == 1); });
    const auto start = now_ms();
    CHECK(pair.helper.kill() == Child::End::gone);
    CHECK(WTERMSIG(pair.helper.status()) == SIGKILL);
    CHECK(now_ms() - start < 400);
}

TEST_CASE("helper: one is gone though somebody else holds its end of the channel", "[timed]") {
    Pair pair([](pid_t, int ready) {
        REQUIRE(::write(ready, "x", 1) == 1);
        wait_ms(700);
    });
    CHECK(pair.helper.kill() == Child::End::gone);
    CHECK(WTERMSIG(pair.helper.status()) == SIGKILL);
}

TEST_CASE("helper: one that takes its time is waited for, and not said to wait in the kernel",
          "[timed]") {
    for (const int ms : {150, 1600}) {
        Pair pair([ms](pid_t helper, int ready) { hold_at_its_end(helper, ready, ms); });
        if (pair.said != 'y') {
            return say_skipped("processes may not be traced here");
        }
        const auto start = now_ms();
        const auto end = pair.helper.kill();
        CHECK(end == (ms < 1000 ? Child::End::gone : Child::End::late));
        CHECK(now_ms() - start < 1500);
        if (end != Child::End::gone) {
            pair.helper.reap();
        }
    }
}

TEST_CASE("helper: what is said of one that is left behind", "[timed]") {
    Pair pair([](pid_t, int ready) { REQUIRE(::write(ready, "x", 1) == 1); });
    const auto said = [&](Child::End end, const std::string& path) {
        return pair.helper.left_behind(end, path);
    };
    const std::string helper = "helper process " + std::to_string(pair.helper.pid());
    CHECK(said(Child::End::late, "/sys/x") == helper + " was killed and is not gone yet");
    CHECK(said(Child::End::in_kernel, "/sys/x") ==
          helper +
              " cannot be ended: it waits in the kernel for /sys/x and goes when that answers");
    CHECK(said(Child::End::in_kernel, "") == helper + " cannot be ended: it waits in the kernel");
    pair.helper.kill();
}

TEST_CASE("helper: what it says and when it has ended", "[timed]") {
    Child child = Child::start(Child::Line::pipe, [](int line) {
        wait_ms(50);
        if (::write(line, "x", 1) != 1) {
            ::_exit(1);
        }
        wait_ms(50);
    });
    REQUIRE(child);
    CHECK_FALSE(child.wait_until(now_ms()));
    CHECK(child.wait_until(now_ms() + 5000));
    char byte = 0;
    CHECK(::read(child.line(), &byte, 1) == 1);
    CHECK(child.wait_until(now_ms() + 5000));
    CHECK(::read(child.line(), &byte, 1) == 0);
    child.reap();
    CHECK(child.status() == 0);
}

TEST_CASE("helper: what it throws ends it", "[timed]") {
    Child child = Child::start(Child::Line::pipe, [](int) { throw 1; });
    CHECK(child.wait_until(now_ms() + 5000));
    child.reap();
    CHECK(WIFSIGNALED(child.status()));
    CHECK(WTERMSIG(child.status()) == SIGABRT);
}

}  // namespace child_process_test
