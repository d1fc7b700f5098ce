// SPDX-License-Identifier: MIT
#include "os/child/path_looks.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "util/text.h"

namespace rocenv {

namespace {

void answer(const std::vector<std::string>& paths, int pipe) {
    for (const auto& path : paths) {
        const char byte = static_cast<char>(look(path));
        if (::write(pipe, &byte, 1) != 1) {
            return;
        }
    }
}

// std::nullopt: no byte in time. A writer that has died says nothing of the path: whoever opens it
// will.
std::optional<Looks> next(const Child& child, std::int64_t until_ms) {
    if (!child.wait_until(until_ms)) {
        return std::nullopt;
    }
    char byte = 0;
    return ::read(child.line(), &byte, 1) == 1 ? static_cast<Looks>(byte) : Looks::missing;
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
    Child child;
    if (!paths.empty()) {
        child = Child::start(Child::Line::pipe, [&](int pipe) { answer(paths, pipe); });
    }
    if (!child) {
        return std::vector<Looks>(paths.size(), Looks::missing);
    }
    const std::int64_t until_ms = now_ms() + ms;
    for (auto& each : out) {
        const auto looks = next(child, until_ms);
        if (!looks) {
            break;
        }
        each = *looks;
    }
    child.kill();
    return out;
}

Error not_answering(const std::string& path) {
    return {ErrorKind::timed_out, 0, path,
            printable(path) + " does not answer (a file system that hangs?)"};
}

std::optional<Error> first_silent(const std::vector<std::string>& paths, std::int64_t ms) {
    const auto looks = looks_of(paths, ms);
    const auto found = std::find(looks.begin(), looks.end(), Looks::silent);
    if (found == looks.end()) {
        return std::nullopt;
    }
    return not_answering(paths[static_cast<std::size_t>(found - looks.begin())]);
}

}  // namespace rocenv
