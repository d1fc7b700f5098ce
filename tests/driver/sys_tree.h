// SPDX-License-Identifier: MIT
// A machine's /sys: the files of a folder, which is never written, below the values written since
// and the GPUs' driver files. Paths are absolute, as under /sys, without links in them. Calls
// return 0 or an errno. Safe to use from many threads; a blocked file blocks no other file.
#pragma once

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "driver/faults.h"
#include "driver/gpu_model.h"

namespace lab {

class SysTree {
   public:
    explicit SysTree(int base_fd);

    // Returns whether a file's text never changes, so that the kernel may keep it: KFD's nodes, of
    // which version 6 of AMD's library opens tens of thousands.
    static bool never_changes(const std::string& path);
    int attributes(const std::string& path, struct stat* out);
    int link(const std::string& path, std::string& target);
    int list(const std::string& path, std::vector<std::string>& names);
    int may_open(const std::string& path, bool to_write);
    int read(const std::string& path, std::string& text);
    int write(const std::string& path, std::string_view bytes, off_t offset);

    // Runs one line: a command of Faults, or
    //   reset BDF     the GPU is reset, its limit is lost
    //   remove BDF    the GPU is gone, with its DRM devices and KFD nodes
    //   return BDF    it is back, as it was at the start
    // Returns `EINVAL` for any other line.
    int command(const std::string& line);

    // A line a GPU: its address and GpuModel::state.
    std::string state();
    // A line a write to a driver's file since the start: FOLDER/NAME, the text, its errno.
    std::string log();

   private:
    struct Gpu {
        std::string folder;
        GpuModel model;
        std::vector<std::string> gone;  // folders that vanish with it
        bool removed = false;
    };

    void find_gpus();
    void add_sensors(const std::string& folder);
    GpuModel model_of(const std::string& folder) const;
    std::vector<std::string> parts_of(const std::string& folder) const;
    bool is_gone(const std::string& path) const;
    bool leads_to_gone(const std::string& path) const;
    Gpu* gpu_at(const std::string& path);
    std::string stored(const std::string& path) const;
    int write_stored(const std::string& path, std::string_view bytes, off_t offset);
    int write_driver(Gpu& gpu, const std::string& path, std::string_view text);
    std::string under(const std::string& path) const;

    int base_;
    Faults faults_;
    std::mutex mutex_;  // guards all members below; never held while a file blocks
    std::map<std::string, Gpu> gpus_;
    std::map<std::string, std::string> written_;
    std::string log_;
};

}  // namespace lab
