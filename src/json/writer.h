// SPDX-License-Identifier: MIT
// Writes JSON (RFC 8259) with nesting, escapes and indentation. Each byte that is not UTF-8 becomes
// U+FFFD. Characters that steer a terminal are escaped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

// Layout of the text.
enum class JsonLayout { indented, one_line };

// A JSON text in progress.
class JsonWriter {
   public:
    explicit JsonWriter(JsonLayout layout = JsonLayout::indented) : layout_(layout) {}

    // Opens an object. `key`, here and below, is empty inside an array and for the outermost value.
    void open_object(std::string_view key = {}) { open(key, '{'); }
    // Opens an array.
    void open_array(std::string_view key = {}) { open(key, '['); }
    // Closes the innermost object.
    void close_object() { close('}'); }
    // Closes the innermost array.
    void close_array() { close(']'); }

    // Adds a text in quotes, with escapes.
    void text(std::string_view key, std::string_view value);
    // Adds a text, or null for std::nullopt.
    void text_or_null(std::string_view key, const std::optional<std::string>& value);
    // Adds a whole number.
    void integer(std::string_view key, std::uint64_t value);
    // Adds a whole number, or null for std::nullopt.
    void integer_or_null(std::string_view key, const std::optional<std::uint64_t>& value);
    // Adds true or false.
    void boolean(std::string_view key, bool value);
    // Adds the shortest text that reads back as the same number. Adds null for std::nullopt,
    // infinity and NaN.
    void decimal_or_null(std::string_view key, std::optional<double> value);
    // Adds null.
    void null(std::string_view key) { raw(key, "null"); }
    // Adds a value that is JSON already, without a check.
    void json(std::string_view key, std::string_view value) { raw(key, value); }

    // Returns the finished text with a line end. Call it once, after the last close.
    std::string finish() { return std::move(out_) + "\n"; }

   private:
    void open(std::string_view key, char bracket);
    void close(char bracket);
    void raw(std::string_view key, std::string_view value);
    void next(std::string_view key);
    void line();

    JsonLayout layout_;
    std::string out_;
    int depth_ = 0;
    bool first_ = true;
};

}  // namespace rocenv
