// SPDX-License-Identifier: MIT
// JSON (RFC 8259) taken piece by piece, for reports by the thousand: whoever reads asks for what
// comes next, nothing is built. After the first failure everything fails.
//
//     cursor.enter('{');
//     while (cursor.key(name)) { … one value … }
//     good = cursor.good();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

class JsonCursor {
   public:
    explicit JsonCursor(std::string_view text)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

    bool enter(char bracket);
    // The next member of the object that was entered; false: it ended, or a failure.
    bool key(std::string_view& name);
    // Whether there is one more element in the array that was entered.
    bool element();

    // Texts have their escapes resolved, and stand until the next text is asked for.
    bool text(std::string_view& value);
    bool text_or_null(std::optional<std::string_view>& value);
    bool number(std::uint64_t& value);  // a whole one, not below 0
    bool boolean(bool& value);
    bool skip() { return skip_value(0); }
    bool raw(std::string_view& value);  // as skip(), and what was passed over
    char peek();                        // the first byte of what comes next; 0 at the end

    bool good() const { return state_ == State::good; }
    // Returns whether one value was all there was.
    bool at_end();
    // Whether it failed since the text ended too early.
    bool ran_out() const { return state_ == State::ran_out; }
    bool fail();
    std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

   private:
    enum class State { good, ran_out, bad };
    // Mostly, the byte is no blank and the one that is expected: both are inline, which is a tenth
    // of the time of fleet.
    void blanks() {
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) {
            ++at_;
        }
    }
    bool take(char wanted) {
        blanks();
        if (at_ >= end_ || *at_ != wanted || state_ != State::good) {
            return fail();
        }
        ++at_;
        return true;
    }
    bool raw_text(std::string_view& content, bool& escaped);
    bool word(std::string_view wanted);
    std::string_view scalar();
    bool skip_value(int depth);
    bool skip_members(int depth);
    bool skip_elements(int depth);

    const char* begin_;
    const char* at_;
    const char* end_;
    State state_ = State::good;
    bool fresh_ = false;  // a bracket was opened, and nothing came yet
    std::string scratch_;
};

// Returns the content of a string with its escapes resolved, as UTF-8; std::nullopt if one of them
// is none.
std::optional<std::string> json_text(std::string_view content);

}  // namespace rocenv
