// SPDX-License-Identifier: MIT
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
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "os/fs/memory_fs.h"
#include "os/fs/recording_fs.h"
#include "rocenv/result.h"

namespace rocenv {

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
