// SPDX-License-Identifier: MIT
#include "os/emulation/kernel_rules.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t largest_config = 4096;

bool offers(const Fs& fs, const std::string& path, std::string_view word) {
    const auto list = fs.read(path);
    if (!list) {
        return list.is(ErrorKind::not_here);
    }
    const auto offered = words(*list);
    return std::find(offered.begin(), offered.end(), word) != offered.end();
}

KernelAnswer emulate_choice(const EmulatedWrite& write) {
    std::vector<std::string> choices;
    bool offered = false;
    for (auto choice : words(write.now)) {
        if (choice.starts_with('[') && choice.ends_with(']')) {
            choice = choice.substr(1, choice.size() - 2);
        }
        const bool chosen = choice == write.word();
        offered = offered || chosen;
        choices.push_back(chosen ? "[" + std::string(choice) + "]" : std::string(choice));
    }
    return offered ? stored(write.path, write.now, join(choices, " ") + "\n")
                   : refused(write.path, EINVAL);
}

KernelAnswer emulate_number(const EmulatedWrite& write) {
    const auto range = range_of(write.place.bytes);
    const auto value = parse_number(write.word());
    return range && value && range->holds(*value)
               ? stored(write.path, write.now, number(*value) + "\n")
               : refused(write.path, EINVAL);
}

// Emulates "1 : soc_pstate_0" lines: the '*', with a blank before it, moves.
KernelAnswer emulate_policy(const EmulatedWrite& write) {
    const auto requested = parse_number(write.word());
    const std::string mark = write.now.find(" *") != std::string::npos ? " *" : "*";
    bool found = false;
    std::vector<std::string> lines;
    for (const auto line : split(write.now, '\n')) {
        std::string text(line.substr(0, line.find(mark)));
        if (requested && parse_number(trim(line.substr(0, line.find(':')))) == requested) {
            found = true;
            text += mark;
        }
        lines.push_back(std::move(text));
    }
    return found ? stored(write.path, write.now, join(lines, "\n")) : refused(write.path, EINVAL);
}

// Returns true if the path ends like the pattern: with the part after the last <>, or with the file
// and its folder. A path may lead through links.
bool ends_as(std::string_view path, std::string_view pattern) {
    const auto last = pattern.rfind('>');
    const auto folder = pattern.rfind('/', pattern.rfind('/') - 1);
    return path.ends_with(pattern.substr(last == std::string_view::npos ? folder : last + 1));
}

const WrittenPlace* place_of(std::string_view path) {
    const auto places = emulated_places();
    const auto found = std::find_if(places.begin(), places.end(), [&](const WrittenPlace* place) {
        return !place->offsets && ends_as(path, place->path);
    });
    return found == places.end() ? nullptr : *found;
}

// Returns the error of reading the file as the error of the write.
KernelAnswer no_content(const Error& error, const std::string& path) {
    return error.err != 0 ? refused(path, error.err) : KernelAnswer{{}, error};
}

// Emulates linux drivers/pci/pci-sysfs.c pci_write_config and fs/sysfs/file.c sysfs_kf_bin_write.
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

// Emulates linux drivers/cpufreq/cpufreq.c store_scaling_governor; amd-pstate.c forces the
// preference.
KernelAnswer emulate_governor(const EmulatedWrite& write) {
    if (write.word().empty() ||
        !offers(write.fs, write.beside("scaling_available_governors"), write.word())) {
        return refused(write.path, EINVAL);
    }
    auto answer = stored(write.path, write.now, std::string(write.word()) + "\n");
    const auto preference = write.beside("energy_performance_preference");
    const auto present = write.fs.read(preference);
    if (write.word() == "performance" && present && trim(*present) != "performance") {
        answer.updates.push_back({preference, "performance\n"});
    }
    return answer;
}

KernelAnswer emulate_preference(const EmulatedWrite& write) {
    if (write.word().empty() ||
        !offers(write.fs, write.beside("energy_performance_available_preferences"), write.word())) {
        return refused(write.path, EINVAL);
    }
    const auto governor = write.fs.read(write.beside("scaling_governor"));
    if (governor && trim(*governor) == "performance" && write.word() != "performance") {
        return refused(write.path, EBUSY);
    }
    return stored(write.path, write.now, std::string(write.word()) + "\n");
}

KernelAnswer emulate_idle_switch(const EmulatedWrite& write) {
    const auto value = parse_number(write.word());
    return value ? stored(write.path, write.now, *value != 0 ? "1\n" : "0\n")
                 : refused(write.path, EINVAL);
}

KernelAnswer emulate_performance_level(const EmulatedWrite& write) {
    return write.gpus.write_level(write.fs, write.path, write.now, write.word());
}

KernelAnswer emulate_clock_table(const EmulatedWrite& write) {
    return write.gpus.write_clocks(write.fs, write.path, write.now, write.words);
}

KernelRule rule_of(const WrittenPlace& place) {
    if (place.rule != nullptr) {
        return place.rule;
    }
    return place.codec == Codec::choice                          ? emulate_choice
           : place.codec == Codec::starred                       ? emulate_policy
           : place.codec == Codec::line && range_of(place.bytes) ? emulate_number
                                                                 : nullptr;
}

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
    // Kernel texts end with a line end. A handwritten file without one keeps its form, so that a
    // restore gives the same bytes.
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
    const auto* place = place_of(path);
    const KernelRule rule = place == nullptr ? nullptr : rule_of(*place);
    return rule == nullptr ? refused(path, EACCES)
                           : rule(EmulatedWrite{fs, *place, path, *now, parts, gpus_});
}

}  // namespace rocenv
