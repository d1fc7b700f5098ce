// SPDX-License-Identifier: MIT
#include "rocenv/result.h"

#include <cerrno>
#include <cstring>

#include "util/errno_names.h"
#include "util/text.h"

namespace rocenv {

ErrorKind kind_of_errno(int err) {
    switch (err) {
        case ENOENT:
        case ENOTDIR:
            return ErrorKind::not_here;
        case EACCES:
        case EPERM:
            return ErrorKind::not_permitted;
        case ETIMEDOUT:
            return ErrorKind::timed_out;
        default:
            return ErrorKind::io;
    }
}

std::string errno_text(int err) {
    const char* name = errno_name(err);
    return name == nullptr ? "errno " + number(err)
                           : std::string(name) + " (" + std::strerror(err) + ")";
}

bool is_full_disk(const Error& error) {
    return error.err == ENOSPC || error.err == EDQUOT || error.err == EFBIG;
}

Error errno_error(const char* verb, const std::string& path, int err) {
    return {kind_of_errno(err), err, path,
            std::string("cannot ") + verb + " " + (path.empty() ? "''" : path) + ": " +
                errno_text(err)};
}

Error not_trusted(const std::string& path, const std::string& text) {
    return {ErrorKind::bad_input, EPERM, path, text};
}

bool is_not_trusted(const Error& error) {
    return error.kind == ErrorKind::bad_input && error.err == EPERM;
}

Error garbled(const std::string& path, const std::string& what) {
    return {ErrorKind::garbled, 0, path, path + ": " + what};
}

}  // namespace rocenv
