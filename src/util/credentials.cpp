// SPDX-License-Identifier: MIT
#include "util/credentials.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view hidden = "***";
constexpr std::string_view scheme_end = "://";
constexpr std::string_view host_ends = "/?#";
constexpr std::string_view cut_mark = "...";  // mark of printable()

enum class Bounds { text, value };

// The end of an address in a text; a password may continue after the first four.
constexpr std::string_view address_ends = " '`|<>\\\t\r\n\"";
constexpr std::string_view text_ends = "\r\n\"";

std::string_view up_to(std::string_view text, std::size_t end) {
    return text.substr(0, std::min(end, text.size()));
}

// Returns true if the part after the first ':' is a port: digits, or empty.
bool may_be_port(std::string_view host) {
    const auto colon = host.find(':');
    const auto port = colon == std::string_view::npos ? std::string_view() : host.substr(colon + 1);
    return std::all_of(port.begin(), port.end(),
                       [](char byte) { return byte >= '0' && byte <= '9'; });
}

std::string_view authority_of(std::string_view address) {
    return up_to(address, address.find_first_of(host_ends));
}

// Returns the size of a user that was cut off before its '@', "user:wor...".
std::size_t cut_user_size(std::string_view address) {
    const bool cut = address.ends_with(cut_mark) && address.find('@') == std::string_view::npos;
    const auto host = authority_of(address);
    const bool cut_in_host = host.size() == address.size() && host.size() > cut_mark.size();
    return cut && (cut_in_host || !may_be_port(host)) ? address.size() - cut_mark.size() : 0;
}

// Returns the size of the user at the start of `rest`, the text after "//"; 0 if there is none. RFC
// 3986, 3.2: the user is between "//" and '@', and the host ends at the first '/', '?' or '#'.
// Nevertheless a password may contain these, a blank or a quote.
std::size_t user_size(std::string_view rest, Bounds bounds) {
    const auto whole = up_to(
        rest, std::min(rest.find(scheme_end),
                       bounds == Bounds::value ? rest.size() : rest.find_first_of(text_ends)));
    const auto address =
        bounds == Bounds::value ? whole : up_to(whole, whole.find_first_of(address_ends));
    const auto host = authority_of(address);
    const bool has_colon = host.find(':') != std::string_view::npos;
    const auto found = (has_colon ? address : host).rfind('@');
    if (found != std::string_view::npos) {
        return found;
    }
    const auto later = has_colon && !may_be_port(host) ? whole.rfind('@') : std::string_view::npos;
    return later != std::string_view::npos ? later : cut_user_size(address);
}

bool is_in(char byte, std::string_view bytes) {
    return bytes.find(byte) != std::string_view::npos;
}

constexpr std::string_view lustre_networks[] = {"o2ib", "tcp", "gni", "kfi", "elan"};

// Returns whether the text behind an '@' cannot be a host: a size ("16M"), a digest ("sha256:"), a
// network of Lustre ("o2ib1"), or no name at all.
bool is_no_host(std::string_view text) {
    const auto name = up_to(text, text.find_first_of(" \t\r\n\"'`<>|,;=(){}]/\\?&#:@"));
    const auto digits = std::min(name.find_first_not_of("0123456789"), name.size());
    const auto unit = name.substr(digits);
    const bool is_size =
        digits > 0 && (unit.empty() || (unit.size() == 1 && is_in(unit[0], "KMGTPEkmgtpe")));
    const bool is_digest = text.starts_with("sha256:") || text.starts_with("sha512:");
    const bool is_network = std::any_of(
        std::begin(lustre_networks), std::end(lustre_networks), [&](std::string_view network) {
            return name.starts_with(network) &&
                   name.find_first_not_of("0123456789", network.size()) == std::string_view::npos;
        });
    const bool begins =
        !name.empty() && (is_letter_or_digit(name.front()) || is_in(name.front(), "[_$"));
    return !begins || is_size || is_digest || is_network;
}

// Returns the size of "user:word" in "user:word@host" without a leading "//".
std::size_t bare_user_size(std::string_view value) {
    const auto colon = value.find_first_of(":/@");
    const auto at = value.rfind('@');
    const bool user = colon != std::string_view::npos && colon > 0 && value[colon] == ':' &&
                      !value.substr(colon).starts_with(scheme_end) &&
                      at != std::string_view::npos && at > colon + 1;
    return user && !is_no_host(value.substr(at + 1)) ? at : 0;
}

constexpr std::string_view query_ends = " \t\r\n\"'`<>\\|&#;";
constexpr std::string_view xml_entities[] = {"lt;", "gt;", "quot;", "apos;", "#"};

