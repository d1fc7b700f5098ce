// SPDX-License-Identifier: MIT
#include "os/child/given_files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>

#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "os/fd.h"
#include "os/fs/forwarding_fs.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::array<std::string_view, 4> by_descriptor{"/dev/stdin", "/dev/fd/", "/proc/self/fd/",
                                                        "/proc/thread-self/fd/"};

// Limit for all files together, which are kept until the command ends.
constexpr std::size_t most_in_all = std::size_t{16} << 20;

bool is_by_descriptor(const std::string& path) {
    return std::any_of(by_descriptor.begin(), by_descriptor.end(),
                       [&](std::string_view start) { return path.starts_with(start); });
}

constexpr const char* deadline = "the deadline (--deadline)";

Error not_regular(const std::string& path) {
    return not_trusted("", printable(path) + " is not trusted: it is not a regular file of root");
}

// Returns true if root rejects the file unread. Owners and modes of regular files are checked on
// read.
bool is_rejected(const GivenFiles::File& file, PathKind is) {
    const bool regular = is == PathKind::regular && !is_by_descriptor(file.path);
    return file.for_root == GivenFiles::ForRoot::regular && ::geteuid() == 0 && !regular &&
           is != PathKind::silent && is != PathKind::missing;
}

// Returns the parameters to read a file to its end; `left` bytes of the total remain.
Input input_of(const Fd& file, const GivenFiles::File& given, std::size_t left, std::int64_t end) {
    const std::size_t most = given.most_mib << 20;
    return {file.get(),
            given.path,
            printable(given.path),
            std::min(most, left),
            left < most ? "with it all that is given comes to more than " +
                              number(most_in_all >> 20) + " MiB"
                        : "is larger than " + number(given.most_mib) + " MiB",
            end,
            deadline};
}

// Reads one file, and waits for a pipe without a writer: without O_NONBLOCK open(2) itself would
// block.
Result<std::string> read_given(const GivenFiles::File& given, bool regular, std::size_t left,
                               std::int64_t end) {
    const std::string& path = given.path;
    const Fd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file) {
        return errno_error("read", printable(path), errno);
    }
    WaitLine line;
    auto text = read_to_end(input_of(file, given, left, end), &line);
    if (text && text->empty() && !regular) {
        return Error{ErrorKind::bad_input, 0, path,
                     "cannot read " + in_quotes(path, 200) + ": empty, and no regular file"};
    }
    return text;
}

class GivenFs final : public ForwardingFs {
   public:
    GivenFs(const Fs& host, const std::map<std::string, Result<std::string>>& texts)
        : host_(host), texts_(texts) {}

    Result<std::string> read(const std::string& path) const override {
        const auto found = texts_.find(path);
        return found == texts_.end() ? host_.read(path) : found->second;
    }
    // Returns the text of a descriptor, which is the caller's own. A named pipe is in a folder that
    // others may change.
    Result<std::string> read_trusted(const std::string& path) const override {
        const auto found = texts_.find(path);
        if (found == texts_.end()) {
            return host_.read_trusted(path);
        }
        return found->second && !is_by_descriptor(path) ? not_regular(path) : found->second;
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        const auto found = texts_.find(path);
        if (found == texts_.end() || !found->second) {
            return found == texts_.end() ? host_.read_at(path, offset, size) : found->second;
        }
        const std::string& text = *found->second;
        return offset < text.size() ? text.substr(offset, size) : std::string();
    }
    Result<std::uint64_t> size(const std::string& path) const override {
        const auto found = texts_.find(path);
        if (found == texts_.end()) {
            return host_.size(path);
        }
        return found->second ? Result<std::uint64_t>(found->second->size()) : found->second.error();
    }
    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t>,
                               std::string_view) override {
        return errno_error("write", printable(path), EROFS);
    }

   private:
    const Fs& inner() const override { return host_; }
    const Fs& host_;
    const std::map<std::string, Result<std::string>>& texts_;
};

}  // namespace

GivenFiles::GivenFiles(const std::vector<File>& files, double seconds) {
    const std::int64_t ms = static_cast<std::int64_t>(seconds * 1000);
    const std::int64_t end = now_ms() + ms;
    std::vector<std::string> on_disk;  // or on another file system that may block
    for (const auto& file : files) {
        if (!is_by_descriptor(file.path)) {
            on_disk.push_back(file.path);
        }
    }
    const auto kinds = path_kinds(on_disk, ms);
    auto next = kinds.begin();
    std::size_t left = most_in_all;
    for (const auto& file : files) {
        // An open descriptor responds.
        const PathKind is = is_by_descriptor(file.path) ? path_kind(file.path) : *next++;
        if (texts_.contains(file.path)) {
            continue;
        }
        if (is_rejected(file, is)) {
            texts_.emplace(file.path, not_regular(file.path));
        } else if (is == PathKind::silent) {
            texts_.emplace(file.path, Error{ErrorKind::timed_out, 0, file.path,
                                            printable(file.path) + ": no end within " + deadline});
        } else if (is == PathKind::other ||
                   (is == PathKind::regular && is_by_descriptor(file.path))) {
            const auto text =
                texts_.emplace(file.path, read_given(file, is == PathKind::regular, left, end))
                    .first;
            left -= text->second ? text->second->size() : 0;
        }
    }
}

