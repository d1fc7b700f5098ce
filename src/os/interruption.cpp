// SPDX-License-Identifier: MIT
#include "os/interruption.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <vector>

#include "util/credentials.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct NamedSignal {
    int signal;
    const char* name;
};

// Signals that a user or a service manager ends a command with.
constexpr std::array interrupting{
    NamedSignal{SIGHUP, "SIGHUP"},
    NamedSignal{SIGINT, "SIGINT"},
    NamedSignal{SIGQUIT, "SIGQUIT"},
    NamedSignal{SIGTERM, "SIGTERM"},
};
// Other signals that end a process by default (signal(7)), without faults and real-time signals.
constexpr std::array others_named{
    NamedSignal{SIGALRM, "SIGALRM"}, NamedSignal{SIGUSR1, "SIGUSR1"},
    NamedSignal{SIGUSR2, "SIGUSR2"}, NamedSignal{SIGVTALRM, "SIGVTALRM"},
    NamedSignal{SIGPROF, "SIGPROF"}, NamedSignal{SIGPOLL, "SIGPOLL"},
    NamedSignal{SIGPWR, "SIGPWR"},   NamedSignal{SIGSTKFLT, "SIGSTKFLT"},
    NamedSignal{SIGXCPU, "SIGXCPU"},
};
constexpr std::array stopping{SIGTSTP, SIGTTIN, SIGTTOU};

std::vector<int> other_signals() {
    std::vector<int> out;
    out.reserve(others_named.size() + static_cast<std::size_t>(SIGRTMAX - SIGRTMIN + 1));
    for (const auto& each : others_named) {
        out.push_back(each.signal);
    }
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
        out.push_back(signal);
    }
    return out;
}

template <typename Signals>
sigset_t set_of(const Signals& signals) {
    sigset_t out;
    ::sigemptyset(&out);
    for (const int signal : signals) {
        ::sigaddset(&out, signal);
    }
    return out;
}

volatile std::sig_atomic_t noted = 0;
std::optional<sigset_t> callers_mask;  // mask of the caller, while other signals are pending

void note(int signal) {
    if (noted == 0) {
        noted = signal;
    }
}

void catch_one(int signal) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) {  // ignored by nohup
        struct sigaction action {};
        action.sa_handler = note;
        ::sigaction(signal, &action, nullptr);
    }
}

void raise_default(int signal) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == note) {
        ::signal(signal, SIG_DFL);
    }
}

}  // namespace

void catch_interruptions(OtherSignals others) {
    for (const auto& each : interrupting) {
        catch_one(each.signal);
    }
    const auto more = other_signals();
    if (others == OtherSignals::wait) {
        const sigset_t these = set_of(more);
        ::sigprocmask(SIG_BLOCK, &these, &callers_mask.emplace());
        return;
    }
    for (const int signal : more) {
        catch_one(signal);
    }
}

void ignore_interruptions() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(signal, SIG_IGN);
    }
}

bool interrupted() {
    return noted != 0;
}

std::string interruption() {
    const int signal = noted;
    for (const auto& each : interrupting) {
        if (each.signal == signal) {
            return each.name;
        }
    }
    for (const auto& each : others_named) {
        if (each.signal == signal) {
            return each.name;
        }
    }
    return signal == 0 ? "" : "signal " + number(signal);
}

void take_interruptions(sigset_t& mask) {
    for (const auto& each : interrupting) {
        raise_default(each.signal);
    }
    for (const int signal : other_signals()) {
        raise_default(signal);
        if (callers_mask && ::sigismember(&*callers_mask, signal) == 0) {
            ::sigdelset(&mask, signal);
        }
    }
}

void allow_interruptions() {
    sigset_t these;
    ::sigemptyset(&these);
    for (const auto& each : interrupting) {
        ::sigaddset(&these, each.signal);
    }
    ::sigprocmask(SIG_UNBLOCK, &these, nullptr);
}

NoTerminalStops::NoTerminalStops() {
    const sigset_t these = set_of(stopping);
    ::sigprocmask(SIG_BLOCK, &these, &before_);
}

NoTerminalStops::~NoTerminalStops() {
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

// A terminal may stop the process during the pause, despite NoTerminalStops, because no operation
// is open.
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
            pollfd ready{fd, POLLOUT, 0};  // another process made the terminal non-blocking
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
    print_to(STDERR_FILENO, printable_but(Kept::both, without_credentials(text)));
}

// Drops the text instead of waiting: a blocked terminal would delay the lock.
void mention(const std::string& text) {
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&ready, 1, 0) > 0 && (ready.revents & POLLOUT) != 0) {
        say(text);
    }
}

namespace {

struct Disposition {
    int signal;
    sighandler_t ours;
    sighandler_t before = SIG_ERR;  // SIG_ERR: unchanged so far
};

// SIGXFSZ is sent at a file size limit. With SIGCHLD ignored, the kernel would reap helpers itself,
// and the id of a killed helper could already belong to another process.
std::array<Disposition, 3> dispositions{
    {{SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}, {SIGCHLD, SIG_DFL}}};

// Replaces closed descriptors: open(2) returns the lowest free number, and an O_PATH descriptor can
// neither be read nor written.
void take_closed_descriptors() {
    std::array<pollfd, 3> standard{
        {{STDIN_FILENO, 0, 0}, {STDOUT_FILENO, 0, 0}, {STDERR_FILENO, 0, 0}}};
    ::poll(standard.data(), standard.size(), 0);
    for (const auto& descriptor : standard) {
        if ((descriptor.revents & POLLNVAL) != 0) {
            (void)::open("/", O_PATH | O_CLOEXEC);
        }
    }
}

}  // namespace

void set_inherited_aside() {
    take_closed_descriptors();
    for (auto& disposition : dispositions) {
        disposition.before = ::signal(disposition.signal, disposition.ours);
    }
}

void put_inherited_back() {
    for (const auto& disposition : dispositions) {
        if (disposition.before != SIG_ERR) {
            ::signal(disposition.signal, disposition.before);
        }
    }
}

}  // namespace rocenv
