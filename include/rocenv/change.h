// SPDX-License-Identifier: MIT
// Writes as data. Settings compute changes, one transaction makes them, and the journal records
// them. A dry run, a rollback and a reset by a newer program therefore use the same literal bytes
// and never call a setting again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/words.h"

namespace rocenv {

// Rule that turns the content of a kernel file into a value that can be compared. The words stand
// in the journal: an entry may be added, but the meaning of an existing one must not change.
enum class Codec {
    line,          // the text without trailing NULs, blanks and line ends: "performance"
    choice,        // the word in brackets: "always [madvise] never" is "madvise"
    starred,       // the number in front of the line with a '*': "1 : soc_pstate_0 *" is "1"
    word16,        // two bytes at `offset` of configuration space, little endian: "0x001d"
    upper_clock,   // last of two or more entries of OD_SCLK (or GFXCLK), MHz: "1900"
    clocks,        // first and last entry of OD_SCLK (or GFXCLK), MHz: "500-1900"
    memory_clock,  // last entry of OD_MCLK (or MCLK), MHz: "1300"
};
template <>
struct EnumWords<Codec> {
    static constexpr EnumWord<Codec> all[] = {
        {Codec::line, "line"},
        {Codec::choice, "choice"},
        {Codec::starred, "starred"},
        {Codec::word16, "word16"},
        {Codec::upper_clock, "upper-clock"},
        {Codec::clocks, "clocks"},
        {Codec::memory_clock, "memory-clock"},
    };
};

// Location of a value in the machine's state, with the rule for reading it.
struct KernelAttribute {
    std::string path;
    Codec codec = Codec::line;
    std::uint64_t offset = 0;  // word16 only
};

// Returns the present value of an attribute, past the cache of Fs::read() except for word16. Errors
// are those of Fs, and `garbled` if the codec finds no value. word16 fails with `not_permitted` if
// the file ends before the word, and with `io` if the word is 0xffff (device gone).
Result<std::string> read_attribute(const Fs& fs, const KernelAttribute& attribute);

// Expected state of one attribute.
struct AttributeState {
    KernelAttribute attribute;
    std::string value;  // empty: any value is accepted and only recorded
    std::string lost;   // value after a fallback by the kernel, not a foreign change; empty: none
};

// One write(2) or pwrite(2) of exactly these bytes.
struct Write {
    std::string path;
    std::optional<std::uint64_t> offset;  // in configuration space; std::nullopt: the whole file
    std::string bytes;
};

// Writes, in order, and the state that they lead to. The writes lead there from any other state,
// also from one that a failed write left half-way. A read of all `states` with the stated values
// proves success.
struct Change {
    std::vector<Write> writes;
    std::vector<AttributeState> states;
};

// Returns a write as a shell command for people: "echo performance > /sys/…", or with an offset
// "setpci -s 0000:00:01.1 …". The bytes are printable() and not quoted for a shell.
std::string write_text(const Write& write);

// Returns a change that writes `bytes` to the file of the attribute as a whole. The attribute is
// then expected to read as `value`.
inline Change text_change(KernelAttribute attribute, std::string value, std::string bytes) {
    std::string path = attribute.path;
    return {{{std::move(path), std::nullopt, std::move(bytes)}},
            {{std::move(attribute), std::move(value), ""}}};
}

// Returns text_change() for a word or number, with a line end added to the bytes.
inline Change word_change(KernelAttribute attribute, const std::string& value) {
    return text_change(std::move(attribute), value, value + "\n");
}

// Returns a change that writes back the text that was read, without the NULs that some drivers
// append.
inline Change text_back(KernelAttribute attribute, std::string value, std::string_view text) {
    text = text.substr(0, text.find_last_not_of('\0') + 1);
    return text_change(std::move(attribute), std::move(value), std::string(text));
}

}  // namespace rocenv
