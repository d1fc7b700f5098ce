// SPDX-License-Identifier: MIT
// An Fs that notes every question and its answer, errors included: what `rocenv record` writes
// down. It says that it is not the real machine, as what replays the notes will not be: so exactly
// that is asked which a replay asks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/fs/memory_fs.h"
#include "rocenv/fs.h"
#include "rocenv/result.h"

namespace rocenv {

// What was asked about one path; of an operation asked twice the last answer.
struct Note {
    struct Part {
        std::size_t asked = 0;  // bytes
        Result<std::string> bytes;
    };
    std::optional<Result<std::string>> content;
    std::map<std::uint64_t, Part> parts;  // of read_at, by offset
    std::optional<Result<std::vector<std::string>>> names;
    std::optional<Result<std::string>> target;
    std::optional<Result<std::uint64_t>> size;
    std::optional<Result<std::uint64_t>> capacity;
};
using Notes = std::map<std::string, Note>;

class RecordingFs final : public Fs {
   public:
    // `inner` must outlive it.
    explicit RecordingFs(const Fs& inner) : inner_(inner) {}

    Result<std::string> read(const std::string& path) const override;
    Result<std::string> read_now(const std::string& path) const override;
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override;
    Result<std::vector<std::string>> list(const std::string& path) const override;
    Result<std::string> link(const std::string& path) const override;
    Result<std::uint64_t> size(const std::string& path) const override;
    Result<std::uint64_t> capacity(const std::string& path) const override;
    bool is_real() const override { return false; }

    const Notes& notes() const { return notes_; }
    // Paths that did not answer in time, sorted.
    std::vector<std::string> silent() const;

   private:
    const Fs& inner_;
    mutable Notes notes_;
};

// A machine as one reviewable text file (.tree). The format, by example (tests/machines/README.md
// has the words):
//
//     rocenv tree 1
//     d /sys/class/kfd
//     f /proc/sys/kernel/numa_balancing = 1
//     f /proc/cpuinfo
//     | processor : 0
//     l /sys/bus/pci/devices/0000:05:00.0 -> ../../../devices/pci0000:00/0000:05:00.0
//     c /sys/devices/pci0000:00/0000:05:00.0/config 4096 64
//       000: 02 10 a1 74
//     e /sys/devices/system/cpu/cpufreq/policy3/scaling_governor EBUSY
//     n /sys/class/kfd/kfd/topology/nodes/9
//     v /dev/shm 67108864
//     # end of the recording: 9 entries
//
// The last line is the end mark: a comment to versions that do not know it. It may be missing (as
// in recordings of those); fewer entries before it than it says are an error.
// Escapes in text: \\ \n \t \xHH, and \c at the end of a line for "no line end here".
// In a path and a link's target only \xHH.

// A path that an entry can have: names after single slashes, none of them "." or "..", and 512
// bytes at most.
bool is_plain_path(std::string_view path);

// Errors are bad_input and say "FILE:LINE: what is wrong".
Result<std::unique_ptr<MemoryFs>> parse_tree(const std::string& file, std::string_view text);

// The end mark of a text with so many entries, as a line.
std::string tree_end_mark(std::size_t entries);

// The same from a file of the real machine, of at most 16 MiB, 400,000 lines and 65,536 entries. A
// last line without its end is bad_input: the file is cut off. Without an end mark the machine has
// a remark (Fs::remark()), as after parse_tree().
Result<std::unique_ptr<MemoryFs>> load_tree(const std::string& file);

// What was asked of a machine as lines of a .tree file that answers the same (tree_file.h reads
// it). A file that was missing leaves no line.

// Entries only, sorted by path, without the first line.
std::string tree_entries(const Notes& notes);

// How many entries such lines are.
std::size_t tree_entry_count(std::string_view entries);

// Text of one line with escapes: printable ASCII, no blank at either end.
std::string tree_escaped(std::string_view text);

}  // namespace rocenv
