// SPDX-License-Identifier: MIT
#include "help/manual/roff.h"

#include <cctype>
#include <cstdint>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_line = 78;

// A character beyond ASCII, as each roff knows it.
std::string roff_character(std::string_view utf8) {
    std::uint32_t code = static_cast<unsigned char>(utf8.front());
    code &= utf8.size() == 2 ? 0x1fU : utf8.size() == 3 ? 0x0fU : 0x07U;
    for (const char byte : utf8.substr(1)) {
        code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
    }
    std::string digits = bare_hex(code, 4);
    for (char& digit : digits) {
        digit = digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
    }
    return "\\[u" + digits + "]";
}

std::string_view escaped(char byte, bool typed) {
    switch (byte) {
        case '\\':
            return "\\e";
        case '-':
            return typed ? "\\-" : "-";
        case '\'':
            return typed ? "\\(aq" : "'";
        case '`':
            return "\\(ga";
        case '"':
            return "\\(dq";
        case '~':
            return "\\(ti";
        case '^':
            return "\\(ha";
        default:
            return "";
    }
}

bool ends_sentence(std::string_view word) {
    while (word.ends_with(")") || word.ends_with("\"") || word.ends_with("`")) {
        word.remove_suffix(1);
    }
    return word.size() > 1 && (word.ends_with(".") || word.ends_with("!") || word.ends_with("?"));
}

// ".Xr rocenv-check 1 ," of "rocenv-check(1),"; empty: it names no page.
std::string reference(std::string_view word) {
    const auto open = word.find('(');
    const bool named = word.starts_with("rocenv") && open != word.npos &&
                       word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == open &&
                       open + 2 < word.size() && word[open + 2] == ')';
    if (!named) {
        return "";
    }
    const std::string_view rest = word.substr(open + 3);
    return ".Xr " + std::string(word.substr(0, open)) + " " + word[open + 1] +
           (rest.empty() ? "" : " " + std::string(rest));
}

// Puts words into lines.
class Lines {
   public:
    void add(const std::string& word, bool last_of_line) {
        if (!line_.empty() && line_.size() + 1 + word.size() > longest_line) {
            end_line();
        }
        const bool request = line_.empty() && (word.starts_with(".") || word.starts_with("'"));
        line_ += (line_.empty() ? "" : " ") + (request ? "\\&" + word : word);
        if (last_of_line) {
            end_line();
        }
    }

    void add_line(const std::string& line) {
        end_line();
        out_ += line + "\n";
    }

    std::string take() {
        end_line();
        return std::move(out_);
    }

   private:
    void end_line() {
        out_ += line_.empty() ? "" : line_ + "\n";
        line_.clear();
    }

    std::string line_;
    std::string out_;
};

}  // namespace

std::string roff_text(std::string_view text, RoffText kind) {
    std::string out;
    bool bold = false;
    while (!text.empty()) {
        const auto size = std::max<std::size_t>(utf8_length(text), 1);
        const bool typed = bold || kind == RoffText::typed;
        if (text.front() == '`' && kind == RoffText::running) {
            out += bold ? "\\fP" : "\\fB";
            bold = !bold;
        } else if (size > 1) {
            out += roff_character(text.substr(0, size));
        } else if (text.starts_with("--")) {
            out += "\\-\\-";
            text.remove_prefix(1);
        } else if (text.starts_with("()")) {  // "wait()" is no function of ours
            out += "(\\&)";
            text.remove_prefix(1);
        } else if (const auto known = escaped(text.front(), typed); !known.empty()) {
            out += known;
        } else {
            out += text.front();
        }
        text.remove_prefix(size);
    }
    return out;
}

std::string roff_lines(std::string_view text) {
    Lines lines;
    const std::string whole = roff_text(text, RoffText::running);
    for (const auto word : words(whole)) {
        const std::string page = reference(word);
        if (page.empty()) {
            lines.add(std::string(word), ends_sentence(word));
        } else {
            lines.add_line(page);
        }
    }
    return lines.take();
}

std::string roff_words(std::string_view text) {
    std::string out;
    for (const auto word : words(text)) {
        const bool macro = word.size() > 1 && word.size() <= 3 && word[0] >= 'A' &&
                           word[0] <= 'Z' && word[1] >= 'a' && word[1] <= 'z';
        const bool sign = word.size() == 1 && std::ispunct(static_cast<unsigned char>(word[0]));
        out += (out.empty() ? "" : " ") + std::string(macro || sign ? "\\&" : "") +
               roff_text(word, RoffText::typed);
    }
    return out;
}

}  // namespace rocenv
