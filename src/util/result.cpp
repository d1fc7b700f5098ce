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

// Returns "EIO (Input/output error)"; empty if the number has no name. Each text is created once:
// strerror(3) searches a translation every time, and a node lacks thousands of files.
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

// Returns true for a file of the kernel, also below a --sysroot folder.
bool is_kernel_path(std::string_view path) {
    for (const std::string_view folder : {"/sys", "/proc", "/dev"}) {
        const auto at = path.find(folder);
        if (at != path.npos && path.substr(at + folder.size()).starts_with('/')) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string errno_text(int err) {
    const auto& named = named_text(err);
    const auto words = named.find('(') + 1;
    return named.empty() ? "errno " + number(err) : named.substr(words, named.size() - words - 1);
}

bool is_full_disk(const Error& error) {
    return error.err == ENOSPC || error.err == EDQUOT || error.err == EFBIG;
}

// Returns the error. It names the errno of a kernel file, which administrators search for, and
// quotes a path of a user.
Error errno_error(const char* verb, const std::string& path, int err) {
    const auto& named = named_text(err);
    std::string text = is_kernel_path(path) && !named.empty()
                           ? concat({"cannot ", verb, " ", path, ": ", named})
                           : concat({"cannot ", verb, " '", path, "': ", errno_text(err)});
    return {kind_of_errno(err), err, path, std::move(text)};
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
