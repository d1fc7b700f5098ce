// SPDX-License-Identifier: MIT
#include "rocenv/result.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

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

namespace {

// Each made once: strerror(3) looks for a translation every time, and thousands of files of a node
// are not there. An empty one: the number has no name.
const std::string& named_text(int err) {
    static std::map<int, std::string> known;
    static const std::string none;
    const char* name = errno_name(err);
    if (name == nullptr) {
        return none;
    }
    auto& text = known[err];
    if (text.empty()) {
        text = std::string(name) + " (" + std::strerror(err) + ")";
    }
    return text;
}

}  // namespace

std::string errno_text(int err) {
    const auto& text = named_text(err);
    return text.empty() ? "errno " + number(err) : text;
}

bool is_full_disk(const Error& error) {
    return error.err == ENOSPC || error.err == EDQUOT || error.err == EFBIG;
}

Error errno_error(const char* verb, const std::string& path, int err) {
    const std::string other = errno_name(err) == nullptr ? errno_text(err) : "";
    const std::string_view why = other.empty() ? named_text(err) : std::string_view(other);
    const std::string_view shown = path.empty() ? "''" : std::string_view(path);
    return {kind_of_errno(err), err, path, concat({"cannot ", verb, " ", shown, ": ", why})};
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
