// SPDX-License-Identifier: MIT
// amdgpufs --over DIR MOUNTPOINT
// Shows DIR, a machine's /sys, at MOUNTPOINT, where the GPUs' files behave as amdgpu's do. DIR is
// not written. Stays in the foreground and ends with the process that started it; killing it ends
// every caller that waits.
//
// The folder .amdgpufs, which is not listed, holds control (write lines: sys_tree.h, faults.h),
// state and log (read).
#define FUSE_USE_VERSION 31
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "driver/sys_tree.h"

namespace {

const std::string control_folder = "/.amdgpufs";
// Time that the kernel may cache our answers; a removed file disappears after this time.
constexpr double cache_seconds = 0.3;

std::optional<lab::SysTree> tree;

// The name in the control folder; empty: the path is not there.
std::string control_name(const std::string& path) {
    const bool inside = path.rfind(control_folder + "/", 0) == 0;
    return inside ? path.substr(control_folder.size() + 1) : "";
}

bool is_control(const std::string& name) {
    return name == "control" || name == "state" || name == "log";
}

// "/" is the empty path.
std::string place(const char* path) {
    return std::strcmp(path, "/") == 0 ? "" : path;
}

int get_attributes(const char* path, struct stat* out, fuse_file_info* /*file*/) {
    *out = {};
    if (path == control_folder) {
        out->st_mode = S_IFDIR | 0755;
        return 0;
    }
    if (const auto name = control_name(path); !name.empty()) {
        out->st_mode = S_IFREG | (name == "control" ? 0644 : 0444);
        return is_control(name) ? 0 : -ENOENT;
    }
    return -tree->attributes(place(path), out);
}

int read_link(const char* path, char* out, size_t size) {
    std::string target;
    const int fault = tree->link(path, target);
    if (fault == 0) std::snprintf(out, size, "%s", target.c_str());
    return -fault;
}

// Contents of each open file, made when it is read from its start, as in sysfs.
class OpenFiles {
   public:
    uint64_t add() {
        const std::scoped_lock lock(mutex_);
        texts_[++last_];
        return last_;
    }
    void put(uint64_t file, std::string text) {
        const std::scoped_lock lock(mutex_);
        texts_[file] = std::move(text);
    }
    std::string get(uint64_t file) {
        const std::scoped_lock lock(mutex_);
        return texts_[file];
    }
    void drop(uint64_t file) {
        const std::scoped_lock lock(mutex_);
        texts_.erase(file);
    }

   private:
    std::mutex mutex_;
    std::map<uint64_t, std::string> texts_;
    uint64_t last_ = 0;
};

OpenFiles open_files;

int open_file(const char* path, fuse_file_info* file) {
    const bool known = is_control(control_name(path));
    const bool to_write = (file->flags & O_ACCMODE) != O_RDONLY;
    if (const int fault = known ? 0 : tree->may_open(path, to_write)) return -fault;
    file->fh = open_files.add();
    const bool kept = lab::SysTree::never_changes(path);
    file->direct_io = kept ? 0 : 1;
    file->keep_cache = kept ? 1 : 0;
    return 0;
}

int fill(const std::string& path, std::string& text) {
    const auto name = control_name(path);
    if (name.empty()) return tree->read(path, text);
    text = name == "state" ? tree->state() : name == "log" ? tree->log() : "";
    return 0;
}

int read_file(const char* path, char* out, size_t size, off_t offset, fuse_file_info* file) {
    const auto start = static_cast<std::size_t>(offset);
    std::string text = open_files.get(file->fh);
    if (start == 0 || text.empty()) {
        if (const int fault = fill(path, text)) return -fault;
        open_files.put(file->fh, text);
    }
    return start < text.size() ? static_cast<int>(text.copy(out, size, start)) : 0;
}

int write_file(const char* path, const char* bytes, size_t size, off_t offset,
               fuse_file_info* /*file*/) {
    const std::string text(bytes, size);
    int fault = EACCES;
    if (const auto name = control_name(path); name.empty()) {
        fault = tree->write(path, text, offset);
    } else if (name == "control") {
        fault = tree->command(text);
        std::this_thread::sleep_for(std::chrono::duration<double>(cache_seconds));
    }
    return fault != 0 ? -fault : static_cast<int>(size);
}

// As in sysfs, nothing comes of it.
int truncate_file(const char* /*path*/, off_t /*size*/, fuse_file_info* /*file*/) {
    return 0;
}

int close_file(const char* /*path*/, fuse_file_info* file) {
    open_files.drop(file->fh);
    return 0;
}

int list_directory(const char* path, void* out, fuse_fill_dir_t add, off_t /*offset*/,
                   fuse_file_info* /*file*/, fuse_readdir_flags /*flags*/) {
    std::vector<std::string> names{".", ".."};
    const int fault = tree->list(place(path), names);
    for (const auto& name : names) add(out, name.c_str(), nullptr, 0, fuse_fill_dir_flags{});
    return -fault;
}

void* start(fuse_conn_info* /*connection*/, fuse_config* config) {
    config->entry_timeout = cache_seconds;
    config->attr_timeout = cache_seconds;
    config->negative_timeout = 0;
    return nullptr;
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc != 4 || std::string_view(argv[1]) != "--over") {
        std::fputs("usage: amdgpufs --over DIR MOUNTPOINT\n", stderr);
        return 2;
    }
    const int base = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (base < 0) {
        std::perror(argv[2]);
        return 1;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    tree.emplace(base);

    std::string program = argv[0];
    std::string foreground = "-f";
    std::string options = "-oallow_other,default_permissions,fsname=amdgpufs";
    char* fuse_argv[] = {program.data(), foreground.data(), options.data(), argv[3], nullptr};
    fuse_operations operations = {};
    operations.init = start;
    operations.getattr = get_attributes;
    operations.readlink = read_link;
    operations.open = open_file;
    operations.read = read_file;
    operations.write = write_file;
    operations.truncate = truncate_file;
    operations.release = close_file;
    operations.readdir = list_directory;
    return fuse_main(4, fuse_argv, &operations, nullptr);
}
