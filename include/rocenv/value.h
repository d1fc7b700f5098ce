// SPDX-License-Identifier: MIT
// A value as a profile or --want states it, and the forms that a setting accepts. The same plain
// data serves validation, messages and documentation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rocenv {

struct Value;
using ValueList = std::vector<Value>;
using ValueTable = std::map<std::string, Value>;

// Location of a value in a file, shown as file:line:column. Line 0: the file as a whole.
struct Place {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};
// Returns "mi300x.toml:12:9", or the file alone where line is 0.
std::string place_text(const Place& place);

// One value of a profile or of --want.
struct Value {
    std::variant<bool, std::int64_t, double, std::string, ValueList, ValueTable> data;
    Place place;

    // Each returns the value if it has this type, otherwise nullptr.
    const bool* boolean() const { return std::get_if<bool>(&data); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data); }
    const std::string* text() const { return std::get_if<std::string>(&data); }
    const ValueList* list() const { return std::get_if<ValueList>(&data); }
    const ValueTable* table() const { return std::get_if<ValueTable>(&data); }
    // Returns the text of a field of a table. Empty if this is not a table or has no text of that
    // name.
    std::string field(const std::string& name) const;
};

// Returns the value in TOML syntax on one line: 1, "off", { max_latency_us = 10 }.
std::string toml_text(const Value& value);

// Returns a text unchanged and any other value as toml_text(), for kernel files and boot words.
std::string plain_text(const Value& value);

// Returns the texts in a list that is a field of a table, in order; other elements are skipped.
// Returns an empty list if the field is missing or not a list.
std::vector<std::string> field_texts(const Value& value, const std::string& name);

// Kinds of values that a setting can accept.
enum class FormKind {
    integer,     // lowest … highest
    word,        // one of `words`
    any_word,    // any text of printable ASCII without blanks, not empty
    any_text,    // any text
    boolean,     // true, false
    at_least,    // a number from 0, or text: "NUMBER", ">=NUMBER", dots allowed
    size_limit,  // bytes (or a count), or "unlimited"; a minimum
    link_rate,   // text: "32.0 GT/s x16"
    text_list,   // a list of texts that are not blank, `lowest` of them at least
    table,       // `fields`, and no other keys
    by_device,   // a table: one of `words` for each PCI address "0000:05:00.0", or for "others"
};

// One form that a value may have.
struct Form {
    struct Field;
    FormKind kind;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    std::vector<std::string_view> words{};
    std::vector<Field> fields;
};
// One field of a table.
struct Form::Field {
    std::string_view name;
    Form form;
    bool optional = false;
};

// An error in a value, with its location.
struct FormError {
    Place place;
    std::string text;
};

// Checks `value` against each form in turn. Returns std::nullopt if one accepts it. For a table,
// the first form of kind table decides alone, and the error is that of its first wrong or missing
// key. Otherwise the error names the value and all forms.
std::optional<FormError> check_form(const Value& value, std::span<const Form> forms);

// Returns the accepted forms in words: `a whole number from 0 to 3`.
std::string forms_text(std::span<const Form> forms);

}  // namespace rocenv
