// SPDX-License-Identifier: MIT
// RFC 3164 as sent by the C library: a datagram for each line, or the line and a NUL to a daemon
// that listens on a stream.
#include "os/state/system_log.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "os/child/shared_log.h"
#include "os/fd.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int pause_ms = 10;

// A guard that unsets TZ: the node's time zone applies, and the caller's TZ may name a file that
// never responds.
class NodesTimeZone {
   public:
    NodesTimeZone() {
        if (const char* set = std::getenv("TZ")) {
            before_ = set;
            ::unsetenv("TZ");
        }
    }
    ~NodesTimeZone() {
        if (before_) {
            ::setenv("TZ", before_->c_str(), 1);
        }
    }
    NodesTimeZone(const NodesTimeZone&) = delete;
    NodesTimeZone& operator=(const NodesTimeZone&) = delete;

   private:
    std::optional<std::string> before_;
};

// Returns the start of a line: "<29>Nov  2 10:00:00 rocenv[42]: "
std::string start_of_line() {
    const NodesTimeZone node;
    std::array<char, 32> text{};
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    const bool known = ::localtime_r(&now, &parts) != nullptr;
    const std::size_t size =
        known ? std::strftime(text.data(), text.size(), "%b %e %T ", &parts) : 0;
    return "<" + number(LOG_DAEMON | LOG_NOTICE) + ">" + std::string(text.data(), size) +
           "rocenv[" + number(::getpid()) + "]: ";
}

std::string why_lost(const std::string& place, int err) {
    return err == EAGAIN ? place + " accepts nothing" : errno_error("reach", place, err).text;
}

class SystemLog {
   public:
    SystemLog(const std::string& place, std::int64_t until_ms) : until_ms_(until_ms) {
        address_.sun_family = AF_UNIX;
        place.copy(address_.sun_path, sizeof address_.sun_path - 1);
    }

    // Sends a line. Returns 0 or an errno. Connects once more if the daemon was restarted.
    int send(const std::string& line) {
        const bool connected = static_cast<bool>(socket_);
        const int err = send_once(line);
        if (err == 0 || err == EAGAIN) {
            return err;
        }
        socket_.close();
        return connected ? send_once(line) : err;
    }

   private:
    int send_once(const std::string& line) {
        if (const int err = socket_ ? 0 : connect(); err != 0) {
            return err;
        }
        std::string_view left(line.data(), line.size() + (stream_ ? 1 : 0));
        while (!left.empty()) {
            const ssize_t sent =
                ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent >= 0) {
                left.remove_prefix(static_cast<std::size_t>(sent));
            } else if (const int err = errno; err != EINTR && (err != EAGAIN || !wait())) {
                const bool begun = stream_ && left.size() <= line.size();
                if (begun) {
                    socket_.close();  // the next line would be read as the rest of this one
                }
                return err;
            }
        }
        return 0;
    }

    int connect() {
        int err = connect_as(SOCK_DGRAM);
        stream_ = err == EPROTOTYPE;
        return stream_ ? connect_as(SOCK_STREAM) : err;
    }

    int connect_as(int type) {
        socket_ = Fd(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const auto* address = reinterpret_cast<const sockaddr*>(&address_);
        int err = 0;
        do {
            err = ::connect(socket_.get(), address, sizeof address_) == 0 ? 0 : errno;
        } while (err == EINTR || (err == EAGAIN && pause()));
        if (err != 0) {
            socket_.close();
        }
        return err;
    }

    // Waits until the socket is writable; returns false at the end of the time.
    bool wait() const {
        const std::int64_t left = until_ms_ - now_ms();
        pollfd ready{socket_.get(), POLLOUT, 0};
        return left > 0 && (::poll(&ready, 1, static_cast<int>(left)) > 0 || now_ms() < until_ms_);
    }

    // Pauses: poll(2) does not report on a stream whose daemon does not accept connections.
    bool pause() const { return now_ms() < until_ms_ && ::poll(nullptr, 0, pause_ms) == 0; }

    const std::int64_t until_ms_;
    sockaddr_un address_{};
    Fd socket_;
    bool stream_ = false;
};

}  // namespace

std::optional<LostLines> log_lines(const std::vector<std::string>& lines, std::int64_t patience_ms,
                                   const std::string& place) {
    SystemLog log(place, now_ms() + patience_ms);
    std::optional<LostLines> lost;
    const std::string start = lines.empty() ? "" : start_of_line();
    for (const auto& line : lines) {
        if (const int err = log.send(start + line); err != 0) {
            lost = lost ? lost : LostLines{0, why_lost(place, err)};
            lost->count += 1;
        }
    }
    return lost;
}

}  // namespace rocenv
