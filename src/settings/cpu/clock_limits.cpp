// SPDX-License-Identifier: MIT
#include "settings/cpu/clock_limits.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Plausible clocks of servers in kHz; a number outside of these limits has another unit.
constexpr std::uint64_t lowest_khz = 100'000;
constexpr std::uint64_t highest_khz = 10'000'000;
constexpr std::size_t most_policies = 8;

constexpr Grade limit_grades[] = {
    {"clock limit", Level::recommended, "The governor is right, but a limit lowers the clock"},
    {"unequal clocks", Level::info, "Cores of one processor may have other highest clocks"},
    {"preference", Level::info, "The processor sets its clock itself and prefers performance"},
};

struct PolicyClocks {
    std::uint32_t policy = 0;
    std::uint64_t allowed = 0;   // scaling_max_freq
    std::uint64_t possible = 0;  // cpuinfo_max_freq
    std::uint64_t firmware = 0;  // bios_limit; 0: the driver reports none
    std::uint64_t usual = 0;     // highest allowed clock without a limit
};

std::string policy_file(std::uint32_t policy, std::string_view name) {
    return concat({"/sys/devices/system/cpu/cpufreq/policy", number(policy), "/", name});
}

Result<std::uint64_t> khz_of(const std::string& path, std::string_view text) {
    const auto value = parse_number(text);
    return value && *value >= lowest_khz && *value <= highest_khz
               ? Result(*value)
               : garbled(path, "is not a valid clock in kHz: " + quoted_value(text));
}

Result<std::uint64_t> read_khz(const Fs& fs, std::uint32_t policy, std::string_view name) {
    const auto path = policy_file(policy, name);
    const auto text = fs.read(path);
    return text ? khz_of(path, trim(*text)) : text.error();
}

// Returns the highest clock of a policy without a limit. The table of acpi-cpufreq ends at the
// nominal clock, while cpuinfo_max_freq is the boost clock (linux drivers/cpufreq/acpi-cpufreq.c,
// 5.11 to 6.15). The end of the table is then the maximum of scaling_max_freq and bios_limit.
Result<std::uint64_t> usual_khz(const Fs& fs, const PolicyClocks& clocks) {
    const auto path = policy_file(clocks.policy, "scaling_available_frequencies");
    const auto text = fs.read(path);
    if (!text) {
        return text.is(ErrorKind::not_here) ? Result(clocks.possible) : text.error();
    }
    std::uint64_t highest = 0;
    for (const auto word : words(*text)) {
        const auto khz = khz_of(path, word);
        if (!khz) {
            return khz.error();
        }
        highest = std::max(highest, *khz);
    }
    return highest == 0 ? clocks.possible : std::min(highest, clocks.possible);
}

// Returns true if a clock is lower by more than rounding.
bool is_below(std::uint64_t khz, std::uint64_t other) {
    return khz * 100 < other * 99;
}

// Returns the clocks; std::nullopt if the policy is offline or its driver has no such files.
Result<std::optional<PolicyClocks>> clocks_of(const Fs& fs, std::uint32_t policy,
                                              bool& has_firmware) {
    PolicyClocks out{.policy = policy};
    const auto allowed = read_khz(fs, policy, "scaling_max_freq");
    if (allowed.is(ErrorKind::not_here) || (!allowed && allowed.error().err == EBUSY)) {
        return std::optional<PolicyClocks>();
    }
    const auto possible = allowed ? read_khz(fs, policy, "cpuinfo_max_freq") : allowed;
    if (!possible) {
        return possible.is(ErrorKind::not_here) ? Result(std::optional<PolicyClocks>())
                                                : possible.error();
    }
    out.allowed = *allowed;
    out.possible = out.usual = *possible;
    if (has_firmware) {
        const auto firmware = read_khz(fs, policy, "bios_limit");
        has_firmware = !firmware.is(ErrorKind::not_here);
        if (!firmware && has_firmware) {
            return firmware.error();
        }
        out.firmware = firmware ? *firmware : 0;
    }
    const auto least = out.firmware == 0 ? out.allowed : std::min(out.allowed, out.firmware);
    if (is_below(least, out.possible)) {
        const auto usual = usual_khz(fs, out);
        if (!usual) {
            return usual.error();
        }
        out.usual = *usual;
    }
    return std::optional(out);
}

std::vector<std::uint32_t> spread(const std::vector<std::uint32_t>& policies) {
    if (policies.size() <= most_policies) {
        return policies;
    }
    std::vector<std::uint32_t> out;
    for (std::size_t at = 0; at < most_policies; ++at) {
        out.push_back(policies[at * (policies.size() - 1) / (most_policies - 1)]);
    }
    return out;
}

