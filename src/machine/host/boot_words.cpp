// SPDX-License-Identifier: MIT
#include "machine/host/boot_words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "machine/host/cpus.h"
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view passthrough_name = "iommu.passthrough";

// Words that revoke each other: the last one counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> opposites{
    {{"on", "off"}, {"pt", "nopt"}}};

// Returns true if an element revokes another one: "realloc=on" revokes "realloc=off", and
// "nobfsort" revokes "bfsort" (linux drivers/pci/pci.c pci_setup, arch/x86/pci/common.c
// pcibios_setup, 6.12).
bool cancels(std::string_view element, std::string_view expected) {
    const auto name = [](std::string_view text) { return text.substr(0, text.find('=')); };
    if (element != expected &&
        (name(element) == name(expected) || element == "no" + std::string(expected) ||
         expected == "no" + std::string(element))) {
        return true;
    }
    return std::any_of(opposites.begin(), opposites.end(), [&](const auto& pair) {
        return (element == pair.first && expected == pair.second) ||
               (element == pair.second && expected == pair.first);
    });
}

// Returns true if the value is active after this occurrence of its parameter.
bool in_force(bool before, const KernelArgument& argument, std::string_view expected) {
    bool now = before || (argument.has_value && argument.value == expected);
    for (const auto element : split(argument.value, ',')) {
        now = element == expected || (now && !cancels(element, expected));
    }
    return now;
}

// Returns the kernel's reading of a switch (linux lib/kstrtox.c kstrtobool, 6.12).
std::optional<bool> kernel_bool(std::string_view text) {
    constexpr std::string_view yes = "yYtT1";
    constexpr std::string_view no = "nNfF0";
    if (text.empty()) {
        return std::nullopt;
    }
    if (yes.find(text.front()) != yes.npos) {
        return true;
    }
    if (no.find(text.front()) != no.npos) {
        return false;
    }
    const auto second = text.size() > 1 && (text[0] == 'o' || text[0] == 'O') ? text[1] : ' ';
    return second == 'n' || second == 'N'   ? std::optional(true)
           : second == 'f' || second == 'F' ? std::optional(false)
                                            : std::nullopt;
}

// Returns the argument as an equivalent word of another parameter: iommu.passthrough=1 is iommu=pt
// (linux drivers/iommu/iommu.c iommu_set_def_domain_type, 6.12).
KernelArgument in_words_of(std::string_view name, const KernelArgument& argument) {
    const auto passes =
        argument.name == passthrough_name ? kernel_bool(argument.value) : std::nullopt;
    if (passes && name == "iommu") {
        return {"iommu", *passes ? "pt" : "nopt", true};
    }
    return passes ? KernelArgument{argument.name, *passes ? "1" : "0", true} : argument;
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
    bool adds_up() const { return repeats_of(name) == Repeats::sum; }
    bool first_counts() const { return repeats_of(name) == Repeats::once; }

    std::string name;
    bool has_value;
    std::string value;
};

bool has_word(const std::vector<KernelArgument>& arguments, const BootWord& word) {
    bool found = false;
    for (const auto& written : arguments) {
        const auto argument = in_words_of(word.name, written);
        if (argument.name == word.name) {
            found = !word.has_value || in_force(word.adds_up() && found, argument, word.value);
            if (word.first_counts()) {
                return found;
            }
        }
    }
    return found;
}

// Returns the argument that counts among those with the word's own name; nullptr if there is none.
const KernelArgument* argument_of(const std::vector<KernelArgument>& arguments,
                                  const BootWord& word) {
    const KernelArgument* found = nullptr;
    for (const auto& written : arguments) {
        const bool is_it =
            written.name == word.name &&
            (!word.has_value || in_force(false, in_words_of(word.name, written), word.value));
        if (is_it && (found == nullptr || !word.first_counts())) {
            found = &written;
        }
    }
    return found;
}

// Returns true if the word is on the line, active or not.
bool stands(const std::vector<KernelArgument>& arguments, const BootWord& word) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const KernelArgument& argument) {
        return argument.name == word.name && in_force(false, argument, word.value);
    });
}

// Returns an argument without identities; for an unknown one only its name, which a profile states.
std::string argument_text(const KernelArgument& argument) {
    const bool known = boot_value(argument.name) != BootValue::nothing;
    return known ? redact_boot_word({argument.name, argument.value, argument.has_value},
                                    HostName::none())
                 : argument.name;
}

