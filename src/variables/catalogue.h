// SPDX-License-Identifier: MIT
// The catalogue of environment variables: the program that reads each one, its parser, its default;
// the bytes that hold it in the binary; the releases that were searched for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// The catalogue in the binary: bytes without pointers, so that loading the program relocates
// nothing. scripts/cmake/make_catalogue writes it. catalogue.cpp builds the structures of a row on
// request.
//
// The image holds each text once, and rows name a text by its index. The texts that rows name most
// often come first, then the names of the variables in order, then the others. A row is a run of
// numbers with seven bits a byte, the lowest first; the eighth bit is set in all but the last byte.
// A number is the index of a text, a count, or marks: one bit for each item that may follow.

// The arrays of the image and the counts of its rows.
struct CatalogueImage {
    const char* bytes;
    const std::uint8_t* text_starts;  // three bytes each, the lowest first; one more for the end
    const std::uint8_t* rows;
    const std::uint8_t* row_starts;  // three bytes each
    std::uint32_t first_name;        // index of the text that is the first name
    // Counts of the rows of each kind; the kinds follow each other in this order.
    std::uint32_t variables;  // by name
    std::uint32_t families;   // by prefix
    std::uint32_t rules;
    std::uint32_t releases;  // by program
};

extern const CatalogueImage catalogue_image;

// Returns the text of an index, which must be valid.
std::string_view image_text(std::size_t index);

// Returns the index of the first family.
inline std::size_t first_family() {
    return catalogue_image.variables;
}
// Returns the index of the first rule.
inline std::size_t first_rule() {
    return first_family() + catalogue_image.families;
}
// Returns the index of the first release.
inline std::size_t first_release() {
    return first_rule() + catalogue_image.rules;
}

// Reader of one row's numbers, from the first to the last.
class ImageRow {
   public:
    explicit ImageRow(std::size_t row);

    // Reads the next number.
    std::uint32_t number();
    // Reads the index of a text and returns the text.
    std::string_view text() { return image_text(number()); }
    // Reads a count, and that many texts.
    std::vector<std::string_view> texts();

   private:
    const std::uint8_t* next_;
};

// The catalogue of environment variables: the program that reads each one, its parser, its default.
// It holds facts only, made at build time from profiles/variables/*.toml (the README there
// describes each key). A lookup is a binary search in the image; nothing happens at start-up.

// A default that holds from one version of the reader on.
struct DefaultFrom {
    std::string_view version;  // version of the package
    std::string_view value;
};

// The parser and the values of a reader, from one of its versions on.
struct VariableForm {
    std::string_view version;              // version of the package; empty: from the first on
    std::string_view parser;               // a name of parsers.h
    std::vector<std::string_view> values;  // the only sensible texts; empty: any
};

// One program that reads a variable, and what is known of its versions (SearchedReleases).
struct VariableReader {
    std::string_view searched;  // name of the list of searched releases; empty: none was searched
    std::string_view package;   // package with the version that counts
    std::string_view since;     // first version that reads it, "6.3~" on the way to 6.3
    std::string_view until;     // first version that no longer reads it
    std::optional<std::string_view> fallback;  // the text that leaving it unset equals
    std::vector<DefaultFrom> defaults;         // by version, oldest first; over `fallback`
    // Forms by version, oldest first. Empty for all readers if each version of each reader reads
    // the variable in the one way that Variable states.
    std::vector<VariableForm> forms;
};

// One variable. Texts that the catalogue does not state are empty.
struct Variable {
    std::string_view name;
    std::string_view reader;   // "PyTorch TunableOp"
    std::string_view package;  // package of the version: "rocm", "torch", "triton", "vllm", …
    std::string_view type;     // "bool", "int", "float", "path", "enum", "list", "string",
                               // "secret": its value is never shown
    std::string_view parser;   // a name of parsers.h
    std::optional<std::string_view> fallback;  // the text that leaving it unset equals
    std::string_view fallback_note;            // meaning of unset if no text equals it
    std::string_view min, max;                 // decimal numbers
    std::string_view unit;
    std::string_view pattern;    // POSIX extended regular expression, whole text
    std::string_view since;      // first version that reads it
    std::string_view until;      // first version that no longer reads it
    std::string_view renamed;    // its name since then
    std::string_view status;     // "", "deprecated", "removed", "no-effect", "uncertain",
                                 // "mistake": a name that nothing reads
    std::string_view leftover;   // "debug", "dump", "trace": not for production
    std::string_view needs;      // "NAME=VALUE": without it this has no effect
    std::string_view refers_to;  // kind of thing on the node that the value names, see references.h
    std::string_view doc;        // one sentence
    std::string_view note;       // surprising facts, may be empty
    std::string_view source;     // file, and when it was read
    std::vector<std::string_view> values;  // the only sensible texts; empty: any
    std::vector<DefaultFrom> defaults;     // by version, oldest first; over `fallback`
    // All programs that read it: first the one described above, then others that read the same name
    // (RCCL's beside NCCL's, the ROCm fork of vLLM beside vLLM).
    std::vector<VariableReader> read_by;
};

// Returns whether the value of a variable is never shown.
inline bool is_secret(const Variable& variable) {
    return variable.type == "secret";
}

