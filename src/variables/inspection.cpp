// SPDX-License-Identifier: MIT
#include "variables/inspection.h"

#include <regex.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "util/credentials.h"
#include "util/decimal.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/environment.h"
#include "variables/parsers/parser_functions.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Returns whether two adjacent letters are swapped: one slip.
bool is_swap(std::string_view left, std::string_view right) {
    const auto [l, r] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    return left.size() == right.size() && left.end() - l >= 2 && *l == *(r + 1) && *(l + 1) == *r &&
           std::equal(l + 2, left.end(), r + 2);
}

// Returns whether the words of one name are those of the other and one more: MIOPEN_USER_DB and
// MIOPEN_USER_DB_PATH.
bool differs_by_a_word(std::string_view one, std::string_view other) {
    const std::size_t first_word = one.find('_');
    if (one.substr(0, first_word) != other.substr(0, first_word)) {
        return false;
    }
    auto shorter = split(one, '_');
    auto longer = split(other, '_');
    if (shorter.size() > longer.size()) {
        std::swap(shorter, longer);
    }
    if (shorter.size() + 1 != longer.size() || shorter.size() < 2) {
        return false;
    }
    const auto [at, behind] = std::mismatch(shorter.begin(), shorter.end(), longer.begin());
    const bool is_number = behind->find_first_not_of("0123456789") == behind->npos;
    return !is_number && std::equal(at, shorter.end(), behind + 1);
}

// Replaces names that no program reads any more by their present names, if they have one.
std::vector<std::string> with_present_names(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const auto& name : names) {
        const auto variable = find_variable(name);
        const bool gone = variable && variable->status == "removed" && !variable->renamed.empty();
        const auto present = gone ? std::string(variable->renamed) : name;
        if (std::find(out.begin(), out.end(), present) == out.end()) {
            out.push_back(present);
        }
    }
    return out;
}

// Returns the names that are nearest to a misspelt one, of those with the same first letter:
// comparing all names (util/near_names) would cost more than the rest of a check.
std::vector<std::string> near_variables(std::string_view name) {
    constexpr std::size_t shortest = 8;
    constexpr std::size_t short_name = 12;  // up to here one slip, from here two
    std::vector<std::string> nearest;
    if (name.size() < shortest) {
        return nearest;
    }
    std::size_t reach = name.size() < short_name ? 1 : 2;
    for (const auto known : catalogued_names(name.front())) {
        const auto distance = known.size() < shortest          ? std::nullopt
                              : is_swap(name, known)           ? std::optional<std::size_t>(1)
                              : differs_by_a_word(name, known) ? std::optional<std::size_t>(2)
                                                               : edits_between(name, known, reach);
        if (!distance || (!nearest.empty() && *distance > reach)) {
            continue;
        }
        if (*distance < reach) {
            nearest.clear();
        }
        reach = *distance;
        nearest.emplace_back(known);
    }
    return with_present_names(nearest);
}

// Returns package and version of the installed release; std::nullopt if the names of the family are
// not all listed for it.
std::optional<std::string> whole_list_of(const VariableFamily& family, const Readers& readers) {
    const auto list = searched_releases(family.searched);
    const auto version = list ? readers.version_of_package(list->package) : std::nullopt;
    const bool listed = version && std::any_of(family.whole.begin(), family.whole.end(),
                                               [&](std::string_view each) {
                                                   return compare_releases(each, *version) == 0;
                                               });
    return listed ? std::optional(std::string(list->package) + " " + printable(*version))
                  : std::nullopt;
}

}  // namespace

// The stem of a family's prefix is a variable if numbered names exist. libhsakmt reads them since
// 2024-07 (ROCm/ROCT-Thunk-Interface cf49353, not in rocm-6.2.4).
std::optional<Variable> numbered_variable(std::string_view name) {
    constexpr std::string_view since = "6.3~";
    const auto end = name.find_last_not_of("0123456789");
    if (end == std::string_view::npos || end + 1 == name.size() || name[end] != '_') {
        return std::nullopt;
    }
    const auto family = family_of(name);
    auto variable = family && family->prefix == name.substr(0, end + 1)
                        ? find_variable(name.substr(0, end))
                        : std::nullopt;
    if (variable) {
        variable->name = name;
        variable->since = since;
        variable->read_by.front().since = since;
    }
    return variable;
}

