// SPDX-License-Identifier: MIT
#include "occupancy/json_scalars.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int deepest_value = 64;

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
                return true;
            }
            if (static_cast<unsigned char>(text_[at]) < 0x20) {
                return false;
            }
            at += text_[at] == '\\' ? 1U : 0U;
        }
        return false;
    }

    // true, false, null or a number: by its letters, which is all that is needed here.
    bool word() {
        constexpr std::string_view letters = "+-.0123456789Eaeflnrstu";
        const auto size = std::min(text_.find_first_not_of(letters), text_.size());
        const auto found = text_.substr(0, size);
        text_.remove_prefix(size);
        const bool known = found == "true" || found == "false" || found == "null";
        if (!known && (found.empty() || found.find_first_not_of("+-.0123456789Ee") != found.npos)) {
            return false;
        }
        on_scalar_(path_, found);
        return true;
    }

    bool inside(std::string_view name, int depth) {
        const auto before = path_.size();
        path_ += (path_.empty() ? "" : ".") + std::string(name);
        const bool good = value(depth + 1);
        path_.resize(before);
        return good;
    }

    bool object(int depth) {
        if (take('}')) {
            return true;
        }
        do {
            std::string_view key;
            if (!string(key) || !take(':') || !inside(key, depth)) {
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
        on_scalar_(path_, content);
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

}  // namespace rocenv
