// SPDX-License-Identifier: MIT
#include "rocenv/value.h"

#include <algorithm>
#include <cctype>

#include "util/decimal.h"
#include "util/link_rate.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string toml_quoted(std::string_view text) {
    std::string out = "\"";
    std::size_t dots = 0;
    for (const char byte : text) {
        dots += byte == '.' ? 1U : 0U;
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += byte;
        } else if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f ||
                   (byte == '.' && dots > most_joined_dots)) {
            out += "\\u" + bare_hex(static_cast<unsigned char>(byte), 4);
        } else {
            out += byte;
        }
    }
    return out + "\"";
}

// Returns a key, bare if TOML allows it; a dot would split it into two keys.
std::string key_text(std::string_view name) {
    const bool bare =
        !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char byte) {
            return byte == '_' || byte == '-' || (byte < 0x80 && std::isalnum(byte) != 0);
        });
    return bare ? std::string(name) : toml_quoted(name);
}

struct TomlWriter {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return number(value); }
    std::string operator()(double value) const {
        const std::string text = shortest_decimal(value);
        return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    std::string operator()(const std::string& value) const { return toml_quoted(value); }
    std::string operator()(const ValueList& values) const {
        std::string out;
        for (const auto& value : values) {
            out += (out.empty() ? "" : ", ") + toml_text(value);
        }
        return "[" + out + "]";
    }
    std::string operator()(const ValueTable& table) const {
        std::string out;
        for (const auto& [name, value] : table) {
            out += (out.empty() ? "" : ", ") + key_text(name) + " = " + toml_text(value);
        }
        return "{ " + out + " }";
    }
};

bool is_at_least(std::string_view text) {
    const auto version = trim(text.substr(text.starts_with(">=") ? 2 : 0));
    return is_plain(version) && compare_versions(version, "0").has_value();
}

std::string words_text(const std::vector<std::string_view>& words) {
    std::vector<std::string> quoted;
    quoted.reserve(words.size());
    for (const auto word : words) {
        quoted.push_back(toml_quoted(word));
    }
    return alternatives(quoted);
}

std::string form_text(const Form& form) {
    switch (form.kind) {
        case FormKind::integer:
            return "a whole number from " + number(form.lowest) + " to " + number(form.highest);
        case FormKind::word:
            return words_text(form.words);
        case FormKind::any_word:
            return "a word";
        case FormKind::any_text:
            return "text";
        case FormKind::boolean:
            return "true or false";
        case FormKind::at_least:
            return "a number or \">=NUMBER\"";
        case FormKind::size_limit:
            return "a number (a minimum) or \"unlimited\"";
        case FormKind::link_rate:
            return "a speed and width as \"32.0 GT/s x16\"";
        case FormKind::text_list:
            return form.lowest == 0 ? "a list of texts" : "a list of one text or more";
        case FormKind::by_device:
            return "{ \"ADDRESS\" = WORD, others = WORD } with the same words";
        case FormKind::table:
            break;
    }
    std::string out;
    for (const auto& field : form.fields) {
        out += (out.empty() ? "{ " : ", ") + std::string(field.name) + " = " +
               form_text(field.form) + (field.optional ? " (optional)" : "");
    }
    return out + " }";
}

bool is_text_list(const Value& value, std::int64_t least) {
    if (value.list() == nullptr || std::ssize(*value.list()) < least) {
        return false;
    }
    for (const auto& element : *value.list()) {
        if (element.text() == nullptr || trim(*element.text()).empty()) {
            return false;
        }
    }
    return true;
}