bool is_xml_entity(std::string_view behind_mark) {
    return std::any_of(std::begin(xml_entities), std::end(xml_entities),
                       [&](std::string_view entity) { return behind_mark.starts_with(entity); });
}

// Returns the size of "name=" after a '?', '&', '#' or ';', with the '='; 0 if there is none.
std::size_t query_name_size(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size() && !is_in(text[size], query_ends) && text[size] != '=' &&
           text[size] != '?' && text[size] != '/') {
        ++size;
    }
    return size > 0 && size < text.size() && text[size] == '=' ? size + 1 : 0;
}

// Returns the position of the first byte that may start an address or a query.
// std::string_view::find_first_of() calls a function for each byte, and whole reports pass here.
std::size_t mark_in(std::string_view text) {
    const auto* found = std::find_if(text.begin(), text.end(), [](char byte) {
        return byte == '/' || byte == '?' || byte == '#' || byte == ';' || byte == '&';
    });
    return static_cast<std::size_t>(found - text.begin());
}

// Returns true if a text ends with "https:" or similar: a normalised path has a single '/' after
// it.
bool ends_with_scheme(std::string_view text) {
    constexpr std::size_t shortest = 4;
    if (!text.ends_with(':')) {
        return false;
    }
    text.remove_suffix(1);
    std::size_t letters = 0;
    while (!text.empty() && is_letter_or_digit(text.back())) {
        text.remove_suffix(1);
        ++letters;
    }
    return letters >= shortest && (text.empty() || !is_in(text.back(), "/:._-"));
}

class Cleaner {
   public:
    Cleaner(std::string_view text, Bounds bounds) : rest_(text), bounds_(bounds) {}

    std::string cleaned() {
        out_.reserve(rest_.size());
        if (bounds_ == Bounds::value) {
            hide(bare_user_size(rest_));
        }
        for (auto at = mark_in(rest_); at < rest_.size(); at = mark_in(rest_)) {
            follow(at);
            if (rest_.starts_with("//") || (rest_.starts_with('/') && ends_with_scheme(out_))) {
                keep(rest_.starts_with("//") ? 2 : 1);
                hide(user_size(rest_, bounds_));
                in_address_ = true;
            } else {
                part();
            }
        }
        return out_.append(rest_);
    }

   private:
    void keep(std::size_t size) {
        out_.append(rest_.substr(0, size));
        rest_.remove_prefix(size);
    }
    void hide(std::size_t size) {
        out_.append(size > 0 ? hidden : "");
        rest_.remove_prefix(size);
    }
    // Keeps the text before the next mark.
    void follow(std::size_t size) {
        const auto passed = rest_.substr(0, size);
        if (in_address_ && passed.find_first_of(address_ends) != std::string_view::npos) {
            in_address_ = in_query_ = false;
        }
        keep(size);
    }
    // Handles a '/', '?', '#', ';' or '&'.
    void part() {
        const char mark = rest_.front();
        keep(1);
        if (mark == '/' || (mark == '&' && !in_query_) || (mark == ';' && !in_address_)) {
            return;
        }
        if (mark == '&' && rest_.starts_with("amp;")) {  // XML spelling of '&'
            keep(4);
        } else if (mark == '&' && bounds_ == Bounds::text && is_xml_entity(rest_)) {
            in_address_ = in_query_ = false;
            return;
        }
        const auto name = query_name_size(rest_);
        const auto ends = bounds_ == Bounds::value ? std::string_view("&#") : query_ends;
        const auto end = std::min(rest_.find_first_of(ends, name), rest_.size());
        // A value without a name is hidden only in addresses: other texts have question marks, too.
        const bool nameless = name == 0 && in_address_ && (mark == '?' || mark == '&');
        in_query_ = name > 0 || nameless;
        keep(name);
        hide(name > 0 || nameless ? end - name : 0);
    }

    std::string_view rest_;
    const Bounds bounds_;
    std::string out_;
    bool in_address_ = false;  // after a "//"
    bool in_query_ = false;    // after a '?' or '#' with values
};

constexpr std::string_view secret_ends[] = {
    "_token", "_secret", "password", "passwd",  "passphrase", "_pass",       "sshpass",
    "_pwd",   "_key",    "apikey",   "_key_id", "_jwt",       "_credentials"};

