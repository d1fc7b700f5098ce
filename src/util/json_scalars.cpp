// SPDX-License-Identifier: MIT
#include "util/json_scalars.h"

#include <algorithm>
#include <set>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int deepest_value = 64;
constexpr std::size_t most_keys = 65536;  // of one object

// Takes digits off the front; false: there are none.
bool take_digits(std::string_view& text) {
    const auto size = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(size);
    return size > 0;
}

bool is_number(std::string_view text) {
    const auto take = [&](std::string_view any) {
        const bool there = !text.empty() && any.find(text.front()) != any.npos;
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    take("-");
    const bool zero = text.starts_with('0');
    const auto before = text.size();
    if (!take_digits(text) || (zero && before - text.size() > 1) ||
        (take(".") && !take_digits(text))) {
        return false;
    }
    if (take("eE")) {
        take("+-");
        return take_digits(text) && text.empty();
    }
    return text.empty();
}

class Walker {
   public:
    Walker(std::string_view text, const OnScalar& on_scalar) : text_(text), on_scalar_(on_scalar) {}

    bool walk() {
        if (!value(0)) {
            return false;
        }
        blanks();
        return text_.empty();
    }

   private:
    void blanks() {
        text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
    }

    bool take(char wanted) {
        blanks();
        if (text_.empty() || text_.front() != wanted) {
            return false;
        }
        text_.remove_prefix(1);
        return true;
    }

    // The content of a string that begins here.
    bool string(std::string_view& content) {
        if (!take('"')) {
            return false;
        }
        for (std::size_t at = 0; at < text_.size(); ++at) {
            if (text_[at] == '"') {
                content = text_.substr(0, at);
                text_.remove_prefix(at + 1);
                return content.find('\\') == content.npos || json_text(content).has_value();
            }
            if (static_cast<unsigned char>(text_[at]) < 0x20) {
                return false;
            }
            at += text_[at] == '\\' ? 1U : 0U;
        }
        return false;
    }

    // true, false, null or a number.
    bool word() {
        constexpr std::string_view letters = "+-.0123456789Eaeflnrstu";
        const auto size = std::min(text_.find_first_not_of(letters), text_.size());
        const auto found = text_.substr(0, size);
        text_.remove_prefix(size);
        const bool boolean = found == "true" || found == "false";
        if (!boolean && found != "null" && !is_number(found)) {
            return false;
        }
        on_scalar_(path_, found,
                   boolean           ? JsonScalar::boolean
                   : found == "null" ? JsonScalar::null
                                     : JsonScalar::number);
        return true;
    }

    bool inside(std::string_view name, int depth) {
        const auto before = path_.size();
        path_ += (path_.empty() ? "" : ".") + std::string(name);
        const bool good = value(depth + 1);
        path_.resize(before);
        return good;
    }

    static bool is_new(std::set<std::string_view>& keys, std::string_view key) {
        return keys.size() < most_keys && keys.insert(key).second;
    }

    bool object(int depth) {
        if (take('}')) {
            return true;
        }
        std::set<std::string_view> keys;
        do {
            std::string_view key;
            if (!string(key) || !is_new(keys, key) || !take(':') || !inside(key, depth)) {
                return false;
            }
        } while (take(','));
        return take('}');
    }

    bool array(int depth) {
        if (take(']')) {
            return true;
        }
        std::size_t index = 0;
        do {
            if (!inside(number(index), depth)) {
                return false;
            }
            ++index;
        } while (take(','));
        return take(']');
    }

    bool value(int depth) {
        blanks();
        if (depth > deepest_value || text_.empty()) {
            return false;
        }
        if (take('{')) {
            return object(depth);
        }
        if (take('[')) {
            return array(depth);
        }
        if (text_.front() != '"') {
            return word();
        }
        std::string_view content;
        if (!string(content)) {
            return false;
        }
        on_scalar_(path_, content, JsonScalar::text);
        return true;
    }

    std::string_view text_;
    const OnScalar& on_scalar_;
    std::string path_;
};

}  // namespace

bool for_each_scalar(std::string_view text, const OnScalar& on_scalar) {
    return Walker(text, on_scalar).walk();
}

namespace {

// One code unit behind "\\u"; nothing: no four hexadecimal digits.
std::optional<std::uint32_t> code_unit(std::string_view text) {
    const auto digits = text.substr(0, 4);
    const bool good =
        digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
    const auto value = good ? parse_number(digits, 16) : std::nullopt;
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

void add_utf8(std::uint32_t code, std::string& out) {
    const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

// What stands behind "\\u", taken off `rest`; two units make one beyond U+FFFF.
bool take_code(std::string_view& rest, std::string& out) {
    auto code = code_unit(rest);
    if (!code || (*code >= 0xdc00 && *code < 0xe000)) {
        return false;
    }
    rest.remove_prefix(4);
    if (*code >= 0xd800 && *code < 0xdc00) {
        const auto low = rest.starts_with("\\u") ? code_unit(rest.substr(2)) : std::nullopt;
        if (!low || *low < 0xdc00 || *low >= 0xe000) {
            return false;
        }
        rest.remove_prefix(6);
        code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
    }
    add_utf8(*code, out);
    return true;
}

}  // namespace

std::optional<std::string> json_text(std::string_view content) {
    constexpr std::string_view escapes = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    std::string out;
    while (!content.empty()) {
        const auto plain = std::min(content.find('\\'), content.size());
        out += content.substr(0, plain);
        content.remove_prefix(plain);
        if (content.empty()) {
            break;
        }
        const char escape = content.size() > 1 ? content[1] : '\0';
        const auto at = escapes.find(escape);
        content.remove_prefix(std::min<std::size_t>(2, content.size()));
        if (at != escapes.npos) {
            out += meanings[at];
        } else if (escape != 'u' || !take_code(content, out)) {
            return std::nullopt;
        }
    }
    return out;
}

}  // namespace rocenv