// Adds the words that revoke a word or replace it.
void add_against(const std::vector<KernelArgument>& arguments, const BootWord& word,
                 std::vector<std::string>& out) {
    for (const auto& written : arguments) {
        const auto argument = in_words_of(word.name, written);
        if (argument.name != word.name || !word.has_value || argument.value == word.value) {
            continue;
        }
        if (!word.adds_up() || written.name != word.name) {
            add_once(argument_text(written), out);
            continue;
        }
        for (const auto element : split(argument.value, ',')) {
            if (cancels(element, word.value)) {
                add_once(argument_text({argument.name, std::string(element), true}), out);
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

std::string as_written(const std::vector<KernelArgument>& arguments, std::string_view each) {
    const BootWord word(each);
    const auto* const argument = argument_of(arguments, word);
    const bool one_of_many =
        argument != nullptr && word.has_value && argument->value.find(',') != std::string::npos;
    return argument == nullptr || one_of_many ? std::string(each) : argument_text(*argument);
}

bool stands_on_line(const std::vector<KernelArgument>& arguments, std::string_view word) {
    return stands(arguments, BootWord(word));
}

std::vector<BootCause> boot_causes(const std::vector<KernelArgument>& arguments,
                                   std::string_view id) {
    std::vector<BootCause> out;
    for (const auto& facts : boot_word_facts()) {
        const BootWord word(facts.word);
        const auto* const argument = facts.judged_by == id ? argument_of(arguments, word) : nullptr;
        if (argument != nullptr && has_word(arguments, word)) {
            out.push_back({&facts,
                           word.has_value ? std::string(facts.word) : argument_text(*argument),
                           argument->value});
        }
    }
    return out;
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
        add_once(as_written(arguments, each), take);
    }
    std::string out = add.empty() ? "" : "add " + join(add, " ") + " to";
    if (!take.empty()) {
        out += (out.empty() ? "" : " and ") + std::string("remove ") +
               printable(join(take, " "), 200) + " from";
    }
    return out.empty() ? out : out + " the kernel command line in the boot loader, then reboot";
}

namespace {

constexpr BootWordFacts boot_word_rows[] = {
#include "facts/boot_words.inc"
};

std::string_view name_of(std::string_view word) {
    return word.substr(0, word.find('='));
}

// Returns "amdgpu." of "amdgpu.noretry=1"; empty if the name has no dot.
std::string_view module_of(std::string_view word) {
    return word.substr(0, name_of(word).find('.') + 1);
}

}  // namespace

std::span<const BootWordFacts> boot_word_facts() {
    return boot_word_rows;
}

const BootWordFacts* facts_of_boot_word(std::string_view word) {
    std::string plain(word);
    std::replace(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(name_of(word).size()),
                 '-', '_');
    for (const std::string_view expected :
         {std::string_view(plain), name_of(plain), module_of(plain)}) {
        const auto* const found =
            std::find_if(std::begin(boot_word_rows), std::end(boot_word_rows),
                         [&](const BootWordFacts& row) { return row.word == expected; });
        if (found != std::end(boot_word_rows)) {
            return found;
        }
    }
    return nullptr;
}

Repeats repeats_of(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(boot_word_rows), std::end(boot_word_rows),
                     [&](const BootWordFacts& row) { return name_of(row.word) == name; });
    return found == std::end(boot_word_rows) ? Repeats::last : found->repeats;
}

namespace {

constexpr std::string_view amd_parameter = "amd_iommu";
constexpr std::string_view intel_parameter = "intel_iommu";

std::string_view parameter_of(std::string_view word) {
    return trim(word.substr(0, word.find('=')));
}

// Returns true if the condition holds for each of "A|B".
template <typename Holds>
bool of_all_alternatives(std::string_view word, Holds holds) {
    const auto alternatives = split(word, '|');
    return std::all_of(alternatives.begin(), alternatives.end(),
                       [&](std::string_view each) { return holds(parameter_of(each)); });
}

}  // namespace

CpuMaker cpu_maker(const Fs& fs) {
    const auto vendor = first_cpu_words(fs, "vendor_id");
    const std::string name = vendor.empty() ? "" : vendor.back();
    return name == "AuthenticAMD"   ? CpuMaker::amd
           : name == "GenuineIntel" ? CpuMaker::intel
                                    : CpuMaker::unknown;
}

bool is_iommu_word(std::string_view word) {
    return of_all_alternatives(word, [](std::string_view parameter) {
        return parameter == "iommu" || parameter == "iommu.passthrough" ||
               parameter == amd_parameter || parameter == intel_parameter;
    });
}

bool is_of_other_maker(std::string_view word, CpuMaker maker) {
    const auto other = maker == CpuMaker::amd     ? intel_parameter
                       : maker == CpuMaker::intel ? amd_parameter
                                                  : std::string_view();
    return !other.empty() && of_all_alternatives(word, [&](std::string_view parameter) {
        return parameter == other;
    });
}

bool has_idle_intel_iommu(const Fs& fs) {
    const auto groups = fs.list("/sys/kernel/iommu_groups");
    const bool idle = groups ? groups->empty() : groups.is(ErrorKind::not_here);
    return idle && cpu_maker(fs) == CpuMaker::intel;
}

std::string words_for_pass_through(const Fs& fs) {
    return has_idle_intel_iommu(fs) ? "intel_iommu=on iommu=pt" : "iommu=pt";
}

std::string word_for_no_iommu(const Fs& fs) {
    const auto maker = cpu_maker(fs);
    return maker == CpuMaker::amd     ? "amd_iommu=off"
           : maker == CpuMaker::intel ? "intel_iommu=off"
                                      : "iommu=off";
}

}  // namespace rocenv