// A family of names: a known prefix whose names are not all listed.
struct VariableFamily {
    std::string_view prefix;
    std::string_view reader;
    std::string_view doc;
    std::string_view searched;            // its searched releases (SearchedReleases); empty: none
    std::vector<std::string_view> whole;  // releases with a complete list of names
};

// Values that are wrong together, or with an installed version or a device. The rule applies if all
// of `when` and of `versions` hold, and one entry of each other list that is not empty.
struct VariableRule {
    std::vector<std::string_view> when;  // "NAME=EFFECTIVE", "NAME!=TEXT", "NAME>1", "NAME>OTHER"
    std::string_view says;
    std::string_view source;
    std::string_view next;                   // the next step; empty: correct it where it is set
    bool recommended = false;                // else info
    bool in_several_nodes = false;           // recommended for jobs on several nodes
    std::vector<std::string_view> versions;  // "rocm>=7.0", "torch<2.15"
    std::vector<std::string_view> gfx;       // "gfx942"
    std::vector<std::string_view> nics;      // drivers: "cxi"
    std::vector<std::string_view> modes;     // compute partitions: "CPX"
};

// Returns the catalogue's entry of a name; std::nullopt if the name is not listed, even if its
// family is.
std::optional<Variable> find_variable(std::string_view name);

// Returns the family with the longest prefix of `name`; std::nullopt if no prefix fits.
std::optional<VariableFamily> family_of(std::string_view name);

// Returns all names, sorted.
std::vector<std::string> catalogued_names();

// Returns the names that start with this byte, sorted; it does not copy all names.
std::vector<std::string_view> catalogued_names(char first);

// Returns all families in the catalogue's order.
std::vector<VariableFamily> variable_families();
// Returns all rules in the catalogue's order.
const std::vector<VariableRule>& variable_rules();

// The releases of a program that were searched for variables, and the result for a version: it
// reads a variable, not yet, no longer, or was not searched. See profiles/variables/README.md.

// A release that was searched. With `branch`: the state of a branch before the release of
// `version`.
struct SearchedRelease {
    std::string_view version;  // "6.2.4"; of a branch "6.3"
    std::string_view branch;   // "release branch of 2024-10"; empty: a release
};

// The releases of one program that were searched.
struct SearchedReleases {
    std::string_view program;               // "rccl", as VariableReader::searched has it
    std::string_view package;               // package of the version: "rocm"
    std::string_view date;                  // day of the search: "2026-11-22"
    std::string_view source;                // searched sources
    std::vector<SearchedRelease> releases;  // oldest first
};

// Returns " of RCCL" for a variable that RCCL reads; "" if the catalogue names no reader.
std::string of_reader(const Variable& variable);

// Returns the searched releases of a program; std::nullopt if none was searched.
std::optional<SearchedReleases> searched_releases(std::string_view program);

// Returns the oldest date of all searches, "2026-11-22": variables may have been added since then.
std::string_view facts_date();

// The result of a search: whether a version reads a variable.
enum class Reads { yes, not_yet, no_longer, not_checked };

// The result for a variable and one version.
struct ReadsAt {
    Reads reads = Reads::not_checked;
    // Reason without a full stop; empty if the version reads the variable. Examples: "first read in
    // torch 2.14.1, not yet in 2.11.0"; "last read in torch 2.6.0, no longer in 2.11.0"; "torch
    // 2.12 was not checked".
    std::string says;
};

// Returns the result for one program that reads the variable. not_checked for an invalid version,
// and for one that no searched release decides.
ReadsAt reads_at(const VariableReader& reader, std::string_view version);

// Returns the result for all programs with the version of `package`: `yes` if one of them reads the
// variable, else the result of the first; not_checked if there is none.
ReadsAt reads_at(const Variable& variable, std::string_view package, std::string_view version);

// The text that equals an unset variable in a version. It is not known between the first release
// with a default and the searched release before it, if the default changed there.
struct DefaultAt {
    bool known = false;
    std::optional<std::string_view> text;  // std::nullopt: unset is a state of its own
};
// Returns the default of a reader in a version. A text that is not a version counts as the newest.
DefaultAt default_at(const VariableReader& reader, std::string_view version);

// Returns the form in which a version reads the variable. nullptr if the version is not a valid
// one or older than the first form, if all readers have one form, or if the form changed between
// the two searched releases around the version. The result points into `reader`.
const VariableForm* form_at(const VariableReader& reader, std::string_view version);

// Returns the variable in each form in which a version of a reader reads it, each once; only the
// variable itself if all have one form.
std::vector<Variable> in_each_form(const Variable& variable);

// Returns whether a version is newer than all searched releases of the reader's program; false if
// none was searched.
bool is_newer_than_searched(const VariableReader& reader, std::string_view version);

// Compares as compare_versions() does, and then by the suffix: 2.8.0~ (a branch before its
// release), 2.8.0.dev1, 2.8.0rc1, 2.8.0, 2.8.0.post1. It ignores text after + or -. std::nullopt if
// one text is not a version.
std::optional<int> compare_releases(std::string_view left, std::string_view right);

}  // namespace rocenv
