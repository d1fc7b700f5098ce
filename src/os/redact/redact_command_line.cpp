// SPDX-License-Identifier: MIT
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

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
