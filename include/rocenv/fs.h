// SPDX-License-Identifier: MIT
// A machine as files. All code reads /sys, /proc and /opt through this interface only.
//
// Paths are absolute on that machine ("/sys/bus/pci/devices/…"), whether it is the real one, a
// folder given with --sysroot, a .tree file or a test's memory. The real machine and a folder read
// kernel files by these rules; a recording returns the recorded result:
//  - a file under /sys is read with one read(2) of 4,096 bytes, and to its end only if these are
//    full; sizes from stat are not trusted;
//  - /proc/cpuinfo is read to its end only if the first read(2) lacks the end of the first CPU;
//  - a file larger than 1 MiB is an error of kind garbled;
//  - stdio and iostream buffer nothing, and no read is retried. Only if the helper process of a
//    read was killed, a new one repeats the read once (os/child/helper_fs.h).
//
// Errors have the kind of their errno (kind_of_errno()): not_here for a missing path.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// Decision of the kernel on a permission, made without opening the file.
struct Access {
    int err = 0;              // 0: may be opened for reading and writing; else `EACCES` or `EPERM`
    std::uint32_t group = 0;  // group of the file (st_gid); 0 in a recording
};

// One file system, real or recorded.
class Fs {
   public:
    Fs() = default;
    Fs(const Fs&) = delete;
    Fs& operator=(const Fs&) = delete;
    virtual ~Fs() = default;

    // Returns the whole content, unchanged; it may be empty. During a check it may come from a
    // cache.
    virtual Result<std::string> read(const std::string& path) const = 0;

    // Returns the whole content without the cache of read(), for counters that report "something
    // changed". Answers that the command read in advance still count: those of read_ahead(), and
    // the KFD nodes of run_directly().
    virtual Result<std::string> read_now(const std::string& path) const { return read(path); }

    // Returns the whole content if only root can change the file, the folders above it and the
    // links that lead to it. Otherwise fails with not_trusted(), and reads nothing. Only the real
    // machine is checked: a --sysroot folder, a recording and memory use read().
    virtual Result<std::string> read_trusted(const std::string& path) const { return read(path); }

    // Returns up to `size` bytes from `offset`, read with one pread(2); "" at the end of the file.
    // Fewer bytes are not an error, and the limit of 1 MiB does not apply. The last file may stay
    // open, so a replaced file is seen only after a read_at() of another path.
    virtual Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                        std::size_t size) const = 0;

    // Returns the names in a folder without "." and "..", sorted by bytes. Fails with not_here if
    // the path is missing or not a folder, and with garbled if it has more than 65,536 names.
    virtual Result<std::vector<std::string>> list(const std::string& path) const = 0;

    // Returns the text of a symbolic link, not resolved. Fails with io (`EINVAL`) if the path is
    // not a link.
    virtual Result<std::string> link(const std::string& path) const = 0;

    // Returns st_size of the file or folder behind the path, with all links followed. Only the size
    // of a PCI config space is meaningful; in a recording a folder has 0.
    virtual Result<std::uint64_t> size(const std::string& path) const = 0;

    // Returns the total bytes of the file system that holds the path (statvfs). 0 if a recording
    // has the path without its capacity.
    virtual Result<std::uint64_t> capacity(const std::string& path) const = 0;

    // Returns whether the kernel would let the effective ids open the file for reading and writing.
    // An errno other than `EACCES` and `EPERM` is an Error. A recording and memory return the
    // recorded result; a --sysroot folder and a recorder fail with `ENOTSUP`.
    virtual Result<Access> access(const std::string& path) const;

    // Returns whether this is the machine that the program runs on. A recorder of that machine
    // (RecordingFs) returns false.
    virtual bool is_real() const = 0;

    // Returns a remark on the machine as a whole, such as "has no end mark: it may be cut off" for
    // a recording. Empty if there is none.
    virtual std::string remark() const { return ""; }

    // Returns whether the cached file system of a check (cached_fs()) refused a read because the
    // deadline had passed. Every other one returns false; there such a read only fails with
    // timed_out.
    virtual bool deadline_reached() const { return false; }
};

// A writable machine. Every write goes through this class.
class WritableFs : public Fs {
   public:
    // Writes exactly these bytes. On the real machine: with one open(2) without O_CREAT and
    // O_TRUNC, one write(2) or, with an `offset`, pwrite(2), and one close(2). Other machines
    // emulate the effect of the kernel. Returns std::nullopt if all bytes were accepted.
    //
    // Fails with io after a short write, with bad_input for a path outside of /sys and /proc/sys on
    // the real machine, and with the error of the kernel. After an error the value may still have
    // changed: a refusal can have effects, and those of a timeout are unknown.
    virtual std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                                       std::string_view bytes) = 0;

    // Makes the reads of `read` faster where each read costs a message to a helper (HelperFs). The
    // helper calls `read`, and its answers are recorded. The same reads then return these answers,
    // until the next write() or read_live(). Changes of the caller's memory in `read` are lost.
    // Other file systems do not call `read`.
    virtual void read_ahead(const std::function<void()>& /*read*/) {}
    // Drops the recorded answers.
    virtual void read_live() {}
};

// Returns whether the path leads to a file or folder, with links followed. Any error but not_here
// counts as present, also timed_out.
inline bool exists(const Fs& fs, const std::string& path) {
    const auto found = fs.size(path);
    return found.ok() || !found.is(ErrorKind::not_here);
}

}  // namespace rocenv
