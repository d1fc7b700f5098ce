// SPDX-License-Identifier: MIT
// kill_at count CMD...
// kill_at DEATH [--and DEATH]... CMD...      DEATH: [--after] [--signal N] WHO CALL NTH
//
// Runs CMD and follows every process it starts: 0 is CMD's own, 1, 2 ... are the others in the
// order of their birth (a thread counts as one). `count` prints how often each of them entered each
// system call. A DEATH sends SIGKILL (or signal N) to process WHO when it enters CALL for the NTH
// time, so that the call does not happen; with --after once it has happened. Everything else runs
// to its end.
//
// It ends with CMD's status (128 + signal), 126 when CMD does not start, 2 for bad usage and 77
// where nothing can be traced. On stderr, each line after "kill_at: ": of count "WHO CALL COUNT";
// else "reached WHO CALL NTH" or "missed WHO CALL NTH"; "left WHO" for a process that did not end
// within five seconds of CMD's own end, and was killed.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kill/system_calls.h"

namespace {

constexpr int exit_usage = 2;
constexpr int exit_skip = 77;
constexpr int exit_not_started = 126;
constexpr int signal_base = 128;
constexpr time_t grace_seconds = 5;
constexpr long always = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC |
                        PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                        PTRACE_O_TRACESECCOMP;

struct Death {
    bool after = false;
    int signal = SIGKILL;
    std::size_t number = 0;
    std::uint64_t call = 0;
    std::uint64_t nth = 0;
    bool reached = false;
};

struct Traced {
    std::size_t number = 0;
    // The filter does not stop him; before his first stop as it was with his parent.
    std::optional<bool> passes;
    std::uint64_t call = 0;  // entered last
    std::map<std::uint64_t, std::uint64_t> entered;
};

// From here on this process and its children stop at these calls alone. A stop costs as much as a
// dozen calls: with one at each call a set takes seven times as long. False: not allowed here.
bool stop_only_at(const std::set<std::uint64_t>& calls) {
    std::vector<sock_filter> rules;
    const auto add = [&](unsigned code, std::uint8_t yes, std::uint8_t no, std::uint64_t value) {
        rules.push_back(
            {static_cast<std::uint16_t>(code), yes, no, static_cast<std::uint32_t>(value)});
    };
    add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr));
    for (const auto call : calls) {
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call);
        add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRACE);
    }
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<std::uint16_t>(rules.size()), rules.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// SIGALRM only has to end a waitpid().
void wake(int /*signal*/) {}

// The stops of waitpid() by their kind; ptrace(2), "Stopped states".
bool is_syscall_stop(int status) {
    return WSTOPSIG(status) == (SIGTRAP | 0x80);
}

int event_of(int status) {
    return status >> 16;
}

bool is_group_stop(int status) {
    const int signal = WSTOPSIG(status);
    return event_of(status) == PTRACE_EVENT_STOP && signal != SIGTRAP;
}

bool is_birth(int event) {
    return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE;
}

class Tracer {
   public:
    Tracer(std::vector<Death> deaths, bool count) : deaths_(std::move(deaths)), count_(count) {}

    int run(char** command) {
        ::prctl(PR_SET_CHILD_SUBREAPER,
                1);  // reparents orphans to this process, so that no zombie remains
        if (!start(command)) {
            return exit_skip;
        }
        follow();
        print();
        return status_;
    }

   private:
    // The child waits for the end of a pipe until it is traced, then becomes CMD.
    bool start(char** command) {
        constexpr int both = PROT_READ | PROT_WRITE;
        void* const shared = ::mmap(nullptr, 1, both, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) {
            std::perror("kill_at: no memory");
            return false;
        }
        filtered_ = static_cast<bool*>(shared);
        int gate[2];
        if (::pipe(gate) != 0 || (first_ = ::fork()) < 0) {
            std::perror("kill_at: cannot start a process");
            return false;
        }
        if (first_ == 0) {
            char none = 0;
            ::close(gate[1]);
            while (::read(gate[0], &none, 1) < 0 && errno == EINTR) {
            }
            ::close(gate[0]);
            *filtered_ = !count_ && stop_only_at(calls());
            ::execvp(command[0], command);
            std::perror(command[0]);
            ::_exit(exit_not_started);
        }
        ::close(gate[0]);
        const bool traced = seize();
        ::close(gate[1]);
        if (!traced) {
            ::waitpid(first_, nullptr, 0);
        }
        return traced;
    }