// Returns whether a text assigns a secret to this name. A word without '_' has to be in upper case
// and longer than "KEY" or "PASS": "token=" or "key=" occur in ordinary sentences.
bool is_assigned_secret(std::string_view name) {
    constexpr std::size_t longest_ordinary = 4;
    const bool ordinary =
        name.find('_') == std::string_view::npos &&
        (name.size() <= longest_ordinary || std::any_of(name.begin(), name.end(), [](char byte) {
             return byte >= 'a' && byte <= 'z';
         }));
    return !ordinary && is_name_of_secret(name);
}

// Returns whether a value is too plain for a secret: a small number, or a word for on or off.
bool is_switch_or_number(std::string_view value) {
    constexpr std::size_t most_digits = 5;
    const bool is_number = std::all_of(value.begin(), value.end(),
                                       [](char byte) { return byte >= '0' && byte <= '9'; });
    return (is_number && value.size() <= most_digits) ||
           contains_word("true false on off yes no none null", lower_case(value));
}

// A value that is assigned to a name.
struct AssignedValue {
    std::size_t start = 0;
    std::size_t size = 0;
};

// Returns the value in quotes at `at`; size 0 if there is none. It ends at its quote, the end of a
// JSON string or of the line. A quote before punctuation of JSON or XML ends a string.
AssignedValue quoted_value(std::string_view text, std::size_t at) {
    const std::size_t slash = text.substr(at).starts_with("\\\"") ? 1 : 0;  // a quote in JSON
    const auto quote = text.substr(std::min(at + slash, text.size()), 1);
    const auto start = std::min(at + slash + 1, text.size());
    const auto inner = text.substr(start);
    const bool opens = quote == "\"" || (quote == "'" && slash == 0);
    if (!opens || inner.empty() || is_in(inner.front(), ",:}]<>/? \t\r\n")) {
        return {at, 0};
    }
    auto end = std::min(inner.find_first_of(quote == "'" ? "'\"\r\n" : "\"\r\n"), inner.size());
    const bool escaped =
        end > 0 && end < inner.size() && inner[end] == '"' && inner[end - 1] == '\\';
    return {start, escaped ? end - 1 : end};
}

// Returns the value at `at` without quotes: up to a blank, a quote or final punctuation.
AssignedValue bare_value(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at);
    const auto word = up_to(rest, rest.find_first_of(" \t\r\n\"'`<>\\"));
    return {at, word.find_last_not_of(",;.:|&)]}") + 1};  // npos + 1 is 0
}

// Returns the name that ends before this position.
std::string_view name_before(std::string_view text, std::size_t end) {
    auto start = end;
    while (start > 0 && (is_letter_or_digit(text[start - 1]) || text[start - 1] == '_')) {
        --start;
    }
    return text.substr(start, end - start);
}

// Returns the value of a secret that the '=' or ':' at this position assigns; size 0 if there is
// none. A ':' assigns behind a name in quotes, and only a value in quotes.
AssignedValue secret_assigned(std::string_view text, std::size_t at) {
    const bool is_member = text[at] == ':';
    const std::size_t quote = is_member && at > 0 && is_in(text[at - 1], "\"'") ? 1 : 0;
    const std::size_t slash = quote == 1 && at > 1 && text[at - 2] == '\\' ? 1 : 0;
    if ((is_member && quote == 0) || !is_assigned_secret(name_before(text, at - quote - slash))) {
        return {};
    }
    if (is_member) {
        return quoted_value(text, std::min(text.find_first_not_of(' ', at + 1), text.size()));
    }
    const auto quoted = quoted_value(text, at + 1);
    return quoted.size > 0 ? quoted : bare_value(text, at + 1);
}

// Returns "HF_TOKEN=word" and "\"HF_TOKEN\": \"word\"" with "***" for the word.
std::string without_assigned_secrets(std::string text) {
    for (auto at = text.find_first_of("=:"); at != std::string::npos;
         at = text.find_first_of("=:", at + 1)) {
        const auto value = secret_assigned(text, at);
        if (value.size > 0 &&
            !is_switch_or_number(std::string_view(text).substr(value.start, value.size))) {
            text.replace(value.start, value.size, hidden);
        }
    }
    return text;
}

// Returns the size of the escape that a '\\' at this position begins, without the '\\': 1 for "\n",
// 5 for "\u000a", 0 for the second one of "\\".
std::size_t escape_size(std::string_view text, std::size_t at) {
    constexpr std::size_t unicode = 5;
    const auto before = text.substr(0, at + 1).find_last_not_of('\\');  // npos + 1 is 0
    const bool is_escape = (at - before) % 2 == 1;
    const auto next = text.substr(at + 1, 1);
    return !is_escape ? 0 : next == "u" ? unicode : next.size();
}

