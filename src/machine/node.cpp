// SPDX-License-Identifier: MIT
// CPUs, the kernel command line, facts of the node.
#include <algorithm>
#include <utility>

#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string line_of(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    return text ? printable(trim(*text), 100) : std::string();
}

// A container is not in the initial pid or cgroup namespace (linux include/linux/proc_ns.h gives
// their inode numbers).
bool in_container(const Fs& fs) {
    if (!fs.is_real()) {
        return false;
    }
    const auto pid = fs.link("/proc/self/ns/pid");
    const auto cgroup = fs.link("/proc/self/ns/cgroup");
    if ((pid && *pid != "pid:[4026531836]") || (cgroup && *cgroup != "cgroup:[4026531835]")) {
        return true;
    }
    const bool marked = exists(fs, "/.dockerenv") || exists(fs, "/run/.containerenv");
    if (!marked) {
        return false;
    }
    const auto mounts = fs.read("/proc/self/mounts");
    for (const auto line : split(mounts ? std::string_view(*mounts) : std::string_view(), '\n')) {
        const auto parts = words(line);
        if (parts.size() > 2 && parts[1] == "/" && parts[2] == "overlay") {
            return true;
        }
    }
    return false;
}

// Words separated by blanks; in double quotes a blank is part of the word.
std::vector<std::string> quoted_words(std::string_view line) {
    std::vector<std::string> found;
    std::string word;
    bool quoted = false;
    for (const char byte : line) {
        const bool blank = byte == ' ' || byte == '\t' || byte == '\n';
        if (byte == '"') {
            quoted = !quoted;
        } else if (quoted || !blank) {
            word += byte;
        } else if (!word.empty()) {
            found.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) {
        found.push_back(std::move(word));
    }
    return found;
}

}  // namespace

Result<std::vector<std::uint32_t>> Machine::online_cpus() const {
    const std::string path = "/sys/devices/system/cpu/online";
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    auto list = parse_number_list(trim(*text));
    if (!list || list->empty()) {
        return garbled(path, "is no list of CPUs: \"" + printable(trim(*text), 40) + "\"");
    }
    return *std::move(list);
}

// Words in double quotes may hold blanks; what follows "--" is for init
// (linux kernel/params.c parse_args, next_arg).
Result<std::vector<KernelArgument>> Machine::kernel_arguments() const {
    const std::string path = "/proc/cmdline";
    const auto text = fs_.read(path);
    if (!text) {
        return text.error();
    }
    const auto line = trim(*text);
    const bool binary = std::any_of(line.begin(), line.end(), [](unsigned char byte) {
        return (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f;
    });
    const bool blank = text->find_first_not_of('\0') == std::string::npos;
    if (blank || binary) {
        return garbled(path, text->empty() ? "is empty" : "holds bytes that are no text");
    }
    std::vector<KernelArgument> arguments;
    for (auto& word : quoted_words(line)) {
        if (word == "--") {
            break;
        }
        const auto equals = word.find('=');
        KernelArgument argument;
        argument.name = word.substr(0, equals);
        argument.has_value = equals != std::string::npos;
        argument.value = argument.has_value ? word.substr(equals + 1) : "";
        std::replace(argument.name.begin(), argument.name.end(), '-', '_');
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

Result<std::string> boot_id_of(const Fs& fs) {
    constexpr std::size_t id_size = 36;
    const std::string path = "/proc/sys/kernel/random/boot_id";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    std::string id(trim(*text));
    const bool sensible =
        id.size() == id_size && id.find_first_not_of("0123456789abcdef-") == std::string::npos;
    return sensible ? Result<std::string>(std::move(id)) : garbled(path, "holds no boot id");
}

NodeFacts Machine::facts() const {
    return {line_of(fs_, "/proc/sys/kernel/hostname"),
            line_of(fs_, "/proc/sys/kernel/random/boot_id"),
            line_of(fs_, "/proc/sys/kernel/osrelease"), in_container(fs_)};
}

}  // namespace rocenv
