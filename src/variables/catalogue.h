// SPDX-License-Identifier: MIT
// The catalogue of environment variables: which program reads each, how, and what holds when it is
// not set. Facts only; made at build time from profiles/variables/*.toml (its README says
// what each key means). In the binary it is bytes without pointers (catalogue_image.h): nothing
// happens at start-up, a lookup is a binary search.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// What holds from one version of the reader on.
struct DefaultFrom {
    std::string_view version;  // of the package
    std::string_view value;
};

// One program that reads a variable, and what is known of its versions (releases.h).
struct VariableReader {
    std::string_view looked_at;  // the list of its releases that were searched; empty: none were
    std::string_view package;    // whose version counts
    std::string_view since;      // first version that reads it, "6.3~" on the way to 6.3
    std::string_view until;      // first version that no longer reads it
    std::optional<std::string_view> fallback;  // the text that leaving it unset equals
    std::vector<DefaultFrom> defaults;         // by version, oldest first; over `fallback`
};

// One variable. Texts that the catalogue does not state are empty.
struct Variable {
    std::string_view name;
    std::string_view reader;   // "PyTorch TunableOp"
    std::string_view package;  // whose version counts: "rocm", "torch", "triton", "vllm", …
    std::string_view type;     // "bool", "int", "float", "path", "enum", "list", "string",
                               // "secret": its value is never shown
    std::string_view parser;   // a name of parsers.h
    std::optional<std::string_view> fallback;  // the text that leaving it unset equals
    std::string_view fallback_note;            // what unset means where no text equals it
    std::string_view min, max;                 // decimal numbers
    std::string_view unit;
    std::string_view pattern;              // POSIX extended regular expression, whole text
    std::string_view since;                // first version that reads it
    std::string_view until;                // first version that no longer reads it
    std::string_view renamed;              // its name since then
    std::string_view status;               // "", "deprecated", "removed", "no-effect", "uncertain"
    std::string_view leftover;             // "debug", "dump", "trace": not for production
    std::string_view needs;                // "NAME=VALUE": without it this has no effect
    std::string_view doc;                  // one sentence
    std::string_view note;                 // what surprises, may be empty
    std::string_view source;               // file, and when it was read
    std::vector<std::string_view> values;  // the only sensible texts; empty: any
    std::vector<DefaultFrom> defaults;     // by version, oldest first; over `fallback`
    // Every program that reads it: first what stands above, then others that read the same name
    // (RCCL's beside NCCL's, the ROCm fork of vLLM beside vLLM).
    std::vector<VariableReader> read_by;
};

// Whether its value is never shown.
inline bool is_secret(const Variable& variable) {
    return variable.type == "secret";
}

// Names with a known prefix that are not listed one by one.
struct VariableFamily {
    std::string_view prefix;
    std::string_view reader;
    std::string_view doc;
    bool closed = false;         // all real names are listed: another one is a slip
    std::string_view looked_at;  // of which releases (releases.h); empty: of none
};

// Effective values that do not go together: all of `when` ("NAME=EFFECTIVE") hold at once.
struct VariableConflict {
    std::vector<std::string_view> when;
    std::string_view says;
    std::string_view source;
};

// Returns what the catalogue says of a name; nothing for one that it does not list, whatever its
// family.
std::optional<Variable> find_variable(std::string_view name);

// Of several the longest prefix.
std::optional<VariableFamily> family_of(std::string_view name);

// All names, sorted.
std::vector<std::string> catalogued_names();

// Those that start with this byte, sorted, without copying them all.
std::vector<std::string_view> catalogued_names(char first);

std::vector<VariableFamily> variable_families();
const std::vector<VariableConflict>& variable_conflicts();

}  // namespace rocenv
