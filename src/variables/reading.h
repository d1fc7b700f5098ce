// SPDX-License-Identifier: MIT
// Values of variables as the installed programs read them, by the catalogue, the parsers and the
// defaults; and texts that a program misreads.
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

// Values of variables as the installed programs read them, by the catalogue, the parsers and the
// installed versions.

// The effective value of a variable.
struct Reading {
    // Value as in a report: "true", "false", a decimal number, the text itself, "error", "unset" if
    // that is a state of its own, "default" if the value is not known. certain() distinguishes that
    // from a text "default".
    std::string effective;
    std::string note;      // one sentence, may be empty
    bool misread = false;  // the reader's value differs from the intended one
    bool applies = true;   // false: nothing on this node reads it

    bool known = true;  // false: the effective value is not known

    // Returns whether the effective value is known.
    bool certain() const { return known; }
};

// Reader of variables with the installed versions of one machine; keeps references to both.
class Readers {
   public:
    Readers(const Machine& machine, const Versions& versions)
        : machine_(machine), versions_(versions) {}

    // Returns the effective value of a text; std::nullopt stands for a variable that is not set.
    Reading read(const Variable& variable, const std::optional<std::string>& text) const;

    // Returns the variable as the installed program reads it: with the parser and the values of its
    // release, its package and its name. If several readers or releases remain possible, it has the
    // values of all.
    Variable as_read_here(const Variable& variable) const;

    // Returns the installed version of the variable's package; std::nullopt if it was not found or
    // has none.
    std::optional<std::string> version_of(const Variable& variable) const;

    // Returns the result for the installed releases: `yes` if one of its programs reads the
    // variable, else the result of the first. std::nullopt if a program may read it whose releases
    // were not searched, or whose installed version is not known.
    std::optional<ReadsAt> reads_here(const Variable& variable) const;

    // Returns the installed version of a package; std::nullopt if not found.
    std::optional<std::string> version_of_package(std::string_view package) const;

    // Returns why an accepted text has no effect on this node; std::nullopt if no reason is known.
    std::optional<std::string> without_effect(const Variable& variable, const std::string& text,
                                              const Environment& environment) const;

    // Returns why the effect of such a text is not known here; std::nullopt if it is.
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

// Returns the value that the variable's parser reads from a text; the text itself without a parser.
Effect effect_of(const Variable& variable, std::string_view text,
                 const std::optional<std::string>& version);

// Texts that a reader reads differently from their usual meaning.

// Returns one sentence without a full stop, to follow the reader's name: reads "yes" as off; write
// 1 or 0. It suggests only texts that the parser itself reads as on and off. std::nullopt if the
// reader does what was meant, if the text may mean anything, or if the effect is unknown. `type` is
// the catalogue's: "bool", "int", "float", "path", "enum", "list", "string".
//
// bool:    1, true, yes, on, enable(d), y, t mean on, 0, false, no, off, disable(d), n, f, empty
//          mean off (any case, blanks around them); any other text has neither meaning and is
//          reported too.
// numbers: decimal, 0x, 1_000 and 1e3 mean the number written; a leading 0 means nothing.
// all:     a text on which the reader fails, and a text that it ignores unless it is empty.
std::optional<std::string> misreading(std::string_view type, const Parser& parser,
                                      const ParserInput& input);

// Returns whether the name is that of two readers, so that its verb is "read", not "reads".
bool is_several_readers(std::string_view reader);

// Returns a misreading with its reader as the subject: "NCCL and RCCL read "true" as 0".
std::string misreading_of(std::string_view reader, const std::string& misreading);

// Returns how every release of every reader misreads a text; std::nullopt if one reads it
// correctly, or if the effect in one depends on the version or is not known.
std::optional<std::string> misread_by_all(const Variable& variable, std::string_view text);

// Returns the whole number of a text in decimal digits without leading zeros: of 010, 0x0a, 1_000
// or 1e3, with a sign and blanks around it. std::nullopt for other texts, such as a unit or a
// fraction.
std::optional<std::string> written_number(std::string_view text);

}  // namespace rocenv