std::unique_ptr<WritableFs> GivenFiles::over(const Fs& host) const {
    return std::make_unique<GivenFs>(host, texts_);
}

namespace {

constexpr std::size_t part_size = 65536;

// Waits until data or the end is available, or the line is due. Returns the result of poll(2).
int wait_for(const Input& input, WaitLine* line) {
    constexpr std::int64_t longest_ms = 60000;
    const std::int64_t until =
        line == nullptr ? input.end_ms : std::min(input.end_ms, line->due_ms());
    const std::int64_t left = std::clamp<std::int64_t>(until - now_ms(), 0, longest_ms);
    pollfd ready{input.fd, POLLIN, 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(left));
    if (polled == 0 && line != nullptr) {
        line->show_wait("waiting for", input.path, input.end_ms);
    }
    return polled;
}

}  // namespace

Result<std::string> read_to_end(const Input& input, WaitLine* line) {
    std::string text;
    std::array<char, part_size> part;
    while (now_ms() < input.end_ms) {
        const int polled = wait_for(input, line);
        if (polled == 0) {
            continue;
        }
        const ssize_t got = polled < 0 ? -1 : ::read(input.fd, part.data(), part.size());
        if (got == 0) {
            return text;
        }
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return errno_error("read", input.shown, errno);
        }
        text.append(part.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
        if (text.size() > input.most) {
            return garbled(input.shown, input.too_large);
        }
    }
    return Error{ErrorKind::timed_out, 0, input.path,
                 input.shown + ": did not end within " + input.within};
}

Result<std::string> read_standard_input(double seconds) {
    constexpr std::size_t largest = std::size_t{1} << 20;
    const auto ms = static_cast<std::int64_t>(seconds * 1000);
    const bool by_hand = ::isatty(STDIN_FILENO) == 1;
    return read_to_end({STDIN_FILENO, "-", "standard input", largest, "is larger than 1 MiB",
                        by_hand ? no_end_ms : now_ms() + ms, seconds_text(ms)},
                       nullptr);
}

namespace {

void answer(const std::vector<std::string>& paths, int pipe) {
    for (const auto& path : paths) {
        const char byte = static_cast<char>(path_kind(path));
        if (::write(pipe, &byte, 1) != 1) {
            return;
        }
    }
}

// Returns the next type; std::nullopt if none arrived in time. If the child died, the type is
// `missing`, and a later open reports the reason.
std::optional<PathKind> next(const Child& child, std::int64_t until_ms) {
    if (!child.wait_until(until_ms)) {
        return std::nullopt;
    }
    char byte = 0;
    return ::read(child.line(), &byte, 1) == 1 ? static_cast<PathKind>(byte) : PathKind::missing;
}

}  // namespace

PathKind path_kind(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return PathKind::missing;
    }
    return S_ISDIR(status.st_mode)   ? PathKind::folder
           : S_ISREG(status.st_mode) ? PathKind::regular
                                     : PathKind::other;
}

std::vector<PathKind> path_kinds(const std::vector<std::string>& paths, std::int64_t ms) {
    std::vector<PathKind> out(paths.size(), PathKind::silent);
    Child child;
    if (!paths.empty()) {
        child = Child::start(Child::Line::pipe, [&](int pipe) { answer(paths, pipe); });
    }
    if (!child) {
        return std::vector<PathKind>(paths.size(), PathKind::missing);
    }
    const std::int64_t until_ms = now_ms() + ms;
    for (auto& each : out) {
        const auto kinds = next(child, until_ms);
        if (!kinds) {
            break;
        }
        each = *kinds;
    }
    child.kill();
    return out;
}

Error not_answering(const std::string& path) {
    return {ErrorKind::timed_out, 0, path,
            printable(path) + " does not answer (a file system that hangs?)"};
}

std::optional<Error> first_silent(const std::vector<std::string>& paths, std::int64_t ms) {
    const auto kinds = path_kinds(paths, ms);
    const auto found = std::find(kinds.begin(), kinds.end(), PathKind::silent);
    if (found == kinds.end()) {
        return std::nullopt;
    }
    return not_answering(paths[static_cast<std::size_t>(found - kinds.begin())]);
}

}  // namespace rocenv