// Returns true for the form "0000:85:00.0".
bool is_address(std::string_view name) {
    constexpr std::string_view shape = "xxxx:xx:xx.x";
    return name.size() == shape.size() &&
           std::equal(name.begin(), name.end(), shape.begin(), [](char each, char expected) {
               return expected == 'x' ? (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f')
                                      : each == expected;
           });
}

bool is_word_by_device(const Value& value, const Form& form) {
    if (value.table() == nullptr || value.table()->empty()) {
        return false;
    }
    return std::all_of(value.table()->begin(), value.table()->end(), [&](const auto& each) {
        const auto* text = each.second.text();
        return (is_address(each.first) || each.first == "others") && text != nullptr &&
               std::find(form.words.begin(), form.words.end(), *text) != form.words.end();
    });
}

bool accepts(const Value& value, const Form& form) {
    const auto* integer = value.integer();
    const auto* text = value.text();
    switch (form.kind) {
        case FormKind::integer:
            return integer != nullptr && *integer >= form.lowest && *integer <= form.highest;
        case FormKind::word:
            return text != nullptr &&
                   std::find(form.words.begin(), form.words.end(), *text) != form.words.end();
        case FormKind::any_word:
            return text != nullptr && words(*text).size() == 1 && words(*text)[0] == *text &&
                   is_plain(*text);
        case FormKind::any_text:
            return text != nullptr;
        case FormKind::boolean:
            return value.boolean() != nullptr;
        case FormKind::at_least:
            return (integer != nullptr && *integer >= 0) || (text != nullptr && is_at_least(*text));
        case FormKind::size_limit:
            return (integer != nullptr && *integer >= 0) ||
                   (text != nullptr && *text == "unlimited");
        case FormKind::link_rate:
            return text != nullptr && parse_link(*text).has_value();
        case FormKind::text_list:
            return is_text_list(value, form.lowest);
        case FormKind::by_device:
            return is_word_by_device(value, form);
        case FormKind::table:
            return false;  // checked by check_table
    }
    return false;
}

std::string shown(const Value& value) {
    return printable(toml_text(value), 60);
}

// Returns an error for a key of no field: a misspelled name is reported before the missing field.
std::optional<FormError> check_names(const ValueTable& table,
                                     const std::vector<std::string>& names) {
    for (const auto& [name, element] : table) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            return FormError{element.place, "unknown key " + in_quotes(name, 40) +
                                                did_you_mean(near_names(name, names),
                                                             ", expected " + join(names, ", "))};
        }
    }
    return std::nullopt;
}

std::optional<FormError> check_table(const Value& value, const Form& form) {
    std::vector<std::string> names;
    for (const auto& field : form.fields) {
        names.emplace_back(field.name);
    }
    if (auto error = check_names(*value.table(), names)) {
        return error;
    }
    for (const auto& field : form.fields) {
        const auto found = value.table()->find(std::string(field.name));
        if (found == value.table()->end()) {
            if (!field.optional) {
                return FormError{value.place, std::string(field.name) + " is missing, expected " +
                                                  form_text(form)};
            }
        } else if (auto error = check_form(found->second, std::span(&field.form, 1))) {
            error->text = std::string(field.name) + ": " + error->text;
            return error;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string place_text(const Place& place) {
    if (place.line == 0) {
        return place.file;
    }
    return place.file + ":" + number(place.line) + ":" + number(place.column);
}

std::string Value::field(const std::string& name) const {
    if (table() == nullptr) {
        return {};
    }
    const auto found = table()->find(name);
    return found == table()->end() || found->second.text() == nullptr ? std::string()
                                                                      : *found->second.text();
}

std::string toml_text(const Value& value) {
    return std::visit(TomlWriter{}, value.data);
}

std::string forms_text(std::span<const Form> forms) {
    std::string out;
    for (const auto& form : forms) {
        out += (out.empty() ? "" : " or ") + form_text(form);
    }
    return out;
}

std::optional<FormError> check_form(const Value& value, std::span<const Form> forms) {
    for (const auto& form : forms) {
        if (accepts(value, form)) {
            return std::nullopt;
        }
        if (form.kind == FormKind::table && value.table() != nullptr) {
            return check_table(value, form);
        }
    }
    return FormError{value.place, "found " + shown(value) + ", expected " + forms_text(forms)};
}

std::string plain_text(const Value& value) {
    return value.text() != nullptr ? *value.text() : toml_text(value);
}

std::vector<std::string> field_texts(const Value& value, const std::string& name) {
    const auto* table = value.table();
    const auto field = table == nullptr ? ValueTable::const_iterator() : table->find(name);
    if (table == nullptr || field == table->end() || field->second.list() == nullptr) {
        return {};
    }
    std::vector<std::string> out;
    for (const auto& each : *field->second.list()) {
        if (each.text() != nullptr) {
            out.push_back(*each.text());
        }
    }
    return out;
}

}  // namespace rocenv
