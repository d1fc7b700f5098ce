// SPDX-License-Identifier: MIT
// Takes out of what was read who the machine and its users are, and what is secret. A value stays
// only where the rules of redact.cpp or redact_words.h name it. Equal identities stay equal, so
// that partitions of one GPU and members of one hive still belong together; 0 (none) stays 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/fs/tree_file.h"
#include "os/redact/redact_words.h"

namespace rocenv {

// What stands in the place of an identity that is text.
constexpr std::string_view redacted = "redacted";

// The names of one host, to be taken out of texts in any letter case.
class HostName {
   public:
    explicit HostName(std::string_view name);
    // Returns the name of no host: nothing is taken out.
    static const HostName& none();

    // Returns the text without the names. Short ones that are all letters ("vm") are found as
    // words only, longer ones anywhere, with the domain behind them.
    std::string taken_out(std::string text) const;
    bool is_in(std::string_view text) const { return find(lower(text), 0).size > 0; }
    // Returns whether a text about something else may hold it: "vm", or "node1" of the kernel.
    bool is_common() const { return common_; }

   private:
    struct Match {
        std::size_t at = 0;
        std::size_t size = 0;
    };
    static std::string lower(std::string_view text);
    Match find(std::string_view low, std::size_t from) const;

    std::string name_;  // its first label; empty where a name says nothing
    bool common_ = false;
};

// Redacts all that was read: see the rules in redact.cpp.
void redact(Notes& notes);

// The part of redact() for processes, systemd's units and what is installed.
void redact_services(Notes& notes);

// The part of redact() for links of what is installed.
void redact_links(Notes& notes);

// Returns the command line with what boot_value() allows of each word; the words behind "--" are
// left out.
std::string redact_command_line(std::string_view line, const HostName& host);
std::string redact_boot_word(const KernelWord& word, const HostName& host);

// What four numbers with dots are in a text.
enum class Dotted { address, version };

// UUIDs, hardware addresses, and addresses of IPv4 and IPv6 in any text: every digit becomes 0 and
// the last two kinds "0.0.0.0" and "::".
std::string redact_addresses(std::string text, Dotted dotted = Dotted::address);

// Text of a maker or a distribution: without host name, addresses and credentials.
std::string redact_text(std::string_view text, const HostName& host,
                        Dotted dotted = Dotted::address);

// Of /proc/cpuinfo and meminfo files the lines that are the same at each reading: the first CPU's
// name and flags, the memory there is. Empty: it has no such line.
std::string redact_readings(std::string_view text);

// `names` where they stand as words of their own.
std::string redact_names(std::string text, const std::vector<std::string>& names);

}  // namespace rocenv