// Returns the start of "user:word" before the '@' at this position; `at` if there is none. A slash
// ends a user here, because the text may be a path or a list. A comma or '=' ends one only before
// its ':', since a password may contain them.
std::size_t start_of_user(std::string_view text, std::size_t at) {
    constexpr std::string_view bounds = " \t\r\n\"'`<>|;(){}[]/\\?&#";
    const auto bound = text.substr(0, at).find_last_of(bounds);
    const auto escape =
        bound != std::string_view::npos && text[bound] == '\\' ? escape_size(text, bound) : 0;
    const auto first = bound == std::string_view::npos ? 0 : std::min(bound + 1 + escape, at);
    const auto word = text.substr(first, at - first);
    const auto colon = word.find(':');
    if (colon == std::string_view::npos || colon + 1 == word.size() ||
        is_no_host(text.substr(at + 1))) {
        return at;
    }
    const auto start = first + word.substr(0, colon).find_last_of(",=") + 1;  // npos + 1 is 0
    return text.substr(start).starts_with("mailto:") ? at : start;
}

// Returns the last '@' of the word that has one at this position.
std::size_t last_at_of_word(std::string_view text, std::size_t at) {
    const auto end = text.find_first_of(" \t\r\n\"'`<>|;(){}/\\?&#", at);
    return up_to(text, end).rfind('@');
}

// Returns "x user:word@host" with "***" for the user and the word.
std::string without_bare_users(std::string text) {
    for (auto at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1)) {
        at = last_at_of_word(text, at);
        const auto start = start_of_user(text, at);
        if (start < at) {
            text.replace(start, at - start, hidden);
            at = start + hidden.size();
        }
    }
    return text;
}

// Returns true if the text may contain credentials.
bool has_marks(std::string_view text, Bounds bounds) {
    return text.find(":/") != std::string_view::npos || text.find("//") != std::string_view::npos ||
           text.find('?') != std::string_view::npos || text.find('#') != std::string_view::npos ||
           (bounds == Bounds::value && text.find('@') != std::string_view::npos);
}

constexpr std::size_t shortest_word = 3;

// Returns the bytes of a word from `at` on; empty at a separator.
std::string_view word_at(std::string_view text, std::size_t at) {
    const auto is_part = [](char byte) {
        return is_letter_or_digit(byte) || static_cast<unsigned char>(byte) >= 0x80;
    };
    const auto rest = text.substr(at);
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_part);
    return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
}

}  // namespace

bool is_name_of_secret(std::string_view name) {
    const std::string whole = "_" + lower_case(name);  // TOKEN counts like HF_TOKEN
    return std::any_of(std::begin(secret_ends), std::end(secret_ends),
                       [&](std::string_view end) { return whole.ends_with(end); });
}

void HiddenWords::add(std::string_view value) {
    const std::string shown = value_without_credentials(value);
    if (shown == value) {
        return;
    }
    for (std::size_t at = 0; at < value.size();) {
        const auto word = word_at(value, at);
        at += word.size() + 1;
        if (word.size() >= shortest_word && shown.find(word) == std::string::npos) {
            words_.insert(lower_case(word));
        }
    }
}

bool HiddenWords::contains(std::string_view word, bool cut) const {
    const std::string low = lower_case(word);
    const auto found = words_.lower_bound(low);
    return word.size() >= shortest_word && found != words_.end() &&
           (*found == low || (cut && found->starts_with(low)));
}

std::string HiddenWords::removed_from(std::string sentence) const {
    if (empty()) {
        return sentence;
    }
    std::string out;
    for (std::size_t at = 0; at < sentence.size();) {
        const auto word = word_at(sentence, at);
        const auto behind = std::string_view(sentence).substr(at + word.size());
        out.append(contains(word, behind.starts_with(cut_mark)) ? hidden : word);
        out.append(behind.substr(0, 1));
        at += word.size() + 1;
    }
    return out;
}

std::string without_hidden_words(std::string sentence, std::string_view value) {
    HiddenWords words;
    words.add(value);
    return words.removed_from(std::move(sentence));
}

std::string without_credentials(std::string_view text) {
    return without_assigned_secrets(without_bare_users(
        has_marks(text, Bounds::text) ? Cleaner(text, Bounds::text).cleaned() : std::string(text)));
}

std::string value_without_credentials(std::string_view value) {
    return without_assigned_secrets(without_bare_users(has_marks(value, Bounds::value)
                                                           ? Cleaner(value, Bounds::value).cleaned()
                                                           : std::string(value)));
}

}  // namespace rocenv
