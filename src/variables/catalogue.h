// SPDX-License-Identifier: MIT
// The catalogue of environment variables: which program reads each, how, and what holds when it is
// not set; the bytes in which it lies in the binary; the releases that were searched for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// The catalogue as it lies in the binary: bytes without pointers, so that loading the program
// relocates nothing. scripts/cmake/make_catalogue writes it; catalogue.cpp makes
// structures of a row when they are asked for.
//
// Texts stand one after another, each once, and are named by their index: first those that rows
// name most often, then the names of the variables in order, then the others. A row is a run of
// numbers, seven bits a byte with the lowest first, the eighth bit set in all but the last byte.
// Each is the index of a text, a count, or marks: one bit for each of the things that follow.

struct CatalogueImage {
    const char* bytes;
    const std::uint8_t* text_starts;  // of three bytes each, the lowest first; a last one ends
    const std::uint8_t* rows;
    const std::uint8_t* row_starts;  // of three bytes each
    std::uint32_t first_name;        // the index of a text
    // How many rows there are of each kind, one kind after another.
    std::uint32_t variables;  // by name
    std::uint32_t families;   // by prefix
    std::uint32_t rules;
    std::uint32_t releases;  // by program
};

extern const CatalogueImage catalogue_image;

// The text of an index.
std::string_view image_text(std::size_t index);

// Where the rows of each kind start.
inline std::size_t first_family() {
    return catalogue_image.variables;
}
inline std::size_t first_rule() {
    return first_family() + catalogue_image.families;
}
inline std::size_t first_release() {
    return first_rule() + catalogue_image.rules;
}

// Reads the numbers of one row, one after another.
class ImageRow {
   public:
    explicit ImageRow(std::size_t row);

    std::uint32_t number();
    std::string_view text() { return image_text(number()); }
    // A count, and as many texts.
    std::vector<std::string_view> texts();

   private:
    const std::uint8_t* next_;
};

// The catalogue of environment variables: which program reads each, how, and what holds when it is
// not set. Facts only; made at build time from profiles/variables/*.toml (its README says
// what each key means). In the binary it is bytes without pointers (CatalogueImage): nothing
// happens at start-up, a lookup is a binary search.

// What holds from one version of the reader on.
struct DefaultFrom {
    std::string_view version;  // of the package
    std::string_view value;
};

// How a reader makes a value of the text, from one of its versions on.
struct VariableForm {
    std::string_view version;              // of the package; empty: from the first on
    std::string_view parser;               // a name of parsers.h
    std::vector<std::string_view> values;  // the only sensible texts; empty: any
};

// One program that reads a variable, and what is known of its versions (LookedAt).
struct VariableReader {
    std::string_view looked_at;  // the list of its releases that were searched; empty: none were
    std::string_view package;    // whose version counts
    std::string_view since;      // first version that reads it, "6.3~" on the way to 6.3
    std::string_view until;      // first version that no longer reads it
    std::optional<std::string_view> fallback;  // the text that leaving it unset equals
    std::vector<DefaultFrom> defaults;         // by version, oldest first; over `fallback`
    // By version, oldest first. Empty for all readers of a variable that each version of each
    // reader reads in the one way that Variable states.
    std::vector<VariableForm> forms;
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
    std::string_view status;               // "", "deprecated", "removed", "no-effect", "uncertain",
                                           // "mistake": a name that nothing reads
    std::string_view leftover;             // "debug", "dump", "trace": not for production
    std::string_view needs;                // "NAME=VALUE": without it this has no effect
    std::string_view refers_to;            // what the value names on the node, see references.h
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
    std::string_view looked_at;           // of which releases (LookedAt); empty: of none
    std::vector<std::string_view> whole;  // releases of which a complete extraction has all names
};

// Values that are wrong together, or with what is installed. All of `when` hold, and of each other
// list that is not empty, one entry (of `versions`, all).
struct VariableRule {
    std::vector<std::string_view> when;  // "NAME=EFFECTIVE", "NAME!=TEXT", "NAME>1", "NAME>OTHER"
    std::string_view says;
    std::string_view source;
    std::string_view next;                   // the next step; empty: correct it where it is set
    bool recommended = false;                // else info
    std::vector<std::string_view> versions;  // "rocm>=7.0", "torch<2.15"
    std::vector<std::string_view> gfx;       // "gfx942"
    std::vector<std::string_view> nics;      // drivers: "cxi"
    std::vector<std::string_view> modes;     // compute partitions: "CPX"
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
const std::vector<VariableRule>& variable_rules();

// Which releases of a program were searched for the variables that it reads, and what follows for a
// version: it reads a variable, not yet, no longer, or nobody looked. Facts of the catalogue, see
// profiles/variables/README.md.

// A release that was searched; or, where `branch` says which, the state of a branch on its way to
// that version, which lies before it.
struct LookedAtRelease {
    std::string_view version;  // "6.2.4"; of a branch "6.3"
    std::string_view branch;   // "release branch of 2024-10"; empty: a release
};

struct LookedAt {
    std::string_view program;               // "rccl", as Variable::looked_at names it
    std::string_view package;               // whose version counts: "rocm"
    std::string_view date;                  // of the search: "2026-11-22"
    std::string_view source;                // what was searched
    std::vector<LookedAtRelease> releases;  // oldest first
};

// Nothing for a program of which no release was searched.
std::optional<LookedAt> looked_at(std::string_view program);

// The newest day of all searches: what the catalogue does not know was not there then.
std::string_view facts_date();

enum class Reads { yes, not_yet, no_longer, not_looked_at };

// What is known of a variable and one version.
struct ReadsAt {
    Reads reads = Reads::not_looked_at;
    // Without a full stop, for instance: "first read in torch 2.14.1, not yet in 2.11.0"; "last
    // read in torch 2.6.0, no longer in 2.11.0"; "torch 2.12 was not looked at". Empty where it is
    // read.
    std::string says;
};

// Of one program that reads it.
ReadsAt reads_at(const VariableReader& reader, std::string_view version);

// Of all programs whose version is the package's: read where one of them reads it, else what is
// known of the first.
ReadsAt reads_at(const Variable& variable, std::string_view package, std::string_view version);

// What leaving a variable unset equals in a version. Between the release that a default was first
// seen in and the one looked at before it, that is not known.
struct DefaultAt {
    bool known = false;
    std::optional<std::string_view> text;  // nothing: unset is a state of its own
};
DefaultAt default_at(const VariableReader& reader, std::string_view version);

// How a version reads the variable. nullptr: the reader changed between two releases of which the
// version lies between, or all readers have one form.
const VariableForm* form_at(const VariableReader& reader, std::string_view version);

// The variable in each way in which a version of a reader reads it, each once: itself, where all
// have one form.
std::vector<Variable> in_each_form(const Variable& variable);

// Whether a version is newer than all releases of the reader's program that were looked at.
bool is_newer_than_looked_at(const VariableReader& reader, std::string_view version);

// As compare_versions(), with what follows the numbers: 2.8.0~ (a branch on its way), 2.8.0.dev1,
// 2.8.0rc1, 2.8.0, 2.8.0.post1. What follows + or - counts for nothing.
std::optional<int> compare_releases(std::string_view left, std::string_view right);

}  // namespace rocenv
