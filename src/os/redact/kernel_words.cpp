// SPDX-License-Identifier: MIT
#include "os/redact/kernel_words.h"

#include <algorithm>

#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr char no_break_space = '\xa0';  // a blank to the kernel (linux lib/ctype.c)

bool ends_word(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == no_break_space;
}

bool is_control(unsigned char byte) {
    return (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f;
}

// The length of the word at the start of `line`: up to the first blank outside of quotes.
std::size_t word_size(std::string_view line) {
    bool quoted = false;
    std::size_t size = 0;
    while (size < line.size() && (quoted || !ends_word(line[size]))) {
        quoted = quoted != (line[size++] == '"');
    }
    return size;
}

std::string_view without_last_quote(std::string_view text) {
    return text.ends_with('"') ? text.substr(0, text.size() - 1) : text;
}

KernelWord parsed(std::string_view word) {
    const bool quoted = word.starts_with('"');
    word.remove_prefix(quoted ? 1 : 0);
    const auto equals = word.find('=', 1);  // one at the start ends no name
    KernelWord out;
    out.has_value = equals != std::string_view::npos;
    auto name = word.substr(0, equals);
    auto value = out.has_value ? word.substr(equals + 1) : std::string_view();
    if (value.starts_with('"')) {
        value = without_last_quote(value.substr(1));
    } else if (quoted) {
        value = without_last_quote(value);
    }
    out.name = quoted && !out.has_value ? without_last_quote(name) : name;
    out.value = value;
    return out;
}

}  // namespace

std::optional<std::vector<KernelWord>> kernel_words(std::string_view line) {
    line = trim(line);
    if (std::any_of(line.begin(), line.end(), is_control)) {
        return std::nullopt;
    }
    std::vector<KernelWord> out;
    while (!line.empty()) {
        const auto size = word_size(line);
        if (size > 0) {
            out.push_back(parsed(line.substr(0, size)));
        }
        if (!out.empty() && out.back().name == "--" && !out.back().has_value) {
            out.pop_back();
            break;
        }
        line.remove_prefix(std::min(line.size(), size + 1));
    }
    return out;
}

namespace {

// Each element of a comma list that may stay.
template <typename Known>
std::string known_elements(std::string_view value, Known known) {
    std::string out;
    for (const auto element : split(value, ',')) {
        out += (out.empty() ? "" : ",") + std::string(known(element) ? element : redacted);
    }
    return out;
}

}  // namespace

std::string redact_boot_word(const KernelWord& word, const HostName& host) {
    const auto allowed = boot_value(word.name);
    if (allowed == BootValue::nothing) {
        return std::string(redacted);
    }
    if (!word.has_value) {
        return word.name;
    }
    std::string value(redacted);
    if (allowed == BootValue::known_words && word.value.find(' ') == std::string::npos) {
        value = redact_addresses(known_elements(
            word.value, [](std::string_view element) { return is_known_boot_value(element); }));
    } else if (allowed == BootValue::modules) {
        value = known_elements(word.value, [&](std::string_view element) {
            return is_module_of_a_list(element) && !host.is_in(element);
        });
    }
    return word.name + "=" + value;
}

std::string redact_command_line(std::string_view line, const HostName& host) {
    if (trim(line).empty()) {
        return std::string(line);
    }
    const auto words = kernel_words(line);
    if (!words) {
        return "\x01\n";
    }
    std::vector<std::string> out;
    for (const auto& word : *words) {
        out.push_back(redact_boot_word(word, host));
    }
    return join(out, " ") + "\n";
}

}  // namespace rocenv
