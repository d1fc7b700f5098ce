// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/credentials.h"
#include "util/letters.h"
#include "util/text.h"

namespace rocenv {

namespace {

bool is_name_byte(char byte) {
    return is_letter_or_digit(byte) || byte == '_' || byte == '-' || byte == '.';
}

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

// "mi300x", which GPUs are called, too.
bool is_model(std::string_view name) {
    constexpr std::size_t digits = 5;  // where they end
    return name.starts_with("mi") && name.size() >= digits && name.size() <= digits + 1 &&
           std::all_of(name.begin() + 2, name.begin() + digits, is_digit);
}

// Long names with digits are no words of kernels, of which there are many to look through.
bool is_numbered(std::string_view name) {
    constexpr std::size_t short_word = 4;
    return name.size() > short_word && std::any_of(name.begin(), name.end(), is_digit);
}

// Names that many hosts have, or that say nothing.
bool is_nobodys(std::string_view name) {
    return is_model(name) || name.empty() || name == redacted || name == "localhost" ||
           name == "none" || std::all_of(name.begin(), name.end(), is_digit) ||
           (!is_numbered(name) && is_kernel_word(name));
}

// Whether a name is found inside of other words, too.
bool is_telling(std::string_view name) {
    constexpr std::size_t long_enough = 6;
    constexpr std::size_t with_digits = 4;
    const bool letters = std::all_of(name.begin(), name.end(), [](char byte) {
        return is_letter_or_digit(byte) && !is_digit(byte);
    });
    return name.size() >= (letters ? long_enough : with_digits);
}

// Also names that are found as words alone, and what kernels number: "node1", "gpu0".
bool may_be_meant_otherwise(std::string_view name) {
    constexpr auto kinds = std::to_array<std::string_view>(
        {"node", "cpu", "gpu", "socket", "policy", "state", "port", "mc", "dimm", "card"});
    return !is_telling(name) || std::any_of(kinds.begin(), kinds.end(), [&](auto kind) {
        return name.starts_with(kind) &&
               std::all_of(name.begin() + static_cast<std::ptrdiff_t>(kind.size()), name.end(),
                           is_digit);
    });
}

bool is_word_at(std::string_view text, std::size_t at, std::size_t size) {
    return (at == 0 || !is_letter_or_digit(text[at - 1])) &&
           (at + size == text.size() || !is_letter_or_digit(text[at + size]));
}

}  // namespace

const HostName& HostName::none() {
    static const HostName name("");
    return name;
}

HostName::HostName(std::string_view name) : name_(lower(trim(name))) {
    name_.resize(std::min(name_.find('.'), name_.size()));
    name_ = name_ == "(none)" ? "" : name_;
    if (is_nobodys(name_)) {
        name_.clear();
    }
    common_ = may_be_meant_otherwise(name_);
}

std::string HostName::lower(std::string_view text) {
    return lower_case(text);
}

HostName::Match HostName::find(std::string_view low, std::size_t from) const {
    if (name_.empty()) {
        return {};
    }
    for (auto at = low.find(name_, from); at != std::string_view::npos;
         at = low.find(name_, at + 1)) {
        if (!is_telling(name_) && !is_word_at(low, at, name_.size())) {
            continue;
        }
        std::size_t end = at + name_.size();
        const bool domain = end + 1 < low.size() && low[end] == '.' &&
                            is_letter_or_digit(low[end + 1]) && !is_digit(low[end + 1]);
        while (domain && end < low.size() && is_name_byte(low[end])) {
            ++end;
        }
        return {at, end - at};
    }
    return {};
}

std::string HostName::taken_out(std::string text) const {
    if (name_.empty()) {
        return text;
    }
    std::string low = lower(text);
    for (auto match = find(low, 0); match.size > 0; match = find(low, match.at + redacted.size())) {
        text.replace(match.at, match.size, redacted);
        low.replace(match.at, match.size, redacted);
    }
    return text;
}

std::string redact_text(std::string_view text, const HostName& host, Dotted dotted) {
    return redact_addresses(host.taken_out(without_credentials(text)), dotted);
}

std::string redact_names(std::string text, const std::vector<std::string>& names) {
    for (const auto& name : names) {
        std::size_t at = name.empty() ? std::string::npos : text.find(name);
        while (at != std::string::npos) {
            const std::size_t end = at + name.size();
            const bool whole = (at == 0 || !is_name_byte(text[at - 1])) &&
                               (end == text.size() || !is_name_byte(text[end]));
            if (whole) {
                text.replace(at, name.size(), redacted);
            }
            at = text.find(name, whole ? at + redacted.size() : end);
        }
    }
    return text;
}

}  // namespace rocenv
