// SPDX-License-Identifier: MIT
// A recorder for `rocenv record`: it notes every operation and its result, errors included. It
// reports that it is not the real machine, so that the same files are read as in a replay.
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

// The results for one path; the last one if an operation was repeated.
struct Note {
    struct Part {
        std::size_t asked = 0;  // bytes requested
        Result<std::string> bytes;
    };
    std::optional<Result<std::string>> content;
    std::map<std::uint64_t, Part> parts;  // results of read_at(), by offset
    std::optional<Result<std::vector<std::string>>> names;
    std::optional<Result<std::string>> target;
    std::optional<Result<std::uint64_t>> size;
    std::optional<Result<std::uint64_t>> capacity;
};
using Notes = std::map<std::string, Note>;

// An Fs that notes all results. read_trusted() reads and is noted like read(); access() fails and
// is not noted.
class RecordingFs final : public Fs {
   public:
    // Records the reads of `inner`, which must outlive this object.
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

    // Returns the results of all operations so far, by path.
    const Notes& notes() const { return notes_; }
    // Returns the paths with an operation that timed out, sorted.
    std::vector<std::string> silent() const;

   private:
    const Fs& inner_;
    mutable Notes notes_;
};

// A machine as one reviewable text file (.tree). Format by example (tests/machines/README.md
// describes it):
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
// The last line is the end mark, a comment for older versions. Every released version writes it,
// and a comment with its name and version in the second line. A file without both was written by
// hand or by a tool, and may be complete. Fewer entries than the mark states are an error. Escapes
// in text: \\ \n \t \xHH, and \c at the end of a line for "no line end here". In paths and link
// targets only \xHH.

// The remark for a recording whose end is missing.
inline constexpr std::string_view cut_off_remark = "is cut off: it has no end mark";

// Returns true for a valid path of an entry: names after single slashes, none of them "." or "..",
// at most 512 bytes.
bool is_plain_path(std::string_view path);

// Parses a .tree text of at most 400,000 lines and 65,536 entries with their parent folders. Fails
// with `bad_input` and the text "FILE:LINE: what is wrong"; `file` is only a name. Without an end
// mark the machine has a remark (Fs::remark()): cut_off_remark if `record` wrote the file.
Result<std::unique_ptr<MemoryFs>> parse_tree(const std::string& file, std::string_view text);

// Returns the end mark for a number of entries, as a line.
std::string tree_end_mark(std::size_t entries);

// Loads a .tree file of the real machine like parse_tree(), of at most 16 MiB. Every error is
// `bad_input`, also one of reading the file. A last line without its end is an error, because the
// file is truncated.
Result<std::unique_ptr<MemoryFs>> load_tree(const std::string& file);

// Conversion of notes to lines of a .tree file that gives the same results. A missing file has no
// line.

// Returns only the entries, sorted by path, without the first line and the end mark. Paths that are
// not is_plain_path() are left out.
std::string tree_entries(const Notes& notes);

// Returns the number of entries in such lines.
std::size_t tree_entry_count(std::string_view entries);

// Escapes the text of one line: printable ASCII, without blanks at either end. A backslash is
// doubled, and other bytes become \n, \t or \xHH.
std::string tree_escaped(std::string_view text);

}  // namespace rocenv
