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
    // Stores the first label of a host name. A name that identifies no host ("localhost", a word of
    // kernels, only digits) matches nothing.
    explicit HostName(std::string_view name);
    // Returns a name that matches nothing.
    static const HostName& none();

    // Returns the text with "redacted" for each of the names and a following domain. A short name,
    // letters only ("vm": up to five) or up to three characters, is matched as a word, other names
    // anywhere.
    std::string taken_out(std::string text) const;
    // Returns whether taken_out() would change the text.
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

// Redacts all notes by the rules in redact.cpp: contents, lists of services and software, and names
// of folders in links and paths.
void redact(Notes& notes);

// Redacts processes, systemd units and installed software; a part of redact().
void redact_services(Notes& notes);

// Redacts links of installed software; a part of redact().
void redact_links(Notes& notes);

// Returns the command line with the parts that boot_value() permits, without the words after "--",
// with a line end. A blank line is unchanged; a line with control bytes becomes one such byte.
std::string redact_command_line(std::string_view line, const HostName& host);
// Returns one word with its permitted parts: "redacted" for an unknown parameter, and
// "NAME=redacted" if only the name is permitted. Elements of a list are redacted one by one.
std::string redact_boot_word(const KernelWord& word, const HostName& host);

// The meaning of four numbers with dots in a text.
enum class Dotted { address, version };

// Redacts UUIDs, hardware addresses and IP addresses in a text: each digit of the first two becomes
// 0, IPv4 becomes "0.0.0.0" and IPv6 "::". With Dotted::version, an IPv4 address stays unless it is
// one of a private network and not the whole text.
std::string redact_addresses(std::string text, Dotted dotted = Dotted::address);

// Redacts host name, addresses and credentials in a text of a vendor or distribution.
std::string redact_text(std::string_view text, const HostName& host,
                        Dotted dotted = Dotted::address);

// Returns the lines of /proc/cpuinfo and meminfo files that hardly change: number, maker, model and
// flags of a CPU, total and corrupted memory. Only the first line of each key is kept. Empty if
// there are none.
std::string redact_readings(std::string_view text);

// Returns the text with "redacted" for each of `names` that is a separate word. Letters, digits,
// "_", "-" and "." continue a word.
std::string redact_names(std::string text, const std::vector<std::string>& names);

}  // namespace rocenv
