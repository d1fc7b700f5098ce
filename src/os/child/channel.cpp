// SPDX-License-Identifier: MIT
#include "os/child/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "os/child/shared_log.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Size = std::uint32_t;

void append_size(std::string& to, std::size_t size) {
    const auto value = static_cast<Size>(size);
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The number in front of `from`, which is shortened by it.
Size take_size(std::string_view& from) {
    Size value = 0;
    std::memcpy(&value, from.data(), sizeof value);
    from.remove_prefix(sizeof value);
    return value;
}

// Whether there is something to read (or an end) before that time.
bool wait_for(int fd, std::int64_t until_ms) {
    for (;;) {
        constexpr std::int64_t longest = 60000;
        const std::int64_t left = until_ms == 0 ? longest : until_ms - now_ms();
        pollfd wait{fd, POLLIN, 0};
        const auto timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, longest));
        if (::poll(&wait, 1, timeout) > 0) {
            return true;
        }
        if (until_ms != 0 && now_ms() >= until_ms) {
            return false;
        }
    }
}

}  // namespace

bool Channel::send(std::span<const std::string_view> fields) {
    std::string body;
    for (const auto field : fields) {
        append_size(body, field.size());
        body += field;
    }
    std::string frame;
    append_size(frame, body.size());
    frame += body;
    std::string_view left = frame;
    while (!left.empty()) {
        const ssize_t sent = ::send(end_.get(), left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        left.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
    }
    return true;
}

bool Channel::take(Fields& fields) {
    std::string_view rest = arrived_;
    if (rest.size() < sizeof(Size)) {
        return false;
    }
    const Size size = take_size(rest);
    if (rest.size() < size) {
        return false;
    }
    rest = rest.substr(0, size);
    fields.clear();
    while (rest.size() >= sizeof(Size)) {
        const Size length = take_size(rest);
        fields.emplace_back(rest.substr(0, length));
        rest.remove_prefix(std::min<std::size_t>(length, rest.size()));
    }
    arrived_.erase(0, sizeof(Size) + size);
    return true;
}

Channel::Got Channel::receive(Fields& fields, std::int64_t until_ms) {
    std::array<char, 65536> part;
    while (!take(fields)) {
        if (!wait_for(end_.get(), until_ms)) {
            return Got::timed_out;
        }
        const ssize_t got = ::recv(end_.get(), part.data(), part.size(), 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return Got::closed;
        }
        arrived_.append(part.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
    }
    return Got::message;
}

// The fields of a value stand behind an empty one; an error is its kind, errno, path and text.
bool send_result(Channel& channel, const Result<Fields>& result) {
    if (result) {
        std::vector<std::string_view> fields{""};
        fields.insert(fields.end(), result->begin(), result->end());
        return channel.send(fields);
    }
    const Error& error = result.error();
    const std::string kind = number(static_cast<int>(error.kind));
    const std::string err = number(error.err);
    const std::string_view fields[] = {kind, err, error.path, error.text};
    return channel.send(fields);
}

Result<Fields> result_in(Fields message, const std::string& sender) {
    constexpr std::size_t error_fields = 4;
    if (!message.empty() && message[0].empty()) {
        message.erase(message.begin());
        return message;
    }
    const auto kind = message.size() == error_fields ? parse_number(message[0]) : std::nullopt;
    const auto err = kind ? parse_signed(message[1]) : std::nullopt;
    if (!err) {
        return Error{ErrorKind::io, 0, "", sender + " gave no whole answer"};
    }
    return Error{static_cast<ErrorKind>(*kind), static_cast<int>(*err), std::move(message[2]),
                 std::move(message[3])};
}

}  // namespace rocenv
