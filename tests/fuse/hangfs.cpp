// SPDX-License-Identifier: MIT
// hangfs --over DIR [--hang-open|--hang-list] MOUNTPOINT PATH...
// Shows DIR read-only at MOUNTPOINT, except that reading (or opening, or listing) the named
// relative PATHs never answers, as a driver file whose driver is stuck. Stays in the foreground;
// killing it ends every caller that waits.
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

enum class Hang { read, open, list };

struct Options {
    int base = -1;
    Hang hang = Hang::read;
    std::set<std::string, std::less<>> paths;
};

Options options;

void answer_unless(Hang kind, std::string_view path) {
    path.remove_prefix(1);
    while (options.hang == kind && options.paths.contains(path)) pause();
}

const char* relative(const char* path) {
    return path[1] == '\0' ? "." : path + 1;
}

int get_attributes(const char* path, struct stat* out, fuse_file_info* /*file*/) {
    return fstatat(options.base, relative(path), out, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

int read_link(const char* path, char* out, size_t size) {
    const ssize_t length = readlinkat(options.base, relative(path), out, size - 1);
    if (length < 0) return -errno;
    out[length] = '\0';
    return 0;
}

int open_file(const char* path, fuse_file_info* file) {
    answer_unless(Hang::open, path);
    const int fd = openat(options.base, relative(path), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    file->fh = static_cast<uint64_t>(fd);
    file->direct_io = 1;
    return 0;
}

int read_file(const char* path, char* out, size_t size, off_t offset, fuse_file_info* file) {
    answer_unless(Hang::read, path);
    const ssize_t length = pread(static_cast<int>(file->fh), out, size, offset);
    return length < 0 ? -errno : static_cast<int>(length);
}

int close_file(const char* /*path*/, fuse_file_info* file) {
    close(static_cast<int>(file->fh));
    return 0;
}

int list_directory(const char* path, void* out, fuse_fill_dir_t fill, off_t /*offset*/,
                   fuse_file_info* /*file*/, fuse_readdir_flags /*flags*/) {
    answer_unless(Hang::list, path);
    const int fd = openat(options.base, relative(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* directory = fd < 0 ? nullptr : fdopendir(fd);
    if (directory == nullptr) return -errno;
    while (const dirent* entry = readdir(directory)) {
        fill(out, entry->d_name, nullptr, 0, fuse_fill_dir_flags{});
    }
    closedir(directory);
    return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--over" && i + 1 < argc) {
            options.base = open(argv[++i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        } else if (word == "--hang-open") {
            options.hang = Hang::open;
        } else if (word == "--hang-list") {
            options.hang = Hang::list;
        } else {
            words.emplace_back(word);
        }
    }
    if (options.base < 0 || words.size() < 2) {
        std::fputs("usage: hangfs --over DIR [--hang-open|--hang-list] MOUNTPOINT PATH...\n",
                   stderr);
        return 2;
    }
    options.paths.insert(words.begin() + 1, words.end());

    std::string program = argv[0];
    std::string foreground = "-f";
    std::string read_only = "-oro,fsname=hangfs";
    char* fuse_argv[] = {program.data(), foreground.data(), read_only.data(), words[0].data(),
                         nullptr};
    fuse_operations operations = {};
    operations.getattr = get_attributes;
    operations.readlink = read_link;
    operations.open = open_file;
    operations.read = read_file;
    operations.release = close_file;
    operations.readdir = list_directory;
    return fuse_main(4, fuse_argv, &operations, nullptr);
}
