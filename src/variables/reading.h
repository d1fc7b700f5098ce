// SPDX-License-Identifier: MIT
// What the program that reads a variable makes of it on this machine: the catalogue, the parsers
// and the defaults; and texts that a reader reads differently from what was meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocenv/machine.h"
#include "rocenv/process.h"
#include "variables/catalogue.h"
#include "variables/environment.h"
#include "variables/parsers/parsers.h"
#include "variables/releases/versions.h"

namespace rocenv {

// What the program that reads a variable makes of it on this machine: the catalogue, the parsers
// and the versions that are installed, put together.

struct Reading {
    // As in a report: "true", "false", a decimal number, the text itself, "error", "unset" where
    // that is a state of its own, "default" where what holds could not be found out, which
    // certain() tells from a text "default".
    std::string effective;
    std::string note;      // one sentence, may be empty
    bool misread = false;  // the reader takes the text for something else than was meant
    bool applies = true;   // false: nothing on this node reads it

    bool known = true;  // what holds could be found out

    bool certain() const { return known; }
};

class Readers {
   public:
    Readers(const Machine& machine, const Versions& versions)
        : machine_(machine), versions_(versions) {}

    // `text` is nullopt when the variable is not set.
    Reading read(const Variable& variable, const std::optional<std::string>& text) const;

    // Returns the variable as the program that is installed reads it: with the parser and the
    // values of its release, its package and its name. Where several readers or releases remain
    // possible, the values are those of all.
    Variable as_read_here(const Variable& variable) const;

    // The installed version of the variable's package; nullopt: not found, or it has none.
    std::optional<std::string> version_of(const Variable& variable) const;

    // What is known of the releases here: read where one of its programs reads it, else what is
    // known of the first; nullopt: it may be read by a program whose releases nobody looked at, or
    // whose version here is not known.
    std::optional<ReadsAt> reads_here(const Variable& variable) const;

    // The installed version of a package; nullopt: not found.
    std::optional<std::string> version_of_package(std::string_view package) const;

    // Why a text that the reader takes has no effect on this node all the same; nothing: it has.
    std::optional<std::string> without_effect(const Variable& variable, const std::string& text,
                                              const Environment& environment) const;

    // Why it is not known here whether such a text has an effect; nothing: it is.
    std::optional<std::string> unsure_of(const Variable& variable, const std::string& text) const;

   private:
    bool is_replaced(const VariableReader& reader) const;
    bool is_old_torch_on_rocm(const Variable& variable) const;
    std::optional<ReadsAt> left_to_rccl(const Variable& variable) const;
    Reading read_text(const Variable& variable, const std::string& text) const;
    Reading read_in_one_form(const Variable& variable, const std::string& text) const;
    Reading read_default(const Variable& variable) const;
    std::optional<std::string> version_for(const Variable& variable, std::string_view text) const;
    std::optional<std::string_view> default_text(const Variable& variable) const;
    const VariableReader& reader_here(const Variable& variable) const;

    const Machine& machine_;
    const Versions& versions_;
};

// What the variable's parser makes of a text.
Effect effect_of(const Variable& variable, std::string_view text,
                 const std::optional<std::string>& version);

// When a reader takes a text for something else than the person who wrote it.

// One sentence without a full stop, to follow the reader's name: reads "yes" as off; write 1 or 0.
// Texts to write instead are such as the parser itself reads as on and off. Nothing where the
// reader does what was meant, where the text may mean anything, and where the effect is unknown.
// `type` is the catalogue's: "bool", "int", "float", "path", "enum", "list", "string".
//
// bool:    1, true, yes, on, enable(d), y, t mean on, 0, false, no, off, disable(d), n, f, empty
//          mean off (any case, blanks around them); another text means neither and is told too.
// numbers: decimal, 0x, 1_000 and 1e3 mean the number written; a leading 0 means nothing.
// all:     a text at which the reader fails, and a text but an empty one that it ignores.
std::optional<std::string> misreading(std::string_view type, const Parser& parser,
                                      const ParserInput& input);

// Returns a misreading with its reader as the subject: "NCCL and RCCL read "true" as 0".
std::string misreading_of(std::string_view reader, const std::string& misreading);

// Returns how every release of every reader misreads a text; std::nullopt if one does not.
std::optional<std::string> misread_by_all(const Variable& variable, std::string_view text);

// The number a person means by a text, as a decimal; nullopt: none, or it has a unit or a fraction.
std::optional<std::string> written_number(std::string_view text);

}  // namespace rocenv
