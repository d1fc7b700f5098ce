// SPDX-License-Identifier: MIT
#include "emulation/kernel_rules.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t largest_config = 4096;

struct Asked {
    const Fs& fs;
    const std::string& path;
    const std::string& now;  // content before the write
    std::span<const std::string_view> words;
    std::string_view word() const { return words.empty() ? std::string_view() : words.front(); }
    std::string beside(std::string_view name) const {
        return path.substr(0, path.rfind('/') + 1) + std::string(name);
    }
};

bool offers(const Fs& fs, const std::string& path, std::string_view word) {
    const auto list = fs.read(path);
    if (!list) {
        return list.is(ErrorKind::not_here);
    }
    const auto offered = words(*list);
    return std::find(offered.begin(), offered.end(), word) != offered.end();
}

KernelAnswer write_choice(const Asked& asked) {
    std::vector<std::string> choices;
    bool offered = false;
    for (auto choice : words(asked.now)) {
        if (choice.starts_with('[') && choice.ends_with(']')) {
            choice = choice.substr(1, choice.size() - 2);
        }
        const bool chosen = choice == asked.word();
        offered = offered || chosen;
        choices.push_back(chosen ? "[" + std::string(choice) + "]" : std::string(choice));
    }
    return offered ? stored(asked.path, asked.now, join(choices, " ") + "\n")
                   : refused(asked.path, EINVAL);
}

KernelAnswer write_number(const Asked& asked, std::uint64_t highest) {
    const auto value = parse_number(asked.word());
    return value && *value <= highest ? stored(asked.path, asked.now, number(*value) + "\n")
                                      : refused(asked.path, EINVAL);
}

// linux drivers/cpufreq/cpufreq.c store_scaling_governor; amd-pstate.c forces the preference.
KernelAnswer write_governor(const Asked& asked) {
    if (asked.word().empty() ||
        !offers(asked.fs, asked.beside("scaling_available_governors"), asked.word())) {
        return refused(asked.path, EINVAL);
    }
    auto answer = stored(asked.path, asked.now, std::string(asked.word()) + "\n");
    const auto preference = asked.beside("energy_performance_preference");
    const auto present = asked.fs.read(preference);
    if (asked.word() == "performance" && present && trim(*present) != "performance") {
        answer.updates.push_back({preference, "performance\n"});
    }
    return answer;
}

KernelAnswer write_preference(const Asked& asked) {
    if (asked.word().empty() ||
        !offers(asked.fs, asked.beside("energy_performance_available_preferences"), asked.word())) {
        return refused(asked.path, EINVAL);
    }
    const auto governor = asked.fs.read(asked.beside("scaling_governor"));
    if (governor && trim(*governor) == "performance" && asked.word() != "performance") {
        return refused(asked.path, EBUSY);
    }
    return stored(asked.path, asked.now, std::string(asked.word()) + "\n");
}

KernelAnswer write_idle_switch(const Asked& asked) {
    const auto value = parse_number(asked.word());
    return value ? stored(asked.path, asked.now, *value != 0 ? "1\n" : "0\n")
                 : refused(asked.path, EINVAL);
}

// "1 : soc_pstate_0" lines; the '*', with the blank before it if there is one, moves.
KernelAnswer write_policy(const Asked& asked) {
    const auto wanted = parse_number(asked.word());
    const std::string mark = asked.now.find(" *") != std::string::npos ? " *" : "*";
    bool found = false;
    std::vector<std::string> lines;
    for (const auto line : split(asked.now, '\n')) {
        std::string text(line.substr(0, line.find(mark)));
        if (wanted && parse_number(trim(line.substr(0, line.find(':')))) == wanted) {
            found = true;
            text += mark;
        }
        lines.push_back(std::move(text));
    }
    return found ? stored(asked.path, asked.now, join(lines, "\n")) : refused(asked.path, EINVAL);
}

// Rules that need nothing but the file's neighbours, by how a path ends.
struct Rule {
    std::string_view end;
    KernelAnswer (*write)(const Asked&);
};

KernelAnswer write_switch(const Asked& asked) {
    return write_number(asked, 1);
}

constexpr std::array<Rule, 11> rules{{
    {"/transparent_hugepage/enabled", write_choice},
    {"/transparent_hugepage/defrag", write_choice},
    {"/scaling_governor", write_governor},
    {"/energy_performance_preference", write_preference},
    {"/disable", write_idle_switch},
    {"/sys/kernel/numa_balancing", [](const Asked& asked) { return write_number(asked, 4); }},
    {"/sys/kernel/nmi_watchdog", write_switch},
    {"/sys/vm/compaction_proactiveness",
     [](const Asked& asked) { return write_number(asked, 100); }},
    {"/boost", write_switch},
    {"/no_turbo", write_switch},
    {"/pm_policy/soc_pstate", write_policy},
}};

// An error of looking at the file, as the write meets it.
KernelAnswer no_content(const Error& error, const std::string& path) {
    return error.err != 0 ? refused(path, error.err) : KernelAnswer{{}, error};
}

// linux drivers/pci/pci-sysfs.c pci_write_config, fs/sysfs/file.c sysfs_kf_bin_write
KernelAnswer write_config(const Fs& fs, const std::string& path, std::uint64_t offset,
                          std::string_view bytes) {
    const auto now = fs.read_at(path, 0, largest_config);
    if (!now) {
        return no_content(now.error(), path);
    }
    if (offset > now->size() || bytes.size() > now->size() - offset) {
        return refused(path, EFBIG);
    }
    std::string content = *now;
    content.replace(offset, bytes.size(), bytes);
    return stored(path, *now, std::move(content));
}

}  // namespace

KernelAnswer refused(const std::string& path, int err) {
    return {{}, errno_error("write", path, err)};
}

KernelAnswer stored(const std::string& path, const std::string& now, std::string content) {
    KernelAnswer answer;
    if (content != now) {
        answer.updates.push_back({path, std::move(content)});
    }
    return answer;
}

KernelAnswer KernelRules::write(const Fs& fs, const std::string& path,
                                std::optional<std::uint64_t> offset, std::string_view bytes) {
    if (offset && path.ends_with("/config")) {
        return write_config(fs, path, *offset, bytes);
    }
    KernelAnswer answer = write_text(fs, path, offset, bytes);
    // A kernel ends its texts with a line end; a file that somebody wrote by hand and that has none
    // keeps its form, so that the very bytes come back.
    for (auto& update : answer.updates) {
        const auto now = fs.read(update.path);
        if (now && !now->empty() && !now->ends_with('\n') && update.content.ends_with('\n')) {
            update.content.pop_back();
        }
    }
    return answer;
}

KernelAnswer KernelRules::write_text(const Fs& fs, const std::string& path,
                                     std::optional<std::uint64_t> offset, std::string_view bytes) {
    const auto now = fs.read(path);
    if (!now) {
        return no_content(now.error(), path);
    }
    if (offset) {
        return refused(path, EINVAL);
    }
    const auto parts = words(bytes);
    const Asked asked{fs, path, *now, parts};
    if (path.ends_with("/power_dpm_force_performance_level")) {
        return gpus_.write_level(fs, path, *now, asked.word());
    }
    if (path.ends_with("/pp_od_clk_voltage")) {
        return gpus_.write_clocks(fs, path, *now, parts);
    }
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const Rule& one) { return path.ends_with(one.end); });
    return rule == rules.end() ? refused(path, EACCES) : rule->write(asked);
}

}  // namespace rocenv
