// SPDX-License-Identifier: MIT
// The facts about one word and its state on this machine, as plain data: gathered by explain.h,
// rendered by render.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "help/explain/meanings.h"
#include "rocenv/report.h"
#include "variables/inspection.h"

namespace rocenv {

// Profiles that want the same of one id.
struct ProfileUse {
    std::string value;      // as a profile writes it, of a variable its text
    bool is_unset = false;  // of a variable that must not be there; the value is "unset"
    Level level = Level::required;
    std::string when;  // the condition of it, empty: none
    std::vector<std::string> profiles;
};

// A variable in the environment that was asked about.
struct VariableHere {
    bool is_set = false;
    // The judgement of check if the variable is set, else the effect of its absence.
    Inspection state;
    // A package whose programs read the variable.
    struct Installed {
        std::string package;
        std::optional<std::string> version;  // nothing: none was found
        std::string from;                    // the file that says so, or why none was found
    };
    std::vector<Installed> installed;
    // That these do not read it, or were not looked at; empty: they do, or none is known.
    std::string by_version;
};

struct Contradiction {
    VariableRule conflict;
    bool holds = false;  // here
};

struct VariableExplanation {
    Variable variable;
    std::string as;      // the name that was asked for, where it is one of many that mean this one
    std::string parser;  // what its reader takes, in a sentence
    std::string parser_source;  // where its reader does that
    std::vector<TextMeaning> meanings;
    std::string misread;  // a text that is taken for another than it says, in a sentence
    std::vector<Contradiction> contradictions;
    std::vector<ProfileUse> uses;
    VariableHere here;
};

// A setting on this machine.
struct SettingHere {
    std::vector<std::string> profiles;  // that were asked for, or that auto chose
    bool judged = false;                // they name it; else findings want nothing
    std::vector<Finding> findings;
    std::map<std::string, std::string> device_names;  // as in a report
    std::string not_read;                             // why it was not read; empty: it was
};

struct SettingExplanation {
    const Info* info = nullptr;
    // Lines that keep the value of a profile over a reboot, each with the file that it belongs to.
    std::vector<std::string> kept_by;
    std::vector<ProfileUse> uses;
    SettingHere here;
};

struct ProfileExplanation {
    std::string name;
    std::string summary;
    std::string file;
    std::vector<std::string> extends;
    std::vector<std::string> extended_by;
    std::vector<std::string> matches;  // what it is for, one text each; empty: any node
    struct Wants {
        Level level;
        std::vector<std::string> ids;
    };
    std::vector<Wants> wants;  // by level, required first; empty levels are left out
    std::vector<std::string> also;
    std::string here;                 // whether it is for this machine, and chosen by `auto`
    std::vector<std::string> faults;  // what is wrong with its text
    bool is_bad = false;              // so wrong that it cannot be used
};

// An outcome, a reason, a level, an exit status.
struct WordExplanation {
    std::string_view kind;
    std::string_view word;
    std::string_view means;
    std::string_view counts;  // what follows of it for the exit status, may be empty
    std::string_view next;    // what to do about it, may be empty
};

using Explanation =
    std::variant<SettingExplanation, VariableExplanation, ProfileExplanation, WordExplanation>;

// A word that nothing is known of.
struct UnknownWord {
    std::string word;
    std::string says;  // a sentence with the nearest known name
};

struct Explanations {
    std::vector<Explanation> all;
    bool listed = false;  // many at once: each is told in a line or two
    std::vector<UnknownWord> unknown;
    std::vector<std::string> notes;     // about the run itself
    std::vector<std::string> warnings;  // of profiles
    std::vector<std::string> errors;    // bad usage, a bad profile or file: nothing is explained
    bool timed_out = false;             // one of them, or a profile, did not answer or may
                                        // not be read
};

}  // namespace rocenv
