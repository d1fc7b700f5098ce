// SPDX-License-Identifier: MIT
// A setting that is one number of /proc/sys. What it is, and how it is read, set and kept, follows
// from its name: such a setting is a declaration.
#pragma once

#include <cstdint>
#include <string>

#include "settings/shapes/file_setting.h"

namespace rocenv {

struct Sysctl {
    std::string_view id;         // "kernel.nmi_watchdog"
    std::string_view name = {};  // "vm.swappiness"; empty: the id
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::int64_t lowest = 0;  // what a profile may want
    std::int64_t highest = 1;
    std::int64_t kernel_highest = 0;  // what the kernel takes and a restore may write; 0: highest
    std::string_view usual = "0";     // the value that commands in texts show
    std::string_view boot_word = {};  // another way: on the kernel command line; empty: none
    std::string_view risk_note;
    std::string without;  // what it means that there is no such file
    std::optional<std::string> absent_is = {};
    std::string (*explain)(const Assessment& row) = nullptr;
};

// The texts that an Info only looks at.
struct SysctlTexts {
    explicit SysctlTexts(const Sysctl& sysctl);
    std::string path;
    std::string folder;
    std::string set_by;
    std::string next_step;
    std::string persist;
    std::string bytes;
    WrittenPlace place;
};

class SysctlSetting final : private SysctlTexts, public FileSetting {
   public:
    explicit SysctlSetting(const Sysctl& sysctl);

   private:
    static Info info_of(const Sysctl& sysctl, const SysctlTexts& texts);
    static FileFacts facts_of(const Sysctl& sysctl, const SysctlTexts& texts);
};

}  // namespace rocenv
