// SPDX-License-Identifier: MIT
#include "profile/learn/learn_value.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profile/builtin_profiles.h"
#include "profile/profile.h"
#include "profile/profile_image.h"
#include "profile/wishes.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Rows = std::vector<Assessment>;

Rows ask(const Context& context, const Setting& setting, const Value& value) {
    Want want;
    want.id = setting.info.id;
    want.value = value;
    return assessed(setting, context, want);
}

bool fits(const Value& value, const Setting& setting) {
    return !check_form(value, setting.info.forms);
}

// Every target is as wanted or not here, and at least one is here.
bool is_proved(const Rows& rows) {
    const auto is = [](Outcome outcome) {
        return [outcome](const Assessment& row) { return row.outcome == outcome; };
    };
    return std::any_of(rows.begin(), rows.end(), is(Outcome::ok)) &&
           std::all_of(rows.begin(), rows.end(), [&](const Assessment& row) {
               return is(Outcome::ok)(row) || is(Outcome::na)(row);
           });
}

// The dotted number a version starts with.
std::string version_number(const std::string& text) {
    const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
    return std::string(text.substr(0, text.find_last_not_of('.', end == 0 ? 0 : end - 1) + 1));
}

// `have` as a value of this form. A count is that number, a version at least that one.
std::optional<Value> value_of(const std::string& have, const Form& form) {
    const auto whole = parse_signed(have);
    switch (form.kind) {
        case FormKind::boolean:
            return have == "true" || have == "false" ? std::optional(Value{have == "true", {}})
                                                     : std::nullopt;
        case FormKind::at_least:
            return whole ? Value{*whole, {}} : Value{">=" + version_number(have), {}};
        case FormKind::integer:
        case FormKind::size_limit:
            return whole ? Value{*whole, {}} : Value{have, {}};
        case FormKind::word:
        case FormKind::any_word:
        case FormKind::link_rate:
            return Value{have, {}};
        case FormKind::any_text:
        case FormKind::text_list:
        case FormKind::by_device:
        case FormKind::table:
            return std::nullopt;
    }
    return std::nullopt;
}

// `have` in the words of the forms.
void add_values_of(const std::string& have, const Setting& setting, std::vector<Value>& out) {
    for (const auto& form : setting.info.forms) {
        auto value = value_of(have, form);
        if (value && fits(*value, setting)) {
            out.push_back(*std::move(value));
        }
    }
}

// What the targets have; then the words of the forms, for settings whose word says more than `have`
// does ("max", "none").
std::vector<Value> values_by_have(const Context& context, const Setting& setting) {
    std::vector<Value> out;
    std::vector<Value> fixed;
    for (const auto& form : setting.info.forms) {
        const auto all = wishes(form);
        if (form.kind == FormKind::word) {
            fixed.insert(fixed.end(), all.begin(), all.end());
        }
        for (const auto& row : ask(context, setting, all.front())) {
            add_values_of(row.have.value_or(""), setting, out);
        }
    }
    out.insert(out.end(), fixed.begin(), fixed.end());
    return out;
}

// Whether a value is a table of lists of words, which is learned word by word.
bool is_word_lists(const Form& form) {
    return form.kind == FormKind::table && !form.fields.empty() &&
           std::all_of(form.fields.begin(), form.fields.end(), [](const Form::Field& field) {
               return field.form.kind == FormKind::text_list;
           });
}

using Word = std::pair<std::string, std::string>;  // the field it is in, and the word

Value one_word(const std::string& word) {
    return {ValueList(1, Value{word, {}}), {}};
}

void add_words(const ValueTable& table, std::set<Word>& out) {
    for (const auto& [field, words] : table) {
        for (const auto& word : *words.list()) {
            out.emplace(field, *word.text());
        }
    }
}

// Of every shipped profile.
std::set<Word> known_words(const Setting& setting) {
    const auto id = setting.info.id;
    std::set<Word> out;
    for (const auto& shipped : builtin_profiles) {
        const auto profile = profile_in(shipped.image, std::string(shipped.name), Entries::all);
        for (const auto& entry : profile.entries) {
            if (entry.id == id && entry.value && entry.value->table() != nullptr) {
                add_words(*entry.value->table(), out);
            }
        }
    }
    return out;
}

// Of the words that shipped profiles name for this setting those that are as wanted here.
std::vector<Value> values_by_words(const Context& context, const Setting& setting,
                                   const std::set<Word>& known) {
    std::map<std::string, ValueList> lists;
    for (const auto& [field, word] : known) {
        const Value alone{ValueTable{{field, one_word(word)}}, {}};
        if (is_proved(ask(context, setting, alone))) {
            lists[field].push_back({word, {}});
        }
    }
    ValueTable table;
    for (auto& [field, list] : lists) {
        table.emplace(field, Value{std::move(list), {}});
    }
    return {{std::move(table), {}}};
}

std::string told_targets(const Rows& rows) {
    std::map<std::string, std::vector<std::string>> targets;
    for (const auto& row : rows) {
        if (row.outcome != Outcome::na) {
            targets[row.have.value_or("?")].push_back(row.target.text());
        }
    }
    std::string detail = rows.size() == 1 ? rows.front().detail : "";
    if (rows.size() == 1 && !rows.front().have) {
        return detail;
    }
    if (targets.size() == 1) {
        return "is " + printable(targets.begin()->first, 60) + " here" +
               (detail.empty() ? ", nothing to want" : ": " + detail);
    }
    std::vector<std::string> parts;
    for (const auto& [have, names] : targets) {
        const std::size_t more = names.size() - 1;
        parts.push_back(printable(have, 40) + " on " + names.front() +
                        (more == 0 ? "" : " and " + number(more) + " more"));
    }
    return "differs between targets: " + join(parts, ", ");
}

bool is_nowhere(const Rows& rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [](const Assessment& row) { return row.outcome == Outcome::na; });
}

// Why there is nothing to write, from the rows of a value that was not proved.
std::string told_why_not(const Rows& rows) {
    for (const auto& row : rows) {
        if (row.outcome == Outcome::unknown || row.outcome == Outcome::hidden) {
            return "not known: " + row.target.text() + ": " + row.detail;
        }
    }
    return is_nowhere(rows) ? "not here: " + rows.front().detail : told_targets(rows);
}

std::vector<Value> candidates(const Context& context, const Setting& setting) {
    if (auto own = learn_of(setting, context)) {
        return *std::move(own);
    }
    const auto& forms = setting.info.forms;
    return is_word_lists(forms.front()) ? values_by_words(context, setting, known_words(setting))
                                        : values_by_have(context, setting);
}

}  // namespace

LearntValue learn_value(const Context& context, const Setting& setting) {
    auto values = candidates(context, setting);
    if (values.empty()) {
        values = {wishes(setting.info.forms.front()).front()};
    }
    Rows telling;  // of the first value that is of use here
    for (auto& value : values) {
        Rows rows = ask(context, setting, value);
        if (is_proved(rows)) {
            return {std::move(value), ""};
        }
        if (is_nowhere(telling)) {
            telling = std::move(rows);
        }
    }
    return {std::nullopt, told_why_not(telling)};
}

}  // namespace rocenv
