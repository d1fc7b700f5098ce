// SPDX-License-Identifier: MIT
#include "os/redact/redact_words.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "os/redact/redact.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Lists from profiles/facts/kernel_words.toml.
constexpr std::string_view tuning_parameters{
#include "facts/tuning_parameters.inc"
};
constexpr std::string_view naming_parameters{
#include "facts/naming_parameters.inc"
};
constexpr std::string_view blacklists{
#include "facts/blacklists.inc"
};
constexpr std::string_view blacklisted{
#include "facts/blacklisted.inc"
};

struct Module {
    std::string_view name;
    std::string_view parameters;
};
constexpr Module modules[] = {
#include "facts/kernel_modules.inc"
};

constexpr std::string_view boot_words{
#include "facts/boot_value_words.inc"
};
constexpr std::string_view file_words{
#include "facts/file_words.inc"
};

constexpr std::string_view separators = " \t\n,:;=()[]<>/+-.*@\"";

bool is_unit(std::string_view text) {
    constexpr std::array<std::string_view, 18> suffixes{"",   "k",  "K",   "M",   "G",  "T",
                                                        "kB", "KB", "MB",  "GB",  "s",  "ms",
                                                        "us", "%",  "Mhz", "MHz", "mV", "W"};
    return std::find(suffixes.begin(), suffixes.end(), text) != suffixes.end();
}

// Returns true for "12", "0x1f", "ffff,ffff" in parts and "400Mhz"; false for a long hexadecimal
// number, which may be an id.
bool is_number(std::string_view part) {
    constexpr std::size_t mask_digits = 8;
    constexpr std::size_t most_decimal = 20;
    if (part.starts_with("0x") || part.starts_with("0X")) {
        const auto digits = part.substr(2);
        return !digits.empty() && digits.size() <= 16 &&
               std::all_of(digits.begin(), digits.end(), is_hex_digit);
    }
    const auto end = std::min(part.find_first_not_of("0123456789"), part.size());
    return (end > 0 && end <= most_decimal && is_unit(part.substr(end))) ||
           (part.size() <= mask_digits && std::all_of(part.begin(), part.end(), is_hex_digit));
}

// Returns true if a list holds each word, or each part of a word between separators.
template <typename Known>
bool all_known(std::string_view text, Known known) {
    for (const auto word : words(text)) {
        if (known(word)) {
            continue;
        }
        for (std::size_t at = 0; at < word.size();) {
            const auto end = std::min(word.find_first_of(separators, at), word.size());
            const auto part = word.substr(at, end - at);
            if (!part.empty() && !is_number(part) && !known(part)) {
                return false;
            }
            at = end + 1;
        }
    }
    return true;
}

std::string with_underscores(std::string_view name) {
    std::string out(name);
    std::replace(out.begin(), out.end(), '-', '_');
    return out;
}

}  // namespace

bool is_amdgpu_parameter(std::string_view name) {
    const auto* const amdgpu =
        std::find_if(std::begin(modules), std::end(modules),
                     [](const Module& module) { return module.name == "amdgpu"; });
    return amdgpu != std::end(modules) && contains_word(amdgpu->parameters, name);
}

bool is_module_of_a_list(std::string_view name) {
    const std::string plain = with_underscores(name);
    return contains_word(blacklisted, plain) ||
           std::any_of(std::begin(modules), std::end(modules),
                       [&](const Module& module) { return module.name == plain; });
}

BootValue boot_value(std::string_view parameter) {
    const std::string name = with_underscores(parameter);
    if (name.empty() || words(name).size() != 1) {
        return BootValue::nothing;
    }
    if (contains_word(blacklists, name)) {
        return BootValue::modules;
    }
    const auto dot = name.find('.');
    const bool of_module =
        std::any_of(std::begin(modules), std::end(modules), [&](const Module& module) {
            return dot != std::string::npos && module.name == name.substr(0, dot) &&
                   contains_word(module.parameters, name.substr(dot + 1));
        });
    if (of_module || contains_word(tuning_parameters, name)) {
        return BootValue::known_words;
    }
    return contains_word(naming_parameters, name) ? BootValue::name : BootValue::nothing;
}

bool is_known_boot_value(std::string_view value) {
    return all_known(value, [](std::string_view part) { return contains_word(boot_words, part); });
}

bool is_kernel_text(std::string_view text) {
    return all_known(text, [](std::string_view part) { return contains_word(file_words, part); });
}

std::string quoted_value(std::string_view text) {
    constexpr std::size_t shown = 40;
    return is_kernel_text(text) ? "\"" + printable(text, shown) + "\""
                                : number(text.size()) + " bytes of another text";
}

bool is_kernel_word(std::string_view word) {
    return !word.empty() && (contains_word(file_words, word) || contains_word(boot_words, word) ||
                             contains_word(tuning_parameters, word));
}

namespace {

constexpr char no_break_space = '\xa0';  // a blank for the kernel (linux lib/ctype.c)

bool ends_word(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == no_break_space;
}

bool is_control(unsigned char byte) {
    return (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f;
}

// Returns the length of the first word of `line`: up to the first blank outside of quotes.
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
    const auto equals = word.find('=', 1);  // an initial '=' ends no name
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

// Keeps the known elements of a comma-separated list and redacts the others.
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