std::optional<Variable> known_variable(std::string_view name) {
    auto listed = find_variable(name);
    return listed ? listed : numbered_variable(name);
}

std::string_view name_in_condition(std::string_view condition) {
    return condition.substr(0, condition.find_first_of("=!<>~"));
}

namespace {

struct UnknownName {
    std::string text;
    bool is_misspelt = false;  // a similar name exists
};

std::optional<UnknownName> unknown(const std::string& name, const Readers* readers) {
    if (name.empty()) {
        return std::nullopt;
    }
    const auto family = family_of(name);
    if (numbered_variable(name)) {
        return std::nullopt;
    }
    const std::string unlisted =
        "not in this catalogue (facts of " + std::string(facts_date()) + ")";
    if (const auto near = near_variables(name); !near.empty()) {
        return UnknownName{unlisted + did_you_mean(near), true};
    }
    if (!family) {
        return std::nullopt;
    }
    const auto release = readers == nullptr ? std::nullopt : whole_list_of(*family, *readers);
    return UnknownName{release ? std::string(family->reader) + " of " + *release +
                                     " does not read a variable of this name"
                               : unlisted};
}

}  // namespace

std::optional<std::string> unknown_name(const std::string& name, const Readers* readers) {
    auto found = unknown(name, readers);
    return found ? std::optional(std::move(found->text)) : std::nullopt;
}