    bool seize() {
        if (::ptrace(PTRACE_SEIZE, first_, nullptr, always) == 0 &&
            ::ptrace(PTRACE_INTERRUPT, first_, nullptr, nullptr) == 0) {
            meet(first_);
            return true;
        }
        std::fprintf(stderr, "kill_at: cannot trace: %s\n", std::strerror(errno));
        ::kill(first_, SIGKILL);
        return false;
    }

    // Adds a process when its parent's event names it or when it stops, whichever is first.
    Traced& meet(pid_t pid) {
        const auto [at, is_new] = traced_.try_emplace(pid);
        if (is_new) {
            at->second.number = born_++;
        }
        return at->second;
    }

    void follow() {
        struct sigaction action {};
        action.sa_handler = wake;
        ::sigaction(SIGALRM, &action, nullptr);
        for (;;) {
            int status = 0;
            const pid_t pid = ::waitpid(-1, &status, __WALL);
            if (pid > 0) {
                take(pid, status);
            } else if (errno == ECHILD) {
                return;
            } else if (over_) {
                kill_rest();
            }
        }
    }

    void take(pid_t pid, int status) {
        if (WIFSTOPPED(status)) {
            stopped(pid, status);
            return;
        }
        const auto found = traced_.find(pid);
        if (found == traced_.end()) {
            return;  // an orphan, reported again to its new parent
        }
        ended_[found->second.number] = found->second;
        traced_.erase(found);
        if (pid == first_) {
            status_ = WIFSIGNALED(status) ? signal_base + WTERMSIG(status) : WEXITSTATUS(status);
            over_ = true;
            const itimerval ticks{{1, 0}, {grace_seconds, 0}};
            ::setitimer(ITIMER_REAL, &ticks, nullptr);
        }
    }

