// SPDX-License-Identifier: MIT
#include "environment/inspection.h"

#include <regex.h>

#include <algorithm>
#include <charconv>

#include "util/text.h"

namespace rocenv {

namespace {

std::string word(std::string_view text) {
    return std::string(text);
}

bool is_secret(const Variable& variable) {
    return variable.type == "secret";
}

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

bool matches(std::string_view pattern, const std::string& text) {
    regex_t compiled{};
    if (::regcomp(&compiled, word(pattern).c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
        return true;  // a fault of the catalogue's (a test looks for it), not of the caller's
    }
    const bool good = ::regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
    ::regfree(&compiled);
    return good;
}

// Reads of one variable, with all that the faults ask about.
struct Subject {
    const Variable& variable;
    const std::string& text;
    const Environment& environment;
    const Readers& readers;
    Reading reading;
};

using Fault = std::optional<std::string>;

Fault nobody_reads_it(const Subject& subject) {
    const Variable& variable = subject.variable;
    const std::string instead =
        variable.renamed.empty() ? "" : ", it is now " + word(variable.renamed);
    if (variable.status == "removed") {
        return "nothing reads it any more" +
               (variable.until.empty()
                    ? std::string()
                    : " since " + word(variable.package) + " " + word(variable.until)) +
               instead;
    }
    if (variable.status == "no-effect") {
        return "it is read and has no effect" + instead;
    }
    const auto late = variable.until.empty()
                          ? std::nullopt
                          : subject.readers.installed_against(variable, variable.until);
    if (late && *late >= 0) {
        return "from " + word(variable.package) + " " + word(variable.until) +
               " on nothing reads it" + instead;
    }
    const auto early = variable.since.empty()
                           ? std::nullopt
                           : subject.readers.installed_against(variable, variable.since);
    if (early && *early < 0) {
        return "read only from " + word(variable.package) + " " + word(variable.since) +
               " on; installed is " + subject.readers.version_of(variable).value_or("an older one");
    }
    return std::nullopt;
}

Fault deprecated(const Subject& subject) {
    if (subject.variable.status != "deprecated") {
        return std::nullopt;
    }
    return "deprecated" + (subject.variable.renamed.empty()
                               ? std::string()
                               : ", use " + word(subject.variable.renamed));
}

Fault misread(const Subject& subject) {
    return subject.reading.misread ? Fault(subject.reading.note) : std::nullopt;
}

Fault out_of_range(const Subject& subject) {
    const Variable& variable = subject.variable;
    const auto value = number_of(subject.reading.effective);
    const auto least = number_of(variable.min);
    const auto most = number_of(variable.max);
    const bool bad = value && ((least && *value < *least) || (most && *value > *most));
    if (!bad) {
        return std::nullopt;
    }
    return "out of range: " +
           (least && most ? word(variable.min) + " to " + word(variable.max)
            : least       ? word(variable.min) + " or more"
                          : word(variable.max) + " or less") +
           (variable.unit.empty() ? std::string() : " " + word(variable.unit)) + " is expected";
}

// The elements of a list, or the one effective word.
Fault no_known_word(const Subject& subject) {
    const Variable& variable = subject.variable;
    const auto known = [&](std::string_view text) {
        return std::find(variable.values.begin(), variable.values.end(), text) !=
               variable.values.end();
    };
    if (variable.values.empty() || subject.reading.misread || known(subject.reading.effective) ||
        known(subject.text) || !subject.reading.certain()) {
        return std::nullopt;
    }
    if (variable.type == "list") {
        const auto elements = split(subject.text, ',');
        if (std::all_of(elements.begin(), elements.end(), [&](std::string_view each) {
                return each.empty() || known(trim(each)) || known(trim(each).substr(1));
            })) {
            return std::nullopt;
        }
    }
    std::vector<std::string> words(variable.values.begin(), variable.values.end());
    return "none of the words its reader knows: " + join(words, ", ");
}

Fault wrong_form(const Subject& subject) {
    const Variable& variable = subject.variable;
    const bool bad = !variable.pattern.empty() && !subject.reading.misread &&
                     !matches(variable.pattern, subject.text);
    return bad ? Fault("not of the form its reader wants (" + word(variable.pattern) + ")")
               : std::nullopt;
}

Fault needs_another(const Subject& subject) {
    const std::string_view needs = subject.variable.needs;
    const auto equals = needs.find('=');
    const auto other = find_variable(needs.substr(0, equals));
    if (needs.empty() || !other) {
        return std::nullopt;
    }
    const auto set = subject.environment.find(word(other->name));
    const Reading have = subject.readers.read(
        *other, set == subject.environment.end() ? std::nullopt : std::optional(set->second));
    const Reading wanted = subject.readers.read(*other, word(needs.substr(equals + 1)));
    const bool unmet = have.certain() && have.effective != wanted.effective;
    return unmet ? Fault("has no effect without " + word(needs)) : std::nullopt;
}

bool equals_default(const Subject& subject) {
    const Reading unset = subject.readers.read(subject.variable, std::nullopt);
    return unset.certain() && unset.effective != "unset" &&
           unset.effective == subject.reading.effective;
}

Fault left_over(const Subject& subject) {
    const auto& effective = subject.reading.effective;
    const bool off = effective == "false" || effective == "0" || effective.empty() ||
                     effective == "unset" || equals_default(subject);
    if (subject.variable.leftover.empty() || off) {
        return std::nullopt;
    }
    return "a " + word(subject.variable.leftover) + " switch is on: not for production";
}

using Finder = Fault (*)(const Subject& subject);
constexpr Finder all_faults[] = {nobody_reads_it, misread,       out_of_range, no_known_word,
                                 wrong_form,      needs_another, left_over,    deprecated};

std::string advice_for(const Subject& subject, const std::vector<std::string>& faults) {
    if (faults.empty()) {
        return "";
    }
    const bool useless = nobody_reads_it(subject) || left_over(subject);
    return useless ? "unset " + word(subject.variable.name) + " where it is set"
                   : "correct it where it is set";
}

// A slip is near, and as likely as not to have the first letter right; looking at all names would
// cost more than the rest of a check.
std::optional<std::string> near_name(const std::string& name) {
    constexpr std::size_t shortest = 8;
    constexpr std::size_t reach = 2;
    std::vector<std::string> candidates;
    for (auto& known : catalogued_names()) {
        const std::size_t longer = std::max(known.size(), name.size());
        const std::size_t shorter = std::min(known.size(), name.size());
        if (known.front() == name.front() && longer - shorter <= reach && shorter >= shortest) {
            candidates.push_back(std::move(known));
        }
    }
    return nearest(name, candidates);
}

void add_conflicts(std::vector<Inspection>& rows) {
    const auto row_of = [&](std::string_view name) {
        return std::find_if(rows.begin(), rows.end(),
                            [&](const Inspection& row) { return row.name == name; });
    };
    for (const auto& conflict : variable_conflicts()) {
        const bool holds =
            std::all_of(conflict.when.begin(), conflict.when.end(), [&](std::string_view when) {
                const auto row = row_of(when.substr(0, when.find('=')));
                return row != rows.end() && row->effective == when.substr(when.find('=') + 1);
            });
        if (holds) {
            const auto first = conflict.when.front();
            row_of(first.substr(0, first.find('=')))->faults.push_back(word(conflict.says));
        }
    }
}

}  // namespace

std::optional<std::string> unknown_name(const std::string& name) {
    if (name.empty()) {
        return std::nullopt;
    }
    const auto family = family_of(name);
    const auto near = near_name(name);
    if (near) {
        return "no variable of this name is known, did you mean " + *near + "?";
    }
    if (!family) {
        return std::nullopt;
    }
    return family->closed
               ? word(family->reader) + " has no variable of this name"
               : "no variable of this name is known to be read by " + word(family->reader);
}

Inspection inspect_one(const Variable& variable, const std::string& text,
                       const Environment& environment, const Readers& readers) {
    Inspection out;
    out.name = word(variable.name);
    if (is_secret(variable)) {
        out.remark = "a secret, not looked at";
        return out;
    }
    const Subject subject{variable, text, environment, readers,
                          readers.read(variable, std::optional(text))};
    out.value = text;
    out.effective = subject.reading.effective;
    out.misread = subject.reading.misread;
    for (const auto find : all_faults) {
        if (auto fault = find(subject)) {
            out.faults.push_back(*std::move(fault));
        }
    }
    out.advice = advice_for(subject, out.faults);
    out.remark = equals_default(subject) ? "equal to its default" : subject.reading.note;
    return out;
}

std::vector<Inspection> inspect(const Environment& environment, const Readers& readers) {
    std::vector<Inspection> rows;
    for (const auto& [name, text] : environment) {
        if (const auto variable = find_variable(name)) {
            rows.push_back(inspect_one(*variable, text, environment, readers));
        } else if (auto fault = unknown_name(name)) {
            Inspection row;
            row.name = name;
            row.faults.push_back(*std::move(fault));
            rows.push_back(std::move(row));
        }
    }
    add_conflicts(rows);
    return rows;
}

}  // namespace rocenv
