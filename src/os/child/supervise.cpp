// SPDX-License-Identifier: MIT
#include "os/child/supervise.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <optional>

#include "os/child/cached_fs.h"
#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "os/fs/posix_fs.h"
#include "os/interruption.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int last_words_ms = 800;  // for a helper that must not read any more
constexpr int max_crashes = 1;
constexpr std::string_view result_key = "=";

std::string error_line(const std::string& text) {
    return "rocenv: " + printable(text, uncut) + "\n";
}

std::string packed(const Output& output) {
    return number(output.exit_code) + "\n" + number(output.may_heal ? 1 : 0) + "\n" +
           number(output.out.size()) + "\n" + output.out + output.err;
}

// Returns whether a process ended by a signal that other programs, a terminal or the kernel without
// free memory send. Other signals are faults of the process itself.
bool was_killed(int status) {
    constexpr int sent[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    return WIFSIGNALED(status) &&
           std::find(std::begin(sent), std::end(sent), WTERMSIG(status)) != std::end(sent);
}

// Returns the reason for the end of a helper, as the end of a clause.
std::string_view end_text(int status) {
    return !was_killed(status)           ? "this is a bug"
           : WTERMSIG(status) == SIGKILL ? "the kernel ends programs so if memory is short"
                                         : "another process or a terminal sent this signal";
}

std::optional<Output> unpacked(std::string_view text) {
    const auto line = [&] {
        const auto end = std::min(text.find('\n'), text.size());
        const auto out = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return out;
    };
    const auto code = parse_signed(line());
    const auto heals = parse_number(line());
    const auto size = parse_number(line());
    if (!code || !heals || !size || *size > text.size()) {
        return std::nullopt;
    }
    return Output{static_cast<int>(*code), std::string(text.substr(0, *size)),
                  std::string(text.substr(*size)), *heals == 1};
}

class Supervisor {
   public:
    Supervisor(SharedLog& log, const Patience& patience, const OpenMachine& open_machine,
               const Work& work, ReadNow read_now)
        : log_(log),
          read_now_(read_now),
          patience_(patience),
          open_machine_(open_machine),
          work_(work),
          deadline_(now_ms() + static_cast<std::int64_t>(patience.deadline_seconds * 1000)) {}

    Output run() {
        if (!log_.usable()) {
            const std::string scarce = scarce_space();
            return {exit_unknown, "",
                    "rocenv: " + (scarce.empty() ? "no memory for the helper's answers" : scarce) +
                        "\n"};
        }
        for (;;) {
            if (!start()) {
                return {exit_unknown, "", "rocenv: cannot start the helper (fork failed)\n"};
            }
            const bool ended = wait_for_helper();
            if (auto output = finished()) {
                output->err += left_behind_lines();
                return *output;
            }
            if (ended && !crashed()) {
                return {exit_unknown, "", crash_ + left_behind_lines()};
            }
            if (!ended && log_.closed_for_new()) {
                end(log_.pending());
                return {exit_unknown, "",
                        "rocenv: no answer by the deadline\n" + left_behind_lines(), true};
            }
            if (!ended) {
                note_silence();
            }
        }
    }

    // Runs the work for its reads only. Returns when it ends, dies or is out of time.
    void fill() {
        while (log_.usable() && start() && !wait_for_helper()) {
            note_silence();
            if (log_.closed_for_new()) {
                return;
            }
        }
    }

    const std::vector<std::string>& left_behind() const { return left_behind_; }

   private:
    std::string left_behind_lines() const {
        std::string out;
        for (const auto& sentence : left_behind_) {
            out += error_line(sentence);
        }
        return out;
    }

    bool start() {
        log_.end();
        // The caller watches the pipe to see that the helper runs.
        helper_ = Child::start(Child::Line::pipe,
                               [this](int) { log_.add(result_key, packed(do_work())); });
        return static_cast<bool>(helper_);
    }

    Output do_work() {
        // Never destroyed: the helper ends with _exit, and there are thousands of answers.
        Known& known = *new Known(log_);
        if (const auto lost = known.lost(root_name)) {
            return {exit_unknown, "", error_line(lost->text)};
        }
        log_.begin(root_name);
        const auto inner_machine = open_machine_();
        log_.end();
        if (!inner_machine) {
            return {exit_usage, "", error_line(inner_machine.error().text)};
        }
        const auto inner_host = real_fs();
        const auto machine = cached_fs(**inner_machine, known, "m", read_now_);
        const auto host = cached_fs(*inner_host, known, "h");
        return work_(*machine, *host);
    }

    // Waits for the helper. Returns true if it ended; false if an operation or the command timed
    // out.
    bool wait_for_helper() {
        const bool last = log_.closed_for_new();
        const std::int64_t end = last ? now_ms() + last_words_ms : deadline_;
        for (;;) {
            const std::int64_t now = now_ms();
            const auto pending = log_.pending();
            const std::int64_t allowed = allowed_ms(pending.since_ms == 0 ? now : pending.since_ms);
            if (now >= end ||
                (!last && pending.since_ms != 0 && now - pending.since_ms > allowed)) {
                return false;
            }
            const bool idle = pending.since_ms == 0;
            if (last || idle) {
                line_.show_wait(idle ? "working" : "waiting for", pending.path, end);
            } else {
                line_.show_step(pending.path,
                                {.since_ms = pending.since_ms,
                                 .until_ms = std::min(end, pending.since_ms + allowed),
                                 .deadline_ms = end});
            }
            const std::int64_t next =
                std::min(line_.due_ms(), (idle ? now : pending.since_ms + 1) + allowed);
            pollfd wait{helper_.line(), 0, 0};
            const auto timeout = std::clamp<std::int64_t>(std::min(next, end) - now, 1, 60000);
            if (::poll(&wait, 1, static_cast<int>(timeout)) > 0) {
                helper_.reap();
                return true;
            }
        }
    }

    // Returns the limit of an operation that starts at `start`: at most half of the remaining time,
    // so that several silent files leave time for others.
    std::int64_t allowed_ms(std::int64_t start) const {
        const auto probe = static_cast<std::int64_t>(patience_.probe_seconds * 1000);
        return std::min(probe, std::max<std::int64_t>((deadline_ - start) / 2, 1));
    }

    std::optional<Output> finished() const {
        const auto text = log_.find(result_key);
        return text ? unpacked(*text) : std::nullopt;
    }

    // Ends the helper after a timeout, or leaves it, and notes the file it is stuck at. An answer
    // that arrives meanwhile counts as progress.
    void note_silence() {
        const auto stuck = log_.pending();
        const std::int64_t now = now_ms();
        if (now >= deadline_) {
            log_.close_for_new();
        }
        end(stuck);
        const auto pending = log_.pending();
        if (stuck.since_ms != 0 && pending.since_ms == stuck.since_ms &&
            pending.path == stuck.path) {
            const bool late = now >= deadline_;
            log_.add(lost_key(stuck.path),
                     Error{ErrorKind::timed_out, 0, stuck.path,
                           stuck.path + ": no answer " +
                               (late ? "before the deadline"
                                     : "in " + seconds_text(allowed_ms(stuck.since_ms)))});
        }
    }

    void end(const SharedLog::Pending& stuck) {
        if (const auto end = helper_.kill(); end != Child::End::gone) {
            left_behind_.push_back(helper_.left_behind(end, stuck.path));
        }
    }

    // Handles a helper that died by itself. Returns true if a retry makes sense.
    bool crashed() {
        const auto pending = log_.pending();
        const int status = helper_.status();
        const bool aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
        if (const std::string scarce = aborted ? scarce_space() : ""; !scarce.empty()) {
            crash_ = "rocenv: " + scarce + "; nothing was checked\n";
            return false;
        }
        const bool reading = pending.since_ms != 0;
        crash_ = "rocenv: the helper died (" +
                 (WIFSIGNALED(status) ? "signal " + number(WTERMSIG(status))
                                      : "status " + number(WEXITSTATUS(status))) +
                 (reading ? ", reading " + printable(pending.path) : "") + "); " +
                 std::string(end_text(status)) + "; nothing was checked\n";
        // A program that dies between two reads would die there again, unless another killed it.
        if ((!reading && !was_killed(status)) || ++crashes_ > max_crashes) {
            return false;
        }
        if (reading) {
            log_.add(lost_key(pending.path), Error{ErrorKind::io, 0, pending.path,
                                                   pending.path + ": the helper died reading it"});
        }
        return true;
    }

    SharedLog& log_;
    const ReadNow read_now_;
    const Patience& patience_;
    const OpenMachine& open_machine_;
    const Work& work_;
    const std::int64_t deadline_;
    WaitLine line_;
    Child helper_;
    int crashes_ = 0;
    std::string crash_;
    std::vector<std::string> left_behind_;
};

}  // namespace

