// SPDX-License-Identifier: MIT
// A machine as files. All code reads /sys, /proc and /opt through this interface only.
//
// Paths are absolute on that machine ("/sys/bus/pci/devices/…"), whether it is the real one, a
// folder given with --sysroot, a .tree file or a test's memory. Every implementation follows these
// rules for kernel files:
//  - a file under /sys is one read(2) of at most a page; sizes from stat are not trusted;
//  - /proc/cpuinfo has the entry of the first CPU, and of the others what one read(2) returned;
//  - a file larger than 1 MiB is an error of kind garbled;
//  - stdio and iostream buffer nothing, and no read is retried.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// Result of a permission check by the kernel, made without opening the file.
struct Access {
    int err = 0;              // 0: may be opened for reading and writing; else an errno
    std::uint32_t group = 0;  // group of the file (st_gid)
};

// One file system, real or recorded.
class Fs {
   public:
    Fs() = default;
    Fs(const Fs&) = delete;
    Fs& operator=(const Fs&) = delete;
    virtual ~Fs() = default;

    // Returns the whole content.
    virtual Result<std::string> read(const std::string& path) const = 0;

    // Returns the whole content, never from a cache. For counters that report "something changed".
    virtual Result<std::string> read_now(const std::string& path) const { return read(path); }

    // Returns the whole content if only root can change the file, the folders above it and the
    // links that lead to it. Otherwise fails with an error of not_trusted() and reads nothing
    // (os/fs/posix_fs.h). A file system without owners (a recording, memory) uses read().
    virtual Result<std::string> read_trusted(const std::string& path) const { return read(path); }

    // Returns up to `size` bytes from `offset`, read with one pread(2). Fewer bytes are not an
    // error.
    virtual Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                        std::size_t size) const = 0;

    // Returns the names in a folder without "." and "..", sorted by bytes.
    virtual Result<std::vector<std::string>> list(const std::string& path) const = 0;

    // Returns the text of a symbolic link, not resolved.
    virtual Result<std::string> link(const std::string& path) const = 0;

    // Returns st_size of the file behind the path. Only the size of a PCI config space is
    // meaningful.
    virtual Result<std::uint64_t> size(const std::string& path) const = 0;

    // Returns the total bytes of the file system that holds the path (statvfs).
    virtual Result<std::uint64_t> capacity(const std::string& path) const = 0;

    // Returns whether the effective ids of this process may open the file for reading and writing.
    // Fails on any machine but the real one.
    virtual Result<Access> access(const std::string& path) const;

    // Returns whether this is the machine that the program runs on.
    virtual bool is_real() const = 0;

    // Returns a remark on the machine as a whole, such as "has no end mark: it may be cut off" for
    // a recording. Empty if there is none.
    virtual std::string remark() const { return ""; }

    // Returns whether a read was skipped because the deadline of the command had passed.
    virtual bool deadline_reached() const { return false; }
};

// A writable machine. Every write goes through this class.
class WritableFs : public Fs {
   public:
    // Writes exactly these bytes with one open(2) without O_CREAT and O_TRUNC, one write(2) or,
    // with an `offset`, pwrite(2), and one close(2). Returns std::nullopt if the kernel accepted
    // all bytes.
    virtual std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                                       std::string_view bytes) = 0;

    // Makes the reads of `read` faster where each read costs a message to a helper: the helper
    // calls `read`, and from then on the same reads return its answers, until the next write() or
    // read_live(). Changes of the caller's memory in `read` are lost. Elsewhere both do nothing.
    virtual void read_ahead(const std::function<void()>& /*read*/) {}
    virtual void read_live() {}
};

// Returns whether the path leads to a file or folder. Any error but not_here counts as present.
inline bool exists(const Fs& fs, const std::string& path) {
    const auto found = fs.size(path);
    return found.ok() || !found.is(ErrorKind::not_here);
}

}  // namespace rocenv