// Returns a clock as text: "1.5 GHz".
std::string clock_text(std::uint64_t khz) {
    const auto tenths = (khz + 50'000) / 100'000;
    return number(tenths / 10) + "." + number(tenths % 10) + " GHz";
}

struct Limit {
    std::string_view file;
    std::uint64_t PolicyClocks::*value;
    std::string_view cause;
};

constexpr Limit clock_limit_rows[] = {
    {"bios_limit", &PolicyClocks::firmware, "the firmware limits the clock of "},
    {"scaling_max_freq", &PolicyClocks::allowed, "scaling_max_freq limits the clock of "},
};

std::string policies_text(std::size_t some, std::size_t all, std::uint32_t first) {
    return some == 1     ? "policy" + number(first)
           : some == all ? "all " + number(all) + " policies checked"
                         : number(some) + " of " + number(all) + " policies checked";
}

std::string step_of(const Limit& limit, const PolicyClocks& clocks) {
    return limit.value == &PolicyClocks::allowed
               ? "echo " + number(clocks.usual) +
                     " | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_max_freq"
               : "check the power supplies, the temperatures and the power settings of the BIOS in "
                 "the event log of the BMC";
}

std::optional<Assessment> find_limit(const Limit& limit, const std::vector<PolicyClocks>& all) {
    const PolicyClocks* worst = nullptr;
    std::size_t some = 0;
    for (const auto& clocks : all) {
        const auto khz = clocks.*limit.value;
        if (khz != 0 && is_below(khz, clocks.usual)) {
            worst = worst == nullptr || khz < worst->*limit.value ? &clocks : worst;
            ++some;
        }
    }
    if (worst == nullptr) {
        return std::nullopt;
    }
    const auto khz = worst->*limit.value;
    auto row =
        compared({std::string(limit.file), std::nullopt, ""}, number(worst->usual), number(khz));
    row.detail = std::string(limit.cause) + policies_text(some, all.size(), worst->policy) +
                 " to " + clock_text(khz) + ", but the CPUs can run at " + clock_text(worst->usual);
    row.next_step = step_of(limit, *worst);
    row.grade = &limit_grades[0];
    return row;
}

// Finds policies with lower clocks. Favoured cores of a processor are faster by less than a tenth
// (our choice).
std::optional<Assessment> find_unequal(const std::vector<PolicyClocks>& all) {
    const auto [low, high] = std::minmax_element(
        all.begin(), all.end(), [](const PolicyClocks& one, const PolicyClocks& other) {
            return one.possible < other.possible;
        });
    if (all.empty() || low->possible * 10 >= high->possible * 9) {
        return std::nullopt;
    }
    auto row = compared({"cpuinfo_max_freq", std::nullopt, ""}, number(high->possible),
                        number(low->possible));
    row.detail = "policy" + number(low->policy) + " can run at " + clock_text(low->possible) +
                 ", but policy" + number(high->policy) + " at " + clock_text(high->possible);
    row.next_step = "lscpu --extended";
    row.grade = &limit_grades[1];
    return row;
}

Assessment unread(const char* file, const Error& error) {
    auto row = unreadable({file, std::nullopt, ""}, error);
    row.grade = &limit_grades[0];
    return row;
}

// Finds the limit of intel_pstate (linux Documentation/admin-guide/pm/intel_pstate.rst, 6.12).
std::optional<Assessment> find_percent(const Fs& fs) {
    const std::string path = "/sys/devices/system/cpu/intel_pstate/max_perf_pct";
    const auto percent = count_of_file(fs, path);
    if (!percent && !percent.is(ErrorKind::not_here)) {
        return unread("max_perf_pct", percent.error());
    }
    if (!percent || *percent >= 100) {
        return std::nullopt;
    }
    auto row = compared({"max_perf_pct", std::nullopt, ""}, "100", number(*percent));
    row.detail =
        "intel_pstate limits all CPUs to " + number(*percent) + " % of their highest clock";
    row.next_step = "echo 100 | sudo tee " + path;
    row.grade = &limit_grades[0];
    return row;
}

}  // namespace

std::span<const Grade> clock_limit_grades() {
    return limit_grades;
}

void mind_preference(const Fs& fs, std::vector<Assessment>& rows) {
    for (auto& row : rows) {
        if (row.outcome != Outcome::differs || row.have != "powersave" || !row.target.number) {
            continue;
        }
        const auto preference =
            fs.read(policy_file(*row.target.number, "energy_performance_preference"));
        if (!preference || trim(*preference) != "performance") {
            return;  // one driver serves all policies
        }
        row.grade = &limit_grades[2];
        row.detail =
            "the processor sets its clock itself, and its energy preference is performance";
    }
}

std::vector<Assessment> clock_limits(const Fs& fs, const std::vector<std::uint32_t>& policies) {
    std::vector<PolicyClocks> all;
    std::optional<Error> error;
    bool has_firmware = true;
    for (const auto policy : spread(policies)) {
        const auto clocks = clocks_of(fs, policy, has_firmware);
        if (clocks && *clocks) {
            all.push_back(**clocks);
        } else if (!clocks) {
            error = clocks.error();
        }
    }
    std::vector<Assessment> rows;
    for (const auto& limit : clock_limit_rows) {
        auto row = rows.empty() ? find_limit(limit, all)
                                : std::nullopt;  // the first limit causes the other
        if (row) {
            rows.push_back(*std::move(row));
        }
    }
    if (rows.empty() && error) {
        rows.push_back(unread("scaling_max_freq", *error));
    }
    for (auto& row : {find_percent(fs), find_unequal(all)}) {
        if (row) {
            rows.push_back(*row);
        }
    }
    return rows;
}

}  // namespace rocenv