Output run_supervised(const Patience& patience, const OpenMachine& open_machine, const Work& work) {
    SharedLog log;
    return Supervisor(log, patience, open_machine, work, ReadNow::live).run();
}

std::vector<std::string> fill_log(SharedLog& log, const Patience& patience,
                                  const OpenMachine& open_machine,
                                  const std::function<void(const Fs& machine)>& read) {
    const Work work = [&](const Fs& machine, const Fs& /*host*/) {
        ignore_interruptions();
        read(machine);
        return Output();
    };
    Supervisor supervisor(log, patience, open_machine, work, ReadNow::recorded);
    supervisor.fill();
    return supervisor.left_behind();
}

namespace {

constexpr std::int64_t first_pause_ms = 1000;
constexpr std::int64_t longest_pause_ms = 5000;
constexpr int exit_of_sigterm = 128 + SIGTERM;

// Exits on SIGTERM; the helper of a read dies with this process.
void end_of_wait(int /*signal*/) {
    ::_exit(exit_of_sigterm);
}

void end_by_sigterm() {
    struct sigaction action {};
    action.sa_handler = end_of_wait;
    ::sigaction(SIGTERM, &action, nullptr);
}

void pause_until(std::int64_t until_ms, std::int64_t last_ms) {
    WaitLine line;
    for (std::int64_t now = now_ms(); now < until_ms; now = now_ms()) {
        line.show_wait("waiting for", "checks that may still pass", last_ms);
        const auto next = std::min(until_ms, line.due_ms());
        ::poll(nullptr, 0, static_cast<int>(std::clamp<std::int64_t>(next - now, 1, 1000)));
    }
}

}  // namespace

Output repeated_read(double seconds, const std::function<Output()>& read) {
    const std::int64_t last_ms = now_ms() + static_cast<std::int64_t>(seconds * 1000);
    end_by_sigterm();
    std::int64_t pause_ms = first_pause_ms;
    for (;;) {
        Output output = read();
        const std::int64_t now = now_ms();
        if (!output.may_heal || now >= last_ms) {
            return output;
        }
        pause_until(std::min(now + pause_ms, last_ms), last_ms);
        pause_ms = std::min(pause_ms * 2, longest_pause_ms);
    }
}

}  // namespace rocenv
