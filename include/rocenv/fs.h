// SPDX-License-Identifier: MIT
// A machine as files: the only way any code looks at /sys, /proc and /opt.
//
// Paths are absolute on that machine ("/sys/bus/pci/devices/…"), whether it is the real one, a
// folder given with --sysroot, a .tree file or a test's memory. Rules for kernel files hold for
// every implementation:
//  - a file under /sys is one read(2) of at most a page; sizes from stat are not trusted;
//  - of /proc/cpuinfo the first CPU's entry is there, of the others what one read(2) gave;
//  - nothing larger than 1 MiB is taken: that is an error of kind garbled;
//  - nothing is buffered by stdio or iostream, nothing is retried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// What the kernel says to this process about opening a file, without opening it.
struct Access {
    int err = 0;              // 0: may be opened for reading and writing; EACCES or EPERM
    std::uint32_t group = 0;  // of the file (st_gid)
};

class Fs {
   public:
    Fs() = default;
    Fs(const Fs&) = delete;
    Fs& operator=(const Fs&) = delete;
    virtual ~Fs() = default;

    // The whole content.
    virtual Result<std::string> read(const std::string& path) const = 0;

    // The whole content, never out of a cache: for counters that say "something changed".
    virtual Result<std::string> read_now(const std::string& path) const { return read(path); }

    // The whole content, if root alone can change the file, the folders above it and the links that
    // lead to it; else an error of not_trusted(), and nothing is read (os/fs/posix_fs.h).
    // Where files have no owners (a recording, memory): read().
    virtual Result<std::string> read_trusted(const std::string& path) const { return read(path); }

    // Up to `size` bytes from `offset` in one pread(2); fewer bytes is not an error.
    virtual Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                        std::size_t size) const = 0;

    // Names in a folder without "." and "..", sorted by bytes.
    virtual Result<std::vector<std::string>> list(const std::string& path) const = 0;

    // The text of a symbolic link, not resolved.
    virtual Result<std::string> link(const std::string& path) const = 0;

    // st_size of what the path leads to. Says something for PCI config space only.
    virtual Result<std::uint64_t> size(const std::string& path) const = 0;

    // Total bytes of the file system the path lies on (statvfs).
    virtual Result<std::uint64_t> capacity(const std::string& path) const = 0;

    // Whether this process, by its effective ids, may open the file for reading and writing. Says
    // something about the real machine only; elsewhere it is an error.
    virtual Result<Access> access(const std::string& path) const;

    // False for anything but the machine this program runs on.
    virtual bool is_real() const = 0;

    // What is to be said of the machine as a whole: "has no end mark: it may be cut off" of a
    // recording. Empty: nothing.
    virtual std::string remark() const { return ""; }

    // Whether something was not read because the deadline of the command had passed.
    virtual bool deadline_reached() const { return false; }
};

// A machine that can be written to, too. Everything written goes through here.
class WritableFs : public Fs {
   public:
    // One open(2) without O_CREAT and O_TRUNC, one write(2) of exactly these bytes (pwrite(2) at
    // `offset` where there is one), one close(2). Nothing: the kernel took all of them.
    virtual std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                                       std::string_view bytes) = 0;
};

// Whether the path leads to anything. An error that is not "not here" counts as there.
inline bool exists(const Fs& fs, const std::string& path) {
    const auto found = fs.size(path);
    return found.ok() || !found.is(ErrorKind::not_here);
}

}  // namespace rocenv