namespace {

std::string word(std::string_view text) {
    return std::string(text);
}

std::optional<double> number_of(std::string_view text) {
    const ReadDecimal read = read_decimal(text);
    const bool whole = read.length > 0 && read.length == text.size() && !read.out_of_range;
    return whole ? std::optional(read.value) : std::nullopt;
}

// Matches the whole text: among the matches that begin first, POSIX selects the longest.
bool matches(std::string_view pattern, const std::string& text) {
    regex_t compiled{};
    if (::regcomp(&compiled, word(pattern).c_str(), REG_EXTENDED) != 0) {
        return true;  // an error in the catalogue (a test checks for it), not in the caller's text
    }
    regmatch_t match{};
    const bool good = ::regexec(&compiled, text.c_str(), 1, &match, 0) == 0 && match.rm_so == 0 &&
                      static_cast<std::size_t>(match.rm_eo) == text.size();
    ::regfree(&compiled);
    return good;
}

// One variable, and the data that its checks need.
struct Subject {
    const Variable& variable;
    const std::string& text;
    const Environment& environment;
    const Readers& readers;
    Reading reading;
    const NotEvaluated& not_evaluated;
};

using Fault = std::optional<std::string>;

// Returns the fault that holds in every version, for an installed version that is not known.
std::optional<std::string> gone_in_general(const Variable& variable) {
    if (variable.status != "removed") {
        return std::nullopt;
    }
    return variable.until.empty() ? "no program reads this variable any more"
                                  : "no program reads this variable since " +
                                        word(variable.package) + " " + word(variable.until);
}

// Returns the entry's note after a colon, without its full stop.
std::string as_noted(const Variable& variable) {
    std::string_view note = variable.note;
    note.remove_suffix(note.ends_with('.') ? 1 : 0);
    return note.empty() ? "" : ": " + word(note);
}

// Returns why the effect is uncertain, such as a name that other texts use and no known program
// reads.
std::optional<std::string> unsure_of(const Subject& subject) {
    const Variable& variable = subject.variable;
    return variable.status == "uncertain" && !variable.renamed.empty()
               ? "no program that reads this variable was found, and it may be meant as " +
                     word(variable.renamed) + as_noted(variable)
               : subject.readers.unsure_of(variable, subject.text);
}

Fault without_reader(const Subject& subject) {
    const Variable& variable = subject.variable;
    if (variable.status == "mistake") {
        return "no program reads this name" + as_noted(variable) +
               (variable.renamed.empty() ? ""
                                         : ". Did you mean " + in_quotes(variable.renamed) + "?");
    }
    const std::string instead =
        variable.renamed.empty() ? "" : ", and its new name is " + word(variable.renamed);
    if (variable.status == "no-effect") {
        return "this variable has no effect" + instead + as_noted(variable);
    }
    const auto here = subject.readers.reads_here(variable);
    if (!here) {
        const auto gone = gone_in_general(variable);
        return gone ? Fault(*gone + instead) : std::nullopt;
    }
    if (here->reads == Reads::not_yet) {
        return here->says;
    }
    return here->reads == Reads::no_longer ? Fault(here->says + instead) : std::nullopt;
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

// Returns the words in "INIT,NET", "^INIT", "ring;allreduce:tree", "+dynamo", "ZERO|EFFICIENCY".
std::vector<std::string_view> words_of_list(std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(",;|"), text.size());
        std::string_view word = text.substr(0, end);
        word = trim(word.substr(word.rfind(':') + 1));
        word.remove_prefix(word.find_first_of("^+-") == 0 ? 1 : 0);
        if (!word.empty()) {
            out.push_back(word);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

bool has_meaning(const Variable& variable, std::string_view text) {
    return std::find(variable.values.begin(), variable.values.end(), text) != variable.values.end();
}

bool has_meaning_in_any_case(const Variable& variable, std::string_view text) {
    const std::string lower = parsers::ascii_lower(text);
    return std::any_of(variable.values.begin(), variable.values.end(),
                       [&](auto each) { return parsers::ascii_lower(each) == lower; });
}

// Returns whether the reader replaces an unknown word by one of its own words.
bool is_taken_for_another_word(const Subject& subject) {
    const std::string_view parser = subject.variable.parser;
    const bool has_one_for_all = parser == "nccl-debug" || parser == "nccl-merge-level";
    const auto taken = parsers::ascii_lower(subject.reading.effective);
    return has_one_for_all && !subject.text.empty() &&
           !parsers::ascii_lower(subject.text).starts_with(taken);
}

// Checks each word of a list, or the one effective word.
Fault no_known_word(const Subject& subject) {
    const Variable& variable = subject.variable;
    if (variable.values.empty() || subject.reading.misread) {
        return std::nullopt;
    }
    const auto elements = words_of_list(subject.text);
    const bool known_effect = has_meaning(variable, subject.reading.effective);
    const auto is_word = [&](auto each) {
        return has_meaning_in_any_case(variable, each) || (known_effect && number_of(each));
    };
    const bool good = variable.type == "list"
                          ? std::all_of(elements.begin(), elements.end(), is_word)
                          : !subject.reading.certain() || has_meaning(variable, subject.text) ||
                                (known_effect && !is_taken_for_another_word(subject));
    if (good) {
        return std::nullopt;
    }
    return "not one of the words that its reader accepts: " + shown_values(variable.values);
}

Fault wrong_form(const Subject& subject) {
    const Variable& variable = subject.variable;
    const bool bad = !variable.pattern.empty() && !subject.reading.misread &&
                     !matches(variable.pattern, subject.text);
    return bad ? Fault("not of the form that its reader accepts (" + word(variable.pattern) + ")")
               : std::nullopt;
}

bool is_on(std::string_view effective) {
    return effective != "0" && effective != "false" && effective != "unset";
}

Fault needs_another(const Subject& subject) {
    const std::string_view needs = subject.variable.needs;
    const auto equals = needs.find('=');
    const auto other = find_variable(needs.substr(0, equals));
    if (needs.empty() || !other) {
        return std::nullopt;
    }
    const auto set = subject.environment.find(word(other->name));
    const bool known = set != subject.environment.end() ||
                       (subject.not_evaluated.others.empty() &&
                        !subject.not_evaluated.names.contains(word(other->name)));
    const Reading have = subject.readers.read(
        *other, set == subject.environment.end() ? std::nullopt : std::optional(set->second));
    const Reading expected = subject.readers.read(*other, word(needs.substr(equals + 1)));
    const bool unmet =
        known && have.certain() && have.effective != expected.effective &&
        !(other->type == "bool" && is_on(have.effective) == is_on(expected.effective));
    return unmet ? Fault("no effect without " + word(needs)) : std::nullopt;
}

bool equals_default(const Subject& subject) {
    const Reading unset = subject.readers.read(subject.variable, std::nullopt);
    return unset.certain() && unset.effective != "unset" &&
           unset.effective == subject.reading.effective;
}

Fault left_over(const Subject& subject) {
    const auto& effective = subject.reading.effective;
    const bool off = !subject.reading.certain() || effective == "false" || effective == "0" ||
                     effective.empty() || effective == "unset" || effective == "error" ||
                     equals_default(subject);
    if (subject.variable.leftover.empty() || off) {
        return std::nullopt;
    }
    return "a " + word(subject.variable.leftover) + " switch is on, which is not for production";
}

Fault without_effect(const Subject& subject) {
    return subject.readers.without_effect(subject.variable, subject.text, subject.environment);
}

using Finder = Fault (*)(const Subject& subject);
constexpr Finder all_faults[] = {without_reader, misread,    out_of_range,
                                 no_known_word,  wrong_form, needs_another,
                                 without_effect, left_over,  deprecated};

std::string advice_for(const Subject& subject, const std::vector<std::string>& faults) {
    if (faults.empty()) {
        return "";
    }
    const bool useless = without_reader(subject) || left_over(subject);
    return useless ? "remove " + word(subject.variable.name) + " where it is set"
                   : "correct the variable where it is set";
}

const Inspection* row_of(const std::vector<Inspection>& rows, std::string_view name) {
    const auto row = std::lower_bound(
        rows.begin(), rows.end(), name,
        [](const Inspection& each, std::string_view expected) { return each.name < expected; });
    return row != rows.end() && row->name == name && row->effective ? &*row : nullptr;
}

// Compares for "=EFFECTIVE". A switch that its reader holds as a number is on unless that is 0.
bool equals(const std::string& effective, std::string_view expected) {
    if ((expected == "true" || expected == "false") && number_of(effective)) {
        return is_on(effective) == (expected == "true");
    }
    return effective == expected;
}

// Returns whether both variables have a text that is not empty, and the texts differ.
bool differs_from(const Inspection& row, const Inspection* other) {
    return other != nullptr && !row.value.value_or("").empty() &&
           !other->value.value_or("").empty() && row.value != other->value;
}

bool contains_part(const Inspection& row, std::string_view part) {
    std::string text = row.value.value_or("");
    std::erase(text, ' ');
    return text.find(part) != std::string::npos;
}

// Returns whether one condition of a rule holds: "NAME", "NAME=TEXT", "NAME!=TEXT", "NAME~PART",
// "NAME!~PART", "NAME>NUMBER" or "NAME>OTHER". "NAME!=$OTHER" compares two texts; "NAME=unset"
// holds for a variable that is not set. "~" and "!~" (contains, and does not) ignore blanks within
// a value.
bool holds(const std::vector<Inspection>& rows, std::string_view when) {
    const std::string_view name = name_in_condition(when);
    const Inspection* row = row_of(rows, name);
    std::string_view right = when.substr(name.size());
    if (right.starts_with("!~")) {
        return row != nullptr && !row->value.value_or("").empty() &&
               !contains_part(*row, right.substr(2));
    }
    const char relation = right.empty() ? '\0' : right.front();
    right.remove_prefix(std::min<std::size_t>(relation == '!' ? 2 : 1, right.size()));
    if (row == nullptr) {
        return relation == '=' && right == "unset";
    }
    const std::string& left = *row->effective;
    switch (relation) {
        case '\0':
            return true;
        case '=':
            return equals(left, right);
        case '!':
            return right.starts_with('$') ? differs_from(*row, row_of(rows, right.substr(1)))
                                          : !equals(left, right);
        case '~':
            return contains_part(*row, right);
        default:
            break;
    }
    const Inspection* other = row_of(rows, right);
    const auto number = number_of(left);
    const auto limit = number_of(other == nullptr ? std::string(right) : *other->effective);
    return number && limit && (relation == '>' ? *number > *limit : *number < *limit);
}

// Returns whether a condition such as "rocm>=7.0" holds; false if the version is not known.
bool has_version(const Readers& readers, std::string_view condition) {
    const std::size_t end = condition.find_first_of("<>=");
    const auto version = readers.version_of_package(condition.substr(0, end));
    const std::size_t digits = condition.find_first_of("0123456789", end);
    const std::string_view relation = condition.substr(end, digits - end);
    const auto order =
        version ? compare_versions(*version, std::string(condition.substr(digits))) : std::nullopt;
    return order && (relation == ">="   ? *order >= 0
                     : relation == ">"  ? *order > 0
                     : relation == "<"  ? *order < 0
                     : relation == "<=" ? *order <= 0
                                        : *order == 0);
}

bool has_one(const std::vector<std::string>& here, const std::vector<std::string_view>& expected) {
    return expected.empty() ||
           std::any_of(expected.begin(), expected.end(), [&](std::string_view each) {
               return std::find(here.begin(), here.end(), each) != here.end();
           });
}

bool applies(const VariableRule& rule, const std::vector<Inspection>& rows, const Readers& readers,
             const std::function<NodeKinds()>& kinds, std::optional<NodeKinds>& node) {
    const bool set = std::all_of(rule.when.begin(), rule.when.end(),
                                 [&](std::string_view when) { return holds(rows, when); });
    if (!set || !std::all_of(rule.versions.begin(), rule.versions.end(),
                             [&](auto each) { return has_version(readers, each); })) {
        return false;
    }
    if (rule.gfx.empty() && rule.nics.empty() && rule.modes.empty() && !rule.in_several_nodes) {
        return true;
    }
    if (!node) {
        node = kinds ? kinds() : NodeKinds();
    }
    return has_one(node->gfx, rule.gfx) && has_one(node->nics, rule.nics) &&
           has_one(node->modes, rule.modes);
}

// Returns whether a rule depends on a variable whose value is not known.
bool depends_on_unknown(const VariableRule& rule, const NotEvaluated& unknown) {
    return std::any_of(rule.when.begin(), rule.when.end(), [&](std::string_view when) {
        return unknown.names.contains(word(name_in_condition(when))) ||
               (!unknown.others.empty() && when.ends_with("=unset"));
    });
}

void add_rules(std::vector<Inspection>& rows, const Readers& readers, const NotEvaluated& unknown,
               const std::function<NodeKinds()>& kinds) {
    std::optional<NodeKinds> node;
    for (const auto& rule : variable_rules()) {
        if (depends_on_unknown(rule, unknown) || !applies(rule, rows, readers, kinds, node)) {
            continue;
        }
        const auto first = name_in_condition(rule.when.front());
        for (auto& row : rows) {
            if (row.name == first) {
                row.faults.push_back(word(rule.says));
                row.quiet = false;
                const bool counts =
                    rule.recommended || (rule.in_several_nodes && node && node->several_nodes);
                row.level = counts ? Level::recommended : row.level;
                row.advice =
                    rule.next.empty() ? "correct the variable where it is set" : word(rule.next);
            }
        }
    }
}

}  // namespace

static Inspection inspect_unseen(const Variable& variable, const std::string& remark,
                                 const Environment& environment, const Readers& readers) {
    Inspection out;
    out.name = word(variable.name);
    const NotEvaluated none;
    const Subject unseen{variable, out.name, environment, readers, {}, none};
    if (auto fault = without_reader(unseen)) {
        out.faults.push_back(*std::move(fault));
    }
    out.advice = advice_for(unseen, out.faults);
    out.remark = remark;
    return out;
}

Inspection inspect_unknown(const Variable& variable, const std::string& why,
                           const Environment& environment, const Readers& readers) {
    Inspection out = inspect_unseen(variable, why, environment, readers);
    out.uncertain = true;
    return out;
}

Inspection inspect_one(const Variable& in_general, const std::string& text,
                       const Environment& environment, const Readers& readers,
                       const NotEvaluated& not_evaluated) {
    Inspection out;
    const Variable variable = readers.as_read_here(in_general);
    out.name = word(variable.name);
    const auto here = readers.reads_here(variable);
    const bool unread = here && (here->reads == Reads::not_yet || here->reads == Reads::no_longer);
    if (is_secret(variable)) {
        return inspect_unseen(variable, "a secret, not checked", environment, readers);
    }
    const Subject subject{
        variable,     text, environment, readers, readers.read(variable, std::optional(text)),
        not_evaluated};
    out.value = value_without_credentials(text);
    out.effective = value_without_credentials(subject.reading.effective);
    const bool mistake = variable.status == "mistake";
    out.misread = (subject.reading.misread && !unread) || mistake;
    for (const auto find : all_faults) {
        if (auto fault = find(subject); fault && (find == without_reader || !unread)) {
            out.faults.push_back(*std::move(fault));
            out.quiet = out.quiet && (find == left_over || find == deprecated);
        }
    }
    out.advice = advice_for(subject, out.faults);
    out.remark = equals_default(subject) ? "equal to its default" : subject.reading.note;
    if (here && here->reads == Reads::not_checked) {
        out.uncertain = true;
        out.advice =
            out.advice.empty() ? "check whether that release reads the variable" : out.advice;
        out.remark = here->says + (out.remark.empty() ? "" : "; " + out.remark);
    }
    if (auto unsure = unsure_of(subject)) {
        out.uncertain = true;
        out.remark = *std::move(unsure);
    }
    for (auto& fault : out.faults) {
        fault = without_hidden_words(std::move(fault), text);
    }
    for (auto* sentence : {&out.advice, &out.remark}) {
        *sentence = without_hidden_words(std::move(*sentence), text);
    }
    if (out.effective) {
        out.effective = without_hidden_words(*std::move(out.effective), text);
    }
    return out;
}

static std::optional<Inspection> inspect_name(const std::string& name, const Readers& readers) {
    auto fault = unknown(name, &readers);
    if (!fault) {
        return std::nullopt;
    }
    Inspection row;
    row.name = name;
    row.quiet = !fault->is_misspelt;
    row.faults.push_back(std::move(fault->text));
    return row;
}

std::vector<Inspection> inspect(const Environment& environment, const Readers& readers,
                                const NotEvaluated& not_evaluated,
                                const std::function<NodeKinds()>& kinds) {
    std::vector<Inspection> rows;
    const auto add = [&](const std::string& name, auto of_variable) {
        if (const auto variable = known_variable(name)) {
            rows.push_back(of_variable(*variable));
        } else if (auto row = inspect_name(name, readers)) {
            rows.push_back(*std::move(row));
        }
    };
    for (const auto& [name, text] : environment) {
        add(name, [&, &text = text](const Variable& variable) {
            return inspect_one(variable, text, environment, readers, not_evaluated);
        });
    }
    for (const auto& [name, why] : not_evaluated.names) {
        add(name, [&, &why = why](const Variable& variable) {
            return inspect_unknown(variable, why, environment, readers);
        });
    }
    if (!not_evaluated.names.empty()) {
        std::sort(rows.begin(), rows.end(), [](const Inspection& one, const Inspection& other) {
            return one.name < other.name;
        });
    }
    add_rules(rows, readers, not_evaluated, kinds);
    return rows;
}

}  // namespace rocenv
