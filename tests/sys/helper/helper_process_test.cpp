// SPDX-License-Identifier: MIT
#include "os/child/helper_process.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "os/child/channel.h"
#include "os/child/shared_log.h"
#include "support/catch.h"
#include "support/skip.h"

namespace helper_process_test {

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
    Channel mine;
    pid_t helper = -1;
    pid_t other = -1;
    char said = 0;  // by the other

    template <class Act>
    explicit Pair(const Act& act) {
        auto [ours, its] = channel_pair();
        mine = std::move(ours);
        helper = fork_helper();
        if (helper == 0) {
            become_helper(its.fd());
            sleep_for_ever();
        }
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        other = ::fork();
        if (other == 0) {
            mine = Channel();
            act(helper, ready[1]);
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

// A traced process stops once more before it is gone. That takes as long as its tracer wants, and
// is no uninterruptible wait.
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
    const Pair pair([](pid_t, int ready) { REQUIRE(::write(ready, "x", 1) == 1); });
    int status = 0;
    const auto start = now_ms();
    CHECK(end_helper(pair.helper, pair.mine.fd(), status) == HelperEnd::gone);
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(now_ms() - start < 400);
}

TEST_CASE("helper: one is gone though somebody else holds its end of the channel", "[timed]") {
    const Pair pair([](pid_t, int ready) {
        REQUIRE(::write(ready, "x", 1) == 1);
        wait_ms(700);
    });
    int status = 0;
    CHECK(end_helper(pair.helper, pair.mine.fd(), status) == HelperEnd::gone);
    CHECK(WTERMSIG(status) == SIGKILL);
}

TEST_CASE("helper: one that takes its time is waited for, and not said to wait in the kernel",
          "[timed]") {
    for (const int ms : {150, 1600}) {
        const Pair pair([ms](pid_t helper, int ready) { hold_at_its_end(helper, ready, ms); });
        if (pair.said != 'y') {
            return say_skipped("processes may not be traced here");
        }
        int status = 0;
        const auto start = now_ms();
        const auto end = end_helper(pair.helper, pair.mine.fd(), status);
        CHECK(end == (ms < 1000 ? HelperEnd::gone : HelperEnd::late));
        CHECK(now_ms() - start < 1500);
        if (end != HelperEnd::gone) {
            ::waitpid(pair.helper, nullptr, 0);
        }
    }
}

TEST_CASE("helper: what is said of one that is left behind", "[timed]") {
    CHECK(left_behind_text(12, HelperEnd::late, "/sys/x") ==
          "helper process 12 was killed and is not gone yet");
    CHECK(left_behind_text(12, HelperEnd::in_kernel, "/sys/x") ==
          "helper process 12 cannot be ended: it waits in the kernel for /sys/x and goes when "
          "that answers");
    CHECK(left_behind_text(12, HelperEnd::in_kernel, "") ==
          "helper process 12 cannot be ended: it waits in the kernel");
}

}  // namespace helper_process_test
