// SPDX-License-Identifier: MIT
// Reader of JSON (RFC 8259) piece by piece, for thousands of reports. The caller requests the next
// value, and no tree is built. After the first failure good() stays false, and values that are read
// have no meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

// A position in a JSON text.
class JsonCursor {
   public:
    explicit JsonCursor(std::string_view text)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

    // Enters an object ('{') or array ('['). Each function returns false if the next value is not
    // of its type.
    bool enter(char bracket);
    // Reads the name of the next member, valid until the next name or text is read. Returns false
    // after the end of the object, which it leaves, or after a failure. Read or skip each value.
    bool key(std::string_view& name);
    // Returns whether the entered array has one more element. Leaves the array if it has none.
    // Returns false after a failure, too.
    bool element();

    // Reads a text with its escapes resolved. It is valid until the next text or name is read.
    bool text(std::string_view& value);
    // Reads a text like text(), or null as std::nullopt.
    bool text_or_null(std::optional<std::string_view>& value);
    // Reads a whole number, at least 0. Fails at the end of the text, since digits may be missing.
    bool number(std::uint64_t& value);
    // Reads true or false.
    bool boolean(bool& value);
    // Skips one value of any type. Fails if it is nested more than 64 levels deep.
    bool skip() { return skip_value(0); }
    bool raw(std::string_view& value);  // skips a value and returns its text
    char peek();                        // returns the first byte of the next value; 0 at the end

    // Returns whether no read has failed.
    bool good() const { return state_ == State::good; }
    // Returns whether no read has failed and only blanks are left.
    bool at_end();
    // Returns whether a read failed because the text ended too early.
    bool ran_out() const { return state_ == State::ran_out; }
    // Marks the text as bad, or as ended too early if no byte is left. Always returns false.
    bool fail();
    // Returns the number of bytes that were read.
    std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

   private:
    enum class State { good, ran_out, bad };
    // Skips blanks. Inline, as take() is, which saves a tenth of the time of fleet. Usually the
    // next byte is the expected one.
    void blanks() {
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) {
            ++at_;
        }
    }
    bool take(char expected) {
        blanks();
        if (at_ >= end_ || *at_ != expected || state_ != State::good) {
            return fail();
        }
        ++at_;
        return true;
    }
    bool raw_text(std::string_view& content, bool& escaped);
    bool word(std::string_view expected);
    std::string_view scalar();
    bool skip_value(int depth);
    bool skip_members(int depth);
    bool skip_elements(int depth);

    const char* begin_;
    const char* at_;
    const char* end_;
    State state_ = State::good;
    bool fresh_ = false;  // a bracket was opened, without a value yet
    std::string scratch_;
};

// Returns the content of a string with its escapes resolved, as UTF-8; std::nullopt if an escape is
// invalid. Other bytes are not checked.
std::optional<std::string> json_text(std::string_view content);

}  // namespace rocenv
