// SPDX-License-Identifier: MIT
// Takes out of what was read who the machine and its users are. Equal identities stay equal, so
// that partitions of one GPU and members of one hive still belong together; 0 (none) stays 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sys/fs/recording_fs.h"

namespace rocenv {

// What stands in the place of an identity that is text.
constexpr std::string_view redacted = "redacted";

// Host name, boot id, GPU and hive ids, serial numbers, UUIDs and hardware addresses, and of the
// kernel command line every value but those of known tuning parameters.
void redact(Notes& notes);

// The part of redact() for processes and systemd's units.
void redact_services(Notes& notes);

// Kernel command line: `hostname` is taken out of bare words too.
std::string redact_command_line(std::string_view line, std::string_view hostname);

// UUIDs and hardware addresses in any text, every digit replaced by 0.
std::string redact_addresses(std::string text);

// Of /proc/cpuinfo and meminfo files the lines that are the same at each reading: the first CPU's
// name and flags, the memory there is. A text without such a line stays.
std::string redact_readings(std::string_view text);

// `names` where they stand as words of their own.
std::string redact_names(std::string text, const std::vector<std::string>& names);

}  // namespace rocenv
