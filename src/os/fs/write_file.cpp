// SPDX-License-Identifier: MIT
#include "os/fs/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "os/fd.h"
#include "os/fs/safe_folder.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

std::optional<Error> write_file(const std::string& path, std::string_view content,
                                FileReaders readers) {
    struct stat status {};
    const bool replaces = ::lstat(path.c_str(), &status) == 0;
    if (replaces && readers == FileReaders::owner && status.st_uid != ::geteuid()) {
        return not_trusted(path, "cannot replace " + in_quotes(path, 200) +
                                     ": its owner is another user, who could read it");
    }
    if (replaces && !S_ISREG(status.st_mode)) {
        return Error{ErrorKind::bad_input, 0, path,
                     "cannot replace " + in_quotes(path, 200) + ": not a regular file"};
    }
    const std::string beside = path + "." + number(::getpid()) + ".new";
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const bool open_to_all = readers == FileReaders::by_umask && !replaces;
    const Fd file(::open(beside.c_str(), flags, open_to_all ? 0666 : 0600));
    if (!file) {
        return errno_error("write", printable(path), errno);
    }
    int err = write_all(file, content);
    if (readers == FileReaders::owner) {
        status.st_mode &= S_IRWXU;
    }
    err = err == 0 && replaces ? take_rights(file, status) : err;
    err = err == 0 ? sync(file) : err;
    if (err == 0) {
        std::error_code failed;
        std::filesystem::rename(beside, path, failed);
        err = failed.value();
    }
    if (err == 0) {
        return std::nullopt;
    }
    ::unlink(beside.c_str());
    return errno_error("write", printable(path), err);
}

}  // namespace rocenv
