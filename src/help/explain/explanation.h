// SPDX-License-Identifier: MIT
// The facts about one word and its state on this machine, as plain data. explain.h gathers the
// facts, and render.h renders them.
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

// Profiles with the same expectation for one id.
struct ProfileUse {
    std::string value;      // in the form of a profile; the text of a variable
    bool is_unset = false;  // the variable must not be set; the value is "unset"
    Level level = Level::required;
    std::string when;  // condition; empty: none
    std::vector<std::string> profiles;
};

// A variable in the judged environment.
struct VariableHere {
    bool is_set = false;
    // The judgement of check if the variable is set, else the effect of its absence.
    Inspection state;
    // A package whose programs read the variable.
    struct Installed {
        std::string package;
        std::optional<std::string> version;  // std::nullopt: none was found
        std::string from;                    // file with the version, or reason for its absence
    };
    std::vector<Installed> installed;
    // States that these versions do not read the variable, or were not checked. Empty if they read
    // it, or no version is known.
    std::string by_version;
};

// A conflict with another variable.
struct Contradiction {
    VariableRule conflict;
    bool holds = false;  // on this machine
};

// The facts about a variable.
struct VariableExplanation {
    Variable variable;
    std::string as;             // given name, if it is one of several for this variable
    std::string parser;         // accepted texts, as a sentence
    std::string parser_source;  // source of the reader's rule
    std::vector<TextMeaning> meanings;
    std::string misread;  // a text with another meaning than it seems, as a sentence
    std::vector<Contradiction> contradictions;
    std::vector<ProfileUse> uses;
    VariableHere here;
};

// A setting on this machine.
struct SettingHere {
    std::vector<std::string> profiles;  // given profiles, or the one selected by auto
    bool judged = false;                // they name the setting; else findings expect nothing
    std::vector<Finding> findings;
    std::map<std::string, std::string> device_names;  // as in a report
    std::string not_read;  // reason for missing findings; empty: none are missing
};

// The facts about a setting.
struct SettingExplanation {
    const Info* info = nullptr;
    // Lines that keep the value of a profile over a reboot, each with the file for it.
    std::vector<std::string> kept_by;
    std::vector<ProfileUse> uses;
    SettingHere here;
};

// The facts about a profile.
struct ProfileExplanation {
    std::string name;
    std::string summary;
    std::string file;
    std::vector<std::string> extends;
    std::vector<std::string> extended_by;
    std::vector<std::string> matches;  // nodes that it is for, one text each; empty: any node
    // The ids of one level.
    struct LevelIds {
        Level level;
        std::vector<std::string> ids;
    };
    std::vector<LevelIds> expectations;  // by level, required first; empty levels are left out
    std::vector<std::string> also;
    std::string here;                 // use on this machine and selection by `auto`, as a sentence
    std::vector<std::string> faults;  // faults of its text
    bool is_bad = false;              // the faults make it unusable
};

// An outcome, a reason, a level or an exit status.
struct WordExplanation {
    std::string_view kind;
    std::string_view word;
    std::string_view means;
    std::string_view counts;  // effect on the exit status, may be empty
    std::string_view next;    // next step, may be empty
};

using Explanation =
    std::variant<SettingExplanation, VariableExplanation, ProfileExplanation, WordExplanation>;

// An unknown word.
struct UnknownWord {
    std::string word;
    std::string says;  // a sentence with the nearest known name
};

// The explanations of one request.
struct Explanations {
    std::vector<Explanation> all;
    bool listed = false;  // several at once: a line or two for each
    std::vector<UnknownWord> unknown;
    std::vector<std::string> notes;     // remarks on the run itself
    std::vector<std::string> warnings;  // remarks on profiles
    std::vector<std::string> errors;    // bad usage, a bad profile or file: nothing is explained
    bool timed_out = false;             // reading a file or profile timed out or was not permitted
};

}  // namespace rocenv
