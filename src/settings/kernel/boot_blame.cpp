// SPDX-License-Identifier: MIT
#include "settings/kernel/boot_blame.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "machine/host/boot_words.h"
#include "machine/host/cpus.h"
#include "settings/memory/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns true if the row has the value that the word causes, and expected another one.
bool explains(const BootCause& cause, const Assessment& row) {
    const auto shows =
        cause.facts->shows == "=" ? std::string_view(cause.value) : cause.facts->shows;
    if (row.expected && !shows.empty() && *row.expected == shows) {
        return false;
    }
    return shows.empty() || (row.have && row.have->find(shows) != std::string::npos);
}

}  // namespace

void add_detail(std::string_view clause, std::string& detail) {
    detail += (detail.empty() ? "" : "; ") + std::string(clause);
}

void blame_boot_words(const Machine& machine, std::string_view id, BlameStep step,
                      Assessment& row) {
    if (row.outcome != Outcome::differs) {
        return;
    }
    const auto arguments = machine.kernel_arguments();
    std::vector<std::string> words;
    for (const auto& cause : arguments ? boot_causes(*arguments, id) : std::vector<BootCause>()) {
        if (explains(cause, row)) {
            add_detail(
                cause.word + " on the kernel command line " + std::string(cause.facts->effect),
                row.detail);
            words.push_back(cause.word);
        }
    }
    if (!words.empty() && step == BlameStep::replace) {
        row.next_step = boot_words_step(*arguments, {}, words);
    }
}

namespace {

using Arguments = std::vector<KernelArgument>;

// Returns the number of bytes in "16G" (linux lib/cmdline.c memparse).
std::optional<std::uint64_t> bytes_in(std::string_view text) {
    constexpr std::string_view units = "KMGTPE";
    constexpr unsigned bits_a_unit = 10;
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = parse_number(text.substr(0, end));
    if (!count || end + 1 < text.size()) {
        return std::nullopt;
    }
    const char letter = end < text.size() ? text[end] : ' ';
    const auto unit = units.find(letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter);
    const unsigned shift = unit == units.npos ? 0 : bits_a_unit * static_cast<unsigned>(unit + 1);
    return shift < 64 && *count >> (64 - std::max(shift, 1U)) == 0 ? std::optional(*count << shift)
                                                                   : std::nullopt;
}

// Returns the lowest of the numbers of a parameter.
template <typename Parse>
std::optional<std::uint64_t> least_of(const Arguments& arguments, std::string_view name,
                                      Parse parse) {
    std::optional<std::uint64_t> least;
    for (const auto& argument : arguments) {
        const std::optional<std::uint64_t> value =
            argument.name == name ? parse(argument.value) : std::nullopt;
        least = value ? std::min(least.value_or(*value), *value) : least;
    }
    return least;
}

// Returns true if the limit is below the number of CPUs; a higher one has no effect.
bool limits_cpus(const Machine& machine, const Arguments& arguments, std::string_view name) {
    const auto limit =
        least_of(arguments, name, [](std::string_view text) { return parse_number(text); });
    const auto online = machine.online_cpus();
    return !limit || !online || online->size() >= *limit;
}

Result<bool> max_cpus_acts(const Machine& machine, const Arguments& arguments) {
    return limits_cpus(machine, arguments, "maxcpus");
}

Result<bool> nr_cpus_acts(const Machine& machine, const Arguments& arguments) {
    return limits_cpus(machine, arguments, "nr_cpus");
}

// Returns true if the memory is limited; the kernel keeps a few percent of the memory.
Result<bool> mem_acts(const Machine& machine, const Arguments& arguments) {
    const auto limit = least_of(arguments, "mem", bytes_in);
    const auto total = memory_bytes(machine.fs());
    return !limit || !total || *limit / 5 * 4 <= *total;
}

// Returns true if NUMA is missing; one processor may be a single node.
Result<bool> numa_acts(const Machine& machine, const Arguments&) {
    const auto packages = read_packages_of(machine);
    return !packages || packages->size() > 1;
}

bool is_tsc_replaced(const Fs& fs) {
    const auto text = fs.read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    const auto clock = text ? trim(*text) : std::string_view("jiffies");
    return clock == "hpet" || clock == "acpi_pm" || clock == "jiffies" ||
           clock == "refined-jiffies";
}

// Returns true if another clock is in use; the clock may have been changed later.
Result<bool> clock_acts(const Machine& machine, const Arguments&) {
    return is_tsc_replaced(machine.fs());
}

// Returns true if the word has an effect; guests have clocks of their own, which these words do not
// affect.
Result<bool> tsc_acts(const Machine& machine, const Arguments&) {
    return !machine.in_guest() || is_tsc_replaced(machine.fs());
}

// Returns true if CPUs are missing; up to 255 CPUs can be numbered without x2APIC.
Result<bool> x2apic_acts(const Machine& machine, const Arguments&) {
    constexpr std::size_t without_x2apic = 255;
    const auto online = machine.online_cpus();
    return !online || online->size() >= without_x2apic;
}

// Returns true for a limit of idle states. processor.max_cstate=1 is a way to keep the value of
// cpu.idle across reboots.
Result<bool> max_cstate_acts(const Machine&, const Arguments& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const KernelArgument& argument) {
        return argument.name == "processor.max_cstate" && argument.value != "1" &&
               argument.value !=
                   "9";  // disables a limit of the firmware (kernel-parameters.txt, 6.12)
    });
}

struct WordEffect {
    std::string_view name;
    Result<bool> (*acts)(const Machine& machine, const Arguments& arguments);
};

constexpr WordEffect word_effect_rows[] = {
    {"isolcpus", isolates_gpu},  {"maxcpus", max_cpus_acts},
    {"nr_cpus", nr_cpus_acts},   {"mem", mem_acts},
    {"nox2apic", x2apic_acts},   {"numa", numa_acts},
    {"tsc", tsc_acts},           {"notsc", tsc_acts},
    {"clocksource", clock_acts}, {"processor.max_cstate", max_cstate_acts},
};

}  // namespace

Result<bool> boot_word_acts(const Machine& machine, const std::vector<KernelArgument>& arguments,
                            std::string_view word) {
    const auto name = word.substr(0, word.find('='));
    const auto* const found =
        std::find_if(std::begin(word_effect_rows), std::end(word_effect_rows),
                     [&](const WordEffect& effect) { return effect.name == name; });
    return found == std::end(word_effect_rows) ? Result(true) : found->acts(machine, arguments);
}

}  // namespace rocenv
