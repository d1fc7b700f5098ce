// SPDX-License-Identifier: MIT
#include "os/fs/input_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

class FolderWalk {
   public:
    explicit FolderWalk(InputFiles& out) : out_(out) {}

    void folder(const std::string& path, int depth) {
        if (depth > deepest_input_folder) {
            out_.errors.push_back(
                {ErrorKind::bad_input, 0, path, printable(path) + ": too many folders in folders"});
            return;
        }
        const auto names = names_in(path);
        for (const auto& name : names) {
            if (out_.files.size() >= most_input_files) {
                out_.errors.push_back({ErrorKind::bad_input, 0, path,
                                       printable(path) + ": more than " + number(most_input_files) +
                                           " files, the rest is left out"});
                return;
            }
            entry(path + (path.ends_with('/') ? "" : "/") + name, depth);
        }
    }

   private:
    std::vector<std::string> names_in(const std::string& path) {
        std::vector<std::string> names;
        const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
        if (!folder) {
            out_.errors.push_back(errno_error("read", printable(path), errno));
            return names;
        }
        errno = 0;
        while (const dirent* const each = ::readdir(folder.get())) {
            if (each->d_name[0] != '.') {
                names.emplace_back(each->d_name);
            }
        }
        if (errno != 0) {
            out_.errors.push_back(errno_error("read", printable(path), errno));
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    // Adds an entry. A link to a folder could lead back up, so it is not followed.
    void entry(const std::string& path, int depth) {
        struct stat found {};
        if (::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) {
            folder(path, depth + 1);
            return;
        }
        const bool there = ::stat(path.c_str(), &found) == 0;
        if (there && S_ISDIR(found.st_mode)) {
            return;
        }
        (there && !S_ISREG(found.st_mode) ? out_.special : out_.files).push_back(path);
    }

    InputFiles& out_;
};

Result<Fd> opened_file(const std::string& path, int flags) {
    Fd file(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC | flags));
    if (!file) {
        return errno_error("read", printable(path), errno);
    }
    return file;
}

bool is_kind(const Fd& file, mode_t kind) {
    struct stat found {};
    return ::fstat(file.get(), &found) == 0 && (found.st_mode & S_IFMT) == kind;
}

// Returns true for a named pipe; a pipe of this process, such as /dev/fd/63, has no path.
bool is_named_pipe(const std::string& path) {
    struct stat found {};
    std::error_code none;
    return ::stat(path.c_str(), &found) == 0 && S_ISFIFO(found.st_mode) &&
           !std::filesystem::canonical(path, none).empty() && !none;
}

Result<Fd> opened_pipe(const std::string& path, std::chrono::milliseconds& wait) {
    using Clock = std::chrono::steady_clock;
    auto file = opened_file(path, O_NONBLOCK);
    if (!file) {
        return file.error();
    }
    const auto begin = Clock::now();
    const auto end = begin + wait;
    int ready = -1;
    do {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        pollfd poll_for{file->get(), POLLIN, 0};
        ready = ::poll(&poll_for, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    } while (ready < 0 && errno == EINTR);
    wait -=
        std::min(wait, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin));
    if (ready <= 0) {
        return Error{ErrorKind::timed_out, 0, path, "nothing was written to the pipe in time"};
    }
    if (::fcntl(file->get(), F_SETFL, 0) != 0) {
        return errno_error("read", printable(path), errno);
    }
    return file;
}

}  // namespace

InputFiles files_below(const std::string& folder) {
    InputFiles out;
    FolderWalk(out).folder(folder, 0);
    return out;
}

std::optional<std::int64_t> written_at(const std::string& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? std::optional<std::int64_t>(found.st_mtim.tv_sec)
                                             : std::nullopt;
}

Result<InputStream> InputStream::open(const std::string& path, std::chrono::milliseconds& wait) {
    if (path == "-") {
        return InputStream("standard input", std::nullopt);
    }
    auto file = is_named_pipe(path) ? opened_pipe(path, wait) : opened_file(path, 0);
    if (!file) {
        return file.error();
    }
    return InputStream(path, std::move(file).value());
}

Result<InputStream> InputStream::open_regular(const std::string& path) {
    auto file = opened_file(path, O_NONBLOCK);
    if (!file) {
        return file.error();
    }
    if (!is_kind(*file, S_IFREG)) {
        return Error{ErrorKind::bad_input, 0, path,
                     "cannot read " + in_quotes(path, 200) + ": not a regular file"};
    }
    return InputStream(path, std::move(file).value());
}

Result<std::size_t> InputStream::read(std::string& into, std::size_t most) {
    const int fd = file_ ? file_->get() : STDIN_FILENO;
    const std::size_t before = into.size();
    into.resize(before + most);
    std::size_t got = 0;
    while (got < most) {
        const ssize_t count = ::read(fd, into.data() + before + got, most - got);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            into.resize(before + got);
            return errno_error("read", printable(path_), errno);
        }
        if (count == 0) {
            break;
        }
        got += static_cast<std::size_t>(count);
    }
    into.resize(before + got);
    return got;
}

Result<std::string> read_in_pieces(const Fs& fs, const std::string& path, std::size_t most_mib) {
    constexpr std::size_t piece_size = 64 << 10;  // a block that helpers keep (keep_freed_memory())
    std::string text;
    for (;;) {
        const auto piece = fs.read_at(path, text.size(), piece_size);
        if (!piece) {
            return piece.error();
        }
        if (piece->empty()) {
            return text;
        }
        if (text.size() + piece->size() > most_mib << 20) {
            return Error{ErrorKind::bad_input, 0, path,
                         printable(path, uncut) + ": is larger than " + number(most_mib) + " MiB"};
        }
        text += *piece;
    }
}

}  // namespace rocenv
