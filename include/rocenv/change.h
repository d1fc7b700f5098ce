// SPDX-License-Identifier: MIT
// What a write does, as data: settings compute changes, one transaction makes them, the journal
// keeps them. So a dry run, a roll-back and a reset by a newer program all work from the same
// literal bytes, and none of them asks a setting again.
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

// How the content of a kernel file becomes a value that can be compared. The words stand in the
// journal: an entry may be added, none may change its meaning.
enum class Codec {
    line,          // the text without trailing NULs, blanks and line ends: "performance"
    choice,        // the word in brackets: "always [madvise] never" is "madvise"
    starred,       // the number in front of the line with a '*': "1 : soc_pstate_0 *" is "1"
    word16,        // two bytes at `offset` of configuration space, little endian: "0x001d"
    upper_clock,   // last entry of OD_SCLK (or GFXCLK), MHz: "1900"
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

// One place of the machine's state and how to read it.
struct KernelAttribute {
    std::string path;
    Codec codec = Codec::line;
    std::uint64_t offset = 0;  // word16 only
};

// The value an attribute has now. Errors are those of Fs, and garbled where the codec finds no
// value.
Result<std::string> read_attribute(const Fs& fs, const KernelAttribute& attribute);

struct AttributeState {
    KernelAttribute attribute;
    std::string value;  // empty: any will do, it is only noted
    std::string lost;  // what the kernel may fall back to by itself, empty: nothing. Not a stranger
};

// One write(2) or pwrite(2) of exactly these bytes.
struct Write {
    std::string path;
    std::optional<std::uint64_t> offset;  // of configuration space; nothing: the file as a whole
    std::string bytes;
};

// Writes, in order, and the state they lead to. The writes are what it takes from any other state,
// also from one that a failed write left half-way. Reading all `states` as stated proves it.
struct Change {
    std::vector<Write> writes;
    std::vector<AttributeState> states;
};

// A change as a person reads it: "echo performance > /sys/…", "setpci -s 0000:00:01.1 …".
std::string write_text(const Write& write);

// Makes a change of one text in one file.
inline Change text_change(KernelAttribute attribute, std::string value, std::string bytes) {
    std::string path = attribute.path;
    return {{{std::move(path), std::nullopt, std::move(bytes)}},
            {{std::move(attribute), std::move(value), ""}}};
}

// As text_change(), of a word or number and the line end behind it.
inline Change word_change(KernelAttribute attribute, const std::string& value) {
    return text_change(std::move(attribute), value, value + "\n");
}

// Puts back the very text that was read, without the NULs that some drivers put behind it.
inline Change text_back(KernelAttribute attribute, std::string value, std::string_view text) {
    text = text.substr(0, text.find_last_not_of('\0') + 1);
    return text_change(std::move(attribute), std::move(value), std::string(text));
}

}  // namespace rocenv
