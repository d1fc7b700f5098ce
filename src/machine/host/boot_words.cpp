// SPDX-License-Identifier: MIT
#include "machine/host/boot_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Parameters that may be given many times, each adding to the others.
constexpr std::array<std::string_view, 6> additive{
    "pci", "iommu", "amd_iommu", "intel_iommu", "modprobe.blacklist", "module_blacklist"};

// Words that take each other back: of two, the last one counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> opposites{
    {{"on", "off"}, {"pt", "nopt"}}};

// "realloc=on" takes back "realloc=off", and "nobfsort" "bfsort" (linux drivers/pci/pci.c
// pci_setup, arch/x86/pci/common.c pcibios_setup, 6.12).
bool takes_back(std::string_view element, std::string_view wanted) {
    const auto name = [](std::string_view text) { return text.substr(0, text.find('=')); };
    if (element != wanted &&
        (name(element) == name(wanted) || element == "no" + std::string(wanted) ||
         wanted == "no" + std::string(element))) {
        return true;
    }
    return std::any_of(opposites.begin(), opposites.end(), [&](const auto& pair) {
        return (element == pair.first && wanted == pair.second) ||
               (element == pair.second && wanted == pair.first);
    });
}

// Whether the value wanted is in force after this occurrence of its parameter.
bool in_force(bool before, const KernelArgument& argument, std::string_view wanted) {
    bool now = before || (argument.has_value && argument.value == wanted);
    for (const auto element : split(argument.value, ',')) {
        now = element == wanted || (now && !takes_back(element, wanted));
    }
    return now;
}

void add_once(const std::string& word, std::vector<std::string>& out) {
    if (std::find(out.begin(), out.end(), word) == out.end()) {
        out.push_back(word);
    }
}

struct BootWord {
    explicit BootWord(std::string_view word)
        : name(word.substr(0, word.find('='))), has_value(word.find('=') != word.npos) {
        value = has_value ? word.substr(name.size() + 1) : "";
        std::replace(name.begin(), name.end(), '-', '_');
    }
    bool adds_up() const {
        return std::find(additive.begin(), additive.end(), name) != additive.end();
    }

    std::string name;
    bool has_value;
    std::string value;
};

bool has_word(const std::vector<KernelArgument>& arguments, const BootWord& word) {
    bool found = false;
    for (const auto& argument : arguments) {
        if (argument.name == word.name) {
            found = !word.has_value || in_force(word.adds_up() && found, argument, word.value);
        }
    }
    return found;
}

// Whether it is on the line, in force or not.
bool stands(const std::vector<KernelArgument>& arguments, const BootWord& word) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const KernelArgument& argument) {
        return argument.name == word.name && in_force(false, argument, word.value);
    });
}

// Returns an argument without identities; of an unknown one only the name, which a profile states.
std::string told(const KernelArgument& argument) {
    const bool known = boot_value(argument.name) != BootValue::nothing;
    return known ? redact_boot_word({argument.name, argument.value, argument.has_value},
                                    HostName::none())
                 : argument.name;
}

// What takes a word back, or stands in its place.
void add_against(const std::vector<KernelArgument>& arguments, const BootWord& word,
                 std::vector<std::string>& out) {
    for (const auto& argument : arguments) {
        if (argument.name != word.name || !word.has_value || argument.value == word.value) {
            continue;
        }
        if (!word.adds_up()) {
            add_once(told(argument), out);
            continue;
        }
        for (const auto element : split(argument.value, ',')) {
            if (takes_back(element, word.value)) {
                add_once(told({argument.name, std::string(element), true}), out);
            }
        }
    }
}

}  // namespace

bool has_any_boot_word(const std::vector<KernelArgument>& arguments,
                       std::string_view alternatives) {
    for (const auto word : split(alternatives, '|')) {
        if (has_word(arguments, BootWord(trim(word)))) {
            return true;
        }
    }
    return false;
}

std::string boot_words_step(const std::vector<KernelArgument>& arguments,
                            const std::vector<std::string>& missing,
                            const std::vector<std::string>& unwanted) {
    std::vector<std::string> add;
    std::vector<std::string> take;
    for (const auto& each : missing) {
        const BootWord word(each);
        if (!stands(arguments, word)) {
            add_once(each, add);
        }
        add_against(arguments, word, take);
    }
    for (const auto& each : unwanted) {
        add_once(each, take);
    }
    std::string out = add.empty() ? "" : "add " + join(add, " ") + " to";
    if (!take.empty()) {
        out += (out.empty() ? "" : " and ") + std::string("take ") +
               printable(join(take, " "), 200) + " from";
    }
    return out.empty() ? out : out + " the kernel line in the boot loader, then reboot";
}

}  // namespace rocenv