    void stopped(pid_t pid, int status) {
        Traced& process = meet(pid);
        const int event = event_of(status);
        int signal = 0;
        if (is_syscall_stop(status) || event == PTRACE_EVENT_SECCOMP) {
            inspect_call(pid, process);
        } else if (is_group_stop(status)) {
            ::ptrace(PTRACE_LISTEN, pid, nullptr, nullptr);
            return;
        } else if (event == PTRACE_EVENT_EXEC && pid == first_) {
            executed_ = true;  // earlier events do not belong to CMD
        } else if (is_birth(event)) {
            unsigned long child = 0;
            ::ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child);
            meet(static_cast<pid_t>(child));
        } else if (event == 0) {
            signal = WSTOPSIG(status);
        }
        go_on(pid, process, signal);
    }

    std::set<std::uint64_t> calls() const {
        std::set<std::uint64_t> out;
        for (const auto& death : deaths_) {
            out.insert(death.call);
        }
        return out;
    }

    // Continues a process. One without a pending death need not stop at its calls. With a filter
    // only the end of that call is a stop of its own.
    void go_on(pid_t pid, Traced& process, int signal) const {
        bool watched = count_;
        bool passes = *filtered_ && executed_;
        for (const auto& death : deaths_) {
            const bool due = !*filtered_ || (death.after && is_due(death, process));
            const bool his = death.number == process.number && !death.reached;
            watched = watched || (his && due);
            passes = passes && !his;
        }
        suspend_filter(pid, process, passes);
        ::ptrace(watched ? PTRACE_SYSCALL : PTRACE_CONT, pid, nullptr, signal);
    }

    // If this is refused (it needs CAP_SYS_ADMIN), the process stops for nothing.
    static void suspend_filter(pid_t pid, Traced& process, bool passes) {
        const long options = always | (passes ? PTRACE_O_SUSPEND_SECCOMP : 0);
        if (passes != process.passes && ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, options) == 0) {
            process.passes = passes;
        }
    }

    // In this call he dies, or after it.
    static bool is_due(const Death& death, const Traced& process) {
        const auto entered = process.entered.find(death.call);
        return death.call == process.call && entered != process.entered.end() &&
               entered->second == death.nth;
    }

    void inspect_call(pid_t pid, Traced& process) {
        __ptrace_syscall_info info{};
        if (!executed_ || ::ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0) {
            return;
        }
        const bool after = info.op == PTRACE_SYSCALL_INFO_EXIT;
        if (!after) {
            const bool filtered = info.op == PTRACE_SYSCALL_INFO_SECCOMP;
            process.call = filtered ? info.seccomp.nr : info.entry.nr;
            ++process.entered[process.call];
        }
        for (auto& death : deaths_) {
            if (!death.reached && death.number == process.number && death.after == after &&
                is_due(death, process)) {
                death.reached = true;
                ::kill(pid, death.signal);
            }
        }
    }

    void kill_rest() {
        for (const auto& [pid, process] : traced_) {
            left_.insert(process.number);
            ::kill(pid, SIGKILL);
        }
    }

    void print() const {
        for (const auto number : left_) {
            std::fprintf(stderr, "kill_at: left %zu\n", number);
        }
        for (const auto& [number, process] : count_ ? ended_ : std::map<std::size_t, Traced>()) {
            for (const auto& [call, count] : process.entered) {
                std::fprintf(stderr, "kill_at: %zu %s %llu\n", number, call_name(call).c_str(),
                             static_cast<unsigned long long>(count));
            }
        }
        for (const auto& death : deaths_) {
            std::fprintf(stderr, "kill_at: %s %zu %s %llu\n", death.reached ? "reached" : "missed",
                         death.number, call_name(death.call).c_str(),
                         static_cast<unsigned long long>(death.nth));
        }
    }

    std::vector<Death> deaths_;
    bool count_;
    bool* filtered_ = nullptr;  // set by the child
    pid_t first_ = -1;
    bool executed_ = false;
    bool over_ = false;
    int status_ = 0;
    std::size_t born_ = 0;
    std::map<pid_t, Traced> traced_;
    std::map<std::size_t, Traced> ended_;  // by who
    std::set<std::size_t> left_;
};

std::optional<std::uint64_t> number_in(const char* text) {
    const std::string_view digits(text == nullptr ? "" : text);
    std::uint64_t out = 0;
    const auto [end, err] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    const bool whole = err == std::errc() && end == digits.data() + digits.size();
    return whole ? std::optional(out) : std::nullopt;
}

// Takes one DEATH from the front of the words.
std::optional<Death> take_death(char**& words) {
    Death death;
    for (; *words != nullptr && std::strncmp(*words, "--", 2) == 0; ++words) {
        const std::string_view option(*words);
        const auto signal = option == "--signal" ? number_in(words[1]) : std::nullopt;
        if (option != "--after" && !signal) {
            return std::nullopt;
        }
        death.after = death.after || option == "--after";
        death.signal = signal ? static_cast<int>(*signal) : death.signal;
        words += signal ? 1 : 0;
    }
    if (words[0] == nullptr || words[1] == nullptr) {
        return std::nullopt;
    }
    const auto number = number_in(words[0]);
    const auto call = call_number(words[1]);
    const auto nth = number_in(words[2]);
    if (!number || !call || !nth) {
        return std::nullopt;
    }
    death.number = *number;
    death.call = *call;
    death.nth = *nth;
    words += 3;
    return death;
}

int usage() {
    std::fputs("usage: kill_at count CMD... | kill_at DEATH [--and DEATH]... CMD...\n", stderr);
    return exit_usage;
}

int run(char** words) {
    std::vector<Death> deaths;
    const bool count = *words != nullptr && std::string_view(*words) == "count";
    bool more = !count;
    words += count ? 1 : 0;
    while (more) {
        const auto death = take_death(words);
        if (!death) {
            return usage();
        }
        deaths.push_back(*death);
        more = *words != nullptr && std::string_view(*words) == "--and";
        words += more ? 1 : 0;
    }
    return *words == nullptr ? usage() : Tracer(std::move(deaths), count).run(words);
}

}  // namespace

int main(int /*argc*/, char** argv) {
    return run(argv + 1);
}
