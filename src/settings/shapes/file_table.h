// SPDX-License-Identifier: MIT
// Settings that are one value in one file of the kernel: a number of /proc/sys, or a choice whose
// present word stands in brackets ("always [madvise] never"). Each is a row of a table: how it is
// read, set and kept follows from its name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

struct FileRow {
    std::string_view id;           // "kernel.nmi_watchdog"
    std::string_view name = {};    // "vm.swappiness"; empty: the id
    std::string_view path = {};    // of a file that is not a sysctl; empty: that of the name
    std::string_view folder = {};  // every kernel has it; empty: the folder of the file
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::string_view choices = {};  // "always|madvise|never"; empty: a number
    std::int64_t lowest = 0;        // what a profile may want
    std::int64_t highest = 1;
    std::int64_t kernel_highest = 0;  // what the kernel takes and a restore may write; 0: highest
    std::string_view usual = "0";     // the value that commands in texts show
    std::string_view boot_word = {};  // another way: on the kernel command line; empty: none
    std::string_view risk_note;
    std::string_view without;  // what it means that the folder is there and the file is not
    // The value a kernel without the file behaves as: another one wanted is a difference.
    // std::nullopt: the file may be missing whatever is wanted.
    std::optional<std::string_view> absent_is = {};
    // More to say about a difference.
    std::string (*explain)(const Assessment& row) = nullptr;
};

// A row and the texts that follow from it. An Info refers to them.
struct FileFacts {
    explicit FileFacts(const FileRow& row);
    FileFacts(const FileFacts&) = delete;
    FileFacts& operator=(const FileFacts&) = delete;

    const FileRow& row;
    std::string path;
    std::string folder;
    std::string set_by;
    std::string next_step;
    std::string persist;
    std::string bytes;
    WrittenPlace place;
};

// The settings of a table of rows, in its order. The rows must outlive it.
class FileTable {
   public:
    explicit FileTable(std::span<const FileRow> rows);
    // Returns the settings; they live as long as the table.
    std::span<const Setting> settings() const { return settings_; }

   private:
    std::vector<FileFacts> facts_;
    std::vector<Setting> settings_;
};

}  // namespace rocenv
