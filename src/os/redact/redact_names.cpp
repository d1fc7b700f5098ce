// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <set>

#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/credentials.h"
#include "util/text.h"

namespace rocenv {

namespace {

bool is_name_byte(char byte) {
    return is_letter_or_digit(byte) || byte == '_' || byte == '-' || byte == '.';
}

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

// Returns true for names of models such as "mi300x", which also denote GPUs.
bool is_model(std::string_view name) {
    constexpr std::size_t digits = 5;  // end of the digits
    return name.starts_with("mi") && name.size() >= digits && name.size() <= digits + 1 &&
           std::all_of(name.begin() + 2, name.begin() + digits, is_digit);
}

// Returns true for long names with digits, which are never words of kernels; saves a search in the
// long lists.
bool is_numbered(std::string_view name) {
    constexpr std::size_t short_word = 4;
    return name.size() > short_word && std::any_of(name.begin(), name.end(), is_digit);
}

// Returns true for names that many hosts have, or that identify nothing.
bool is_nobodys(std::string_view name) {
    return is_model(name) || name.empty() || name == redacted || name == "localhost" ||
           name == "none" || std::all_of(name.begin(), name.end(), is_digit) ||
           (!is_numbered(name) && is_kernel_word(name));
}

// Returns true if a name is also matched inside of other words.
bool is_identifying(std::string_view name) {
    constexpr std::size_t long_enough = 6;
    constexpr std::size_t with_digits = 4;
    const bool letters = std::all_of(name.begin(), name.end(), [](char byte) {
        return is_letter_or_digit(byte) && !is_digit(byte);
    });
    return name.size() >= (letters ? long_enough : with_digits);
}

// Returns true for names that are only matched as words, and for numbered names of kernels:
// "node1", "gpu0".
bool may_be_meant_otherwise(std::string_view name) {
    constexpr auto kinds = std::to_array<std::string_view>(
        {"node", "cpu", "gpu", "socket", "policy", "state", "port", "mc", "dimm", "card"});
    return !is_identifying(name) || std::any_of(kinds.begin(), kinds.end(), [&](auto kind) {
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
        if (!is_identifying(name_) && !is_word_at(low, at, name_.size())) {
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

// Links of installed software may lead to folders named by a user or site ("/home/alice/rocm").
// These names are renumbered in every path, so that links still lead to the same files.

namespace {

bool is_of_kernel(std::string_view path) {
    return path.starts_with("/sys/") || path.starts_with("/proc/");
}

// Returns true for names from packages: "lib64", "rocm-6.2.0", "libamdhip64.so.6".
bool is_of_package(std::string_view name) {
    constexpr std::string_view plain =
        ". .. alternatives bin dist-packages etc home include lib lib32 lib64 local mnt opt "
        "scratch share site-packages srv usr var venv x86_64-linux-gnu";
    constexpr auto starts = std::to_array<std::string_view>({"rocm", "core", "python"});
    const auto versioned = [&](std::string_view start) {
        return name.starts_with(start) &&
               name.find_first_not_of("0123456789.-", start.size()) == std::string_view::npos;
    };
    return name.empty() || contains_word(plain, name) ||
           (name.starts_with("lib") && name.find(".so") != std::string_view::npos) ||
           std::any_of(starts.begin(), starts.end(), versioned);
}

class FolderNames {
   public:
    explicit FolderNames(const Notes& notes) {
        std::set<std::string> found;
        for (const auto& [path, note] : notes) {
            const bool leads = note.target && *note.target && !is_of_kernel(path);
            for (const auto name : split(leads ? std::string_view(**note.target) : "", '/')) {
                if (!is_of_package(name)) {
                    found.emplace(name);
                }
            }
        }
        for (const auto& name : found) {
            numbers_.emplace(name, "folder" + number(numbers_.size() + 1));
        }
    }

    bool empty() const { return numbers_.empty(); }
    std::string in(std::string_view path) const {
        std::vector<std::string> parts;
        for (const auto name : split(path, '/')) {
            const auto found = numbers_.find(name);
            parts.emplace_back(found == numbers_.end() ? std::string(name) : found->second);
        }
        return join(parts, "/");
    }

   private:
    std::map<std::string, std::string, std::less<>> numbers_;
};

}  // namespace

void redact_links(Notes& notes) {
    const FolderNames names(notes);
    if (names.empty()) {
        return;
    }
    Notes out;
    for (auto& [path, note] : notes) {
        if (is_of_kernel(path)) {
            out.emplace(path, std::move(note));
            continue;
        }
        if (note.target && *note.target) {
            note.target.emplace(names.in(**note.target));
        }
        if (note.names && *note.names) {
            for (auto& name : note.names->value()) {
                name = names.in(name);
            }
        }
        out.emplace(names.in(path), std::move(note));
    }
    notes = std::move(out);
}

namespace {

// Returns true if a word of `size` hexadecimal digits begins at `at`.
bool is_group(std::string_view text, std::size_t at, std::size_t size) {
    const std::size_t end = at + size;
    return end <= text.size() && (at == 0 || !is_letter_or_digit(text[at - 1])) &&
           (end == text.size() || !is_letter_or_digit(text[end])) &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                       text.begin() + static_cast<std::ptrdiff_t>(end), is_hex_digit);
}

// Returns the length of a UUID at `at`; 0 if there is none.
std::size_t uuid_at(std::string_view text, std::size_t at) {
    constexpr std::array<std::size_t, 5> sizes{8, 4, 4, 4, 12};
    std::size_t end = at;
    for (const std::size_t size : sizes) {
        const bool goes_on = end == at || (end < text.size() && text[end++] == '-');
        if (!goes_on || !is_group(text, end, size)) {
            return 0;
        }
        end += size;
    }
    return end - at;
}

// Returns the length of "00:1b:44…" at `at`, in groups of `size` digits; 0 with fewer than `fewest`
// groups.
std::size_t groups_at(std::string_view text, std::size_t at, char separator, std::size_t size,
                      std::size_t fewest) {
    std::size_t end = at;
    std::size_t count = 0;
    for (std::size_t next = at; is_group(text, next, size); next = end + 1) {
        end = next + size;
        ++count;
        if (end == text.size() || text[end] != separator) {
            break;
        }
    }
    return count < fewest ? 0 : end - at;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
    const auto end = text.find_first_not_of("0123456789", at);
    return (end == std::string_view::npos ? text.size() : end) - at;
}

bool is_inside_word(std::string_view text, std::size_t at) {
    return at > 0 && (is_letter_or_digit(text[at - 1]) || text[at - 1] == '.');
}

// Returns the length of "192.0.2.1" at `at`; 0 if there is none or the number continues.
std::size_t ipv4_at(std::string_view text, std::size_t at) {
    constexpr int parts = 4;
    constexpr std::uint64_t most = 255;
    if (is_inside_word(text, at)) {
        return 0;
    }
    std::size_t end = at;
    for (int part = 0; part < parts; ++part) {
        const bool goes_on = part == 0 || (end < text.size() && text[end++] == '.');
        const auto size = goes_on ? digits_at(text, end) : 0;
        if (size == 0 || size > 3 || parse_number(text.substr(end, size)).value_or(256) > most) {
            return 0;
        }
        end += size;
    }
    const bool longer = end < text.size() &&
                        (is_letter_or_digit(text[end]) ||
                         (text[end] == '.' && end + 1 < text.size() && digits_at(text, end + 1)));
    return longer ? 0 : end - at;
}

// Returns the length of "2001:db8::1" at `at`: eight groups, or fewer with "::"; 0 if there is
// none. "0000:05:00.0" and times do not match.
std::size_t ipv6_at(std::string_view text, std::size_t at) {
    constexpr std::size_t longest = 39;
    constexpr std::size_t separators = 7;
    const bool starts = at == 0 || (!is_letter_or_digit(text[at - 1]) && text[at - 1] != ':');
    const auto end = std::min(text.find_first_not_of("0123456789abcdefABCDEF:", at), text.size());
    const auto address = text.substr(at, end - at);
    if (end < text.size() && text[end] == '.') {  // IPv4 at the end: "::ffff:192.0.2.1"
        const auto last = address.rfind(':');
        const auto size = last == std::string_view::npos ? 0 : ipv4_at(text, at + last + 1);
        if (size > 0 && starts && address.find("::") != std::string_view::npos) {
            return last + 1 + size;
        }
    }
    if (!starts || address.size() > longest ||
        (end < text.size() && is_letter_or_digit(text[end]))) {
        return 0;
    }
    const auto gap = address.find("::");
    const auto colons = static_cast<std::size_t>(std::count(address.begin(), address.end(), ':'));
    bool groups = gap != std::string_view::npos && colons > 1;
    groups = groups || colons == separators;
    std::size_t digits = 0;
    for (const auto group : split(address, ':')) {
        groups = groups && group.size() <= 4;
        digits += group.size();
    }
    return groups && digits > 2 ? end - at : 0;
}

// Returns true if four numbers with dots, which may be a version, are an address of a private
// network (RFC 1918, 3927, 6598). A text with an address has other words; a version of a driver
// stands alone.
bool is_private(std::string_view address, std::string_view text) {
    if (trim(text).size() == address.size()) {
        return false;
    }
    const auto parts = split(address, '.');
    const auto first = parse_number(parts[0]).value_or(0);
    const auto second = parse_number(parts[1]).value_or(0);
    return first == 10 || first == 127 || (first == 192 && second == 168) ||
           (first == 169 && second == 254) || (first == 172 && second >= 16 && second < 32) ||
           (first == 100 && second >= 64 && second < 128);
}

}  // namespace

std::string redact_addresses(std::string text, Dotted dotted) {
    constexpr std::size_t mac_groups = 6;  // minimum; IPoIB has 20
    constexpr std::size_t guid_groups = 4;
    constexpr std::string_view address_bytes = "0123456789abcdefABCDEF:.-";
    constexpr std::size_t shortest = 5;  // for example "::abc"
    std::size_t size = 0;
    for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(size, 1)) {
        size = 0;
        if ((!is_hex_digit(text[at]) && text[at] != ':') ||
            (at > 0 && is_letter_or_digit(text[at - 1]))) {
            continue;  // addresses never begin inside of a word
        }
        const auto end = std::min(text.find_first_not_of(address_bytes, at), text.size());
        if (end - at < shortest) {
            size = end - at;
            continue;
        }
        size = std::max({uuid_at(text, at), groups_at(text, at, ':', 2, mac_groups),
                         groups_at(text, at, '-', 2, mac_groups),
                         groups_at(text, at, ':', 4, guid_groups)});
        for (std::size_t digit = at; digit < at + size; ++digit) {
            text[digit] = is_hex_digit(text[digit]) ? '0' : text[digit];
        }
        const auto v6 = size == 0 ? ipv6_at(text, at) : 0;
        auto v4 = size + v6 == 0 ? ipv4_at(text, at) : 0;
        if (v4 > 0 && dotted == Dotted::version &&
            !is_private(std::string_view(text).substr(at, v4), text)) {
            v4 = 0;
        }
        if (v6 + v4 > 0) {
            const std::string_view none = v6 > 0 ? "::" : "0.0.0.0";
            text.replace(at, v6 + v4, none);
            size = none.size();
        }
    }
    return text;
}

}  // namespace rocenv
