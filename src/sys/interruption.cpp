// SPDX-License-Identifier: MIT
#include "sys/interruption.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::array interrupting{SIGINT, SIGTERM, SIGHUP};
constexpr std::array stopping{SIGTSTP, SIGTTIN, SIGTTOU};

sigset_t set_of(const std::array<int, 3>& signals) {
    sigset_t out;
    ::sigemptyset(&out);
    for (const int signal : signals) {
        ::sigaddset(&out, signal);
    }
    return out;
}

volatile std::sig_atomic_t noted = 0;

void note(int) {
    noted = 1;
}

}  // namespace

void catch_interruptions() {
    struct sigaction action {};
    action.sa_handler = note;
    for (const int signal : interrupting) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {  // nohup
            ::sigaction(signal, &action, nullptr);
        }
    }
}

bool interrupted() {
    return noted != 0;
}

void take_interruptions() {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (const int signal : interrupting) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == note) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

void allow_interruptions() {
    const sigset_t these = set_of(interrupting);
    ::sigprocmask(SIG_UNBLOCK, &these, nullptr);
}

NoTerminalStops::NoTerminalStops() {
    const sigset_t these = set_of(stopping);
    ::sigprocmask(SIG_BLOCK, &these, &before_);
}

NoTerminalStops::~NoTerminalStops() {
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

// While it waits a terminal may stop us: nothing is half-done here, whatever NoTerminalStops holds.
void pause_for(int ms) {
    sigset_t mask;
    ::sigprocmask(SIG_BLOCK, nullptr, &mask);
    for (const int signal : stopping) {
        ::sigdelset(&mask, signal);
    }
    constexpr long ns_of_ms = 1000000;
    const timespec time{ms / 1000, ms % 1000 * ns_of_ms};
    ::ppoll(nullptr, 0, &time, &mask);
}

int print_to(int fd, std::string_view text) {
    while (!text.empty()) {
        ssize_t done = ::write(fd, text.data(), text.size());
        if (done < 0 && errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};  // somebody made the terminal non-blocking
            done = ::poll(&ready, 1, -1) < 0 ? -1 : 0;
        }
        if (done < 0 && (errno != EINTR || interrupted())) {
            return errno;
        }
        text.remove_prefix(done < 0 ? 0 : static_cast<std::size_t>(done));
    }
    return 0;
}

void say(const std::string& text) {
    print_to(STDERR_FILENO, printable_but(Kept::both, text));
}

// What nobody needs is not waited for: a terminal that takes nothing would hold up the lock.
void mention(const std::string& text) {
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&ready, 1, 0) > 0 && (ready.revents & POLLOUT) != 0) {
        say(text);
    }
}

}  // namespace rocenv
