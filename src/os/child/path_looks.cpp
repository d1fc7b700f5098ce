// SPDX-License-Identifier: MIT
#include "os/child/path_looks.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/child/helper_process.h"
#include "os/child/shared_log.h"
#include "os/fd.h"
#include "util/text.h"

namespace rocenv {

namespace {

[[noreturn]] void answer(const std::vector<std::string>& paths, int pipe) {
    const int out = become_helper(pipe);
    for (const auto& path : paths) {
        const char byte = static_cast<char>(look(path));
        if (::write(out, &byte, 1) != 1) {
            break;
        }
    }
    ::_exit(0);
}

// Nothing: no byte in time. A writer that has died says nothing of the path: whoever opens it will.
std::optional<Looks> next(const Fd& pipe, std::int64_t until_ms) {
    for (;;) {
        const std::int64_t left = std::max<std::int64_t>(until_ms - now_ms(), 0);
        pollfd ready{pipe.get(), POLLIN, 0};
        const int polled = ::poll(&ready, 1, static_cast<int>(left));
        if (polled > 0) {
            char byte = 0;
            return ::read(pipe.get(), &byte, 1) == 1 ? static_cast<Looks>(byte) : Looks::missing;
        }
        if (polled == 0 || errno != EINTR) {
            return std::nullopt;
        }
    }
}

}  // namespace

Looks look(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return Looks::missing;
    }
    return S_ISDIR(status.st_mode)   ? Looks::folder
           : S_ISREG(status.st_mode) ? Looks::regular
                                     : Looks::other;
}

std::vector<Looks> looks_of(const std::vector<std::string>& paths, std::int64_t ms) {
    std::vector<Looks> out(paths.size(), Looks::silent);
    int ends[2];
    if (paths.empty() || ::pipe2(ends, O_CLOEXEC) != 0) {
        return std::vector<Looks>(paths.size(), Looks::missing);
    }
    Fd reads(ends[0]);
    Fd writes(ends[1]);
    const pid_t helper = fork_helper();
    if (helper == 0) {
        answer(paths, writes.get());
    }
    writes.close();
    const std::int64_t until_ms = now_ms() + ms;
    for (std::size_t at = 0; at < paths.size(); ++at) {
        const auto looks = helper > 0 ? next(reads, until_ms) : Looks::missing;
        if (!looks) {
            break;
        }
        out[at] = *looks;
    }
    int status = 0;
    if (helper > 0) {
        end_helper(helper, reads.get(), status);
    }
    return out;
}

std::optional<Error> first_silent(const std::vector<std::string>& paths, std::int64_t ms) {
    const auto looks = looks_of(paths, ms);
    const auto found = std::find(looks.begin(), looks.end(), Looks::silent);
    if (found == looks.end()) {
        return std::nullopt;
    }
    const auto& path = paths[static_cast<std::size_t>(found - looks.begin())];
    return Error{ErrorKind::timed_out, 0, path,
                 printable(path) + " does not answer (a file system that hangs?)"};
}

}  // namespace rocenv
