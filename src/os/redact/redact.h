// SPDX-License-Identifier: MIT
// Removal of secrets and of the identity of a machine and its users. A value stays only if a rule
// of redact.cpp or redact_words.h permits it. Equal identities stay equal, so that partitions of a
// GPU and members of a hive still match; 0 (none) stays 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/fs/tree_file.h"
#include "os/redact/redact_words.h"

namespace rocenv {

// The replacement of a textual identity.
constexpr std::string_view redacted = "redacted";

// The names of one host, matched in any letter case.
class HostName {
   public:
    explicit HostName(std::string_view name);
    // Returns a name that matches nothing.
    static const HostName& none();

    // Returns the text without the names. A short name of letters only ("vm") is matched as a word,
    // other names anywhere, including a following domain.
    std::string taken_out(std::string text) const;
    // Returns whether the text contains the name in any case.
    bool is_in(std::string_view text) const { return find(lower(text), 0).size > 0; }
    // Returns true if other texts may contain the name: "vm", or "node1" of the kernel.
    bool is_common() const { return common_; }

   private:
    struct Match {
        std::size_t at = 0;
        std::size_t size = 0;
    };
    static std::string lower(std::string_view text);
    Match find(std::string_view low, std::size_t from) const;

    std::string name_;  // first label; empty if the name identifies no host
    bool common_ = false;
};

// Redacts all notes by the rules in redact.cpp.
void redact(Notes& notes);

// Redacts processes, systemd units and installed software; a part of redact().
void redact_services(Notes& notes);

// Redacts links of installed software; a part of redact().
void redact_links(Notes& notes);

// Returns the command line with the parts that boot_value() permits, without the words after "--".
std::string redact_command_line(std::string_view line, const HostName& host);
// Returns one word with its permitted parts; "redacted" for an unknown parameter.
std::string redact_boot_word(const KernelWord& word, const HostName& host);

// The meaning of four numbers with dots in a text.
enum class Dotted { address, version };

// Redacts UUIDs, hardware addresses and IP addresses in a text: each digit becomes 0, IPv4 becomes
// "0.0.0.0" and IPv6 "::".
std::string redact_addresses(std::string text, Dotted dotted = Dotted::address);

// Redacts host name, addresses and credentials in a text of a vendor or distribution.
std::string redact_text(std::string_view text, const HostName& host,
                        Dotted dotted = Dotted::address);

// Returns the lines of /proc/cpuinfo and meminfo files that never change: name and flags of the
// first CPU, total memory. Empty if there are none.
std::string redact_readings(std::string_view text);

// Redacts `names` where they are separate words.
std::string redact_names(std::string text, const std::vector<std::string>& names);

}  // namespace rocenv
